"""The tuples that a clause under way covers, and how a further literal changes them.

The tuples of true examples are a table: the example, and the values of the clause's variables. False examples are a
table of the same kind where they are given. Under the closed world they need not be written down: the body alone says
how many tuples there are in all, and those of true examples are known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

import numpy as np

from hornbeam.ilp.relations import Atom, Flags, Table, TooMany, World, count_distinct, extended, first_table, solve

EXAMPLE = -1  # the name of the column that holds the example's number


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A clause and its tuples. `left` says which true examples no earlier clause covers."""

    head: Atom
    body: tuple[Atom, ...]
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
        found = []
        for atom in calls:
            called = dict(zip(self.head.args, atom.args, strict=True))
            same = [columns[name] == columns[arg] for name, arg in called.items() if name not in free]
            rows = np.flatnonzero(np.all(same, axis=0)) if same else np.arange(len(self.whole))
            found.append(np.column_stack([rows, *(columns[called[name]][rows] for name in free)]))
        return count_distinct(np.vstack(found))

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


def start(world: World, head: Atom, positive: Table, left: Flags, negative: Table | None) -> Evidence:
    """The clause without a body."""
    first = {name: head.args.index(name) for name in dict.fromkeys(head.args)}

    def table(rows: Table) -> Table:
        numbers = np.arange(len(rows))[:, None]
        return np.hstack([numbers, rows[:, list(first.values())]])

    return Evidence(
        head,
        (),
        (EXAMPLE, *first),
        table(positive),
        left,
        None if negative is None else table(negative),
        constants=len(world.constants),
    )


def extend(world: World, evidence: Evidence, atom: Atom, least: float = 0.0) -> Evidence | None:
    """The clause with one more literal; TooMany where its tuples explode.

    None where it covers nothing that is left, or where its gain cannot come up to `least`: then false tuples need not
    be counted.
    """
    names, positive = extended(world, evidence.names, evidence.positive, atom)
    positive = _apart(evidence.head, atom, names, positive)
    grown = replace(evidence, body=(*evidence.body, atom), names=tuple(names), positive=positive)
    own = grown.own
    if not len(own) or (least and count_distinct(own[:, : len(evidence.names)]) * evidence.information < least):
        return None
    if evidence.negative is None:
        return _with_whole(world, grown, atom)
    _, negative = extended(world, evidence.names, evidence.negative, atom)
    return replace(grown, negative=_apart(evidence.head, atom, names, negative))


def kept(before: Evidence, after: Evidence) -> int:
    """How many tuples of examples that are left still have an extension."""
    return count_distinct(after.own[:, : len(before.names)])


def _with_whole(world: World, grown: Evidence, atom: Atom) -> Evidence:
    if grown.whole is None:
        bound, whole = first_table(world, atom)
    elif set(atom.args) & set(grown.bound):
        bound, whole = extended(world, grown.bound, grown.whole, atom)
    else:
        # Two parts of a body that only the head joins: all pairs.
        bound = list(dict.fromkeys([*grown.bound, *atom.args]))
        whole = solve(world, grown.body, bound)
    if set(grown.head.args) <= set(bound):
        for literal in grown.body:
            whole = _apart(grown.head, literal, bound, whole)
    return replace(grown, bound=tuple(bound), whole=whole)


def _apart(head: Atom, atom: Atom, names: list[int] | tuple[int, ...], table: Table) -> Table:
    """Without the rows in which a literal of the head's predicate is the head itself."""
    if atom.predicate != head.predicate:
        return table
    pairs = zip(head.args, atom.args, strict=True)
    same = [table[:, names.index(one)] == table[:, names.index(other)] for one, other in pairs]
    apart: Flags = ~np.all(same, axis=0)
    return table[apart]


def evidence_of(world: World, empty: Evidence, body: tuple[Atom, ...]) -> Evidence | None:
    """The clause with this body, its literals in an order in which each is connected; None where there is none."""
    found, rest = empty, list(body)
    while rest:
        known = set(found.names)
        atom = next((one for one in rest if known & set(one.args)), None)
        if atom is None:
            return None
        rest.remove(atom)
        try:
            grown = extend(world, found, atom)
        except TooMany:
            return None
        if grown is None:
            return None
        found = grown
    return found
