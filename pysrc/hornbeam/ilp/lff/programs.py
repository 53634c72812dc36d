"""The search for programs whose rules call one another: recursive ones, and ones with invented predicates.

Rules come from clingo as in `search`, for each head its own, and what each may contribute is known before they are put
together. Programs are put together by size, none that is known to fail, and tested whole, each proof under a limit of
inferences. Rules without calls are combined on their own as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, takewhile

from hornbeam.ilp.cover import Score, score, union
from hornbeam.ilp.lff.coverage import Bits, Tester
from hornbeam.ilp.lff.generate import Forbidden, Source, embeddings, subsets
from hornbeam.ilp.lff.language import Body, Canonical
from hornbeam.ilp.lff.objective import exact, undominated
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Clause
from hornbeam.theory import Theory


@dataclass(frozen=True)
class ProgramPart:
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


class PartPool:
    """The rules for all heads, size by size.

    Without calls a rule for the examples' head can be judged alone: one that covers a negative example is in no
    program. One that covers no positive example is kept where programs are recursive, as it may end a recursion.
    """

    def __init__(
        self, sources: Sequence[Source], tester: Tester, watch: Watch, *, recursion: bool, noise: bool, pairs: bool
    ) -> None:
        self._tester, self._watch = tester, watch
        self._recursion, self._noise, self._pairs = recursion, noise, pairs
        self._heads = {source.language.head.indicator: source.head for source in sources}
        self._sources = sources
        self._streams = [_Stream(source, watch) for source in sources]
        self._known: list[dict[object, int]] = [{} for _ in sources]  # canonical body to number of the part
        self._canonical = [Canonical(source.language) for source in sources]
        self._alone = False
        self.parts: list[ProgramPart] = []

    def grow(self, literals: int) -> list[ProgramPart]:
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

    def rule(self, part: ProgramPart) -> list[int]:
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
            ProgramPart(len(self.parts), source.head, body, tuple(order), calls, covered[0], tuple(parents), covered[1])
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
        """The negative examples that a rule without calls covers; None if without noise it covers any."""
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
        self._rules: Iterator[Body] = source.generator.rules(watch)

    def of_size(self, literals: int) -> Iterator[Body]:
        for body in self._rules:
            if len(body) > literals:
                self._rules = chain([body], self._rules)
                return
            yield body


Program = tuple[ProgramPart, ...]

_REMEMBERED = 500_000  # failures that are kept to tell of others


class Programs:
    """Sets of at most so many parts with at least one call, by total size.

    What is known of a program tells of others, as programs have no negation over what they define:

    * one that proves a negative example does so with more rules, too;
    * one that misses a positive example does so with any rule replaced by a larger one made from it.
    """

    def __init__(self, positive: Bits, most: int, *, noise: bool) -> None:
        self._all, self._most, self._noise = positive, most, noise
        self._by_size: dict[int, list[ProgramPart]] = {}
        self._inconsistent: set[frozenset[int]] = set()
        self._incomplete: set[frozenset[int]] = set()

    def add(self, parts: Sequence[ProgramPart]) -> None:
        for part in parts:
            self._by_size.setdefault(part.size, []).append(part)

    def failed(self, program: Program, verdict: str) -> None:
        """The program proves a negative example (inconsistent), misses a positive one (incomplete), or both."""
        numbers = frozenset(part.number for part in program)
        for kind, failures in (("inconsistent", self._inconsistent), ("incomplete", self._incomplete)):
            if verdict in (kind, "hopeless") and len(failures) < _REMEMBERED:
                failures.add(numbers)

    def of_size(self, total: int, largest: int, *, with_largest: bool) -> Iterator[Program]:
        """Programs of this size whose parts are no larger than `largest`, or of which one is as large as that."""
        for sizes in _partitions(total, largest, self._most):
            if not with_largest or sizes[0] == largest:
                for program in self._choices(sizes):
                    if self._promising(program):
                        yield program

    def _choices(self, sizes: tuple[int, ...]) -> Iterator[Program]:
        """Parts of these sizes, largest first; of one size in the order of their numbers: each set comes once."""
        if len(sizes) == 1:
            yield from ((part,) for part in self._by_size.get(sizes[0], ()))
            return
        first, rest = sizes[0], sizes[1:]
        for program in self._choices(rest):
            after = program[0].number if first == rest[0] else -1
            for part in self._by_size.get(first, ()):
                if part.number > after:
                    yield (part, *program)

    def _promising(self, program: Program) -> bool:
        if not is_program(program):
            return False
        if self._noise:
            return True
        return union(part.positive for part in program) == self._all and not self._known(program)

    def _known(self, program: Program) -> bool:
        numbers = [part.number for part in program]
        for count in range(1, len(numbers)):
            if any(frozenset(some) in self._inconsistent for some in combinations(numbers, count)):
                return True
        for place, part in enumerate(program):
            rest = numbers[:place] + numbers[place + 1 :]
            if any(frozenset((parent, *rest)) in self._incomplete for parent in part.parents):
                return True
        return False


def is_program(parts: Sequence[ProgramPart]) -> bool:
    """Whether parts need each other: what is called is defined, what is defined is used, and some proof ends."""
    if not any(part.calls for part in parts):
        return False
    defined = {part.head for part in parts}
    if 0 not in defined or any(not part.calls <= defined for part in parts):
        return False
    used, ends = {0}, set[int]()
    for _ in parts:
        used |= {head for part in parts if part.head in used for head in part.calls}
        ends |= {part.head for part in parts if part.calls <= ends}
    return used >= defined and ends >= defined


def _partitions(total: int, largest: int, most: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a total as a sum of at most so many sizes, each at least 2, largest first."""
    if 2 <= total <= largest and most >= 1:
        yield (total,)
    if most > 1:
        for first in range(min(largest, total - 2), 1, -1):
            for rest in _partitions(total - first, first, most - 1):
                yield (first, *rest)


