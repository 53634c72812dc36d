"""Names of variables, as a person would write them."""

from __future__ import annotations

from hornbeam.logic.terms import Clause, Compound, Term, Var


def variable_name(number: int) -> str:
    """A, B, ..., Z, A1, ...

    >>> [variable_name(number) for number in (0, 25, 26, 53)]
    ['A', 'Z', 'A1', 'B2']
    """
    letter, turn = chr(ord("A") + number % 26), number // 26
    return f"{letter}{turn}" if turn else letter


def named(clause: Clause) -> Clause:
    """The clause with its variables named A, B, C in order of appearance.

    >>> print(named(Clause(Compound("p", (Var("V7"),)), (Compound("q", (Var("V7"), Var("V2"))),))))
    p(A) :- q(A,B).
    """
    names: dict[str, Var] = {}

    def rename(term: Term) -> Term:
        if isinstance(term, Var):
            return names.setdefault(term.name, Var(variable_name(len(names))))
        if isinstance(term, list):
            return [rename(part) for part in term]
        return Compound(term.functor, tuple(map(rename, term.args))) if isinstance(term, Compound) else term

    return Clause(rename(clause.head), tuple(map(rename, clause.body)))
