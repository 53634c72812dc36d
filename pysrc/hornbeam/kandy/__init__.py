"""KANDY: pictures of composed objects, and rules over them, task after task.

A curriculum (`curricula/kandy`) says what to draw, `kb/kandy` what is true of it:

>>> from hornbeam import resources
>>> from hornbeam.kandy.curriculum import read_curriculum
>>> from hornbeam.kandy.dataset import make_plan
>>> tour = read_curriculum(resources.curricula("kandy", "tour.yml"))
>>> plan = make_plan(tour.task("house"), tour, seed=7)
>>> len(plan.rows), sum(row.label for row in plan.rows)
(40, 20)

The way of a sample: `language/` reads and expands a generation rule to a tree (`tree`), `sample` keeps those that are
new and that Prolog confirms (`logic`), `splits` deals them out, `geometry` and `render` draw them, `annotate` tells
what the picture shows, `dataset` makes the batch that goes to disk.
"""
