"""Unification of whole terms, lists with and without an open end among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hornbeam.logic.terms import Clause, Compound, Term, Var, same, variables
from hornbeam.theory.theory import indicator


def resolved(term: Term, bindings: Mapping[str, Term]) -> Term:
    """A term with its variables followed to their ends."""
    if isinstance(term, Var):
        return resolved(bindings[term.name], bindings) if term.name in bindings else term
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(resolved(part, bindings) for part in term.args))
    if isinstance(term, list):
        return [resolved(part, bindings) for part in term]
    return term


def resolved_clause(clause: Clause, bindings: Mapping[str, Term]) -> Clause:
    """A clause with the variables of its head and its body followed to their ends."""
    return Clause(resolved(clause.head, bindings), tuple(resolved(literal, bindings) for literal in clause.body))


def unify(one: Term, other: Term, bindings: Mapping[str, Term]) -> dict[str, Term] | None:
    """Bindings that make two terms equal, on top of those given; None where there are none.

    >>> unify(Compound("p", ([Var("A"), "b"],)), Compound("p", (Var("L"),)), {})
    {'L': [Var(name='A'), 'b']}
    """
    left, right = resolved(one, bindings), resolved(other, bindings)
    if same(left, right):
        return dict(bindings)
    if isinstance(left, Var) or isinstance(right, Var):
        variable, value = (left, right) if isinstance(left, Var) else (right, left)
        assert isinstance(variable, Var)
        return None if variable.name in variables(value) else {**bindings, variable.name: value}
    parts = _parts(left, right)
    if parts is None:
        return None
    known = dict(bindings)
    for part, its in parts:
        solved = unify(part, its, known)
        if solved is None:
            return None
        known = solved
    return known


def _parts(left: Term, right: Term) -> Iterable[tuple[Term, Term]] | None:
    if isinstance(left, list) and isinstance(right, list):
        return list(zip(left, right, strict=True)) if len(left) == len(right) else None
    if isinstance(left, list) and isinstance(right, Compound) and right.functor == "[|]" and left:
        return [(left[0], right.args[0]), (left[1:], right.args[1])]
    if isinstance(right, list) and isinstance(left, Compound) and left.functor == "[|]" and right:
        return [(left.args[0], right[0]), (left.args[1], right[1:])]
    if isinstance(left, Compound) and isinstance(right, Compound) and indicator(left) == indicator(right):
        return list(zip(left.args, right.args, strict=True))
    return None
