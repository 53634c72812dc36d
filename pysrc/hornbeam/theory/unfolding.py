"""Unfolds helper predicates and equations, so that rules use only the visible predicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hornbeam.logic.terms import Clause, Compound, Term, Var, same, substitute, variables
from hornbeam.theory.theory import Indicator, arguments, indicator, is_test

_MOST = 400


def unfolded(
    clauses: Sequence[Clause], hidden: Iterable[Indicator], replaced: Iterable[Indicator] | None = None
) -> list[Clause] | None:
    """The clauses for visible predicates, with calls of hidden ones unfolded; None if that has no end.

    `replaced` are the predicates whose calls are replaced, where these are not just the hidden ones.

    >>> from hornbeam.theory import Theory
    >>> [str(rule) for rule in unfolded(Theory.parse("p(X) :- h(X,Y), q(Y). h(A,b) :- r(A).").clauses, [("h", 2)])]
    ['p(X) :- r(X), q(b).']
    """
    hidden = set(hidden)
    called = hidden if replaced is None else set(replaced)
    plain = [solved for clause in clauses if (solved := without_equations(clause)) is not None]
    if not called:
        return plain
    rules = [clause for clause in plain if indicator(clause.head) in called]
    todo = [clause for clause in plain if indicator(clause.head) not in hidden]
    done: list[Clause] = []
    steps = 0
    while todo:
        clause = todo.pop(0)
        at = next((at for at, literal in enumerate(clause.body) if indicator(literal) in called), None)
        if at is None:
            done.append(clause)
            continue
        for rule in rules:
            steps += 1
            if steps > _MOST or len(clause.body) > _MOST:
                return None
            resolvent = _resolve(clause, at, rule, steps)
            if resolvent is not None:
                todo.append(resolvent)
    return done


def _resolve(clause: Clause, at: int, rule: Clause, number: int) -> Clause | None:
    renaming: dict[str, Term] = {name: Var(f"{name}_{number}") for name in variables(rule)}
    head = substitute(rule.head, renaming)
    if indicator(head) != indicator(clause.body[at]):
        return None
    solution = unify(arguments(head), arguments(clause.body[at]))
    if solution is None:
        return None
    body = (*clause.body[:at], *(substitute(part, renaming) for part in rule.body), *clause.body[at + 1 :])
    bound = Clause(resolved(clause.head, solution), tuple(dict.fromkeys(resolved(part, solution) for part in body)))
    return without_equations(bound)


def without_equations(clause: Clause) -> Clause | None:
    """The clause with its equations carried out; None if one can never hold."""
    solution: dict[str, Term] = {}
    rest: list[Term] = []
    for literal in clause.body:
        if indicator(literal) in {("=", 2), ("==", 2)}:
            bindings = unify(arguments(literal)[:1], arguments(literal)[1:], solution)
            if bindings is None:
                return None
            solution = bindings
        elif literal in ("fail", "false"):
            return None
        elif literal != "true":
            rest.append(literal)
    if not solution:
        return Clause(clause.head, tuple(rest))
    body = tuple(dict.fromkeys(resolved(literal, solution) for literal in rest))
    if any(_refuted(literal) for literal in body):
        return None
    return Clause(resolved(clause.head, solution), body)


def _refuted(literal: Term) -> bool:
    return is_test(indicator(literal)) and indicator(literal)[0] in {"\\=", "\\==", "dif"} and same(*arguments(literal))


def unify(
    lefts: Sequence[Term], rights: Sequence[Term], solution: Mapping[str, Term] | None = None
) -> dict[str, Term] | None:
    """Bindings that make flat terms equal, on top of those given; None if there are none."""
    bindings = dict(solution or {})
    for left, right in zip(lefts, rights, strict=True):
        one, other = resolved(left, bindings), resolved(right, bindings)
        if isinstance(one, Var):
            if one != other:
                bindings[one.name] = other
        elif isinstance(other, Var):
            bindings[other.name] = one
        elif not same(one, other):
            return None
    return bindings


def resolved(term: Term, bindings: Mapping[str, Term]) -> Term:
    """A term or atom with its variables followed to their ends."""
    if isinstance(term, Var):
        while isinstance(term, Var) and term.name in bindings:
            term = bindings[term.name]
        return term
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(resolved(arg, bindings) for arg in term.args))
    return term
