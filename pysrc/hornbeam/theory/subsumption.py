"""Subsumption between clauses, asked of prolog/theory/subsumption.pl in bulk."""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.logic import Limits
from hornbeam.logic.terms import Clause, Compound, Term, conjunction
from hornbeam.theory.reading import MODULE, engine
from hornbeam.theory.theory import indicator

# Theta-subsumption is NP-complete; past this many inferences a pair counts as unrelated.
_LIMITS = Limits(inferences=3_000_000, seconds=20.0)

RELATIONS = ("variant", "equivalent", "general", "specific", "different")


def relations(pairs: Sequence[tuple[Clause, Clause]]) -> list[str]:
    """For each pair of a true and a learned clause one of `RELATIONS`: general means that the learned one is.

    >>> from hornbeam.theory import Theory
    >>> one, other = Theory.parse("p(X) :- q(X,Y), r(Y). p(A) :- q(A,_).")
    >>> relations([(one, other), (other, one)])
    ['general', 'specific']
    """
    answers = engine().once_many(
        "clause_relation(T, L, R)",
        module=MODULE,
        over=("T", "L"),
        get="R",
        rows=[(as_term(true), as_term(learned)) for true, learned in pairs],
        limits=_LIMITS,
    )
    return [answer if answer in RELATIONS else "different" for answer in answers]


def subsumed(clauses: Sequence[Clause], by: Sequence[Clause]) -> list[bool]:
    """Whether each clause is subsumed by one of `by`."""
    rows = [
        (number, other, clause)
        for number, clause in enumerate(clauses)
        for other in by
        if indicator(clause.head) == indicator(other.head)
    ]
    terms = {id(clause): as_term(clause) for clause in (*clauses, *by)}
    answers = engine().ask_many(
        "subsumes_clause(G, S)",
        module=MODULE,
        over=("G", "S"),
        rows=[(terms[id(other)], terms[id(clause)]) for _, other, clause in rows],
        limits=_LIMITS,
    )
    covered = [False] * len(clauses)
    for (number, _, _), answer in zip(rows, answers, strict=True):
        covered[number] = covered[number] or answer is True
    return covered


def as_term(clause: Clause) -> Term:
    """The clause as the term ``Head :- Body``."""
    return Compound(":-", (clause.head, conjunction(clause.body))) if clause.body else clause.head
