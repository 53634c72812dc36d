r"""The distance of two rules as RuDaS defines it (Cornelio and Thost 2019, section 5.3), exact and fast.

Only pairings of atoms with the same predicate, as many as there can be, need be tried: such a pair costs at most 1/2,
any other 1. The search is that of :mod:`hornbeam.theory.pairing`. Constants agree if they are equal; a place that holds
a compound term is shared among the places of that term.

>>> from hornbeam.theory import Theory
>>> one, two = Theory.parse("p1(A,B) :- p2(A,A), p3(B,B), p4(A,B). p1(X,X) :- p2(Y,X), p2(X,X).")
>>> float(rule_distance(one, two))
0.5625
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hornbeam.logic.terms import Clause, Compound, Term, Var, to_text, variables
from hornbeam.theory.pairing import Pairing
from hornbeam.theory.theory import indicator


@dataclass(frozen=True, slots=True)
class Match:
    """The best pairing of two rules: the cost, the renaming, and the body literals that were paired."""

    distance: Fraction
    renaming: dict[str, str]  # variables of the first rule to those of the second
    pairs: tuple[tuple[int, int], ...]


def rule_distance(one: Clause, other: Clause) -> Fraction:
    """Between 0 (the same up to renaming) and 1."""
    return _paired(one, other)[1]


def rule_match(one: Clause, other: Clause) -> Match:
    """The distance, with the renaming and the pairing that give it."""
    found, distance = _paired(one, other)
    pairs = sorted((pair.left, pair.right) for pair in found.pairs if pair.left >= 0)
    return Match(distance, found.renaming(), tuple(pairs))


def _paired(one: Clause, other: Clause) -> tuple[Pairing, Fraction]:
    atoms = max(len(one.body), len(other.body)) + 1
    head = indicator(one.head) == indicator(other.head)
    found = Pairing(one, other, head=head)
    return found, (found.cost() + (not head)) / atoms


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
