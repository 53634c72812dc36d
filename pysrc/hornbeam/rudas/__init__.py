"""RuDaS: rule sets of known shape, and facts in an open, noisy world that follow from them.

A task is one dataset of the paper: a rule set, the facts of a training world and of a fresh one. **A sample is one
fact.** Its keys:

| key        | what it holds                                                                                       |
|------------|-----------------------------------------------------------------------------------------------------|
| task       | the dataset's name, as the original names folders: ``CHAIN-XS-2-0``                                 |
| split      | ``train``: what a learner is given (train.txt). ``valid``: true in the same world, withheld.        |
|            | ``test``: the fresh world on which rules are scored (eval-support.txt, eval-conseqs.txt)            |
| label      | ``support``, ``consequence``, ``noise``, ``removed`` (open world) or ``missing`` (support, withheld) |
| supervised | whether a learner may see the fact: all of ``train``, none of ``valid``, the support of ``test``    |

docs/samples.md says what `input`, `symbolic` and `proof` hold.
"""
