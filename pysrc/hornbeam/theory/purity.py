"""Refuses theories whose answer for a sample may depend on more than the sample.

A theory that counts its calls, draws lots or looks at the clock could answer rightly where it is judged and wrongly
elsewhere. prolog/purity.pl says what a rule may not call.
"""

from __future__ import annotations

from typing import Any

from hornbeam.errors import UsageError
from hornbeam.theory.reading import MODULE, engine
from hornbeam.theory.theory import Theory


def refuse_impure(theory: Theory) -> None:
    """Check all rules and definitions of a theory that is to be judged.

    Raises:
        UsageError: if one calls what a theory may not call, with its line.

    >>> from hornbeam.theory.theory import Theory
    >>> refuse_impure(Theory.parse("p(X) :- q(X)."))
    >>> refuse_impure(Theory.parse("p(X) :- q(X),\\n    assertz(seen(X)).", name="learned.pl"))
    Traceback (most recent call last):
    hornbeam.errors.UsageError: learned.pl:1: a theory that is judged may not call assertz/1
    """
    statements = [*theory.statements, *theory.definitions]
    calls = [(statement, literal) for statement in statements for literal in statement.clause.body]
    impure: list[Any] = engine().once_many(
        "impure_call(Literal, Predicate)",
        over="Literal",
        rows=[literal for _, literal in calls],
        get="Predicate",
        module=MODULE,
    )
    for (statement, _), predicate in zip(calls, impure, strict=True):
        if predicate is not None:
            name, arity = predicate.args
            raise UsageError(
                f"a theory that is judged may not call {name}/{arity}", file=theory.name, line=statement.line
            )
