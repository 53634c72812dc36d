"""What a set of rules derives from facts when it is applied until nothing new comes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbeam.ilp.amie.counting import predictions
from hornbeam.ilp.amie.rules import Rule
from hornbeam.ilp.relations import Table, TooMany, World, distinct


def closure(world: World, rules: Sequence[Rule], most: int) -> World:
    """The facts and all that follows; TooMany beyond `most` facts.

    >>> from hornbeam.ilp.relations import Atom
    >>> from hornbeam.theory import Theory
    >>> world = World.of(Theory.parse("p(a,b). p(b,c). p(c,d).").heads)
    >>> len(closure(world, [Rule(Atom(0, (0, 1)), (Atom(0, (0, 2)), Atom(0, (2, 1))))], 100).tables[0])
    6
    """
    changed = set(range(len(world.predicates)))
    while True:
        tables = list(world.tables)
        for rule in rules:
            if changed & {atom.predicate for atom in rule.body}:
                head = rule.head.predicate
                tables[head] = np.vstack([tables[head], _new(world, rule)])
        grown = tuple(map(distinct, tables))
        changed = {at for at, table in enumerate(grown) if len(table) > len(world.tables[at])}
        if not changed:
            return world
        world = World(world.predicates, world.constants, grown)
        if world.size > most:
            raise TooMany


def _new(world: World, rule: Rule) -> Table:
    found = predictions(world, rule)
    return found[~world.contains(rule.head.predicate, found)]
