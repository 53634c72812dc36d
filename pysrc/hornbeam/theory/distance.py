r"""The distance of two rules as RuDaS defines it (Cornelio and Thost 2019, section 5.3), exact and fast.

Only pairings of atoms with the same predicate, as many as there can be, need be tried: such a pair costs at most 1/2,
any other 1. For a fixed pairing each place votes for a pair of variables, and the best injective renaming is a
maximum-weight matching of these votes. Constants agree if they are equal; a place that holds a compound term shares
its vote among the places of that term.

>>> from hornbeam.theory import Theory
>>> one, two = Theory.parse("p1(A,B) :- p2(A,A), p3(B,B), p4(A,B). p1(X,X) :- p2(Y,X), p2(X,X).")
>>> float(rule_distance(one, two))
0.5625
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from hornbeam.logic.terms import Clause, Compound, Term, Var, same, to_text, variables
from hornbeam.theory.matching import assign
from hornbeam.theory.theory import Indicator, arguments, atom_of, indicator, is_negative

Votes = tuple[tuple[str, str, Fraction | int], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """The best pairing of two rules: the cost, the renaming, and the body literals that were paired."""

    distance: Fraction
    renaming: dict[str, str]  # variables of the first rule to those of the second
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two literals side by side: what agrees anyhow, and what agrees under a renaming. In units of 1/scale."""

    left: int
    right: int
    sure: Fraction | int
    votes: Votes


def rule_distance(one: Clause, other: Clause) -> Fraction:
    """Between 0 (the same up to renaming) and 1."""
    return rule_match(one, other).distance


def rule_match(one: Clause, other: Clause) -> Match:
    """The distance, with the renaming and the pairing that give it."""
    atoms = max(len(one.body), len(other.body)) + 1
    if indicator(one.head) != indicator(other.head):
        body = _Search(one, other, head=False)
        return Match((body.cost() + 1) / atoms, *body.found())
    search = _Search(one, other, head=True)
    return Match(search.cost() / atoms, *search.found())


def canonical(clause: Clause) -> str:
    """A text that is the same for clauses which differ in the names of variables only."""
    names: dict[str, Term] = {name: Var(f"V{at}") for at, name in enumerate(variables(clause))}
    return "\0".join(to_text(rename(part, names)) for part in (clause.head, *clause.body))


def rename(term: Term, names: Mapping[str, Term]) -> Term:
    """A term with variables replaced, inside lists, too."""
    if isinstance(term, Var):
        return names.get(term.name, term)
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(rename(part, names) for part in term.args))
    return [rename(part, names) for part in term] if isinstance(term, list) else term


def literal_kind(literal: Term) -> tuple[bool, Indicator]:
    """Sign and predicate: literals of different kinds have nothing in common."""
    return is_negative(literal), indicator(atom_of(literal))


