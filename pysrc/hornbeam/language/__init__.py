"""Language models: samples as prompts, the judge of their answers, and adapters for other packages.

`item` is the record that all of them share, `prompts` makes items of a dataset, `ladder` and `fresh` make new items of
a level, `solutions` writes proofs in words, `adapters` connects other packages, `audits` checks their rows.
"""
