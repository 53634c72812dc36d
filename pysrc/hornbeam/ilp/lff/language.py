"""The literals that a rule may be made of, with their variables numbered.

A rule is a set of literal numbers over the variables 0, 1, ...; those of the head come first. Everything after this
module works on these numbers; only :meth:`RuleLanguage.clause` goes back to terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations, product
from operator import or_

from hornbeam.bitsets import mask_of
from hornbeam.errors import UsageError
from hornbeam.ilp.lff.vocabulary import BodySymbol, TargetHead, compatible
from hornbeam.ilp.naming import named
from hornbeam.logic.terms import Clause, Var
from hornbeam.tasks.bias import ANY_TYPE, Bias, Fill

Body = frozenset[int]  # numbers of literals
Weights = Mapping[tuple[int, tuple[int, ...]], float]  # answers of a symbol on average, by the places that are bound


@dataclass(frozen=True, slots=True)
class BodyLiteral:
    """A symbol with variables at its places."""

    number: int
    symbol: int
    variables: tuple[int, ...]
    ways: tuple[int, ...]  # to call it: masks of the variables that must be bound before; the others are bound after
    mask: int  # of the variables: bit i for variable i
    free: bool  # whether some way needs nothing bound


class RuleLanguage:
    """All literals over so many variables, and how rules of them read."""

    def __init__(
        self,
        head: TargetHead,
        symbols: Sequence[BodySymbol],
        bias: Bias,
        *,
        repeats: bool = False,
        single_types: Iterable[str] = (),
    ) -> None:
        if head.arity > bias.max_vars:
            raise UsageError(f"{head.name} has {head.arity} arguments, but a rule may have {bias.max_vars} variables")
        self.head = head
        self.symbols = tuple(symbols)
        self.width = bias.max_vars
        self.max_body = bias.max_body
        self.depth = bias.depth
        self._single = frozenset(single_types)
        self.literals = tuple(self._literals(repeats))
        self.numbers: dict[tuple[int, tuple[int, ...]], int] = {
            (each.symbol, each.variables): each.number for each in self.literals
        }
        self._bound = mask_of(head.bound)
        self.required = mask_of(head.required)  # the head's variables that must be in the body
        self._fanouts: dict[tuple[int, int], float] = {}
        # How many variables a literal can link to older ones, at most.
        self.links = max(1, max((symbol.arity for symbol in self.symbols), default=1) - 1)
        self.directed = any(needs for each in self.literals for needs in each.ways) or len(head.bound) < head.arity

    @property
    def shallow(self) -> bool:
        """Whether the bound on the depth of variables excludes anything."""
        return self.depth < len(self.existential)

    @property
    def existential(self) -> range:
        """The variables that are not of the head."""
        return range(self.head.arity, self.width)

    def _literals(self, repeats: bool) -> Iterable[BodyLiteral]:
        number = 0
        for index, symbol in enumerate(self.symbols):
            every = range(self.width)
            for variables in product(every, repeat=symbol.arity) if repeats else permutations(every, symbol.arity):
                if self._possible(symbol, variables):
                    ways = tuple(_needs(symbol, fill, variables) for fill in symbol.fills)
                    yield BodyLiteral(number, index, variables, ways, mask_of(variables), 0 in ways)
                    number += 1

    def _possible(self, symbol: BodySymbol, variables: tuple[int, ...]) -> bool:
        places = self.head.places
        for place, kind in zip(variables, symbol.types, strict=True):
            if kind in self._single if place >= len(places) else not compatible(places[place].type, kind):
                return False
        if not symbol.recursive or symbol.name != self.head.name:
            return True
        # A call with the arguments that came in would never end.
        inputs = [number for number, place in enumerate(places) if place.fill == "+"] or range(len(places))
        return any(variables[number] != number for number in inputs)

    def symbol(self, number: int) -> BodySymbol:
        return self.symbols[self.literals[number].symbol]

    def ordered(self, body: Iterable[int], weights: Weights) -> list[int] | None:
        """The literals in an order in which they can be called, those that leave few answers first; None if none is.

        `weights` says how many answers a symbol has on average with some of its places bound.
        """
        left, bound, order = sorted(body), self._bound, list[int]()
        literals, fanouts = self.literals, self._fanouts
        while left:
            best, least = -1, 1e18
            for number in left:
                each = literals[number]
                if each.free or any(not needs & ~bound for needs in each.ways):
                    known = (number, bound & each.mask)
                    fanout = fanouts.get(known)
                    if fanout is None:
                        fanout = fanouts[known] = self._fanout(each, bound, weights)
                    if fanout < least:
                        best, least = number, fanout
            if best < 0:
                return None
            left.remove(best)
            order.append(best)
            bound |= literals[best].mask
        return order

    def _fanout(self, each: BodyLiteral, bound: int, weights: Weights) -> float:
        places = tuple(place for place, variable in enumerate(each.variables) if bound >> variable & 1)
        if self.symbols[each.symbol].recursive:
            return 1e9  # last: what comes before may spare the call
        if len(places) == len(each.variables):
            return 0.0
        return weights.get((each.symbol, places), 4.0 - len(places))

    def mask(self, body: Iterable[int]) -> int:
        """The variables of a body, bit by bit."""
        return reduce(or_, (self.literals[number].mask for number in body), 0)

    def safe(self, body: Iterable[int], *, whole: bool = True) -> bool:
        """Whether all literals can be called in some order, in a `whole` rule binding the head's variables."""
        if not self.directed:
            return True
        left, bound = [self.literals[number] for number in body], self._bound
        while left:
            ready = [each for each in left if each.free or any(not needs & ~bound for needs in each.ways)]
            if not ready:
                return False
            left = [each for each in left if each not in ready]
            for each in ready:
                bound |= each.mask
        return not whole or not self.required & ~bound

    def levels(self, body: Iterable[int]) -> tuple[int, ...] | None:
        """The variables that are so many literals or less away from the head, as masks; None if not all are reached."""
        masks = [self.literals[number].mask for number in body]
        reached, levels = (1 << self.head.arity) - 1, list[int]()
        while masks:
            near = [mask for mask in masks if mask & reached]
            if not near:
                return None
            masks = [mask for mask in masks if not mask & reached]
            new = reduce(or_, near, reached)
            levels += [new] if new != reached else []
            reached = new
        return tuple(levels)

    @property
    def divisible(self) -> bool:
        """Whether a rule covers what all its parts cover that share only variables of the head.

        Each part must be a rule of its own: what is bound in one must not be needed in another, and a variable of the
        head must have one type in all.
        """
        typed = any(kind != ANY_TYPE for symbol in self.symbols for kind in symbol.types)
        return self.head.arity > 0 and all(
            place.fill != "-" and (not typed or place.type != ANY_TYPE) for place in self.head.places
        )

    def connected(self, body: Iterable[int], *, whole: bool = False) -> bool:
        """Whether a body hangs together with the head and can be called; it may lack variables of the head."""
        levels = self.levels(body)
        return levels is not None and len(levels) <= self.depth and self.safe(body, whole=whole)

    def valid(self, body: Iterable[int]) -> bool:
        """Whether a body is one of a rule: it has the head's variables, hangs together and can be called."""
        return not self.required & ~self.mask(body) and self.connected(body, whole=True)

    def clause(self, order: Sequence[int]) -> Clause:
        """The rule with these literals in this order."""
        arguments = [Var(f"V{number}") for number in range(self.width)]
        body = tuple(
            self.symbols[each.symbol].literal([arguments[variable] for variable in each.variables])
            for each in (self.literals[number] for number in order)
        )
        return named(Clause(self.head.atom(arguments[: self.head.arity]), body))


