"""One form for all rules that differ only in the names of their variables, and rules that say a thing twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product

from hornbeam.ilp.lff.language import Body, Language

Key = tuple[tuple[int, ...], ...]


class Canonical:
    """Canonical keys of bodies of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._first = language.head.arity

    def key(self, body: Body) -> Key:
        """The same for two bodies exactly if a renaming of the variables that are not the head's makes them equal."""
        literals = [self._language.literals[number] for number in body]
        rows = [(each.symbol, each.variables) for each in literals]
        free = sorted({variable for _, variables in rows for variable in variables if variable >= self._first})
        if not free:
            return tuple(sorted((symbol, *variables) for symbol, variables in rows))
        classes = self._classes(rows, free)
        best: Key | None = None
        for naming in _namings(classes, self._first):
            made = tuple(sorted((symbol, *(naming.get(v, v) for v in variables)) for symbol, variables in rows))
            if best is None or made < best:
                best = made
        assert best is not None
        return best

    def _classes(self, rows: list[tuple[int, tuple[int, ...]]], free: list[int]) -> list[list[int]]:
        """The variables in classes that a renaming cannot mix, in an order that no renaming changes."""
        colour = dict.fromkeys(free, 0)
        count = 1
        while True:
            looks = {
                variable: (
                    colour[variable],
                    tuple(
                        sorted(
                            (symbol, tuple(_look(v, variable, colour) for v in variables))
                            for symbol, variables in rows
                            if variable in variables
                        )
                    ),
                )
                for variable in free
            }
            kinds = sorted(set(looks.values()))
            colour = {variable: kinds.index(looks[variable]) for variable in free}
            if len(kinds) == count or len(kinds) == len(free):
                return [[variable for variable in free if colour[variable] == kind] for kind in range(len(kinds))]
            count = len(kinds)

    def folds(self, body: Body) -> bool:
        """Whether a variable can be replaced by another so that nothing but less literals remain."""
        language = self._language
        rows = {(each.symbol, each.variables) for each in (language.literals[number] for number in body)}
        used = sorted({variable for _, variables in rows for variable in variables})
        for old in used:
            if old < self._first:
                continue
            touched = [(symbol, variables) for symbol, variables in rows if old in variables]
            for new in used:
                if new != old and all(
                    (symbol, tuple(new if v == old else v for v in variables)) in rows for symbol, variables in touched
                ):
                    return True
        return False


def _look(variable: int, own: int, colour: Mapping[int, int]) -> int:
    """A variable as seen from another: itself, one of the head, or one of a class."""
    if variable == own:
        return -1
    return colour[variable] if variable in colour else -2 - variable


def _namings(classes: list[list[int]], first: int) -> Iterator[dict[int, int]]:
    for choice in product(*(permutations(members) for members in classes)):
        order = [variable for members in choice for variable in members]
        yield {variable: first + place for place, variable in enumerate(order)}
