"""The search for rules: heads are refined atom by atom, and all refinements of a rule are counted in one join.

A partial rule keeps a table of its bindings: the head fact and the value of each variable. To refine it, a variable's
column is joined with every fact that has such a value in some place, whatever its predicate; the other places of the
found facts say which atoms they can stand for. Support only falls when an atom is added, which prunes the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hornbeam.ilp.amie.rules import MinedRule, canonical
from hornbeam.ilp.relations import FactBase, Flags, Table, TableAtom, TooMany, filled, in_order, patterns, runs
from hornbeam.tasks.bias import ANY_TYPE

_CHUNK = 400_000  # rows of one join


@dataclass(frozen=True, slots=True)
class RuleSpace:
    """Which rules are looked for."""

    max_body: int = 2
    max_vars: int = 6
    min_support: int = 2
    min_coverage: float = 0.01
    existential: bool = True  # variables of the body that occur once
    cross_products: bool = True  # bodies that hang together by the head only
    recursion: bool = True
    callable: frozenset[int] | None = None  # predicates that may stand in a body; None: all
    types: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # of the places of predicates, where declared

    def least(self, facts: int) -> int:
        """The support that a rule needs whose head has so many facts."""
        return max(self.min_support, int(np.ceil(self.min_coverage * facts)))

    def well_typed(self, rule: MinedRule) -> bool:
        """Whether no variable stands in places of two types."""
        known: dict[int, str] = {}
        for atom in (rule.head, *rule.body):
            for name, type_ in zip(atom.args, self.types.get(atom.predicate, ()), strict=False):
                if type_ != ANY_TYPE and known.setdefault(name, type_) != type_:
                    return False
        return True

    def admits(self, rule: MinedRule) -> bool:
        """Whether a finished rule belongs to the space."""
        return (
            rule.safe
            and not rule.trivial
            and (self.existential or rule.closed)
            and (self.cross_products or rule.connected)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """A rule under way: its variables in the order of the columns, and a row for each binding."""

    rule: MinedRule
    names: tuple[int, ...]
    head_facts: Table  # which head fact each row belongs to
    table: Table


@dataclass
class Miner:
    """Enumerates the rules of a space that have enough support, each once."""

    world: FactBase
    space: RuleSpace
    seen: set[MinedRule] = field(default_factory=set)
    too_large: int = 0  # partial rules that were not refined because their bindings explode

    @cached_property
    def _facts(self) -> tuple[Table, Table]:
        """All facts in one table: their predicates, and their arguments filled up with -1."""
        width = max((table.shape[1] for table in self.world.tables), default=0)
        padded = [
            np.hstack([table, np.full((len(table), width - table.shape[1]), -1, dtype=np.int64)])
            for table in self.world.tables
        ]
        names = np.repeat(np.arange(len(padded)), [len(table) for table in padded])
        return names, np.vstack(padded) if padded else np.zeros((0, 0), dtype=np.int64)

    @cached_property
    def _by_place(self) -> list[tuple[int, int, Table, Table]]:
        """For each arity and place: the facts of that arity in the order of the values there, and those values."""
        names, args = self._facts
        arities = np.array([arity for _, arity in self.world.predicates], dtype=np.int64)[names]
        places = []
        for arity in sorted(set(arities.tolist())):
            rows = np.flatnonzero(arities == arity)
            for place in range(arity):
                order = rows[np.argsort(args[rows, place], kind="stable")]
                places.append((arity, place, order, args[order, place]))
        return places

    # The search ---------------------------------------------------------------------------------------------------

    def heads(self) -> Iterator[Partial]:
        """Every form of every head with enough facts: all variables distinct first, then those with equal ones."""
        for predicate, table in enumerate(self.world.tables):
            for args in patterns(table.shape[1] + 1, 0, 0, self.space.max_vars):
                head = TableAtom(predicate, args[1:])
                names, bindings = self.world.bindings(head)
                if len(bindings) >= self.space.least(len(table)):
                    yield Partial(MinedRule(head, ()), tuple(names), np.arange(len(bindings)), bindings)

    def rules(self, start: Partial) -> Iterator[tuple[MinedRule, int]]:
        """The rules with this head, and their support, in a fixed order."""
        front = [start]
        for length in range(1, self.space.max_body + 1):
            grown: list[MinedRule] = []
            for partial in front:
                for rule, support in self._refinements(partial):
                    form = canonical(rule)
                    if form in self.seen or rule.trivial or not self.space.well_typed(rule):
                        continue
                    self.seen.add(form)
                    if self.space.admits(form):
                        yield form, support
                    if length < self.space.max_body and self._can_be_finished(form, length):
                        grown.append(form)
            front = [] if length == self.space.max_body else list(self._bound(start, grown))

    def _can_be_finished(self, rule: MinedRule, length: int) -> bool:
        """Whether the atoms that may still come can bind what is open."""
        widest = max(arity for _, arity in self.world.predicates)
        places = widest * (self.space.max_body - length)
        return len(set(rule.head.args) - {arg for atom in rule.body for arg in atom.args}) <= places

    def _bound(self, start: Partial, rules: list[MinedRule]) -> Iterator[Partial]:
        """The tables of partial rules, each made when its turn comes."""
        for rule in rules:
            names, table = [*start.names, -1], np.hstack([start.table, start.head_facts[:, None]])
            try:
                for atom in in_order(rule.head, rule.body) or ():
                    names, table = self.world.extended(names, table, atom, rule.head)
            except TooMany:
                self.too_large += 1
                continue
            at = names.index(-1)
            kept = [column for column in range(len(names)) if column != at]
            yield Partial(rule, tuple(names[column] for column in kept), table[:, at], table[:, kept])

    def _refinements(self, partial: Partial) -> Iterator[tuple[MinedRule, int]]:
        """The partial rule with one more atom, wherever that leaves enough support."""
        head = partial.rule.head.predicate
        least = self.space.least(len(self.world.tables[head]))
        for column, variable in enumerate(partial.names):
            for arity, place, order, values in self._by_place:
                counts = self._counted(partial, column, arity, place, order, values)
                for args, by_predicate in counts:
                    full = filled(args, partial.names, variable)
                    for predicate in np.flatnonzero(by_predicate >= least).tolist():
                        if self._allowed(predicate, head):
                            rule = MinedRule(partial.rule.head, (*partial.rule.body, TableAtom(predicate, full)))
                            yield rule, int(by_predicate[predicate])

    def _allowed(self, predicate: int, head: int) -> bool:
        callable_ = self.space.callable
        return (predicate != head or self.space.recursion) and (callable_ is None or predicate in callable_)

    def _counted(
        self, partial: Partial, column: int, arity: int, place: int, order: Table, values: Table
    ) -> list[tuple[tuple[int, ...], Table]]:
        """For each way to fill the atom, how many head facts are left with each predicate."""
        ways = patterns(arity, len(partial.names), place, self.space.max_vars)
        size, predicates = int(partial.head_facts.max(initial=-1)) + 1, len(self.world.predicates)
        pairs: list[list[Table]] = [[] for _ in ways]
        for left, right in _joined(partial.table[:, column], order, values):
            names, args = self._facts[0][right], self._facts[1][right]
            rows = partial.table[left]
            code = names * size + partial.head_facts[left]
            head = partial.rule.head
            own = _same_as_head(head, partial, rows, args) & (names == head.predicate)
            for number, way in enumerate(ways):
                keep = ~own
                for at, arg in enumerate(way):
                    if 0 <= arg < len(partial.names):
                        keep = keep & (args[:, at] == rows[:, arg])
                    elif arg >= 0 and way.index(arg) < at:
                        keep = keep & (args[:, at] == args[:, way.index(arg)])
                pairs[number].append(np.unique(code[keep]))
        return [
            (way, np.bincount(np.unique(np.concatenate(parts)) // max(size, 1), minlength=predicates))
            for way, parts in zip(ways, pairs, strict=True)
            if parts
        ]


def _joined(values: Table, order: Table, keys: Table) -> Iterator[tuple[Table, Table]]:
    """Pairs (row, fact) that agree, some hundred thousand at a time."""
    start = np.searchsorted(keys, values, side="left")
    count = np.searchsorted(keys, values, side="right") - start
    ends = np.cumsum(count)
    first = 0
    while first < len(values):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + _CHUNK, side="right")))
        left, places = runs(start[first:last], count[first:last])
        yield left + first, order[places]
        first = last


def _same_as_head(head: TableAtom, partial: Partial, rows: Table, args: Table) -> Flags:
    """Where a found fact has the arguments of the head fact."""
    same = np.ones(len(rows), dtype=np.bool_)
    if len(head.args) > args.shape[1]:
        return ~same
    for at, name in enumerate(head.args):
        same &= args[:, at] == rows[:, partial.names.index(name)]
    return same
