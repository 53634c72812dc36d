"""From a failure to what it forbids: all places in larger rules where the same literals could stand again.

A rule is larger than another if it has its literals and more, whatever its variables are called. So the literals of a
failure are forbidden under every renaming of their variables: those of the head stay themselves, but for a body that
has no answer for any head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from hornbeam.ilp.lff.language import Body, Language


@dataclass(frozen=True, slots=True)
class Forbidden:
    """No rule has all these literals, unless one of the variables `alone` is in a further literal."""

    body: Body
    alone: tuple[int, ...] = ()


def embeddings(
    language: Language, core: Body, *, largest: int, any_head: bool = False, alone: Sequence[int] = ()
) -> list[Forbidden]:
    """All renamings of literals that can be part of a rule with `largest` literals at most, each once."""
    first = 0 if any_head else language.head.arity
    rows = [(each.symbol, each.variables) for each in (language.literals[number] for number in sorted(core))]
    free = sorted({variable for _, variables in rows for variable in variables if variable >= first})
    spare = (largest - len(rows)) * language.links
    found: dict[Forbidden, None] = {}
    numbers = language.numbers
    naming = list(range(language.width))
    for names in permutations(range(first, language.width), len(free)):
        if max(names, default=0) - language.head.arity >= len(names) + spare:
            continue  # too many variables below the highest would have to be brought in
        for old, new in zip(free, names, strict=True):
            naming[old] = new
        renamed = [(symbol, tuple([naming[v] for v in variables])) for symbol, variables in rows]
        if _missing(language, renamed) > spare:
            continue
        body = [numbers.get(key, -1) for key in renamed]
        if -1 not in body:
            found[Forbidden(frozenset(body), tuple([naming[variable] for variable in alone]))] = None
    return list(found)


def _missing(language: Language, rows: list[tuple[int, tuple[int, ...]]]) -> int:
    """How many variables up to the last one no literal links to an older one: other literals must do so."""
    linked = set[int]()
    last = -1
    for _, variables in rows:
        low = min(variables, default=-1)
        for variable in variables:
            if variable > low:
                linked.add(variable)
            last = max(last, variable)
    return sum(variable not in linked for variable in range(language.head.arity, last + 1))


def subsets(body: Body) -> Iterator[tuple[int, Body]]:
    """Each literal with the others, in the order of the literals' numbers."""
    for number in sorted(body):
        yield number, body - {number}
