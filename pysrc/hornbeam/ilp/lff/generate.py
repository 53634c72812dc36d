"""Rules by answer set programming: one solve call, small rules first, with what failed forbidden while it runs.

What fails forbids all places in larger rules where the same literals could stand again. A rule is larger than another
if it has its literals and more, whatever its variables are called. So the literals of a failure are forbidden under
every renaming of their variables: those of the head stay themselves, but for a body that has no answer for any head.

What the background says about rules is known before any is tried: literals that exclude, imply or repeat one another.
All of it is read off the tables of the predicates, and each constraint leaves, for every rule that it takes away, one
that is no larger and covers the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, permutations, product

from hornbeam.bitsets import bits
from hornbeam.ilp.lff.coverage import HeadExamples
from hornbeam.ilp.lff.language import Body, BodyLiteral, RuleLanguage, Weights
from hornbeam.ilp.lff.vocabulary import BodySymbol, PredicateTables, Row, compatible
from hornbeam.ilp.watch import Watch
from hornbeam.logic.asp import engine
from hornbeam.resources import prolog
from hornbeam.tasks.bias import ANY_TYPE

Pattern = tuple[int, ...]  # for each place of one literal the place of the other with the same variable, or -1
_LOOK_UP = 0.1  # seconds between looks at the clock while clingo searches


@dataclass(frozen=True)
class Source:
    """Where the rules for one head come from."""

    head: int  # its number; 0 is the one that examples are of
    language: RuleLanguage
    generator: Generator
    weights: Weights
    offset: int = 0  # of its literals among those of all languages


class Generator:
    """The rules of a language, by size. Use :meth:`forbid` and :meth:`stop_at` between two rules."""

    def __init__(
        self, language: RuleLanguage, facts: Iterable[str] = (), *, undivided: bool = False, seed: int = 0
    ) -> None:
        """With `undivided` only bodies that do not fall apart, and these need not have all variables of the head."""
        self._language = language
        self._control = engine.grounded(
            "\n".join([*_facts(language, undivided), *facts]),
            files=[prolog("lff", "rule.lp")],
            options=["--models=0", "--heuristic=Domain", f"--seed={seed}"],
        )
        atoms = self._control.symbolic_atoms
        self._atoms = {atom.symbol.arguments[0].number: atom.literal for atom in atoms.by_signature("holds", 1)}
        self._sizes = {atom.symbol.arguments[0].number: atom.literal for atom in atoms.by_signature("size", 1)}
        self._shared = {atom.symbol.arguments[0].number: atom.literal for atom in atoms.by_signature("shared", 1)}
        self._context: engine.SolveControl | None = None
        self._waiting: list[list[int]] = []
        self.complete = False  # whether all rules were given
        self.forbidden = 0
        self.largest = language.max_body  # literals that a rule may have

    def forbid(self, failures: Iterable[Forbidden]) -> None:
        """From now on none of these."""
        for each in failures:
            self.forbidden += 1
            clause = [-self._atoms[number] for number in sorted(each.body)]
            clause += [self._shared[variable] for variable in each.alone if variable in self._shared]
            self._add(clause)

    def stop_at(self, size: int) -> None:
        """No rule from now on may have so many body literals, or more."""
        for number, literal in self._sizes.items():
            if size <= number <= self.largest:
                self._add([-literal])
        self.largest = min(self.largest, size - 1)

    def _add(self, clause: list[int]) -> None:
        if self._context is None:
            self._waiting.append(clause)
        else:
            self._context.add_clause(clause)

    def rules(self, watch: Watch) -> Iterator[Body]:
        """The rules, until there are no more or the time is up."""
        with self._control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(_LOOK_UP):
                    if watch.time_is_up():
                        handle.cancel()
                        return
                model = handle.model()
                if model is None:
                    self.complete = True
                    return
                self._context = model.context
                for clause in self._waiting:
                    model.context.add_clause(clause)
                self._waiting.clear()
                yield frozenset(symbol.arguments[0].number for symbol in model.symbols(shown=True))
                self._context = None
                if watch.time_is_up():
                    handle.cancel()
                    return


def _facts(language: RuleLanguage, undivided: bool) -> Iterator[str]:
    head = language.head
    types = sorted(
        {kind for symbol in language.symbols for kind in symbol.types} | {place.type for place in head.places}
    )
    numbers = {kind: number for number, kind in enumerate(types)}
    for variable in range(language.width):
        yield f"{'head_variable' if variable < head.arity else 'existential'}({variable})."
    if undivided:
        yield "undivided."
    else:
        yield from (f"required({variable})." for variable in sorted(head.required))
    yield from (f"bound_at_call({variable})." for variable in sorted(head.bound))
    for variable, place in enumerate(head.places):
        if place.type != ANY_TYPE:
            yield f"head_type({variable},{numbers[place.type]})."
    yield f"size_allowed(1..{language.max_body})."
    if language.shallow:
        yield f"nearest({language.depth})."
    if language.directed or any(symbol.negated for symbol in language.symbols):
        yield "directed."
    for each in language.literals:
        yield from _literal_facts(language, each, numbers)
    yield from _swaps(language)


def _literal_facts(language: RuleLanguage, each: BodyLiteral, types: dict[str, int]) -> Iterator[str]:
    symbol, number = language.symbols[each.symbol], each.number
    yield f"literal({number})."
    if symbol.recursive:
        yield f"calls_itself({number})."
    for variable, kind in zip(each.variables, symbol.types, strict=True):
        yield f"touches({number},{variable})."
        if kind != ANY_TYPE:
            yield f"typed({number},{variable},{types[kind]})."
    for index, needs in enumerate(each.ways):
        yield f"way({number},{index})."
        yield from (f"needs({number},{index},{variable})." for variable in bits(needs))
        yield from (f"gives({number},{index},{variable})." for variable in bits(each.mask & ~needs))


def _swaps(language: RuleLanguage) -> Iterator[str]:
    """Which literals change into which when two neighbouring variables do, literals of low variables first."""
    existential: Sequence[int] = language.existential
    for one, other in pairwise(existential):
        turned = {one: other, other: one}
        pairs: list[tuple[tuple[object, ...], int, int]] = []
        for each in language.literals:
            image = tuple(turned.get(variable, variable) for variable in each.variables)
            number = language.numbers[(each.symbol, image)]
            place, there = _place(each.symbol, each.variables), _place(each.symbol, image)
            if place < there:
                pairs.append((place, each.number, number))
        for count, (_, number, image_number) in enumerate(sorted(pairs), 1):
            yield f"swap({one},{count},{number},{image_number})."


def _place(symbol: int, variables: tuple[int, ...]) -> tuple[object, ...]:
    return (tuple(sorted(variables)), symbol, variables)


# What a failure forbids ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Forbidden:
    """No rule has all these literals, unless one of the variables `alone` is in a further literal."""

    body: Body
    alone: tuple[int, ...] = ()


def embeddings(
    language: RuleLanguage, core: Body, *, largest: int, any_head: bool = False, alone: Sequence[int] = ()
) -> list[Forbidden]:
    """All renamings of literals that can be part of a rule with `largest` literals at most, each once."""
    first = 0 if any_head else language.head.arity
    rows = [(each.symbol, each.variables) for each in (language.literals[number] for number in sorted(core))]
    free = sorted({variable for _, variables in rows for variable in variables if variable >= first})
    spare = (largest - len(rows)) * language.links
    failures: dict[Forbidden, None] = {}
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
            failures[Forbidden(frozenset(body), tuple([naming[variable] for variable in alone]))] = None
    return list(failures)


def _missing(language: RuleLanguage, rows: list[tuple[int, tuple[int, ...]]]) -> int:
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


# What the background says --------------------------------------------------------------------------------------------


class Implied:
    """Facts for the generator about pairs of literals of a language."""

    def __init__(self, language: RuleLanguage, tables: PredicateTables, examples: HeadExamples) -> None:
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
        by_symbol: dict[int, list[BodyLiteral]] = {}
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

    def _matching(self, one: BodyLiteral, other: int, pattern: Pattern) -> Iterator[int]:
        """The literals of a symbol that share just these variables with another literal."""
        apart = [variable for variable in range(self._language.width) if variable not in one.variables]
        choices = [apart if place < 0 else (one.variables[place],) for place in pattern]
        for variables in product(*choices):
            number = self._language.numbers.get((other, variables))
            if number is not None:
                yield number

    def _clash(self, one: int, other: int, pattern: Pattern) -> bool:
        return any(test(one, other, pattern) for test in (self._excluded, self._implied, self._opposite))

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

    def _dispensable(self, one: int, symbol: BodySymbol, pattern: Pattern) -> bool:
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
        for each in self._language.literals:
            for place, variable in enumerate(each.variables):
                if variable >= self._language.head.arity and each.variables.count(variable) == 1:
                    for _, number in self._changed(each, place):
                        yield f"folds({each.number},{number},{variable})."

    def _changed(self, each: BodyLiteral, place: int) -> Iterator[tuple[int, int]]:
        """The literals with another variable at a place: that variable and the literal's number."""
        for other in range(self._language.width):
            image = (*each.variables[:place], other, *each.variables[place + 1 :])
            number = self._language.numbers.get((each.symbol, image))
            if other != each.variables[place] and number is not None:
                yield other, number

    # Literals that are always true for some value ---------------------------------------------------------------------

    def _serves(self) -> Iterator[str]:
        for each in self._language.literals:
            for place, variable in enumerate(each.variables):
                if variable >= self._language.head.arity and (each.symbol, place) in self._total:
                    yield f"serves({each.number},{variable})."

    @cached_property
    def _total(self) -> set[tuple[int, int]]:
        """Symbols of two places, and the place that has a value for every object at the other."""
        return {
            (index, place)
            for index, symbol in enumerate(self._language.symbols)
            if symbol.arity == 2 and self._rows[index] is not None
            for place in (0, 1)
            if (domain := self._domains.get(symbol.types[1 - place])) is not None
            and domain <= self._part(index, (1 - place,))
        }

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
        for place, declared in enumerate(head.places):
            for values in (*self._examples.positive, *self._examples.negative):
                known.setdefault(declared.type, set()).add((self._tables.number(values[place]),))
        if any(one != other and compatible(one, other) for one, other in combinations(known, 2)):
            return {}
        return {kind: frozenset(values) for kind, values in known.items() if kind not in open_types}

    # Variables that have one value ----------------------------------------------------------------------------------

    def _merges(self) -> Iterator[str]:
        head = self._language.head.arity
        for each in self._language.literals:
            for place, low in enumerate(each.variables):
                if (each.symbol, place) in self._functional and each.variables.count(low) == 1:
                    for high, number in self._changed(each, place):
                        if high >= max(low + 1, head) and high not in each.variables:
                            yield f"merges({each.number},{number},{low},{high})."

    @cached_property
    def _functional(self) -> set[tuple[int, int]]:
        """Symbols and the place that the other places determine."""
        return {
            (index, place)
            for index, symbol in enumerate(self._language.symbols)
            if (rows := self._rows[index]) is not None and symbol.arity > 1 and not symbol.recursive
            for place in range(symbol.arity)
            if len(self._part(index, tuple(at for at in range(symbol.arity) if at != place))) == len(rows)
        }
