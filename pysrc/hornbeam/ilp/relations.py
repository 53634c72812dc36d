"""Facts as tables of numbers, and the joins that rule miners count with.

Constants are numbered; a relation is an array with a row for each fact. A table of bindings is an array with a column
for each variable. Joins go through sorted indexes that are built once.

>>> from hornbeam.theory import Theory
>>> world = World.of(Theory.parse("p(a,b). p(b,c). q(b,c).").heads)
>>> solve(world, [Atom(0, (0, 1)), Atom(0, (1, 2))], (0, 2)).tolist(), world.constants
([[0, 2]], ('a', 'b', 'c'))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbeam.ilp.naming import variable_name
from hornbeam.logic.terms import Clause, Compound, Term, Var, literal, to_text
from hornbeam.theory.theory import Indicator, arguments, indicator

Table: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

_LARGEST_KEY = 1 << 62
ROWS = 2_000_000  # of a table: beyond them a body is given up


class TooMany(Exception):
    """A join with more rows than are allowed."""


class Atom(NamedTuple):
    """A predicate's number and its arguments: numbers of variables."""

    predicate: int
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Index:
    """The rows of a table in the order of a key over some of its columns."""

    columns: tuple[int, ...]
    keys: Table
    order: Table


@dataclass(frozen=True)
class World:
    """Facts by predicate. Predicates and constants are numbered by their text, whatever the order of the facts."""

    predicates: tuple[Indicator, ...]
    constants: tuple[Term, ...]
    tables: tuple[Table, ...]
    _indexes: dict[tuple[int, tuple[int, ...]], Index] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, facts: Iterable[Term]) -> World:
        """The world of ground atoms; those without arguments are left out, and each counts once."""
        rows: dict[Indicator, list[tuple[Term, ...]]] = {}
        names: dict[tuple[str, bool], Term] = {}
        for fact in facts:
            args = arguments(fact)
            if args:
                rows.setdefault(indicator(fact), []).append(args)
                for arg in args:
                    names.setdefault(_name(arg), arg)
        ordered = sorted(names)
        number = {name: at for at, name in enumerate(ordered)}
        predicates = tuple(sorted(rows))
        tables = tuple(
            np.unique(
                np.array(
                    [[number[_name(arg)] for arg in args] for args in rows[predicate]],
                    dtype=np.int64,
                ),
                axis=0,
            )
            for predicate in predicates
        )
        return cls(predicates, tuple(names[name] for name in ordered), tables)

    @property
    def size(self) -> int:
        return sum(map(len, self.tables))

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

    def index(self, predicate: int, columns: tuple[int, ...]) -> Index:
        """The index of a relation on these columns."""
        found = self._indexes.get((predicate, columns))
        if found is None:
            table = self.tables[predicate]
            keys = self.keys([table[:, at] for at in columns])
            order = np.argsort(keys, kind="stable")
            found = self._indexes[predicate, columns] = Index(columns, keys[order], order)
        return found

    def matches(self, predicate: int, columns: tuple[int, ...], given: Sequence[Table]) -> tuple[Table, Table]:
        """Pairs (row given, row of the relation) that agree on these columns; TooMany beyond ROWS."""
        index = self.index(predicate, columns)
        keys = self.keys(given)
        start = np.searchsorted(index.keys, keys, side="left")
        count = np.searchsorted(index.keys, keys, side="right") - start
        if int(count.sum()) > ROWS:
            raise TooMany
        left = np.repeat(np.arange(len(keys)), count)
        offset = np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count)
        right = index.order[np.repeat(start, count) + offset]
        for at in range(self._key_columns, len(columns)):
            same = given[at][left] == self.tables[predicate][right, columns[at]]
            left, right = left[same], right[same]
        return left, right

    def contains(self, predicate: int, rows: Table) -> Flags:
        """Which rows are facts of the relation."""
        columns = tuple(range(self.arity(predicate)))
        found = np.zeros(len(rows), dtype=np.bool_)
        found[self.matches(predicate, columns, [rows[:, at] for at in columns])[0]] = True
        return found

    # Terms --------------------------------------------------------------------------------------------------------

    def term(self, atom: Atom) -> Term:
        """An atom with variables A, B, ..."""
        return literal(self.predicates[atom.predicate][0], *(Var(variable_name(arg)) for arg in atom.args))

    def clause(self, head: Atom, body: Sequence[Atom]) -> Clause:
        """A rule as a clause."""
        return Clause(self.term(head), tuple(map(self.term, body)))

    def fact(self, predicate: int, row: Sequence[int]) -> Compound:
        """A row of a relation as a term."""
        return Compound(self.predicates[predicate][0], tuple(self.constants[at] for at in row))


