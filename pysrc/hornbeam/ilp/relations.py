"""Facts as tables of numbers, and the joins that rule miners count with.

Constants are numbered; a relation is an array with a row for each fact. A table of bindings is an array with a column
for each variable. Joins go through sorted indexes that are built once.

>>> from hornbeam.theory import Theory
>>> world = FactBase.of(Theory.parse("p(a,b). p(b,c). q(b,c).").heads)
>>> world.solve([TableAtom(0, (0, 1)), TableAtom(0, (1, 2))], (0, 2)).tolist(), world.constants
([[0, 2]], ('a', 'b', 'c'))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import log2, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbeam.ilp.naming import variable_name
from hornbeam.logic.terms import Clause, Term, Var, literal, to_text
from hornbeam.theory.theory import Indicator, arguments, indicator

Table: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

_LARGEST_KEY = 1 << 62
ROWS = 2_000_000  # of a table: beyond them a body is given up


class TooMany(Exception):
    """A join with more rows than are allowed."""


class TableAtom(NamedTuple):
    """A predicate's number and its arguments: numbers of variables."""

    predicate: int
    args: tuple[int, ...]


@dataclass(frozen=True)
class FactBase:
    """Facts by predicate. Predicates and constants are numbered by their text, whatever the order of the facts."""

    predicates: tuple[Indicator, ...]
    constants: tuple[Term, ...]
    tables: tuple[Table, ...]
    _indexes: dict[tuple[int, tuple[int, ...]], tuple[Table, Table]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @classmethod
    def of(cls, facts: Iterable[Term], named: Iterable[Term] = ()) -> FactBase:
        """The world of ground atoms; those without arguments are left out, and each counts once.

        Predicates and constants of the atoms in `named` are numbered as well.
        """
        rows: dict[Indicator, list[tuple[Term, ...]]] = {}
        names: dict[tuple[str, bool], Term] = {}
        for is_fact, atoms in ((True, facts), (False, named)):
            for args, predicate in ((arguments(atom), indicator(atom)) for atom in atoms):
                if args:
                    rows.setdefault(predicate, []).extend([args] if is_fact else [])
                    names.update({name: arg for arg in args if (name := _name(arg)) not in names})
        number = {name: at for at, name in enumerate(sorted(names))}
        tables = []
        for predicate in sorted(rows):
            table = [[number[_name(arg)] for arg in args] for args in rows[predicate]]
            tables.append(np.unique(np.array(table, dtype=np.int64).reshape(-1, predicate[1]), axis=0))
        return cls(tuple(sorted(rows)), tuple(names[name] for name in number), tuple(tables))

    def arity(self, predicate: int) -> int:
        return self.predicates[predicate][1]

    @cached_property
    def _key_columns(self) -> int:
        """How many columns one key can hold."""
        base, count = max(2, len(self.constants)), 1
        while base ** (count + 1) < _LARGEST_KEY:
            count += 1
        return count

    def keys(self, columns: Sequence[Table]) -> Table:
        """One number for each row of some columns: equal where they agree in as many as one number can hold."""
        key = np.zeros(len(columns[0]), dtype=np.int64)
        for column in columns[: self._key_columns]:
            key = key * len(self.constants) + column
        return key

    def index(self, predicate: int, columns: tuple[int, ...]) -> tuple[Table, Table]:
        """The keys of a relation's rows on these columns, sorted, and the numbers of the rows in this order."""
        if (predicate, columns) not in self._indexes:
            table = self.tables[predicate]
            keys = self.keys([table[:, at] for at in columns])
            order = np.argsort(keys, kind="stable")
            self._indexes[predicate, columns] = (keys[order], order)
        return self._indexes[predicate, columns]

    def matches(self, predicate: int, columns: tuple[int, ...], given: Sequence[Table]) -> tuple[Table, Table]:
        """Pairs (row given, row of the relation) that agree on these columns; TooMany beyond ROWS."""
        sorted_keys, order = self.index(predicate, columns)
        keys = self.keys(given)
        start = np.searchsorted(sorted_keys, keys, side="left")
        count = np.searchsorted(sorted_keys, keys, side="right") - start
        if int(count.sum()) > ROWS:
            raise TooMany
        left, places = runs(start, count)
        right = order[places]
        for at in range(self._key_columns, len(columns)):
            same = given[at][left] == self.tables[predicate][right, columns[at]]
            left, right = left[same], right[same]
        return left, right

    def contains(self, predicate: int, rows: Table) -> Flags:
        """Which rows are facts of the relation."""
        columns = tuple(range(self.arity(predicate)))
        known = np.zeros(len(rows), dtype=np.bool_)
        known[self.matches(predicate, columns, [rows[:, at] for at in columns])[0]] = True
        return known

    # Bodies ----------------------------------------------------------------------------------------------------------

    def solve(self, atoms: Sequence[TableAtom], wanted: Sequence[int]) -> Table:
        """The distinct bindings of `wanted` variables under which all atoms are facts; TooMany where they explode."""
        parts = [(part, self._solve_part(part, wanted)) for part in components(atoms)]
        names: list[int] = []
        table = np.zeros((1, 0), dtype=np.int64)
        for part, rows in parts:
            if len(table) * len(rows) > ROWS:
                raise TooMany
            names += _kept(part, wanted)
            table = np.hstack([np.repeat(table, len(rows), axis=0), np.tile(rows, (len(table), 1))])
        return distinct(table[:, [names.index(name) for name in wanted]])

    def _solve_part(self, atoms: Sequence[TableAtom], wanted: Sequence[int]) -> Table:
        rest = sorted(atoms, key=lambda atom: (len(self.tables[atom.predicate]), atom))
        names, table = self.bindings(rest.pop(0))
        while rest:
            atom = max(rest, key=lambda other: len(set(other.args) & set(names)))
            rest.remove(atom)
            names, table = self.extended(names, table, atom)
            needed = {arg for other in rest for arg in other.args}.union(wanted)
            kept = [at for at, name in enumerate(names) if name in needed]
            if len(kept) < len(names):
                names, table = [names[at] for at in kept], distinct(table[:, kept])
        return distinct(table[:, [names.index(name) for name in _kept(atoms, wanted)]])

    def bindings(self, atom: TableAtom) -> tuple[list[int], Table]:
        """The bindings of one atom: its variables, and a row for each fact."""
        table = self.tables[atom.predicate]
        names = list(dict.fromkeys(atom.args))
        for at, arg in enumerate(atom.args):
            table = table[table[:, at] == table[:, atom.args.index(arg)]]
        return names, table[:, [atom.args.index(name) for name in names]]

    def extended(
        self, names: Sequence[int], table: Table, atom: TableAtom, head: TableAtom | None = None
    ) -> tuple[list[int], Table]:
        """Bindings joined with an atom that shares a variable with them, without those under which it is the head."""
        bound = tuple(at for at, arg in enumerate(atom.args) if arg in names)
        left, right = self.matches(atom.predicate, bound, [table[:, names.index(atom.args[at])] for at in bound])
        facts = self.tables[atom.predicate][right]
        new = [arg for arg in dict.fromkeys(atom.args) if arg not in names]
        for at, arg in enumerate(atom.args):
            if arg in new:
                same = facts[:, at] == facts[:, atom.args.index(arg)]
                left, facts = left[same], facts[same]
        columns = facts[:, [atom.args.index(arg) for arg in new]]
        names, table = [*names, *new], np.hstack([table[left], columns])
        return names, table if head is None else without_head(head, atom, names, table)

    # Terms --------------------------------------------------------------------------------------------------------

    def term(self, atom: TableAtom) -> Term:
        """An atom with variables A, B, ..."""
        return literal(self.predicates[atom.predicate][0], *(Var(variable_name(arg)) for arg in atom.args))

    def clause(self, head: TableAtom, body: Sequence[TableAtom]) -> Clause:
        """A rule as a clause."""
        return Clause(self.term(head), tuple(map(self.term, body)))


def _name(constant: Term) -> tuple[str, bool]:
    """What a constant is known by: the atom '1' is not the number 1."""
    return (constant, False) if type(constant) is str else (to_text(constant), True)


def runs(start: Table, count: Table) -> tuple[Table, Table]:
    """All places of runs that begin at `start` and have `count` places: the run's number, and the place."""
    run = np.repeat(np.arange(len(count)), count)
    offset = np.arange(len(run)) - np.repeat(np.cumsum(count) - count, count)
    return run, np.repeat(start, count) + offset


def distinct(rows: Table) -> Table:
    """Each row once, sorted."""
    if len(rows) < 2 or not rows.shape[1]:
        return rows[:1]
    keys = _one_key(rows)
    if keys is None:
        return np.unique(rows, axis=0)
    return rows[np.unique(keys, return_index=True)[1]]


def count_distinct(rows: Table) -> int:
    """How many different rows there are."""
    if len(rows) < 2 or not rows.shape[1]:
        return min(1, len(rows))
    keys = _one_key(rows)
    return len(np.unique(rows, axis=0)) if keys is None else len(np.unique(keys))


def _one_key(rows: Table) -> Table | None:
    """Numbers in the order of the rows, equal where rows are; None if they do not fit."""
    sizes = (rows.max(axis=0) + 1).tolist()
    if prod(sizes) >= _LARGEST_KEY:
        return None
    keys = rows[:, 0].copy()
    for at in range(1, rows.shape[1]):
        keys *= sizes[at]
        keys += rows[:, at]
    return keys


@lru_cache(maxsize=4096)
def patterns(arity: int, variables: int, place: int, most: int) -> tuple[tuple[int, ...], ...]:
    """The ways to fill an atom whose first bound place is `place`: -1 there, elsewhere a variable, known or new.

    Known variables are 0 up to `variables`, new ones go on from there in order of appearance.
    """
    ways: list[tuple[int, ...]] = []

    def fill(args: tuple[int, ...], new: int) -> None:
        at = len(args)
        if at == arity:
            ways.append(args)
            return
        if at == place:
            fill((*args, -1), new)
            return
        choices = list(range(variables, variables + new + 1))
        if at > place:
            choices = [*range(variables), *choices]
        for choice in choices:
            grown = new + (choice == variables + new)
            if variables + grown <= most:
                fill((*args, choice), grown)

    fill((), 0)
    return tuple(ways)


# Bodies ---------------------------------------------------------------------------------------------------------------


def components(atoms: Sequence[TableAtom], known: Iterable[int] = ()) -> list[list[TableAtom]]:
    """Atoms that hang together by shared variables, those of `known` not counted."""
    ignored = set(known)
    groups: list[tuple[set[int], list[TableAtom]]] = []
    for atom in atoms:
        names = set(atom.args) - ignored
        touched = [group for group in groups if group[0] & names]
        merged = (names.union(*(group[0] for group in touched)), [*(a for g in touched for a in g[1]), atom])
        groups = [group for group in groups if not group[0] & names] + [merged]
    return [group[1] for group in groups]


def _kept(atoms: Sequence[TableAtom], wanted: Sequence[int]) -> list[int]:
    present = {arg for atom in atoms for arg in atom.args}
    return [name for name in wanted if name in present]


def without_head(head: TableAtom, atom: TableAtom, names: Sequence[int], table: Table) -> Table:
    """The bindings under which an atom of the body is not the head itself."""
    if atom.predicate != head.predicate:
        return table
    pairs = zip(head.args, atom.args, strict=True)
    same: Flags = np.all([table[:, names.index(one)] == table[:, names.index(other)] for one, other in pairs], axis=0)
    return table[~same]


def in_order(head: TableAtom, body: Sequence[TableAtom]) -> list[TableAtom] | None:
    """The body in an order in which each atom shares a variable with what stands before; None if there is none."""
    known, rest, order = set(head.args), list(body), list[TableAtom]()
    while rest:
        atom = next((atom for atom in rest if known & set(atom.args)), None)
        if atom is None:
            return None
        rest.remove(atom)
        known |= set(atom.args)
        order.append(atom)
    return order


def filled(pattern: Sequence[int], names: Sequence[int], variable: int) -> tuple[int, ...]:
    """The arguments that a pattern gives: `variable` at its bound place, known variables by their names, new ones."""
    new = max(names) + 1 - len(names)
    return tuple(variable if arg < 0 else names[arg] if arg < len(names) else new + arg for arg in pattern)


def body_bits(body: Sequence[TableAtom], predicates: int, variables: int) -> float:
    """The bits that name the predicates and variables of a body, of so many each."""
    return sum(log2(max(2, predicates)) + len(atom.args) * log2(max(2, variables)) for atom in body)
