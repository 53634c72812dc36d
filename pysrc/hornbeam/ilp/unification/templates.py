"""Rule templates, and which instances of their bodies connect the two things of a goal.

A template is a chain of slots, each in a direction. Constants unify only with themselves, so all that a proof of q(X,Y)
needs to know of the facts is which sequences of predicates lead from X to Y in the directions of the template: its
patterns. All of them are kept, so nothing is lost by pruning.

>>> from hornbeam.theory import as_facts
>>> world = FactBase.of(as_facts("p(a,b). r(b,c). q(a,c)."))
>>> Connections(world).patterns(Template((True, True)), np.array([[1, 0, 2]]), own=True).tolist()
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


class Connections:
    """The facts of two arguments as rows (predicate, first, second), with an index by either place."""

    def __init__(self, world: FactBase) -> None:
        parts = [
            np.column_stack([np.full(len(table), at), table])
            for at, table in enumerate(world.tables)
            if world.arity(at) == 2 and len(table)
        ]
        self.rows: Table = np.vstack(parts) if parts else np.zeros((0, 3), np.int64)
        self._order = {
            forward: np.argsort(self.rows[:, 1 if forward else 2], kind="stable") for forward in (True, False)
        }

    def patterns(self, template: Template, goals: Table, own: bool) -> Table:
        """Rows (goal, predicate of each slot): each sequence of predicates that connects the things of a goal, once.

        Args:
            template: The body.
            goals: The predicate and the two things of each goal.
            own: Whether the goals are facts: the fact itself then proves nothing.
        """
        goal = np.arange(len(goals))
        place = goals[:, 1]
        used = np.zeros((len(goals), 0), np.int64)
        for forward in template.forwards:
            left, rows = self._next(place, forward)
            goal, used, place = goal[left], np.column_stack([used[left], rows[:, 0]]), rows[:, 2 if forward else 1]
            if own:
                others = (rows != goals[goal]).any(axis=1)
                goal, used, place = goal[others], used[others], place[others]
            kept = distinct(np.column_stack([goal, used, place]))
            goal, used, place = kept[:, 0], kept[:, 1:-1], kept[:, -1]
        ends = place == goals[goal, 2]
        return distinct(np.column_stack([goal[ends], used[ends]]))

    def _next(self, places: Table, forward: bool) -> tuple[Table, Table]:
        """For each place the facts that lead on from it: the number of the place, and the fact."""
        order = self._order[forward]
        keys = self.rows[order, 1 if forward else 2]
        start = np.searchsorted(keys, places, "left")
        count = np.searchsorted(keys, places, "right") - start
        number, at = runs(start, count)
        return number, self.rows[order[at]]