class _Search:
    """Branch and bound over the pairings; the most that the atoms left over can add is the bound."""

    def __init__(self, one: Clause, other: Clause, *, head: bool) -> None:
        self._atoms = max(len(one.body), len(other.body)) + head
        self._scale = 2 * lcm(1, *(len(arguments(atom_of(atom))) or 1 for atom in (one.head, *one.body)))
        self._groups = list(self._group(one, other))
        self._head = [self._pair(-1, -1, one.head, other.head)] if head else []
        # Each pair saves at least 1/2 of its atom's cost, whatever the renaming.
        self._paired = sum(len(rows) for rows in self._groups) + head
        self._best: Fraction | int = -1
        self._best_pairs: tuple[_Pair, ...] = ()
        self._go(0, 0, tuple(self._head), frozenset())

    def _group(self, one: Clause, other: Clause) -> Iterator[list[list[_Pair]]]:
        """For each kind of literal, the pairs that each literal of the side with fewer may form."""
        kinds: dict[object, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for side, clause in enumerate((one, other)):
            for at, literal in enumerate(clause.body):
                kinds[literal_kind(literal)][side].append(at)
        for lefts, rights in kinds.values():
            if not lefts or not rights:
                continue
            table = [[self._pair(a, b, one.body[a], other.body[b]) for b in rights] for a in lefts]
            yield table if len(lefts) <= len(rights) else [list(column) for column in zip(*table, strict=True)]

    def _pair(self, left: int, right: int, one: Term, other: Term) -> _Pair:
        one_args, other_args = arguments(atom_of(one)), arguments(atom_of(other))
        if not one_args:
            return _Pair(left, right, self._scale // 2, ())
        sure: Fraction | int = 0
        votes: list[tuple[str, str, Fraction | int]] = []
        place = self._scale // (2 * len(one_args))
        for a, b in zip(one_args, other_args, strict=True):
            sure += _compare(a, b, place, votes)
        return _Pair(left, right, sure, tuple(votes))

    # The search ---------------------------------------------------------------------------------------------------

    def _go(self, group: int, row: int, pairs: tuple[_Pair, ...], taken: frozenset[int]) -> None:
        while group < len(self._groups) and row == len(self._groups[group]):
            group, row, taken = group + 1, 0, frozenset()
        todo = self._paired - len(pairs)
        bound = _bound(pairs) + todo * (self._scale // 2)
        if bound <= self._best:
            return
        if group == len(self._groups):
            agreed = _agreement(pairs)
            if agreed > self._best:
                self._best, self._best_pairs = agreed, pairs
            return
        options = self._groups[group][row]
        order = sorted(
            (column for column in range(len(options)) if column not in taken),
            key=lambda column: (-_bound((*pairs, options[column])), column),
        )
        for column in order:
            self._go(group, row + 1, (*pairs, options[column]), taken | {column})

    def cost(self) -> Fraction:
        """The least sum of distances: an unpaired atom costs 1, a paired one 1/2 less what agrees."""
        half = Fraction(1, 2) * self._paired
        return Fraction(self._atoms) - half - Fraction(self._best) / self._scale

    def found(self) -> tuple[dict[str, str], tuple[tuple[int, int], ...]]:
        pairs = tuple((pair.left, pair.right) for pair in self._best_pairs if pair.left >= 0)
        return _renaming(self._best_pairs), tuple(sorted(pairs))


def _compare(
    one: Term, other: Term, worth: Fraction | int, votes: list[tuple[str, str, Fraction | int]]
) -> Fraction | int:
    """Collect the votes of a place; returns what agrees without a renaming."""
    if isinstance(one, Var) and isinstance(other, Var):
        votes.append((one.name, other.name, worth))
        return 0
    parts = _parts(one, other)
    if parts:
        share = Fraction(worth) / len(parts)
        return sum((_compare(a, b, share, votes) for a, b in parts), start=Fraction(0))
    return worth if not isinstance(one, Var) and same(one, other) else 0


def _parts(one: Term, other: Term) -> list[tuple[Term, Term]]:
    if isinstance(one, Compound) and isinstance(other, Compound) and indicator(one) == indicator(other):
        return list(zip(one.args, other.args, strict=True))
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return list(zip(one, other, strict=True))
    return []


# Votes ------------------------------------------------------------------------------------------------------------


def _table(pairs: Sequence[_Pair]) -> dict[str, dict[str, Fraction | int]]:
    table: dict[str, dict[str, Fraction | int]] = {}
    for pair in pairs:
        for one, other, worth in pair.votes:
            row = table.setdefault(one, {})
            row[other] = row.get(other, 0) + worth
    return table


def _bound(pairs: Sequence[_Pair]) -> Fraction | int:
    """At most what these pairs can agree on: each variable, of the one side or of the other, takes its best partner."""
    rows: dict[str, Fraction | int] = {}
    columns: dict[str, Fraction | int] = {}
    for one, row in _table(pairs).items():
        rows[one] = max(row.values())
        for other, worth in row.items():
            if worth > columns.get(other, 0):
                columns[other] = worth
    return sum(pair.sure for pair in pairs) + min(sum(rows.values()), sum(columns.values()))


def _agreement(pairs: Sequence[_Pair]) -> Fraction | int:
    table = _table(pairs)
    renaming = _matched(table)
    return sum(pair.sure for pair in pairs) + sum(table[one].get(other, 0) for one, other in renaming.items())


def _renaming(pairs: Sequence[_Pair]) -> dict[str, str]:
    return _matched(_table(pairs))


def _matched(table: dict[str, dict[str, Fraction | int]]) -> dict[str, str]:
    """The injective renaming with most votes."""
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
