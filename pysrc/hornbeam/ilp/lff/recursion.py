"""The search for programs whose rules call one another: recursive ones, and ones with invented predicates.

Rules come from clingo as in `search`, for each head its own; programs are put together from them by size and tested
whole, each proof under a limit of inferences. Rules without calls are combined on their own as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from hornbeam.ilp.lff.combine import exact, undominated, worth
from hornbeam.ilp.lff.coverage import Tester
from hornbeam.ilp.lff.objective import Rule, Score, score
from hornbeam.ilp.lff.pool import Part, Pool
from hornbeam.ilp.lff.programs import Program, Programs
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Clause
from hornbeam.theory import Theory

_BATCH = 100
_UNBOUNDED = 4  # rules of a program where the bias sets no bound
_PARTNER = 3  # the size that a partner of the largest rule is taken to have, for the order of the search


class ProgramSearch:
    """One search. Call :meth:`run` once."""

    def __init__(self, pool: Pool, tester: Tester, watch: Watch, *, noise: bool, most: int | None, limit: int) -> None:
        self._pool, self._tester, self._watch = pool, tester, watch
        self._noise, self._limit = noise, limit
        self._most = most or _UNBOUNDED
        self._bounded = most is not None
        self._positive = tester.examples.all_positive
        self._measure = worth(noise)
        self._programs = Programs(self._positive, self._most, noise=noise)
        self._clauses: tuple[Clause, ...] = ()
        self.score = Score(0, len(tester.examples.positive), 0)
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
            found = self._count(batch) if self._noise else self._decide(batch)
            if found and not self._noise:
                return True
            if self._watch.time_is_up():
                return False
        return not self._watch.time_is_up()

    def _decide(self, batch: list[Program]) -> bool:
        """Whether a program of the batch is a solution: all of one size are as good."""
        verdicts = self._tester.verdicts(
            [[self._pool.rule(part) for part in _in_order(program)] for program in batch],
            both=self._most > 2,
            limit=self._limit,
        )
        for program, verdict in zip(batch, verdicts, strict=True):
            if verdict == "solution":
                self._accept(program, Score(sum(part.size for part in program), 0, 0))
                return True
            if verdict in ("inconsistent", "hopeless"):
                self._programs.inconsistent(program)
            if verdict in ("incomplete", "hopeless"):
                self._programs.incomplete(program)
        return False

    def _count(self, batch: list[Program]) -> bool:
        rules = [[self._pool.rule(part) for part in _in_order(program)] for program in batch]
        for program, (covered, wrong) in zip(batch, self._tester.counts(rules, limit=self._limit), strict=True):
            size = sum(part.size for part in program)
            found = Score(size, len(self._tester.examples.positive) - covered, wrong)
            if self._measure(found) < self._measure(self.score):
                self._accept(program, found)
        return False

    def _combine(self) -> bool:
        """Find the best theory of rules without calls; whether it is certain that no other is better."""
        alone = [
            Rule(part.body, part.order, part.positive, part.negative)
            for part in self._pool.parts
            if part.head == 0 and not part.calls and part.positive
        ]
        if not alone:
            return True
        most = self._most if self._bounded else None
        found = exact(undominated(alone), self._watch, noise=self._noise, most=most)
        reached = score(found.pieces, self._positive)
        if self._measure(reached) < self._measure(self.score):
            self._tell(tuple(self._pool.clause(0, rule.order) for rule in found.pieces), reached)
        return found.proved

    def _accept(self, program: Program, reached: Score) -> None:
        self._tell(tuple(self._pool.clause(part.head, part.order) for part in _in_order(program)), reached)

    def _tell(self, clauses: tuple[Clause, ...], reached: Score) -> None:
        self._clauses, self.score = clauses, reached
        positives, negatives = len(self._tester.examples.positive), len(self._tester.examples.negative)
        self._watch.best(
            self.theory(),
            size=reached.size,
            tp=positives - reached.missed,
            fn=reached.missed,
            fp=reached.wrong,
            tn=negatives - reached.wrong,
        )


def _in_order(program: Program) -> Iterator[Part]:
    """What is learned first, and of each head the rules that end a recursion before those that go on."""
    return iter(sorted(program, key=lambda part: (part.head, bool(part.calls), part.number)))
