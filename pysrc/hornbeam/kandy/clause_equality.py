"""Clauses and theories that are the same, whatever their variables are called."""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.kandy.unification import resolved_clause
from hornbeam.logic.terms import Clause, Var, to_text, variables
from hornbeam.theory import Theory
from hornbeam.theory.subsumption import relations
from hornbeam.theory.theory import indicator


def same_clauses(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Whether each clause has a variant among those of the other: order and names of variables apart."""
    if not one or not other:
        return not one and not other
    pairs = [(left, right) for left in one for right in other if indicator(left.head) == indicator(right.head)]
    variants = [pair for pair, relation in zip(pairs, relations(pairs), strict=True) if relation == "variant"]
    lefts = {id(left) for left, _ in variants}
    rights = {id(right) for _, right in variants}
    return all(id(left) in lefts for left in one) and all(id(right) in rights for right in other)


def same_text(one: Theory, other: Theory) -> bool:
    """Whether two theories are the same, names of variables apart, in the same order: true of any Prolog."""
    return [_shape(clause) for clause in one.program.clauses] == [_shape(clause) for clause in other.program.clauses]


def _shape(clause: Clause) -> str:
    names = {name: Var(f"V{number}") for number, name in enumerate(variables(clause))}
    return to_text(resolved_clause(clause, names))
