"""Names of variables, as a person would write them."""

from __future__ import annotations

from hornbeam.logic.terms import Clause, Term, Var, substitute, variables


def variable_name(number: int) -> str:
    """A, B, ..., Z, A1, ...

    >>> [variable_name(number) for number in (0, 25, 26, 53)]
    ['A', 'Z', 'A1', 'B2']
    """
    letter, turn = chr(ord("A") + number % 26), number // 26
    return f"{letter}{turn}" if turn else letter


def named(clause: Clause) -> Clause:
    """The clause with its variables named A, B, C in order of appearance.

    >>> from hornbeam.theory import Theory
    >>> print(named(Theory.parse("p(V7) :- q(V7,V2).").clauses[0]))
    p(A) :- q(A,B).
    """
    names: dict[str, Term] = {name: Var(variable_name(number)) for number, name in enumerate(variables(clause))}
    return Clause(substitute(clause.head, names), tuple(substitute(part, names) for part in clause.body))
