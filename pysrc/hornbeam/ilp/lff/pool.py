"""Rules for programs whose rules call one another: what each may contribute is known before they are put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from hornbeam.ilp.lff.canonical import Canonical
from hornbeam.ilp.lff.constraints import Forbidden, embeddings, subsets
from hornbeam.ilp.lff.coverage import Bits, Tester
from hornbeam.ilp.lff.generate import Generator
from hornbeam.ilp.lff.language import Body, Language, Weights
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Clause
from hornbeam.theory.theory import Indicator


@dataclass(frozen=True)
class Part:
    """A rule that may be part of a program. `positive` are the examples that it can be the last step for, at most."""

    number: int
    head: int  # which of the heads it defines; 0 is the one that examples are of
    body: Body
    order: tuple[int, ...]
    calls: frozenset[int]  # the heads that its body calls
    positive: Bits
    parents: tuple[int, ...]  # parts of the pool that have one literal less
    negative: Bits = field(default=0, compare=False)

    @property
    def size(self) -> int:
        return 1 + len(self.body)


@dataclass(frozen=True)
class Source:
    """Where the rules for one head come from."""

    head: int
    language: Language
    generator: Generator
    weights: Weights
    offset: int  # of its literals among those of all languages


class Pool:
    """The rules for all heads, size by size.

    Without calls a rule for the examples' head can be judged alone: one that covers a negative example is in no
    program. One that covers no positive example is kept where programs are recursive, as it may end a recursion.
    """

    def __init__(
        self, sources: Sequence[Source], tester: Tester, watch: Watch, *, recursion: bool, noise: bool, pairs: bool
    ) -> None:
        self._tester, self._watch = tester, watch
        self._recursion, self._noise, self._pairs = recursion, noise, pairs
        self._heads: dict[Indicator, int] = {
            (source.language.head.name, len(source.language.head.constants)): source.head for source in sources
        }
        self._sources = sources
        self._streams = [_Stream(source, watch) for source in sources]
        self._known: list[dict[object, int]] = [{} for _ in sources]  # canonical body to number of the part
        self._canonical = [Canonical(source.language) for source in sources]
        self._alone = False
        self.parts: list[Part] = []

    def grow(self, literals: int) -> list[Part]:
        """The parts with so many body literals."""
        start = len(self.parts)
        for stream in self._streams:
            for body in stream.of_size(literals):
                self._add(stream.source, body)
        return self.parts[start:]

    def only_alone(self) -> None:
        """From now on only rules are wanted that cover all positive examples and call nothing."""
        if self._alone or self._noise:
            return
        self._alone = True
        for source in self._sources:
            calls = [each.number for each in source.language.literals if source.language.symbol(each.number).recursive]
            source.generator.forbid(Forbidden(frozenset({number})) for number in calls)
            if source.head:
                source.generator.stop_at(0)

    def rule(self, part: Part) -> list[int]:
        """A part as prolog/lff/programs.pl takes it."""
        offset = self._sources[part.head].offset
        return [part.head, *(offset + number for number in part.order)]

    def clause(self, head: int, order: Sequence[int]) -> Clause:
        return self._sources[head].language.clause(order)

    def _add(self, source: Source, body: Body) -> None:
        canonical, known = self._canonical[source.head], self._known[source.head]
        key = canonical.key(body)
        if key in known or canonical.folds(body):
            return
        known[key] = -1
        order = source.language.ordered(body, source.weights)
        if order is None:
            return
        self._watch.count()
        calls = frozenset(
            self._heads[symbol.indicator]
            for symbol in (source.language.symbol(number) for number in body)
            if symbol.recursive
        )
        covered = self._cover(source, body, order, calls)
        if covered is None:
            return
        parents = sorted(
            number for _, rest in subsets(body) if rest and (number := known.get(canonical.key(rest), -1)) >= 0
        )
        known[key] = len(self.parts)
        self.parts.append(
            Part(len(self.parts), source.head, body, tuple(order), calls, covered[0], tuple(parents), covered[1])
        )

    def _cover(
        self, source: Source, body: Body, order: Sequence[int], calls: frozenset[int]
    ) -> tuple[Bits, Bits] | None:
        """What a rule can cover at most; None for one that no program needs."""
        if self._alone and (calls or source.head):
            return None
        if source.head:
            return 0, 0
        positive = self._positives(source, order)
        if positive is None:
            return None
        if self._useless(positive, calls):
            source.generator.forbid(embeddings(source.language, body, largest=source.generator.largest))
            return None
        negative = 0 if calls else self._negatives(order)
        return None if negative is None else (positive, negative)

    def _positives(self, source: Source, order: Sequence[int]) -> Bits | None:
        """The positive examples of which all holds that comes before the first call: no others can be covered."""
        before = list(takewhile(lambda number: not source.language.symbol(number).recursive, order))
        return self._tester.positives(before) if before else self._tester.examples.all_positive

    def _negatives(self, order: Sequence[int]) -> Bits | None:
        """The negative examples that a rule without calls covers; None where without noise it covers any."""
        if self._noise:
            return self._tester.negatives(order)
        return 0 if self._tester.some_negative(order) is False else None

    def _useless(self, positive: Bits, calls: frozenset[int]) -> bool:
        """Whether neither a rule with this cover nor any larger one made from it can be part of a program."""
        if self._alone:
            return positive != self._tester.examples.all_positive
        return not positive and (not self._recursion or (bool(calls) and self._pairs))


class _Stream:
    """The rules of a generator, size by size."""

    def __init__(self, source: Source, watch: Watch) -> None:
        self.source = source
        self._rules = source.generator.rules(watch)
        self._next: Body | None = None
        self._ended = False

    def of_size(self, literals: int) -> Iterator[Body]:
        while not self._ended:
            if self._next is None:
                self._next = next(self._rules, None)
                if self._next is None:
                    self._ended = True
                    return
            if len(self._next) > literals:
                return
            body, self._next = self._next, None
            yield body
