"""Small tasks with known answers."""

from __future__ import annotations

from collections.abc import Iterable

from hornbeam.logic import Compound, Term
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask


def modes(*texts: str, negated: Iterable[str] = ()) -> tuple[Mode, ...]:
    return (*map(Mode.parse, texts), *(Mode.parse(text, negated=True) for text in negated))


def atoms(name: str, rows: Iterable[tuple[Term, ...]]) -> tuple[Term, ...]:
    return tuple(Compound(name, tuple(row)) for row in rows)


SEVEN = range(7)
EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6)]


def reaches(start: int, end: int) -> bool:
    return any(one == start and (other == end or reaches(other, end)) for one, other in EDGES)


def reachability() -> ExampleTask:
    """path(X, Y), which needs recursion."""
    pairs: list[tuple[int, int]] = [(one, other) for one in SEVEN for other in SEVEN]
    return ExampleTask(
        "reachability",
        atoms("path", [pair for pair in pairs if reaches(*pair)]),
        atoms("path", [pair for pair in pairs if not reaches(*pair)]),
        "".join(f"edge({one},{other}). " for one, other in EDGES),
        Bias(modes("path(+node,+node)"), modes("edge(+node,-node)"), max_body=2, max_vars=3, recursion=True),
    )


def cells(size: int = 60, wrong: Iterable[int] = ()) -> ExampleTask:
    """even(X): divisible by two, or by three and not by five; labels of `wrong` are turned."""
    turned = set(wrong)

    def true(number: int) -> bool:
        return (number % 2 == 0 or (number % 3 == 0 and number % 5 != 0)) != (number in turned)

    facts = "".join(f"divides({d},{n}). " for n in range(1, size + 1) for d in (2, 3, 5, 7) if n % d == 0)
    numbers = range(1, size + 1)
    return ExampleTask(
        "cells",
        atoms("good", [(n,) for n in numbers if true(n)]),
        atoms("good", [(n,) for n in numbers if not true(n)]),
        facts,
        Bias(modes("good(+int)"), modes(negated=["divides(#divisor,+int)"]), max_body=2, max_vars=1),
        facts=True,
    )