def _needs(symbol: BodySymbol, fill: tuple[Fill, ...], variables: tuple[int, ...]) -> int:
    """The variables that must be bound for one way to call a symbol."""
    pairs = zip(fill, variables, strict=True)
    return mask_of(variable for kind, variable in pairs if symbol.negated or kind == "+")


Key = tuple[tuple[int, ...], ...]


class Canonical:
    """Canonical keys of bodies of one language."""

    def __init__(self, language: RuleLanguage) -> None:
        self._language = language
        self._first = language.head.arity

    def key(self, body: Body) -> Key:
        """The same for two bodies exactly if a renaming of the variables that are not the head's makes them equal."""
        literals = [self._language.literals[number] for number in body]
        rows = [(each.symbol, each.variables) for each in literals]
        free = sorted({variable for _, variables in rows for variable in variables if variable >= self._first})
        if not free:
            return tuple(sorted((symbol, *variables) for symbol, variables in rows))
        return min(
            tuple(sorted((symbol, *(naming.get(v, v) for v in variables)) for symbol, variables in rows))
            for naming in _namings(self._classes(rows, free), self._first)
        )

    def _classes(self, rows: list[tuple[int, tuple[int, ...]]], free: list[int]) -> list[list[int]]:
        """The variables in classes that a renaming cannot mix, in an order that no renaming changes."""
        colour = dict.fromkeys(free, 0)
        count = 1
        while True:
            looks = {variable: (colour[variable], _surroundings(variable, rows, colour)) for variable in free}
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


def _surroundings(
    own: int, rows: list[tuple[int, tuple[int, ...]]], colour: Mapping[int, int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The literals of a variable as seen from it: itself, one of the head, or one of a class at each place."""

    def look(variable: int) -> int:
        if variable == own:
            return -1
        return colour[variable] if variable in colour else -2 - variable

    return tuple(sorted((symbol, tuple(map(look, variables))) for symbol, variables in rows if own in variables))


def _namings(classes: list[list[int]], first: int) -> Iterator[dict[int, int]]:
    for choice in product(*(permutations(members) for members in classes)):
        order = [variable for members in choice for variable in members]
        yield {variable: first + place for place, variable in enumerate(order)}
