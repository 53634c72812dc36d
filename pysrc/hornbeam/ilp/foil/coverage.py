"""The tuples that a clause under way covers, how a further literal changes them, and whether recursion ends.

The tuples of true examples are a table: the example, and the values of the clause's variables. False examples are a
table of the same kind where they are given. Under the closed world they need not be written down: the body alone says
how many tuples there are in all, and those of true examples are known.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import log2

import numpy as np

from hornbeam.ilp.relations import FactBase, Flags, Table, TableAtom, TooMany, count_distinct, in_order, without_head

EXAMPLE = -1  # the name of the column that holds the example's number


@dataclass(frozen=True, slots=True, eq=False)
class ClauseEvidence:
    """A clause and its tuples. `left` says which true examples no earlier clause covers."""

    head: TableAtom
    body: tuple[TableAtom, ...]
    names: tuple[int, ...]  # of the columns of `positive` and `negative`
    positive: Table
    left: Flags
    negative: Table | None  # None: the closed world
    bound: tuple[int, ...] = ()  # variables of `whole`, the bindings of the body alone
    whole: Table | None = None
    constants: int = 0
    extra: int = 0  # literals of the body that were added because they are determinate

    @property
    def variables(self) -> list[int]:
        return [name for name in self.names if name != EXAMPLE]

    @property
    def own(self) -> Table:
        """The tuples of examples that are left."""
        return self.positive[self.left[self.positive[:, 0]]]

    @property
    def tuples(self) -> tuple[int, float]:
        """Tuples of true examples that are left, and of false ones."""
        if self.negative is not None:
            return len(self.own), float(len(self.negative))
        return len(self.own), max(0.0, self._all - len(self.positive))

    @property
    def _all(self) -> float:
        """All tuples of the body: head variables that it does not bind take every constant."""
        free = [arg for arg in self.head.args if arg not in self.bound]
        if self.whole is None:
            return float(self.constants) ** len(free)
        return float(len(self.whole)) * float(self.constants) ** len(free) - self._circular(free)

    def _circular(self, free: list[int]) -> int:
        """Tuples in which a literal is the head itself, where that depends on head variables that are not bound yet."""
        calls = [atom for atom in self.body if atom.predicate == self.head.predicate]
        if not free or not calls or self.whole is None:
            return 0
        columns = {name: self.whole[:, at] for at, name in enumerate(self.bound)}
        circular = []
        for atom in calls:
            called = dict(zip(self.head.args, atom.args, strict=True))
            same = [columns[name] == columns[arg] for name, arg in called.items() if name not in free]
            rows = np.flatnonzero(np.all(same, axis=0)) if same else np.arange(len(self.whole))
            circular.append(np.column_stack([rows, *(columns[called[name]][rows] for name in free)]))
        return count_distinct(np.vstack(circular))

    @property
    def information(self) -> float:
        """The bits that tell that a tuple is a true example's."""
        right, wrong = self.tuples
        return log2((right + wrong) / right) if right else float("inf")

    def examples(self) -> tuple[int, float]:
        """True examples that are left and covered, and false ones covered: the clause's predictions."""
        right = len(np.unique(self.own[:, 0]))
        if self.negative is not None:
            return right, float(len(np.unique(self.negative[:, 0])))
        free = set(self.head.args) - set(self.bound)
        if self.whole is None:
            heads = 1
        else:
            kept = [self.bound.index(arg) for arg in dict.fromkeys(self.head.args) if arg in self.bound]
            heads = count_distinct(self.whole[:, kept]) if kept else 1
        return right, float(heads) * float(self.constants) ** len(free) - len(np.unique(self.positive[:, 0]))

    def covered(self) -> Table:
        """The numbers of the true examples that are covered, those left or not."""
        return np.unique(self.positive[:, 0])


def start(world: FactBase, head: TableAtom, positive: Table, left: Flags, negative: Table | None) -> ClauseEvidence:
    """The clause without a body."""
    first = {name: head.args.index(name) for name in dict.fromkeys(head.args)}

    def table(rows: Table) -> Table:
        numbers = np.arange(len(rows))[:, None]
        return np.hstack([numbers, rows[:, list(first.values())]])

    return ClauseEvidence(
        head,
        (),
        (EXAMPLE, *first),
        table(positive),
        left,
        None if negative is None else table(negative),
        constants=len(world.constants),
    )


