r"""Prolog clauses as clingo source text.

Negation is ``\+`` or ``not``, equality is identity (the terms of datalog are ground), arithmetic and the standard order
are Prolog's own (see :mod:`hornbeam.logic.asp.arithmetic`). A variable that occurs once becomes ``_``, which clingo
projects away before it joins: on a cross product that is the difference between seconds and minutes.

>>> from hornbeam.logic.terms import Var
>>> x, y = Var("X"), Var("Y")
>>> clause_source(Clause(Compound("p", (x,)), (Compound("q", (x, y)), Compound("\\+", (Compound("r", (x,)),)))))
'p(V0) :- q(V0,_), not r(V0).'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hornbeam.errors import UnsafeRule
from hornbeam.logic.asp.arithmetic import COMPARISONS, TERM_ORDERS
from hornbeam.logic.asp.messages import ProgramError
from hornbeam.logic.asp.symbols import atom_source, source
from hornbeam.logic.terms import Clause, Compound, Term, occurrences, to_text, variables

_SAME = frozenset({"=", "=="})
_DIFFERENT = frozenset({"\\=", "\\==", "dif"})
_BUILT_IN = _SAME | _DIFFERENT | COMPARISONS | TERM_ORDERS | {"is"}
_NEGATIONS = frozenset({("\\+", 1), ("not", 1)})
# Goals that no fact can stand for and that have no counterpart in datalog.
_NOT_DATALOG = frozenset(
    {(",", 2), (";", 2), ("->", 2), ("*->", 2), (":", 2), ("=..", 2), ("!", 0), ("call", 1), ("findall", 3)}
    | {("forall", 2), ("bagof", 3), ("setof", 3), ("aggregate_all", 3), ("aggregate_all", 4), ("var", 1), ("nonvar", 1)}
    | {("functor", 3), ("arg", 3), ("copy_term", 2), ("assertz", 1), ("asserta", 1), ("assert", 1), ("retract", 1)}
)


def clause_source(clause: Clause) -> str:
    """One rule or fact as one line; UnsafeRule or ProgramError if it is none."""
    head = clause.head
    _refuse_built_in(head, clause)
    names = _names(clause)
    _check_safe(clause)
    body = [_literal(literal, names, clause) for literal in clause.body if literal != "true"]
    return f"{atom_source(head, names)} :- {', '.join(body)}." if body else f"{atom_source(head, names)}."


def _refuse_built_in(head: Term, clause: Clause) -> None:
    name, arity = _indicator(head)
    if (name, arity) in _NOT_DATALOG | _NEGATIONS or (name in _BUILT_IN and arity == 2) or name == ":-":
        raise ProgramError(f"{name}/{arity} cannot be the head of a rule: {to_text(clause)}")


def _indicator(term: Term) -> tuple[str, int]:
    if isinstance(term, Compound):
        return term.functor, len(term.args)
    return (term, 0) if isinstance(term, str) else ("", -1)


def _names(clause: Clause) -> dict[str, str]:
    """clingo's name of each variable: ``_`` where a predicate has it and nothing else does."""
    counts = Counter(occurrences(clause))
    compared = {name for literal in clause.body if _is_built_in(_positive(literal)) for name in variables(literal)}
    kept = set(variables(clause.head)) | compared
    names: dict[str, str] = {}
    for name in counts:
        single = name == "_" or (counts[name] == 1 and name not in kept)
        names[name] = "_" if single else f"V{len(names)}"
    return names


def _positive(literal: Term) -> Term:
    """A literal without its negation."""
    return literal.args[0] if isinstance(literal, Compound) and _indicator(literal) in _NEGATIONS else literal


def _is_built_in(literal: Term) -> bool:
    return isinstance(literal, Compound) and literal.functor in _BUILT_IN and len(literal.args) == 2


# Safety: clingo would say it too, but in its own names and not before there are facts --------------------------------


def _check_safe(clause: Clause) -> None:
    bound = _bound(clause.body)
    free = set(variables(clause.head)) - bound
    for literal in clause.body:
        inner = _positive(literal)
        if _is_built_in(inner):
            free |= set(variables(inner)) - bound
        elif inner is not literal:
            free |= {name for name, count in _counts(clause).items() if count > 1 and name in variables(inner)} - bound
    free |= {"_"} & set(variables(clause.head))
    if free:
        names = ", ".join(sorted(free))
        raise UnsafeRule(f"no positive body literal binds {names} in: {to_text(clause)}")


def _counts(clause: Clause) -> Counter[str]:
    counts = Counter(occurrences(clause))
    counts["_"] = 0
    return counts


def _bound(body: tuple[Term, ...]) -> set[str]:
    """The variables that positive literals bind, and equations and ``is`` after them, to the fixpoint."""
    bound: set[str] = set()
    for literal in body:
        if not _is_built_in(literal) and _positive(literal) is literal:
            bound.update(variables(literal))
    bound.discard("_")
    sides = [side for literal in body if isinstance(literal, Compound) for side in _equations(literal)]
    grown = True
    while grown:
        before = len(bound)
        for target, given in sides:
            if bound.issuperset(variables(given)):
                bound.update(variables(target))
        grown = len(bound) > before
    return bound


def _equations(literal: Compound) -> Iterator[tuple[Term, Term]]:
    """What a literal binds once something is bound, as (bound by it, bound before)."""
    if literal.functor in {"=", "is"} and len(literal.args) == 2:
        left, right = literal.args
        yield left, right
        if literal.functor == "=":
            yield right, left


# Literals ---------------------------------------------------------------------------------------------------------


def _literal(literal: Term, names: dict[str, str], clause: Clause) -> str:
    inner = _positive(literal)
    if inner is not literal and _positive(inner) is not inner:
        raise ProgramError(f"a negation of a negation is not datalog: {to_text(clause)}")
    if _indicator(inner) in _NOT_DATALOG:
        name, arity = _indicator(inner)
        raise ProgramError(f"{name}/{arity} is not datalog: {to_text(clause)}")
    sign = "not " if inner is not literal else ""
    if inner in ("fail", "false"):
        return f"{sign}#false"
    if inner == "true":
        return f"{sign}#true"
    if isinstance(inner, Compound) and _is_built_in(inner):
        return sign + _comparison(inner, names)
    return sign + atom_source(inner, names)


def _comparison(literal: Compound, names: dict[str, str]) -> str:
    left, right = (source(side, names) for side in literal.args)
    name = literal.functor
    if name in _SAME:
        return f"{left} = {right}"
    if name in _DIFFERENT:
        return f"{left} != {right}"
    if name == "is":
        return f"{left} = @value({right})"
    call = "compare" if name in COMPARISONS else "order"
    escaped = name.replace("\\", "\\\\")
    return f'@{call}("{escaped}",{left},{right}) = 1'
