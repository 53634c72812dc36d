r"""The distance of two rules as RuDaS defines it (Cornelio and Thost 2019, section 5.3), exact and fast.

Only pairings of atoms with the same predicate, as many as there can be, need be tried: such a pair costs at most 1/2,
any other 1. Each place of a pair votes for a pair of variables; a pairing is worth the maximum-weight matching of its
votes. The search is branch and bound: the bound grants the literals without a partner the votes that they could cast
at best, for two variables meet at a place no more often than either stands there. Constants agree if they are equal; a
place that holds a compound term is shared among the places of that term.

>>> from hornbeam.theory import Theory
>>> one, two = Theory.parse("p1(A,B) :- p2(A,A), p3(B,B), p4(A,B). p1(X,X) :- p2(Y,X), p2(X,X).")
>>> float(rule_distance(one, two))
0.5625
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

from hornbeam.logic.terms import Clause, Compound, Term, Var, same, substitute, to_text, variables
from hornbeam.theory.theory import arguments, atom_of, indicator, literal_kind


@dataclass(frozen=True, slots=True)
class Match:
    """The best pairing of two rules: the cost, the renaming, and the body literals that were paired."""

    distance: Fraction
    renaming: dict[str, str]  # variables of the first rule to those of the second
    pairs: tuple[tuple[int, int], ...]


def rule_distance(one: Clause, other: Clause) -> Fraction:
    """The distance of two rules, from 0 (equal up to renaming) to 1; exact.

    >>> from hornbeam.theory import Theory
    >>> rules = Theory.parse("p(X) :- q(X). p(Y) :- q(Y). p(X) :- r(X).").clauses
    >>> rule_distance(rules[0], rules[1]), rule_distance(rules[0], rules[2]) > 0
    (Fraction(0, 1), True)
    """
    return _paired(one, other)[1]


def rule_match(one: Clause, other: Clause) -> Match:
    """The distance, with the renaming and the pairing that give it."""
    pairing, distance = _paired(one, other)
    pairs = sorted((pair.left, pair.right) for pair in pairing.pairs if pair.left >= 0)
    return Match(distance, pairing.renaming(), tuple(pairs))


def _paired(one: Clause, other: Clause) -> tuple[Pairing, Fraction]:
    atoms = max(len(one.body), len(other.body)) + 1
    head = indicator(one.head) == indicator(other.head)
    pairing = Pairing(one, other, head=head)
    return pairing, (pairing.cost() + (not head)) / atoms


def canonical(clause: Clause) -> str:
    """A text that is the same for clauses which differ in the names of variables only."""
    names: dict[str, Term] = {name: Var(f"V{at}") for at, name in enumerate(variables(clause))}
    return "\0".join(to_text(substitute(part, names)) for part in (clause.head, *clause.body))


# The best pairing of literals -----------------------------------------------------------------------------------------

Worth = Fraction | int
Place = tuple[object, ...]  # the kind of a literal, and the way down to a part of it
Leaves = Mapping[Place, tuple[Term, Worth]]


@dataclass(frozen=True, slots=True)
class LiteralPair:
    """Two literals side by side: what agrees anyhow, and what agrees under a renaming. In units of 1/scale."""

    left: int  # the number of a body literal, -1 for the head
    right: int
    sure: Worth
    votes: tuple[tuple[str, str, Worth], ...]


class Pairing:
    """The best pairing of two rules; of several the first that the search meets."""

    def __init__(self, one: Clause, other: Clause, *, head: bool) -> None:
        self._atoms = max(len(one.body), len(other.body)) + head
        self._scale = 2 * lcm(1, *(len(arguments(atom_of(atom))) or 1 for atom in (one.head, *one.body)))
        shared = _shared(one, other)
        lefts = {at: _leaves(one.body[at], self._scale) for mine, _ in shared for at in mine}
        rights = {at: _leaves(other.body[at], self._scale) for _, theirs in shared for at in theirs}
        self._rows = [row for mine, theirs in shared for row in _rows(mine, theirs, lefts, rights)]
        # Each pair saves at least 1/2 of its atom's cost, whatever the renaming.
        self._paired = len(self._rows) + head
        surest = [max(pair.sure for pair in row) for row in self._rows]
        self._sure_ahead = [*accumulate(reversed(surest), initial=0)][::-1]
        start = (_pair(-1, -1, _leaves(one.head, self._scale), _leaves(other.head, self._scale)),) if head else ()
        self._votes = _Votes(lefts, rights, start)
        self._best: Worth = -1
        self.pairs: tuple[LiteralPair, ...] = ()
        self._go(0, start, sum(pair.sure for pair in start))

    def cost(self) -> Fraction:
        """The least sum of distances: an unpaired atom costs 1, a paired one 1/2 less what agrees."""
        return Fraction(self._atoms) - Fraction(1, 2) * self._paired - Fraction(self._best) / self._scale

    def renaming(self) -> dict[str, str]:
        """The injective renaming with most votes, from variables of the first rule to those of the second."""
        return _renaming(self.pairs)

    def _go(self, row: int, pairs: tuple[LiteralPair, ...], sure: Worth) -> None:
        """Try all partners of the literals from `row` on, the most promising first."""
        todo = len(self._rows) - row
        if sure + self._votes.agreed() + todo * (self._scale // 2) <= self._best:
            return
        granted = sure + self._sure_ahead[row]
        # On the way to the first pairing there is nothing yet that a bound could fall short of.
        bound = granted + self._votes.possible(self._best - granted) if self._best >= 0 or not todo else granted
        if bound <= self._best:
            return
        if not todo:
            # Nothing is left to be granted: the bound is what the pairing is worth.
            self._best, self.pairs = bound, pairs
            return
        free = [pair for pair in self._rows[row] if self._votes.free(pair)]
        for pair in sorted(free, key=lambda pair: -pair.sure - self._votes.agreed_with(pair)):
            self._votes.take(pair)
            self._go(row + 1, (*pairs, pair), sure + pair.sure)
            self._votes.release(pair)


class _Votes:
    """The votes of the literals that have a partner, and those that the others may still cast."""

    def __init__(self, lefts: Mapping[int, Leaves], rights: Mapping[int, Leaves], start: Sequence[LiteralPair]) -> None:
        self._left_names: dict[str, int] = {}
        self._right_names: dict[str, int] = {}
        for pair in start:
            for one, other, _ in pair.votes:
                self._left_names.setdefault(one, len(self._left_names))
                self._right_names.setdefault(other, len(self._right_names))
        self._lefts = {at: _standing(leaves, self._left_names) for at, leaves in lefts.items()}
        self._rights = {at: _standing(leaves, self._right_names) for at, leaves in rights.items()}
        # One row and one column at least, so that there is a largest.
        self._table: list[list[Worth]] = [[0] * (len(self._right_names) or 1) for _ in self._left_names or "_"]
        self._worths = {place: worth for leaves in lefts.values() for place, (_, worth) in leaves.items()}
        # At each place, how often each variable stands there in the literals without a partner.
        self._left_over: dict[Place, Counter[int]] = defaultdict(Counter)
        self._right_over: dict[Place, Counter[int]] = defaultdict(Counter)
        self._used: set[tuple[str, int]] = set()
        for standing in self._lefts.values():
            _add(self._left_over, standing, 1)
        for standing in self._rights.values():
            _add(self._right_over, standing, 1)
        for pair in start:
            self.count(pair, 1)

    def free(self, pair: LiteralPair) -> bool:
        return ("left", pair.left) not in self._used and ("right", pair.right) not in self._used

    def take(self, pair: LiteralPair) -> None:
        self._used |= {("left", pair.left), ("right", pair.right)}
        _add(self._left_over, self._lefts[pair.left], -1)
        _add(self._right_over, self._rights[pair.right], -1)
        self.count(pair, 1)

    def release(self, pair: LiteralPair) -> None:
        self._used -= {("left", pair.left), ("right", pair.right)}
        _add(self._left_over, self._lefts[pair.left], 1)
        _add(self._right_over, self._rights[pair.right], 1)
        self.count(pair, -1)

    def count(self, pair: LiteralPair, times: int) -> None:
        """Count a pair's votes, or with -1 take them back."""
        for one, other, worth in pair.votes:
            self._table[self._left_names[one]][self._right_names[other]] += times * worth

    def agreed(self) -> Worth:
        """At most what agrees so far: each variable, of the one side or of the other, takes its best partner."""
        return _at_most(self._table)

    def agreed_with(self, pair: LiteralPair) -> Worth:
        """The same with one more pair."""
        self.count(pair, 1)
        agreed = self.agreed()
        self.count(pair, -1)
        return agreed

    def possible(self, enough: Worth) -> Worth:
        """At most what can agree in the end. Where that is more than `enough` it is computed more closely."""
        table = [row[:] for row in self._table]
        for place, ones in self._left_over.items():
            others = self._right_over.get(place)
            if others:
                worth = self._worths[place]
                for one, times in ones.items():
                    row = table[one]
                    for other, partners in others.items():
                        row[other] += worth * min(times, partners)
        most = _at_most(table)
        return most if most <= enough else _matching(table)


