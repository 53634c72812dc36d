"""An order of constants under which a recursive call is always about something smaller.

A clause may call its own predicate if some place of the call goes down: over all true examples that the clause covers,
the pairs (value in the head, value in the call) have no circle. Each predicate keeps the pairs of the clauses that were
accepted, so that all of its clauses go down in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hornbeam.ilp.foil.evidence import Evidence
from hornbeam.ilp.relations import Atom

Pairs = frozenset[tuple[int, int]]


@dataclass
class Descent:
    """The pairs of each place, of one target predicate."""

    known: dict[int, Pairs] = field(default_factory=dict)

    def places(self, evidence: Evidence) -> dict[int, Pairs] | None:
        """For the calls of a clause the places that go down; None where some call has none."""
        found: dict[int, Pairs] | None = None
        for atom in evidence.body:
            if atom.predicate == evidence.head.predicate:
                going_down = self._going_down(evidence, atom)
                found = (
                    going_down
                    if found is None
                    else {at: found[at] | going_down[at] for at in found if at in going_down}
                )
        if found is None:
            return {}
        good = {at: pairs for at, pairs in found.items() if not has_circle(pairs | self.known.get(at, frozenset()))}
        if self.known:
            good = {at: pairs for at, pairs in good.items() if at in self.known}
        return good or None

    def accept(self, evidence: Evidence) -> None:
        """The clause belongs to the theory now."""
        found = self.places(evidence)
        if found:
            self.known = {at: pairs | self.known.get(at, frozenset()) for at, pairs in found.items()}

    def _going_down(self, evidence: Evidence, atom: Atom) -> dict[int, Pairs]:
        found = {}
        for at, (one, other) in enumerate(zip(evidence.head.args, atom.args, strict=True)):
            if one != other:
                columns = evidence.positive[:, [evidence.names.index(one), evidence.names.index(other)]]
                pairs = frozenset(map(tuple, columns.tolist()))
                if not has_circle(pairs):
                    found[at] = pairs
        return found


def has_circle(pairs: Pairs) -> bool:
    """Whether the directed graph of the pairs has a circle.

    >>> has_circle(frozenset({(1, 2), (2, 3)})), has_circle(frozenset({(1, 2), (2, 1)}))
    (False, True)
    """
    after: dict[int, list[int]] = {}
    waiting: dict[int, int] = {}
    for one, other in pairs:
        after.setdefault(one, []).append(other)
        waiting[other] = waiting.get(other, 0) + 1
        waiting.setdefault(one, 0)
    front = [node for node, count in waiting.items() if count == 0]
    done = 0
    while front:
        done += 1
        for other in after.get(front.pop(), ()):
            waiting[other] -= 1
            if waiting[other] == 0:
                front.append(other)
    return done < len(waiting)
