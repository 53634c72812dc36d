"""Predicates as rules may have them: modes with their constants put in, and the heads that are learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from hornbeam.logic.terms import Compound, Term, literal, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Fill, Mode, Place
from hornbeam.theory.theory import Indicator


@dataclass(frozen=True, slots=True)
class Symbol:
    """A predicate as it may stand in a body: constants filled in, perhaps under negation.

    `fills` has one entry for each way of calling it; a place that is a constant is in none of them.
    """

    name: str
    constants: tuple[Term | None, ...]  # None where a variable stands
    types: tuple[str, ...]  # of the variable places
    fills: tuple[tuple[Fill, ...], ...]
    negated: bool = False
    recursive: bool = False

    @property
    def indicator(self) -> Indicator:
        return (self.name, len(self.constants))

    @property
    def arity(self) -> int:
        """The number of variables."""
        return len(self.types)

    @property
    def places(self) -> tuple[int, ...]:
        """The argument numbers at which variables stand."""
        return tuple(number for number, constant in enumerate(self.constants) if constant is None)

    @property
    def only_tests(self) -> bool:
        """Whether it binds no variable however it is called."""
        return self.negated or all(fill == "+" for fills in self.fills for fill in fills)

    def atom(self, arguments: Sequence[Term]) -> Term:
        """The atom, without the negation."""
        rest = iter(arguments)
        return literal(self.name, *(next(rest) if constant is None else constant for constant in self.constants))

    def literal(self, arguments: Sequence[Term]) -> Term:
        atom = self.atom(arguments)
        return Compound("\\+", (atom,)) if self.negated else atom


@dataclass(frozen=True)
class Head:
    """The atom that is learned: its variables are the first of a rule."""

    name: str
    constants: tuple[Term | None, ...]
    places: tuple[Place, ...]  # of the variable places
    loose: bool = False  # whether bound variables of the head may be missing from the body

    @property
    def arity(self) -> int:
        return len(self.places)

    @cached_property
    def bound(self) -> frozenset[int]:
        """The variables that are bound when the rule is called."""
        return frozenset(number for number, place in enumerate(self.places) if place.fill != "-")

    @cached_property
    def required(self) -> frozenset[int]:
        """The variables that must be in the body."""
        inputs = {number for number, place in enumerate(self.places) if place.fill == "+"}
        return frozenset(range(self.arity)) - (inputs if self.loose else set())

    def atom(self, arguments: Sequence[Term]) -> Term:
        rest = iter(arguments)
        return literal(self.name, *(next(rest) if constant is None else constant for constant in self.constants))

    def values(self, atom: Term) -> tuple[Term, ...] | None:
        """What the variables are in an example, or None if the example is of another predicate or constant."""
        arguments = atom.args if isinstance(atom, Compound) else ()
        name = atom.functor if isinstance(atom, Compound) else atom
        if name != self.name or len(arguments) != len(self.constants):
            return None
        pairs = list(zip(arguments, self.constants, strict=True))
        if any(constant is not None and constant != argument for argument, constant in pairs):
            return None
        return tuple(argument for argument, constant in pairs if constant is None)


def compatible(one: str, other: str) -> bool:
    """Whether a variable may stand at places of both types."""
    return one == other or ANY_TYPE in (one, other)


# From modes -------------------------------------------------------------------------------------------------------


def heads(bias: Bias, examples: Sequence[Term], *, loose: bool = False) -> list[Head]:
    """What is to be learned: a head for each predicate, and where it has constant places for each constant there."""
    made: dict[tuple[str, str], Head] = {}
    for mode in bias.head:
        for constants in _constants(mode, bias, _seen(mode, examples)):
            head = Head(mode.name, constants, _variable_places(mode), loose)
            made.setdefault((str(mode), ",".join("" if each is None else to_text(each) for each in constants)), head)
    return list(made.values())


def symbols(bias: Bias, values: Mapping[tuple[Indicator, int], Sequence[Term]]) -> list[Symbol]:
    """The symbols of the body modes. `values` has what stands at an argument in the background, for constants."""
    made: dict[tuple[object, ...], Symbol] = {}
    for mode in bias.body:
        for constants in _constants(mode, bias, values):
            for negated in (False, True) if mode.negated else (False,):
                _add(made, mode, constants, negated=negated)
    return list(made.values())


def call(head: Head) -> Symbol:
    """A symbol that calls what is being learned."""
    types, fills = tuple(place.type for place in head.places), tuple(place.fill for place in head.places)
    return Symbol(head.name, head.constants, types, (fills,), recursive=True)


def _add(
    made: dict[tuple[object, ...], Symbol], mode: Mode, constants: tuple[Term | None, ...], *, negated: bool
) -> None:
    places = _variable_places(mode)
    types = tuple(place.type for place in places)
    fills = tuple(place.fill for place in places)
    shown = ",".join("_" if each is None else to_text(each) for each in constants)
    key = (mode.name, shown, types, negated)
    before = made.get(key)
    ways = (*before.fills, fills) if before and fills not in before.fills else before.fills if before else (fills,)
    made[key] = Symbol(mode.name, constants, types, ways, negated)


def _variable_places(mode: Mode) -> tuple[Place, ...]:
    return tuple(place for place in mode.places if place.fill != "#")


def _constants(
    mode: Mode, bias: Bias, values: Mapping[tuple[Indicator, int], Sequence[Term]]
) -> Iterable[tuple[Term | None, ...]]:
    choices: list[Sequence[Term | None]] = []
    for number, place in enumerate(mode.places):
        if place.fill != "#":
            choices.append((None,))
        else:
            listed = bias.constants.get(place.type)
            choices.append(listed if listed is not None else values.get((mode.indicator, number), ()))
    return product(*choices)


def _seen(mode: Mode, examples: Sequence[Term]) -> dict[tuple[Indicator, int], list[Term]]:
    """The constants that examples have at each argument, in order of appearance."""
    found: dict[tuple[Indicator, int], list[Term]] = {}
    for atom in examples:
        if isinstance(atom, Compound) and (atom.functor, len(atom.args)) == mode.indicator:
            for number, value in enumerate(atom.args):
                known = found.setdefault((mode.indicator, number), [])
                if value not in known:
                    known.append(value)
    return found