def _standing(leaves: Leaves, names: dict[str, int]) -> list[tuple[Place, int]]:
    """Which variable stands at which place of a literal, by numbers that new variables get here."""
    named = [(place, leaf.name) for place, (leaf, _) in leaves.items() if isinstance(leaf, Var)]
    return [(place, names.setdefault(name, len(names))) for place, name in named]


def _add(counts: dict[Place, Counter[int]], standing: Iterable[tuple[Place, int]], times: int) -> None:
    for place, name in standing:
        counts[place][name] += times


def _at_most(table: Sequence[Sequence[Worth]]) -> Worth:
    rows: Worth = sum(map(max, table))
    columns: Worth = sum(map(max, zip(*table, strict=True)))
    return min(rows, columns)


def _matching(table: Sequence[Sequence[Worth]]) -> Worth:
    """The weight of the best matching of rows with columns; an entry of 0 is no match."""
    rows: Sequence[Sequence[Worth]] = table if len(table) <= len(table[0]) else list(zip(*table, strict=True))
    best: list[Worth] = [max(row) for row in rows]
    wanted = [row.index(most) for row, most in zip(rows, best, strict=True) if most]
    if len(set(wanted)) == len(wanted):
        return sum(best)
    chosen = assign([[-worth for worth in row] for row in rows])
    return sum(row[at] for row, at in zip(rows, chosen, strict=True))


