"""From a failure to what it forbids: all places in larger rules where the same literals could stand again.

A rule is larger than another if it has its literals and more, whatever its variables are called. So the literals of a
failure are forbidden under every renaming of their variables: those of the head stay themselves, but for a body that has
no answer for any head.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from hornbeam.ilp.lff.language import Body, Language


def embeddings(language: Language, core: Body, *, any_head: bool = False) -> list[Body]:
    """All renamings of a set of literals that can be part of a rule of the language, each once."""
    first = 0 if any_head else language.head.arity
    rows = [(each.symbol, each.variables) for each in (language.literals[number] for number in sorted(core))]
    free = sorted({variable for _, variables in rows for variable in variables if variable >= first})
    found: dict[Body, None] = {}
    for names in permutations(range(first, language.width), len(free)):
        naming = dict(zip(free, names, strict=True))
        renamed = [(symbol, tuple(naming.get(v, v) for v in variables)) for symbol, variables in rows]
        if not _fits(language, renamed):
            continue
        numbers = [language.numbers.get(key) for key in renamed]
        if None not in numbers:
            found[frozenset(number for number in numbers if number is not None)] = None
    return list(found)


def _fits(language: Language, rows: list[tuple[int, tuple[int, ...]]]) -> bool:
    """Whether a rule with these literals can be small enough: each variable up to the last needs one that links it."""
    head = language.head.arity
    last = max((variable for _, variables in rows for variable in variables), default=-1)
    linked = set[int]()
    links = 1
    for _, variables in rows:
        if len(variables) > 1:
            low = min(variables)
            linked.update(variable for variable in variables if variable > low)
    missing = sum(1 for variable in range(head, last + 1) if variable not in linked)
    links = max(1, max((symbol.arity for symbol in language.symbols), default=1) - 1)
    return len(rows) + -(-missing // links) <= language.max_body


def subsets(body: Body) -> Iterator[tuple[int, Body]]:
    """Each literal with the others, in the order of the literals' numbers."""
    for number in sorted(body):
        yield number, body - {number}
