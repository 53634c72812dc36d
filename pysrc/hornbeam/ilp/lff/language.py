"""The literals that a rule may be made of, with their variables numbered.

A rule is a set of literal numbers over the variables 0, 1, ...; those of the head come first. Everything after this
module works on these numbers; only :meth:`Language.clause` goes back to terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from hornbeam.bitsets import mask_of
from hornbeam.errors import UsageError
from hornbeam.ilp.lff.vocabulary import Head, Symbol, compatible
from hornbeam.ilp.naming import variable_name
from hornbeam.logic.terms import Clause, Compound, Term, Var
from hornbeam.tasks.bias import ANY_TYPE, Bias, Fill

Body = frozenset[int]  # numbers of literals
Weights = Mapping[tuple[int, tuple[int, ...]], float]  # answers of a symbol on average, by the places that are bound


@dataclass(frozen=True, slots=True)
class Way:
    """One way to call a literal: variables that must be bound before, and those that are bound after."""

    needs: frozenset[int]
    gives: frozenset[int]
    mask: int  # of the variables that must be bound


@dataclass(frozen=True, slots=True)
class Literal:
    """A symbol with variables at its places."""

    number: int
    symbol: int
    variables: tuple[int, ...]
    ways: tuple[Way, ...]
    mask: int  # of the variables: bit i for variable i
    free: bool  # whether some way needs nothing bound


class Language:
    """All literals over so many variables, and how rules of them read."""

    def __init__(
        self,
        head: Head,
        symbols: Sequence[Symbol],
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
        self._bound, self._required = mask_of(head.bound), mask_of(head.required)
        self._fanouts: dict[tuple[int, int], float] = {}
        # How many variables a literal can link to older ones, at most.
        self.links = max(1, max((symbol.arity for symbol in self.symbols), default=1) - 1)
        self.directed = any(way.needs for each in self.literals for way in each.ways) or len(head.bound) < head.arity

    @property
    def shallow(self) -> bool:
        """Whether the bound on the depth of variables excludes anything."""
        return self.depth < len(self.existential)

    @property
    def existential(self) -> range:
        """The variables that are not of the head."""
        return range(self.head.arity, self.width)

    def _literals(self, repeats: bool) -> Iterable[Literal]:
        number = 0
        for index, symbol in enumerate(self.symbols):
            choices = (
                product(range(self.width), repeat=symbol.arity)
                if repeats
                else permutations(range(self.width), symbol.arity)
            )
            for variables in choices:
                if self._possible(symbol, variables):
                    ways = tuple(_way(symbol, fill, variables) for fill in symbol.fills)
                    yield Literal(number, index, variables, ways, mask_of(variables), any(not way.mask for way in ways))
                    number += 1

    def _possible(self, symbol: Symbol, variables: tuple[int, ...]) -> bool:
        places = self.head.places
        known = [(place, kind) for place, kind in zip(variables, symbol.types, strict=True) if place < len(places)]
        if any(not compatible(places[place].type, kind) for place, kind in known):
            return False
        if any(
            place >= len(places) and kind in self._single for place, kind in zip(variables, symbol.types, strict=True)
        ):
            return False
        if not symbol.recursive:
            return True
        # A call with the arguments that came in would never end.
        if symbol.name != self.head.name:
            return True
        inputs = [number for number, place in enumerate(places) if place.fill == "+"] or range(len(places))
        return any(variables[number] != number for number in inputs)

    def symbol(self, number: int) -> Symbol:
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
                if each.free or any(not way.mask & ~bound for way in each.ways):
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

    def _fanout(self, each: Literal, bound: int, weights: Weights) -> float:
        places = tuple(place for place, variable in enumerate(each.variables) if bound >> variable & 1)
        if self.symbols[each.symbol].recursive:
            return 1e9  # last: what comes before may spare the call
        if len(places) == len(each.variables):
            return 0.0
        return weights.get((each.symbol, places), 4.0 - len(places))

    def mask(self, body: Iterable[int]) -> int:
        """The variables of a body, bit by bit."""
        mask = 0
        for number in body:
            mask |= self.literals[number].mask
        return mask

    def safe(self, body: Iterable[int], *, whole: bool = True) -> bool:
        """Whether all literals can be called in some order, in a `whole` rule binding the head's variables."""
        if not self.directed:
            return True
        left, bound = [self.literals[number] for number in body], self._bound
        while left:
            ready = [each for each in left if each.free or any(not way.mask & ~bound for way in each.ways)]
            if not ready:
                return False
            left = [each for each in left if each not in ready]
            for each in ready:
                bound |= each.mask
        return not whole or not self._required & ~bound

    def levels(self, body: Iterable[int]) -> tuple[int, ...] | None:
        """The variables that are so many literals or less away from the head, as masks; None if not all are reached."""
        masks = [self.literals[number].mask for number in body]
        reached, levels = (1 << self.head.arity) - 1, list[int]()
        while masks:
            new, rest = reached, list[int]()
            for mask in masks:
                if mask & reached:
                    new |= mask
                else:
                    rest.append(mask)
            if len(rest) == len(masks):
                return None
            if new != reached:
                levels.append(new)
            reached, masks = new, rest
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

    @property
    def required(self) -> int:
        """The head's variables that must be in the body, as a mask."""
        return self._required

    def connected(self, body: Iterable[int]) -> bool:
        """Whether a body hangs together with the head and can be called; it may lack variables of the head."""
        levels = self.levels(body)
        return levels is not None and len(levels) <= self.depth and self.safe(body, whole=False)

    def valid(self, body: Iterable[int]) -> bool:
        """Whether a body is one of a rule: it has the head's variables, hangs together and can be called."""
        if self._required & ~self.mask(body):
            return False
        levels = self.levels(body)
        return levels is not None and len(levels) <= self.depth and self.safe(body)

    def clause(self, order: Sequence[int]) -> Clause:
        """The rule with these literals in this order."""
        arguments = [Var(f"V{number}") for number in range(self.width)]
        body = tuple(
            self.symbols[each.symbol].literal([arguments[variable] for variable in each.variables])
            for each in (self.literals[number] for number in order)
        )
        return _named(Clause(self.head.atom(arguments[: self.head.arity]), body))


def _way(symbol: Symbol, fill: tuple[Fill, ...], variables: tuple[int, ...]) -> Way:
    if symbol.negated:
        return Way(frozenset(variables), frozenset(), mask_of(variables))
    pairs = list(zip(fill, variables, strict=True))
    needs = frozenset(variable for kind, variable in pairs if kind == "+")
    return Way(needs, frozenset(variables) - needs, mask_of(needs))


def _named(clause: Clause) -> Clause:
    """Variables A, B, C in order of appearance, as a person would write them."""
    names: dict[str, str] = {}

    def rename(term: Term) -> Term:
        if isinstance(term, Var):
            return Var(names.setdefault(term.name, variable_name(len(names))))
        if isinstance(term, Compound):
            return Compound(term.functor, tuple(map(rename, term.args)))
        return term

    return Clause(rename(clause.head), tuple(map(rename, clause.body)))
