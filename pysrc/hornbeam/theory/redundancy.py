"""Clauses that a theory could do without."""

from __future__ import annotations

from dataclasses import dataclass

from hornbeam.errors import HornbeamError
from hornbeam.logic.terms import Clause
from hornbeam.theory import datalog
from hornbeam.theory.budget import QUICK, Budget
from hornbeam.theory.subsumption import subsumed
from hornbeam.theory.theory import Theory, indicator, is_negative, is_test
from hornbeam.theory.worlds import distinct, entailed, freeze

# A theory with more clauses for one predicate is only searched for copies.
_MOST_CLAUSES = 120


@dataclass(frozen=True, slots=True)
class Redundant:
    """A clause by its number from 0, and why nothing is lost without it."""

    number: int
    reason: str


def redundant(theory: Theory, *, budget: Budget = QUICK) -> tuple[Redundant, ...]:
    """Clauses that can be left out one after the other, the last first.

    >>> [found.reason for found in redundant(Theory.parse("p(X) :- q(X). p(X) :- q(X), r(X). p(X) :- p(X)."))]
    ['another clause subsumes it', 'its head is in its body']
    """
    found: dict[int, str] = {}
    for number, clause in enumerate(theory.clauses):
        if clause.head in clause.body:
            found[number] = "its head is in its body"
    if len(theory) > _MOST_CLAUSES:
        seen: set[str] = set()
        for number, clause in enumerate(theory.clauses):
            if str(clause) in seen:
                found[number] = "it is there twice"
            seen.add(str(clause))
        return _sorted(found)
    positive = datalog.is_datalog(theory.clauses) and all(map(_is_positive, theory.clauses))
    for number in reversed(range(len(theory))):
        if number not in found:
            rest = [clause for at, clause in enumerate(theory.clauses) if at != number and at not in found]
            reason = _reason(theory.clauses[number], rest, positive, budget)
            if reason:
                found[number] = reason
    return _sorted(found)


def _sorted(found: dict[int, str]) -> tuple[Redundant, ...]:
    return tuple(Redundant(number, found[number]) for number in sorted(found))


def _is_positive(clause: Clause) -> bool:
    return not any(is_negative(literal) or is_test(indicator(literal)) for literal in clause.body)


def _reason(clause: Clause, rest: list[Clause], positive: bool, budget: Budget) -> str | None:
    same = [other for other in rest if indicator(other.head) == indicator(clause.head)]
    if not same:
        return None
    if subsumed([clause], same)[0]:
        return "another clause subsumes it"
    world = freeze(clause, distinct(clause, datalog.clause_constants([clause, *rest]))) if positive else None
    try:
        if world is not None and entailed(rest, [world], budget=budget)[0]:
            return "it follows from the other clauses"
    except HornbeamError:
        return None
    return None
