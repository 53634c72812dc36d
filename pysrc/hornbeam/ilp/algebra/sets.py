"""Fits a table of alternatives: examples are added until the table that clingo finds is right on all that were kept.

Only examples on which the last table was wrong are added, the smallest first, so that a few hundred of many thousands
are enough. One that cannot hold together with those kept before is put aside as noise; where an example
that was kept stands in the way of more support than it has itself, it is put aside instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hornbeam.ilp.algebra.paths import PathEvidence, PathExample, Trie
from hornbeam.ilp.algebra.relation_algebra import (
    ASSOCIATIVE,
    CONVERSE,
    IDENTITY,
    LAWS,
    FittedTable,
    Interrupted,
    RelationAlgebra,
    Triple,
)
from hornbeam.ilp.watch import Watch
from hornbeam.networks.composing import Composer

# So many wrong examples, and triples that are not associative, are added at a time.
BATCH = 60
TRIPLES = 300
# So many kept examples at a time are tried without, those first that contradict the most.
SUSPECTS = 10
TRIED = 6
# Where a function is there to fall back on, so much work is spent: calls of the solver by the size of the program.
WORK = 5_000_000
# Laws are given up from the right where they do not go with the data.
LADDER = (LAWS, (CONVERSE, IDENTITY), (CONVERSE,))


Noise = dict[PathExample, list[PathExample]]  # examples put aside, each with those kept that it contradicts


@dataclass
class Fit:
    """A table, and the examples that it was made from and in spite of."""

    model: FittedTable
    laws: tuple[str, ...]
    kept: list[PathExample] = field(default_factory=list)
    noise: Noise = field(default_factory=dict)  # each with those kept that it contradicts
    right: int = 0  # the weight of all examples that the table answers as they say

    @property
    def noise_weight(self) -> int:
        return sum(example.weight for example in self.noise)


class Fitter:
    """One attempt with a choice of laws."""

    def __init__(
        self,
        evidence: PathEvidence,
        laws: Sequence[str],
        most_noise: float,
        watch: Watch,
        most_calls: int | None = None,
    ) -> None:
        self._most_noise = most_noise
        self._calls_left = most_calls
        self._examples = evidence.examples
        self._count = len(evidence.relations)
        self._laws = tuple(laws)
        self._watch = watch
        self._trie = Trie(self._examples)
        self._answers = np.array([example.answer for example in self._examples], np.uint64)
        self._exact = np.array([example.apart for example in self._examples])
        self._weights = np.array([example.weight for example in self._examples])
        self._program = RelationAlgebra(self._count, laws)
        self._associated: set[Triple] = set()
        self._blame: Counter[PathExample] = Counter()

    def fit(self, told: Callable[[Fit], None]) -> Fit | None:
        """The best fit in time; None if the laws do not go with the data. `told` hears of each better one."""
        best: Fit | None = None
        kept: list[PathExample] = []
        noise: Noise = {}
        try:
            solved = self._solve(kept)
            while isinstance(solved, FittedTable):
                wrong = self._wrong(solved)
                fit = Fit(solved, self._laws, list(kept), dict(noise), self._right_weight(wrong))
                if best is None or fit.right >= best.right:
                    best = fit
                    told(fit)
                new = [self._examples[number] for number in wrong if self._examples[number] not in noise]
                triples = [] if new else self._not_associative(solved)
                self._watch.note("fit", wrong=len(wrong), kept=len(kept), noise=len(noise), triples=len(triples))
                if new:
                    before = len(noise)
                    solved = self._keep(new[:BATCH], kept, noise, solved)
                    poisoned = fit.right < self._weights.sum() - self._most_noise  # noise alone does not explain it
                    if len(noise) > before and poisoned and self._exonerate_all(kept, noise):
                        solved = self._solve(kept)
                    if sum(example.weight for example in noise) > self._most_noise:
                        return None
                elif triples:
                    self._associate(triples)
                    fitting = self._shed(kept, noise)
                    if fitting is None:
                        return None
                    solved = fitting
                elif not self._exonerate(kept, noise):
                    break
                else:
                    solved = self._solve(kept)
        except Interrupted:
            pass
        return best

    # Steps ------------------------------------------------------------------------------------------------------------

    def _solve(self, examples: Sequence[PathExample]) -> FittedTable | list[PathExample]:
        self._watch.count()
        if self._calls_left is not None:
            self._calls_left -= 1
        if self._watch.time_is_up() or self._calls_left == 0:
            raise Interrupted
        self._program.add(examples)
        return self._program.solve(examples, self._watch.time_is_up)

    def _keep(
        self, new: Sequence[PathExample], kept: list[PathExample], noise: Noise, last: FittedTable
    ) -> FittedTable:
        """Keep what can be kept of `new`, halving where it cannot all be: what is left alone is noise."""
        solved = self._solve([*kept, *new]) if new else last
        if isinstance(solved, FittedTable):
            kept.extend(new)
            return solved
        if len(new) == 1:
            noise[new[0]] = [example for example in solved if example is not new[0]]
            return last
        half = len(new) // 2
        last = self._keep(new[:half], kept, noise, last)
        return self._keep(new[half:], kept, noise, last)

    def _shed(self, kept: list[PathExample], noise: Noise) -> FittedTable | None:
        """Put kept examples aside until the laws go with the rest; None if that is too many or laws alone fail.

        A wrong answer is in every core that it causes, so what was in most cores so far goes first; what went before
        it and was in fewer may come back.
        """
        solved = self._solve(kept)
        while not isinstance(solved, FittedTable):
            if not solved or sum(example.weight for example in noise) > self._most_noise:
                return None
            self._blame.update(solved)
            worst = max(solved, key=lambda one: (self._blame[one], one.size, one.paths))
            kept.remove(worst)
            lesser = [one for one, against in noise.items() if not against and self._blame[one] < self._blame[worst]]
            for example in lesser:
                del noise[example]
            noise[worst] = []
            solved = self._solve(kept)
        return solved

    def _exonerate_all(self, kept: list[PathExample], noise: Noise) -> bool:
        """Give up all such examples; whether there were any."""
        changed = False
        while self._exonerate(kept, noise):
            changed = True
        return changed

    def _exonerate(self, kept: list[PathExample], noise: Noise) -> bool:
        """Give up a kept example that contradicts noise of more weight than its own; False if there is none."""
        blame: Counter[PathExample] = Counter()
        for example, against in noise.items():
            for other in against:
                blame[other] += example.weight
        suspects = sorted((one for one in blame if blame[one] > one.weight), key=lambda one: (-blame[one], one.size))
        for suspect in suspects[:SUSPECTS]:
            rest = [example for example in kept if example is not suspect]
            back = [example for example, against in noise.items() if suspect in against]
            others: Noise = {}
            start = self._solve(rest)
            assert isinstance(start, FittedTable)
            # A few show whether the others are worth the time.
            self._keep(back[:TRIED], rest, others, start)
            if sum(example.weight for example in back[:TRIED] if example not in others) > suspect.weight:
                self._keep(back[TRIED:], rest, others, start)
                for example in back:
                    del noise[example]
                noise.update(others)
                noise[suspect] = []
                kept[:] = rest
                self._watch.note("exonerated", examples=len(back) - len(others))
                return True
            for against in noise.values():
                against[:] = [other for other in against if other is not suspect]
        return False

    def _wrong(self, model: FittedTable) -> list[int]:
        met = self._trie.intersections(self._composer(model))
        wrong = np.where(self._exact, met != self._answers, met & self._answers != self._answers)
        return [int(number) for number in np.flatnonzero(wrong)]

    def _right_weight(self, wrong: Sequence[int]) -> int:
        return int(self._weights.sum() - self._weights[list(wrong)].sum())

    def _composer(self, model: FittedTable) -> Composer:
        return Composer([model.cells], unknown=[(1 << self._count) - 1])

    # Associativity --------------------------------------------------------------------------------------------------

    def _not_associative(self, model: FittedTable) -> list[Triple]:
        if ASSOCIATIVE not in self._laws:
            return []
        compose = self._composer(model)
        cells = np.array(model.cells, np.uint64)
        single = np.uint64(1) << np.arange(self._count, dtype=np.uint64)
        left = compose(cells[:, :, None], single[None, None, :])
        right = compose(single[:, None, None], cells[None, :, :])
        places = np.argwhere(left != right)
        return [triple for triple in map(_triple, places) if triple not in self._associated]

    def _associate(self, triples: Sequence[Triple]) -> None:
        self._associated.update(triples[:TRIPLES])
        self._program.associate(triples[:TRIPLES])


def _triple(row: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Triple:
    return (int(row[0]), int(row[1]), int(row[2]))


def fit_sets(
    evidence: PathEvidence, most_noise: float, watch: Watch, told: Callable[[Fit], None], *, needed: bool
) -> Fit | None:
    """The fit with the most laws for which examples of no more weight than `most_noise` have to be put aside.

    `needed`: there is nothing else, so a table with fewer laws or none is better than none, whatever has to be
    put aside for it. Else only a table with all laws is looked for, with bounded work.
    """
    if not needed:
        return Fitter(evidence, LAWS, most_noise, watch, WORK // len(evidence.relations) ** 3).fit(told)
    for laws in LADDER:
        fit = Fitter(evidence, laws, most_noise, watch).fit(told)
        if fit is not None or watch.time_is_up():
            return fit
        watch.note("laws given up", laws=list(laws))
    return Fitter(evidence, (), evidence.weight, watch).fit(told)