def _name(constant: Term) -> tuple[str, bool]:
    """What a constant is known by: the atom '1' is not the number 1."""
    return (constant, False) if type(constant) is str else (to_text(constant), True)


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
    """Numbers in the order of the rows, equal where rows are; None where they do not fit."""
    sizes = (rows.max(axis=0) + 1).tolist()
    total = 1
    for size in sizes:
        total *= size
    if total >= _LARGEST_KEY:
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
    found: list[tuple[int, ...]] = []

    def fill(args: tuple[int, ...], new: int) -> None:
        at = len(args)
        if at == arity:
            found.append(args)
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
    return tuple(found)


# Bodies ---------------------------------------------------------------------------------------------------------------


def components(atoms: Sequence[Atom], known: Iterable[int] = ()) -> list[list[Atom]]:
    """Atoms that hang together by shared variables, those of `known` not counted."""
    ignored = set(known)
    groups: list[tuple[set[int], list[Atom]]] = []
    for atom in atoms:
        names = set(atom.args) - ignored
        touched = [group for group in groups if group[0] & names]
        merged = (names.union(*(group[0] for group in touched)), [*(a for g in touched for a in g[1]), atom])
        groups = [group for group in groups if not group[0] & names] + [merged]
    return [group[1] for group in groups]


def solve(world: World, atoms: Sequence[Atom], wanted: Sequence[int]) -> Table:
    """The distinct bindings of the `wanted` variables under which all atoms are facts; TooMany where they explode."""
    parts = [(part, _solve_part(world, part, wanted)) for part in components(atoms)]
    names: list[int] = []
    table = np.zeros((1, 0), dtype=np.int64)
    for part, rows in parts:
        if len(table) * len(rows) > ROWS:
            raise TooMany
        names += _kept(part, wanted)
        table = np.hstack([np.repeat(table, len(rows), axis=0), np.tile(rows, (len(table), 1))])
    return distinct(table[:, [names.index(name) for name in wanted]])


def _kept(atoms: Sequence[Atom], wanted: Sequence[int]) -> list[int]:
    present = {arg for atom in atoms for arg in atom.args}
    return [name for name in wanted if name in present]


def _solve_part(world: World, atoms: Sequence[Atom], wanted: Sequence[int]) -> Table:
    rest = sorted(atoms, key=lambda atom: (len(world.tables[atom.predicate]), atom))
    names, table = first_table(world, rest.pop(0))
    while rest:
        atom = max(rest, key=lambda other: len(set(other.args) & set(names)))
        rest.remove(atom)
        names, table = extended(world, names, table, atom)
        needed = {arg for other in rest for arg in other.args}.union(wanted)
        kept = [at for at, name in enumerate(names) if name in needed]
        if len(kept) < len(names):
            names, table = [names[at] for at in kept], distinct(table[:, kept])
    return distinct(table[:, [names.index(name) for name in _kept(atoms, wanted)]])


def first_table(world: World, atom: Atom) -> tuple[list[int], Table]:
    """The bindings of one atom."""
    table = world.tables[atom.predicate]
    names = list(dict.fromkeys(atom.args))
    for at, arg in enumerate(atom.args):
        table = table[table[:, at] == table[:, atom.args.index(arg)]]
    return names, table[:, [atom.args.index(name) for name in names]]


def extended(world: World, names: Sequence[int], table: Table, atom: Atom) -> tuple[list[int], Table]:
    """Bindings joined with an atom that shares a variable with them."""
    bound = tuple(at for at, arg in enumerate(atom.args) if arg in names)
    left, right = world.matches(atom.predicate, bound, [table[:, names.index(atom.args[at])] for at in bound])
    found = world.tables[atom.predicate][right]
    new = [arg for arg in dict.fromkeys(atom.args) if arg not in names]
    for at, arg in enumerate(atom.args):
        if arg in new:
            same = found[:, at] == found[:, atom.args.index(arg)]
            left, found = left[same], found[same]
    columns = found[:, [atom.args.index(arg) for arg in new]]
    return [*names, *new], np.hstack([table[left], columns])