# Literals side by side ------------------------------------------------------------------------------------------------


def _shared(one: Clause, other: Clause) -> list[tuple[list[int], list[int]]]:
    """The body literals of each kind that both rules have."""
    kinds: dict[object, tuple[list[int], list[int]]] = {}
    for side, clause in enumerate((one, other)):
        for at, literal in enumerate(clause.body):
            kinds.setdefault(literal_kind(literal), ([], []))[side].append(at)
    return [(mine, theirs) for mine, theirs in kinds.values() if mine and theirs]


def _rows(
    mine: list[int], theirs: list[int], lefts: Mapping[int, Leaves], rights: Mapping[int, Leaves]
) -> Iterator[Sequence[LiteralPair]]:
    """The pairs that each literal of the side with fewer may form."""
    table = [[_pair(a, b, lefts[a], rights[b]) for b in theirs] for a in mine]
    yield from table if len(mine) <= len(theirs) else zip(*table, strict=True)


def _leaves(literal: Term, scale: int) -> Leaves:
    """The variables and constants of a literal by their place, each with the share of the literal that it is worth."""
    kind, parts = literal_kind(literal), arguments(atom_of(literal))
    if not parts:
        return {(kind,): ("", scale // 2)}
    share = scale // (2 * len(parts))
    return {place: leaf for at, part in enumerate(parts) for place, leaf in _below(part, (kind, at), share)}


def _below(term: Term, place: Place, worth: Worth) -> Iterator[tuple[Place, tuple[Term, Worth]]]:
    parts = term.args if isinstance(term, Compound) else term if isinstance(term, list) else ()
    if not parts:
        yield place, (term, worth)
        return
    way = indicator(term) if isinstance(term, Compound) else len(parts)
    for at, part in enumerate(parts):
        yield from _below(part, (*place, way, at), Fraction(worth) / len(parts))


def _pair(left: int, right: int, one: Leaves, other: Leaves) -> LiteralPair:
    sure: Worth = 0
    votes: list[tuple[str, str, Worth]] = []
    for place, (mine, worth) in one.items():
        if place in other:
            theirs = other[place][0]
            if isinstance(mine, Var) and isinstance(theirs, Var):
                votes.append((mine.name, theirs.name, worth))
            elif not isinstance(mine, Var) and same(mine, theirs):
                sure += worth
    return LiteralPair(left, right, sure, tuple(votes))


def _renaming(pairs: Iterable[LiteralPair]) -> dict[str, str]:
    table: dict[str, dict[str, Worth]] = {}
    for pair in pairs:
        for one, other, worth in pair.votes:
            row = table.setdefault(one, {})
            row[other] = row.get(other, 0) + worth
    first = {one: max(row, key=lambda other: row[other]) for one, row in table.items()}
    if len(set(first.values())) == len(first):
        return first
    rows = list(table)
    columns = list(dict.fromkeys(other for row in table.values() for other in row))
    # A column of no votes for each row, so that a variable may stay without a partner.
    costs = [[-table[one].get(other, 0) for other in columns] + [0] * len(rows) for one in rows]
    chosen = assign(costs)
    return {
        one: columns[at]
        for one, at in zip(rows, chosen, strict=True)
        if at < len(columns) and columns[at] in table[one]
    }


# The assignment problem -----------------------------------------------------------------------------------------------

Cost = int | float | Fraction


def assign(costs: Sequence[Sequence[Cost]]) -> list[int]:
    """The column of each row, each used at most once, at the least total cost; at least as many columns as rows.

    By the Hungarian method with potentials.

    >>> assign([[4, 1, 3], [2, 0, 5]])
    [1, 0]
    """
    rows = len(costs)
    columns = len(costs[0]) if rows else 0
    if rows > columns:
        raise ValueError("more rows than columns")
    row_price: list[Any] = [0] * (rows + 1)
    column_price: list[Any] = [0] * (columns + 1)
    owner = [0] * (columns + 1)  # the row, counted from 1, that a column is given to
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(costs, row_price, column_price, owner)
    chosen = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            chosen[owner[column] - 1] = column - 1
    return chosen


def _augment(costs: Sequence[Sequence[Cost]], row_price: list[Any], column_price: list[Any], owner: list[int]) -> None:
    """Give the row that owns column 0 a real column, along a cheapest alternating path."""
    columns = len(column_price) - 1
    slack: list[Any] = [float("inf")] * (columns + 1)
    came_from = [0] * (columns + 1)
    used = [False] * (columns + 1)
    column = 0
    while owner[column]:
        used[column] = True
        row, delta, nearest = owner[column], float("inf"), 0
        line, price = costs[row - 1], row_price[row]
        for other in range(1, columns + 1):
            if not used[other]:
                reduced = line[other - 1] - price - column_price[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
                if slack[other] < delta:
                    delta, nearest = slack[other], other
        for other in range(columns + 1):
            if used[other]:
                row_price[owner[other]] += delta
                column_price[other] -= delta
            else:
                slack[other] -= delta
        column = nearest
    while column:
        owner[column] = owner[came_from[column]]
        column = came_from[column]
