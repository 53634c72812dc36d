"""Predicates as rules may have them: modes with their constants put in, and the heads that are learned.

Background predicates are tables where they have finitely many answers that can be had at once. Terms are interned as
small integers; what the tables say of one another (see `generate`) is found by set operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Compound, Term, each_once, literal, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Fill, Mode, Place
from hornbeam.theory.theory import Indicator, arguments, indicator


@dataclass(frozen=True)
class _Predicate:
    """A predicate with constants filled in."""

    name: str
    constants: tuple[Term | None, ...]  # None for a variable

    @property
    def indicator(self) -> Indicator:
        return (self.name, len(self.constants))

    def atom(self, arguments: Sequence[Term]) -> Term:
        """The atom with these arguments for the variables, without any negation."""
        rest = iter(arguments)
        return literal(self.name, *(next(rest) if constant is None else constant for constant in self.constants))


@dataclass(frozen=True)
class BodySymbol(_Predicate):
    """A predicate as it may stand in a body: constants filled in, perhaps under negation.

    `fills` has one entry for each way of calling it; a place that is a constant is in none of them.
    """

    types: tuple[str, ...]  # of the variable places
    fills: tuple[tuple[Fill, ...], ...]
    negated: bool = False
    recursive: bool = False

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

    def literal(self, arguments: Sequence[Term]) -> Term:
        atom = self.atom(arguments)
        return Compound("\\+", (atom,)) if self.negated else atom


@dataclass(frozen=True)
class TargetHead(_Predicate):
    """The atom that is learned: its variables are the first of a rule."""

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

    def values(self, atom: Term) -> tuple[Term, ...] | None:
        """What the variables are in an example, or None if the example is of another predicate or constant."""
        if indicator(atom) != self.indicator:
            return None
        pairs = list(zip(arguments(atom), self.constants, strict=True))
        if any(constant is not None and constant != argument for argument, constant in pairs):
            return None
        return tuple(argument for argument, constant in pairs if constant is None)


def compatible(one: str, other: str) -> bool:
    """Whether a variable may stand at places of both types."""
    return one == other or ANY_TYPE in (one, other)


# From modes -------------------------------------------------------------------------------------------------------


def heads(bias: Bias, examples: Sequence[Term], *, loose: bool = False) -> list[TargetHead]:
    """What is to be learned: a head for each predicate, and where it has constant places for each constant there."""
    targets: dict[tuple[str, str], TargetHead] = {}
    for mode in bias.head:
        for constants in _constants(mode, bias, _seen(mode, examples)):
            head = TargetHead(mode.name, constants, _variable_places(mode), loose)
            targets.setdefault((str(mode), ",".join("" if each is None else to_text(each) for each in constants)), head)
    return list(targets.values())


def symbols(bias: Bias, values: Mapping[tuple[Indicator, int], Sequence[Term]]) -> list[BodySymbol]:
    """The symbols of the body modes. `values` has what stands at an argument in the background, for constants."""
    known: dict[tuple[object, ...], BodySymbol] = {}
    for mode in bias.body:
        for constants in _constants(mode, bias, values):
            places = _variable_places(mode)
            types, fills = tuple(place.type for place in places), tuple(place.fill for place in places)
            shown = ",".join("_" if each is None else to_text(each) for each in constants)
            for negated in (False, True) if mode.negated else (False,):
                key = (mode.name, shown, types, negated)
                ways = known[key].fills if key in known else ()
                ways = ways if fills in ways else (*ways, fills)
                known[key] = BodySymbol(mode.name, constants, types, ways, negated)
    return list(known.values())


def call(head: TargetHead) -> BodySymbol:
    """A symbol that calls what is being learned."""
    types, fills = tuple(place.type for place in head.places), tuple(place.fill for place in head.places)
    return BodySymbol(head.name, head.constants, types, (fills,), recursive=True)


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
    rows = [arguments(atom) for atom in examples if indicator(atom) == mode.indicator]
    return {(mode.indicator, place): each_once(row[place] for row in rows) for place in range(len(mode.places))}


# The background as tables -----------------------------------------------------------------------------------------


Row = tuple[int, ...]


@dataclass
class PredicateTables:
    """The tables of the predicates that have one, and the terms that the numbers in them stand for."""

    rows: dict[Indicator, list[Row]] = field(default_factory=dict)
    numbers: dict[object, int] = field(default_factory=dict)
    terms: list[Term] = field(default_factory=list)

    def number(self, term: Term) -> int:
        """The number of a term; a new one for a term that is not known yet."""
        key = _key(term)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.terms)
            self.terms.append(term)
        return number

    def values(self) -> dict[tuple[Indicator, int], list[Term]]:
        """What stands at each argument of each predicate, sorted as the rows are."""
        values: dict[tuple[Indicator, int], list[Term]] = {}
        for predicate, rows in self.rows.items():
            for place in range(predicate[1]):
                kept = dict.fromkeys(row[place] for row in rows)
                values[(predicate, place)] = [self.terms[number] for number in kept]
        return values

    def of(self, symbol: BodySymbol) -> frozenset[Row] | None:
        """The values for the variables of a symbol, or None if they are not known."""
        rows = self.rows.get(symbol.indicator)
        if rows is None or symbol.negated or symbol.recursive:
            return None
        fixed = [
            (place, self.number(constant)) for place, constant in enumerate(symbol.constants) if constant is not None
        ]
        places = symbol.places
        return frozenset(
            tuple(row[place] for place in places) for row in rows if all(row[place] == value for place, value in fixed)
        )


def _key(term: Term) -> object:
    if isinstance(term, Compound):
        return (term.functor, *map(_key, term.args))
    if isinstance(term, list):
        return ("[]", *map(_key, term))
    return (type(term).__name__, term)


def tabulate(
    pl: Prolog, program: str, predicates: Iterable[Indicator], *, inferences: int = 1_000_000, most: int = 100_000
) -> PredicateTables:
    """The tables of those predicates that can be called with nothing bound."""
    tables = PredicateTables()
    wanted = list(dict.fromkeys(predicates))
    asked = [(program, name, arity, inferences, most) for name, arity in wanted]
    replies: list[Sequence[Sequence[Term]] | str] = pl.once_many(
        "hornbeam_lff_cover:rows(M, N, A, I, L, R)",
        over=("M", "N", "A", "I", "L"),
        get="R",
        rows=asked,
        limits=Limits(),
    )
    for predicate, rows in zip(wanted, replies, strict=True):
        if isinstance(rows, list):
            tables.rows[predicate] = [tuple(map(tables.number, row)) for row in rows]
    return tables


def fanouts(symbols: Sequence[BodySymbol], tables: PredicateTables) -> dict[tuple[int, tuple[int, ...]], float]:
    """How many answers a symbol has on average when some of its places are bound."""
    weights: dict[tuple[int, tuple[int, ...]], float] = {}
    for index, symbol in enumerate(symbols):
        rows = tables.of(symbol)
        if rows is None:
            continue
        for choice in range(2**symbol.arity):
            places = tuple(place for place in range(symbol.arity) if choice >> place & 1)
            keys = {tuple(row[place] for place in places) for row in rows}
            weights[(index, places)] = len(rows) / max(1, len(keys))
    return weights


def useful_symbols(symbols: Sequence[BodySymbol], tables: PredicateTables) -> list[BodySymbol]:
    """The symbols without those that are never true, and one of those that are true of the same."""
    kept: list[BodySymbol] = []
    seen: set[object] = set()
    for symbol in symbols:
        rows = tables.of(symbol)
        if rows is None:
            kept.append(symbol)
        elif rows and (key := (symbol.types, symbol.fills, rows)) not in seen:
            seen.add(key)
            kept.append(symbol)
    return kept
