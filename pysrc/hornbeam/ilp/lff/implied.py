"""What the background says about rules before any is tried: literals that exclude, imply or repeat one another.

All of it is read off the tables of the predicates (see `tables`), and each constraint leaves, for every rule that it
takes away, one that is no larger and covers the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, product

from hornbeam.ilp.lff.coverage import Examples
from hornbeam.ilp.lff.language import Language, Literal
from hornbeam.ilp.lff.tables import Row, Tables
from hornbeam.ilp.lff.vocabulary import Head, Symbol, compatible
from hornbeam.logic.terms import Term

Pattern = tuple[int, ...]  # for each place of one literal the place of the other with the same variable, or -1


def useful_symbols(symbols: Sequence[Symbol], tables: Tables) -> list[Symbol]:
    """The symbols without those that are never true, and one of those that are true of the same."""
    kept: list[Symbol] = []
    seen: set[object] = set()
    for symbol in symbols:
        rows = tables.of(symbol)
        if rows is None:
            kept.append(symbol)
        elif rows and (key := (symbol.types, symbol.fills, rows)) not in seen:
            seen.add(key)
            kept.append(symbol)
    return kept


class Implied:
    """Facts for the generator about pairs of literals of a language."""

    def __init__(self, language: Language, tables: Tables, examples: Examples) -> None:
        self._language = language
        self._tables = tables
        self._examples = examples
        self._rows = [tables.of(symbol) for symbol in language.symbols]
        self._parts: dict[tuple[int, tuple[int, ...]], frozenset[Row]] = {}

    def facts(self) -> Iterator[str]:
        yield from self._clashes()
        yield from self._folds()
        yield from self._serves()
        yield from self._merges()

    # Pairs of which no rule needs both -----------------------------------------------------------------------------

    def _clashes(self) -> Iterator[str]:
        """Found for symbols and the places that they share, then written out for the literals."""
        done: set[tuple[int, int]] = set()
        by_symbol: dict[int, list[Literal]] = {}
        for each in self._language.literals:
            by_symbol.setdefault(each.symbol, []).append(each)
        for one, other in product(by_symbol, repeat=2):
            for pattern in self._patterns(one, other):
                if self._clash(one, other, pattern):
                    for each in by_symbol[one]:
                        for number in self._matching(each, other, pattern):
                            pair = (min(each.number, number), max(each.number, number))
                            if number != each.number and pair not in done:
                                done.add(pair)
                                yield f"clash({pair[0]},{pair[1]})."

    def _patterns(self, one: int, other: int) -> Iterator[Pattern]:
        """The ways in which literals of two symbols can share variables, as far as types allow."""
        left, right = self._language.symbols[one].types, self._language.symbols[other].types
        choices = [(-1, *(place for place, kind in enumerate(left) if compatible(kind, wanted))) for wanted in right]
        return (pattern for pattern in product(*choices) if any(place >= 0 for place in pattern))

    def _matching(self, one: Literal, other: int, pattern: Pattern) -> Iterator[int]:
        """The literals of a symbol that share just these variables with another literal."""
        apart = [variable for variable in range(self._language.width) if variable not in one.variables]
        choices = [apart if place < 0 else (one.variables[place],) for place in pattern]
        for variables in product(*choices):
            number = self._language.numbers.get((other, variables))
            if number is not None:
                yield number

    def _clash(self, one: int, other: int, pattern: Pattern) -> bool:
        return (
            self._excluded(one, other, pattern)
            or self._implied(one, other, pattern)
            or self._opposite(one, other, pattern)
        )

    def _excluded(self, one: int, other: int, pattern: Pattern) -> bool:
        if self._rows[one] is None or self._rows[other] is None:
            return False
        shared = [(place, number) for number, place in enumerate(pattern) if place >= 0]
        left = self._part(one, tuple(place for place, _ in shared))
        right = self._part(other, tuple(number for _, number in shared))
        return left.isdisjoint(right)

    def _implied(self, one: int, other: int, pattern: Pattern) -> bool:
        """Whether the second follows from the first, and a rule can do without it."""
        rows, symbol = self._rows[other], self._language.symbols[other]
        if self._rows[one] is None or rows is None or -1 in pattern or not self._dispensable(one, symbol, pattern):
            return False
        return self._part(one, pattern) <= rows

    def _dispensable(self, one: int, symbol: Symbol, pattern: Pattern) -> bool:
        """Whether all that the second literal binds is bound without it."""
        if symbol.only_tests or not self._language.directed:
            return True
        fills = self._language.symbols[one].fills
        return all(way[place] != "+" for way in fills for place in pattern)

    def _opposite(self, one: int, other: int, pattern: Pattern) -> bool:
        first, second = self._language.symbols[one], self._language.symbols[other]
        return (
            first.negated != second.negated
            and (first.name, first.constants) == (second.name, second.constants)
            and pattern == tuple(range(first.arity))
        )

    def _part(self, symbol: int, places: tuple[int, ...]) -> frozenset[Row]:
        key = (symbol, places)
        if key not in self._parts:
            rows = self._rows[symbol]
            assert rows is not None
            self._parts[key] = frozenset(tuple(row[place] for place in places) for row in rows)
        return self._parts[key]

    # Literals that repeat another with a variable of their own -------------------------------------------------------

    def _folds(self) -> Iterator[str]:
        language = self._language
        for each in language.literals:
            for place, variable in enumerate(each.variables):
                if variable < language.head.arity or each.variables.count(variable) > 1:
                    continue
                for other in range(language.width):
                    image = (*each.variables[:place], other, *each.variables[place + 1 :])
                    number = language.numbers.get((each.symbol, image))
                    if other != variable and number is not None:
                        yield f"folds({each.number},{number},{variable})."

    # Literals that are always true for some value ---------------------------------------------------------------------

    def _serves(self) -> Iterator[str]:
        for each in self._language.literals:
            for place, variable in enumerate(each.variables):
                if variable >= self._language.head.arity and (each.symbol, place) in self._total:
                    yield f"serves({each.number},{variable})."

    @cached_property
    def _total(self) -> set[tuple[int, int]]:
        """Symbols of two places, and the place that has a value for every object at the other."""
        found = set[tuple[int, int]]()
        for index, symbol in enumerate(self._language.symbols):
            if symbol.arity == 2 and self._rows[index] is not None:
                for place in (0, 1):
                    domain = self._domains.get(symbol.types[1 - place])
                    if domain is not None and domain <= self._part(index, (1 - place,)):
                        found.add((index, place))
        return found

    @cached_property
    def _domains(self) -> dict[str, frozenset[Row]]:
        """All objects of a type that a rule can come by; types that are not known wholly are left out."""
        head, known = self._language.head, dict[str, set[Row]]()
        open_types = set[str]()
        for index, symbol in enumerate(self._language.symbols):
            for place, kind in enumerate(symbol.types):
                if self._rows[index] is not None:
                    known.setdefault(kind, set()).update(self._part(index, (place,)))
                elif not symbol.only_tests and not symbol.recursive:
                    open_types.add(kind)
        for kind, values in _examples_by_type(head, self._examples).items():
            known.setdefault(kind, set()).update((self._tables.number(value),) for value in values)
        if any(one != other and compatible(one, other) for one, other in combinations(known, 2)):
            return {}
        return {kind: frozenset(values) for kind, values in known.items() if kind not in open_types}

    # Variables that have one value ----------------------------------------------------------------------------------

    def _merges(self) -> Iterator[str]:
        language, head = self._language, self._language.head.arity
        for each in language.literals:
            for place, low in enumerate(each.variables):
                if (each.symbol, place) not in self._functional or each.variables.count(low) > 1:
                    continue
                for high in range(max(low + 1, head), language.width):
                    image = (*each.variables[:place], high, *each.variables[place + 1 :])
                    number = language.numbers.get((each.symbol, image))
                    if number is not None and high not in each.variables:
                        yield f"merges({each.number},{number},{low},{high})."

    @cached_property
    def _functional(self) -> set[tuple[int, int]]:
        """Symbols and the place that the other places determine."""
        found = set[tuple[int, int]]()
        for index, symbol in enumerate(self._language.symbols):
            rows = self._rows[index]
            if rows is not None and symbol.arity > 1 and not symbol.recursive:
                for place in range(symbol.arity):
                    rest = tuple(number for number in range(symbol.arity) if number != place)
                    if len(self._part(index, rest)) == len(rows):
                        found.add((index, place))
        return found


def _examples_by_type(head: Head, examples: Examples) -> dict[str, list[Term]]:
    found: dict[str, list[Term]] = {}
    for place, kind in enumerate(head.places):
        for values in (*examples.positive, *examples.negative):
            found.setdefault(kind.type, []).append(values[place])
    return found
