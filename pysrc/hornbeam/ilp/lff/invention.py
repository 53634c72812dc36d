"""Invented predicates: heads of our own that rules may define and call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbeam.ilp.lff.vocabulary import Head, Symbol, call
from hornbeam.tasks.bias import Place
from hornbeam.theory.theory import Indicator


def invented_heads(count: int, arities: Iterable[int], taken: Iterable[Indicator]) -> list[Head]:
    """So many new predicates of each arity. Their arguments have any type and any direction."""
    names = {name for name, _ in taken}
    made: list[Head] = []
    for number in range(1, count + 1):
        for arity in arities:
            name = f"inv{number}" if arity == 2 else f"inv{number}_{arity}"
            while name in names:
                name = f"{name}_"
            made.append(Head(name, (None,) * arity, (Place("?"),) * arity))
    return made


def callable_from(heads: Sequence[Head], number: int, *, recursion: bool) -> list[Symbol]:
    """The heads that rules of one of them may call: all of them under recursion, else only those after it."""
    return [call(head) for index, head in enumerate(heads) if recursion or index > number]
