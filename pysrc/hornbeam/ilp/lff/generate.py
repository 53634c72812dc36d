"""Rules by answer set programming: one solve call, small rules first, with what failed forbidden while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from hornbeam.ilp.lff.constraints import Forbidden
from hornbeam.ilp.lff.language import Body, Language, Literal
from hornbeam.ilp.watch import Watch
from hornbeam.logic.asp import engine
from hornbeam.resources import prolog
from hornbeam.tasks.bias import ANY_TYPE

_LOOK_UP = 0.1  # seconds between looks at the clock while clingo searches


class Generator:
    """The rules of a language, by size. Use :meth:`forbid` and :meth:`stop_at` between two rules."""

    def __init__(
        self, language: Language, facts: Iterable[str] = (), *, undivided: bool = False, seed: int = 0
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


def _facts(language: Language, undivided: bool) -> Iterator[str]:
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


def _literal_facts(language: Language, each: Literal, types: dict[str, int]) -> Iterator[str]:
    symbol, number = language.symbols[each.symbol], each.number
    yield f"literal({number})."
    if symbol.recursive:
        yield f"calls_itself({number})."
    for variable, kind in zip(each.variables, symbol.types, strict=True):
        yield f"touches({number},{variable})."
        if kind != ANY_TYPE:
            yield f"typed({number},{variable},{types[kind]})."
    for index, way in enumerate(each.ways):
        yield f"way({number},{index})."
        yield from (f"needs({number},{index},{variable})." for variable in sorted(way.needs))
        yield from (f"gives({number},{index},{variable})." for variable in sorted(way.gives))


def _swaps(language: Language) -> Iterator[str]:
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
