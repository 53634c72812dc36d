"""KANDY: pictures of composed objects, and rules over them, task after task.

A curriculum (`curricula/kandy`) says what to draw, `kb/kandy` what is true of it:

>>> from hornbeam import resources
>>> from hornbeam.kandy.generate import make_plan
>>> from hornbeam.kandy.language.read import read_curriculum
>>> tour = read_curriculum(resources.curricula("kandy", "tour.yml"))
>>> plan = make_plan(tour.task("house"), tour, seed=7)
>>> len(plan.rows), sum(row.label for row in plan.rows)
(40, 20)

The way of a sample: `config` and `language/` read a `curriculum`, whose generation rules expand to trees (`tree`);
`search` keeps those that are new and that Prolog confirms (`knowledge`), `generate` deals them out to the splits,
`proving` derives every label, `geometry` and `render` draw the picture, `record` holds what the sample says of it.
"""