def extend(world: FactBase, evidence: ClauseEvidence, atom: TableAtom, least: float = 0.0) -> ClauseEvidence | None:
    """The clause with one more literal; TooMany where its tuples explode.

    None if it covers nothing that is left, or if its gain cannot reach `least`: then false tuples need not
    be counted.
    """
    names, positive = world.extended(evidence.names, evidence.positive, atom, evidence.head)
    grown = replace(evidence, body=(*evidence.body, atom), names=tuple(names), positive=positive)
    own = grown.own
    if not len(own) or (least and count_distinct(own[:, : len(evidence.names)]) * evidence.information < least):
        return None
    if evidence.negative is None:
        return _with_whole(world, grown, atom)
    return replace(grown, negative=world.extended(evidence.names, evidence.negative, atom, evidence.head)[1])


def kept(before: ClauseEvidence, after: ClauseEvidence) -> int:
    """How many tuples of examples that are left still have an extension."""
    return count_distinct(after.own[:, : len(before.names)])


def _with_whole(world: FactBase, grown: ClauseEvidence, atom: TableAtom) -> ClauseEvidence:
    if grown.whole is None:
        bound, whole = world.bindings(atom)
    elif set(atom.args) & set(grown.bound):
        bound, whole = world.extended(grown.bound, grown.whole, atom)
    else:
        # Two parts of a body that only the head joins: all pairs.
        bound = list(dict.fromkeys([*grown.bound, *atom.args]))
        whole = world.solve(grown.body, bound)
    if set(grown.head.args) <= set(bound):
        for literal in grown.body:
            whole = without_head(grown.head, literal, bound, whole)
    return replace(grown, bound=tuple(bound), whole=whole)


def evidence_of(world: FactBase, empty: ClauseEvidence, body: tuple[TableAtom, ...]) -> ClauseEvidence | None:
    """The clause with this body, its literals in an order in which each is connected; None if there is none."""
    evidence: ClauseEvidence | None = empty
    order = in_order(empty.head, body)
    try:
        for atom in order or ():
            evidence = extend(world, evidence, atom) if evidence is not None else None
    except TooMany:
        return None
    return None if order is None else evidence


Pairs = frozenset[tuple[int, int]]


@dataclass
class Descent:
    """An order of constants under which a recursive call of one target predicate is always about something smaller.

    A clause may call its own predicate if some place of the call goes down: over all true examples that the clause
    covers, the pairs (value in the head, value in the call) have no circle. The pairs of the clauses that were
    accepted are kept, so that all clauses of the predicate go down in the same order.
    """

    known: dict[int, Pairs] = field(default_factory=dict)

    def places(self, evidence: ClauseEvidence) -> dict[int, Pairs] | None:
        """For the calls of a clause the places that go down; None if some call has none."""
        calls = [atom for atom in evidence.body if atom.predicate == evidence.head.predicate]
        if not calls:
            return {}
        first, *others = (self._going_down(evidence, atom) for atom in calls)
        down = {at: pairs.union(*(other[at] for other in others)) for at, pairs in first.items()
                if all(at in other for other in others)}  # fmt: skip
        good = {at: pairs for at, pairs in down.items() if not has_circle(pairs | self.known.get(at, frozenset()))}
        if self.known:
            good = {at: pairs for at, pairs in good.items() if at in self.known}
        return good or None

    def accept(self, evidence: ClauseEvidence) -> None:
        """The clause belongs to the theory now."""
        if places := self.places(evidence):
            self.known = {at: pairs | self.known.get(at, frozenset()) for at, pairs in places.items()}

    def _going_down(self, evidence: ClauseEvidence, atom: TableAtom) -> dict[int, Pairs]:
        down = {}
        for at, (one, other) in enumerate(zip(evidence.head.args, atom.args, strict=True)):
            if one != other:
                columns = evidence.positive[:, [evidence.names.index(one), evidence.names.index(other)]]
                pairs: Pairs = frozenset(map(tuple, columns.tolist()))
                down.update({} if has_circle(pairs) else {at: pairs})
        return down


def has_circle(pairs: Pairs) -> bool:
    """Whether the directed graph of the pairs has a circle.

    >>> has_circle(frozenset({(1, 2), (2, 3)})), has_circle(frozenset({(1, 2), (2, 1)}))
    (False, True)
    """
    after: dict[int, list[int]] = {}
    waiting: Counter[int] = Counter()  # how many come before each
    for one, other in pairs:
        after.setdefault(one, []).append(other)
        waiting[one] += 0
        waiting[other] += 1
    front = [node for node, count in waiting.items() if not count]
    for node in front:
        for other in after.get(node, ()):
            waiting[other] -= 1
            if not waiting[other]:
                front.append(other)
    return len(front) < len(waiting)
