"""Ground facts as Prolog text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hornbeam.logic.terms import Compound, Term, quote, to_text
from hornbeam.theory.theory import Indicator

Facts = Mapping[str, Sequence[tuple[Term, ...]]]


def facts_text(facts: Facts, predicates: Iterable[Indicator]) -> str:
    """The facts of these predicates, sorted, a line each; one that has none is declared, so that it fails.

    >>> print(facts_text({"q": [("b",), ("a",)]}, [("q", 1), ("r", 2)]), end="")
    :- dynamic r/2.
    q(a).
    q(b).
    """
    lines: list[str] = []
    empty: list[str] = []
    for name, arity in dict.fromkeys(predicates):
        rows = facts.get(name, ())
        if not rows:
            empty.append(f":- dynamic {quote(name)}/{arity}.\n")
        lines.extend(sorted({f"{to_text(Compound(name, row)) if row else quote(name)}.\n" for row in rows}))
    return "".join([*empty, *lines])


def plain_name(*parts: Term) -> str:
    """A predicate name of small letters, digits and underscores, which every system reads without quotes.

    >>> plain_name("exists_color", "Light blue")
    'exists_color_light_blue'
    """
    joined = "_".join(str(part) for part in parts).lower()
    return "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in joined)