_BATCH = 100
_UNBOUNDED = 4  # rules of a program where the bias sets no bound
_PARTNER = 3  # the size that a partner of the largest rule is taken to have, for the order of the search


class ProgramSearch:
    """One search. Call :meth:`run` once."""

    def __init__(
        self, pool: PartPool, tester: Tester, watch: Watch, *, noise: bool, most: int | None, limit: int
    ) -> None:
        self._pool, self._tester, self._watch = pool, tester, watch
        self._noise, self._limit = noise, limit
        self._most = most or _UNBOUNDED
        self._bounded = most is not None
        self._positives = len(tester.examples.positive)
        self._programs = Programs(tester.examples.all_positive, self._most, noise=noise)
        self._clauses: tuple[Clause, ...] = ()
        self.score = Score(0, self._positives, 0)
        self.optimal = False

    def run(self, max_body: int) -> Theory:
        proved = True
        reached = 0  # all programs up to this size were tried with the parts that were known
        for literals in range(1, max_body + 1):
            largest = literals + 1
            if self._enough(largest):
                break
            self._programs.add(self._pool.grow(literals))
            proved = self._combine() and proved
            until = largest + _PARTNER * (self._most - 1)
            for total in range(2, until + 1):
                if not self._all_of(total, largest, with_largest=total <= reached):
                    return self.theory()
            reached = max(reached, until)
        for total in range(reached + 1, self._most * (max_body + 1) + 1):
            if not self._all_of(total, max_body + 1, with_largest=False):
                return self.theory()
        self.optimal = proved and self._bounded and not self._tester.exceeded and not self._watch.time_is_up()
        return self.theory()

    def theory(self) -> Theory:
        return Theory.of(self._clauses)

    def _enough(self, size: int) -> bool:
        """Whether no rule of this size can be part of something better."""
        bound = self._score_bound()
        if bound is not None and size + 2 >= bound:
            # A program of several rules would be too large: only a rule that covers all alone is left to be found.
            self._pool.only_alone()
        return bound is not None and size >= bound

    def _score_bound(self) -> int | None:
        """Programs must be smaller than this to be better; None while any is."""
        if self._noise:
            return self.score.length
        return None if self.score.missed or self.score.wrong else self.score.size

    def _all_of(self, total: int, largest: int, *, with_largest: bool) -> bool:
        """Test all programs of one size; False if the time was up."""
        bound = self._score_bound()
        if bound is not None and total >= bound:
            return True
        stream = self._programs.of_size(total, largest, with_largest=with_largest)
        while batch := list(islice(stream, _BATCH)):
            self._watch.count(len(batch))
            rules = [[self._pool.rule(part) for part in _in_order(program)] for program in batch]
            if self._noise:
                self._count(batch, rules)
            elif self._decide(batch, rules):
                return True
            if self._watch.time_is_up():
                return False
        return not self._watch.time_is_up()

    def _decide(self, batch: list[Program], rules: list[list[list[int]]]) -> bool:
        """Whether a program of the batch is a solution: all of one size are as good."""
        verdicts = self._tester.verdicts(rules, both=self._most > 2, limit=self._limit)
        for program, verdict in zip(batch, verdicts, strict=True):
            if verdict == "solution":
                self._accept(_in_order(program), Score(sum(part.size for part in program), 0, 0))
                return True
            self._programs.failed(program, verdict)
        return False

    def _count(self, batch: list[Program], rules: list[list[list[int]]]) -> None:
        for program, (covered, wrong) in zip(batch, self._tester.counts(rules, limit=self._limit), strict=True):
            reached = Score(sum(part.size for part in program), self._positives - covered, wrong)
            if reached.key(self._noise) < self.score.key(self._noise):
                self._accept(_in_order(program), reached)

    def _combine(self) -> bool:
        """Find the best theory of rules without calls; whether it is certain that no other is better."""
        alone = [part for part in self._pool.parts if part.head == 0 and not part.calls and part.positive]
        if not alone:
            return True
        most = self._most if self._bounded else None
        cover = exact(undominated(alone), self._watch, noise=self._noise, most=most)
        reached = score(cover.pieces, self._positives)
        if reached.key(self._noise) < self.score.key(self._noise):
            self._accept(cover.pieces, reached)
        return cover.proved

    def _accept(self, parts: Sequence[ProgramPart], reached: Score) -> None:
        self._clauses = tuple(self._pool.clause(part.head, part.order) for part in parts)
        self.score = reached
        claims = reached.claims(self._positives, len(self._tester.examples.negative))
        self._watch.best(self.theory(), size=reached.size, **claims)


def _in_order(program: Program) -> list[ProgramPart]:
    """What is learned first, and of each head the rules that end a recursion before those that go on."""
    return sorted(program, key=lambda part: (part.head, bool(part.calls), part.number))
