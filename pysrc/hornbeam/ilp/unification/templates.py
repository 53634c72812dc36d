"""Rule templates, and which instances of their bodies connect the two things of a goal.

A template is a chain of slots, each in a direction. Constants unify only with themselves, so all that a proof of q(X,Y)
needs to know of the facts is which sequences of predicates lead from X to Y in the directions of the template: its
patterns. All of them are kept, so nothing is lost by pruning.

>>> from hornbeam.theory import as_facts
>>> world = FactBase.of(as_facts("p(a,b). r(b,c). q(a,c)."))
>>> patterns(world, Template((True, True)), np.array([[0, 2]]), None).tolist()
[[0, 0, 2]]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbeam.ilp.amie.rules import MinedRule
from hornbeam.ilp.chains.operators import Operator, chain_rule
from hornbeam.ilp.relations import FactBase, Table, distinct, runs


@dataclass(frozen=True, slots=True)
class Template:
    """A body: for each slot, from the first argument of the head on, whether it is walked forwards."""

    forwards: tuple[bool, ...]

    @property
    def slots(self) -> int:
        return len(self.forwards)

    def rule(self, head: int, body: tuple[int, ...]) -> MinedRule:
        """The rule with these predicates in the slots."""
        # Chains are applied from the second argument on.
        steps = [
            Operator("walk" if forward else "back", predicate)
            for forward, predicate in zip(self.forwards, body, strict=True)
        ]
        return chain_rule(head, tuple(reversed(steps)))

    def __str__(self) -> str:
        places = ["X", *"ZVW"[: self.slots - 1], "Y"]
        atoms = [
            f"#{at + 2}({places[at]},{places[at + 1]})" if forward else f"#{at + 2}({places[at + 1]},{places[at]})"
            for at, forward in enumerate(self.forwards)
        ]
        return f"#1(X,Y) :- {', '.join(atoms)}"


def templates_of(length: int) -> tuple[Template, ...]:
    """All chains of at most so many slots, in all directions.

    >>> [str(template) for template in templates_of(1)]
    ['#1(X,Y) :- #2(X,Y)', '#1(X,Y) :- #2(Y,X)']
    """
    found: list[tuple[bool, ...]] = [()]
    every: list[tuple[bool, ...]] = []
    for _ in range(length):
        found = [(*one, forward) for one in found for forward in (True, False)]
        every += found
    return tuple(map(Template, every))


@dataclass(frozen=True)
class _Facts:
    """The facts of two arguments as rows (predicate, first, second), with an index by either place."""

    rows: Table

    @classmethod
    def of(cls, world: FactBase) -> _Facts:
        parts = [
            np.column_stack([np.full(len(table), at), table])
            for at, table in enumerate(world.tables)
            if world.arity(at) == 2 and len(table)
        ]
        return cls(np.vstack(parts) if parts else np.zeros((0, 3), np.int64))

    def next(self, places: Table, forward: bool) -> tuple[Table, Table]:
        """For each place the facts that lead on from it: the number of the place, and that of the fact."""
        column = self.rows[:, 1 if forward else 2]
        order = np.argsort(column, kind="stable")
        keys = column[order]
        start = np.searchsorted(keys, places, "left")
        count = np.searchsorted(keys, places, "right") - start
        number, at = runs(start, count)
        return number, order[at]


def patterns(world: FactBase, template: Template, goals: Table, own: Table | None) -> Table:
    """Rows (goal, predicate of each slot): each sequence of predicates that connects the two things of a goal, once.

    Args:
        world: The facts.
        template: The body.
        goals: The two things of each goal.
        own: The predicate of each goal, whose own fact proves nothing; None where goals are no facts.
    """
    facts = _Facts.of(world)
    goal = np.arange(len(goals))
    place = goals[:, 0]
    used = np.zeros((len(goals), 0), np.int64)
    for forward in template.forwards:
        left, fact = facts.next(place, forward)
        rows = facts.rows[fact]
        goal, used = goal[left], np.column_stack([used[left], rows[:, 0]])
        place = rows[:, 2 if forward else 1]
        if own is not None:
            is_own = (rows == np.column_stack([own, goals])[goal]).all(axis=1)
            goal, used, place = goal[~is_own], used[~is_own], place[~is_own]
        kept = distinct(np.column_stack([goal, used, place]))
        goal, used, place = kept[:, 0], kept[:, 1:-1], kept[:, -1]
    ends = place == goals[goal, 1]
    return distinct(np.column_stack([goal[ends], used[ends]]))
