"""The verdict on a theory: proven equal, refuted, no difference in N fresh samples, or not comparable.

A family subclasses :class:`Court` in its module `judging.py`. The procedure is the same in all families: what can be
proven without samples is proven; else samples that were built to tell the theories apart, near misses and fresh
samples from the generator are put to both in SWI-Prolog.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.seeds import derive, fast_rng
from hornbeam.tasks.courtroom import UNDECIDED, Courtroom
from hornbeam.tasks.vocabulary import Vocabulary
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator
from hornbeam.theory.verdict import Verdict, Witness

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FRESH = 2000
_MOST_SEEDS = 1000  # of the generator, before it is clear that it has no more samples of a task


class NotComparable(UsageError):
    """A theory cannot be compared with the truth; the message says why."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A sample for which two theories answer differently."""

    sample: Sample
    true: str
    learned: str


@dataclass(frozen=True, slots=True)
class Trial:
    """Samples that many theories are asked about.

    Attributes:
        drawn: Fresh samples from the generator.
        built: Near misses; they refute a theory, but do not count in its accuracy.
        given: Samples that are only told as facts.
    """

    drawn: Sequence[Sample]
    built: Sequence[Sample] = ()
    given: Sequence[Sample] = ()

    @property
    def asked(self) -> list[Sample]:
        return [*self.drawn, *self.built]


class Court(ABC):
    """Judges theories of one task of a dataset.

    Args:
        dataset: The dataset that the theory is about.
        task: The task, if each task has its own true theory; None for all tasks.
    """

    kind: ClassVar[str]  # what a sample is: picture, story, graph, facts
    silent: ClassVar[str] = "nothing"  # what an empty theory answers
    form: ClassVar[str] = ""  # what a theory of this family is made of, in a sentence

    def __init__(self, dataset: Dataset, task: str | None) -> None:
        self.dataset = dataset
        self.task = task

    # What a family says -----------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def truth(self) -> Theory:
        """The true theory, in the predicates of the dataset's Prolog files.

        Raises:
            NotComparable: if the task has no true theory.
        """

    def defined(self, theory: Theory) -> Theory:
        """The theory with the definitions of all predicates that it calls and an encoding made.

        Those that the theory carries with it are kept.
        """
        return theory

    def defined_at_once(self, theory: Theory) -> Theory:
        """As :meth:`defined`, for a rule that is being typed: without a search among encodings that nobody named."""
        return self.defined(theory)

    def aligned(self, theory: Theory) -> tuple[Theory, Theory]:
        """The truth and the theory in one vocabulary, for a diff rule by rule.

        Raises:
            NotComparable: if the truth cannot be expressed with the predicates of the theory, nor the other way.
        """
        return self.truth, theory

    def prove(self, theory: Theory) -> str | None:
        """The method by which the theory is proven equal to the true one; None if no proof was found."""
        return None

    def suspects(self, theory: Theory) -> Sequence[Sample]:
        """Samples on which the theory may differ from the true one: from a differing clause or cell, or near misses.

        Their ids must differ from those of fresh samples.
        """
        return ()

    def fresh(self, count: int, seed: int) -> Sequence[Sample]:
        """Samples of the task that the dataset does not hold, from its generator with another seed.

        Families whose rules depend on the seed override this: fresh samples are of the same theory.

        Raises:
            NotComparable: if the dataset was imported, so that there is no generator.
        """
        return list(self._drawn(count, seed))

    def fresh_config(self, count: int) -> Any:
        """The configuration that fresh samples are drawn with.

        Shards are made in order until there are enough samples: a family whose tasks are kinds of samples returns one
        that asks for about `count` samples of all kinds together, so that each kind is among them.
        """
        return self.dataset.config

    def size(self, sample: Sample) -> int:
        """The size of a sample; the smallest counterexample is shown."""
        return len(self.dataset.family.facts(sample))

    def describe(self, sample: Sample) -> str:
        """A sample in one line of text."""
        return self.dataset.family.facts(sample).splitlines()[0]

    def draw(self, sample: Sample) -> str:
        """A sample as HTML."""
        return self.dataset.family.picture(self.dataset, sample)

    def starter(self) -> str:
        """A rule to begin with: in the form of this family, and right about nothing in particular."""
        return ""

    def sample_predicates(self) -> Sequence[Indicator]:
        """The predicates of the samples themselves that rules may call, besides the background knowledge."""
        return ()

    def blame(self, theory: Theory, difference: Difference) -> str | None:
        """The rule or literal of the theory that makes the difference."""
        return None

    def blame_in(self, room: Courtroom, theory: Theory, difference: Difference) -> str | None:
        """As :meth:`blame`, in a courtroom that has the sample and all that it needs. Afterwards it holds no theory."""
        return self.blame(theory, difference)

    # Many theories ----------------------------------------------------------------------------------------------------

    def vocabulary(self) -> Vocabulary:
        """What a theory that comes as text may use; by default what the true theory uses."""
        return Vocabulary.of_theory(self.truth)

    def trial(self, count: int, seed: int) -> Trial:
        """Samples that do not depend on the theory: about `count` fresh ones, and a quarter as many near misses.

        Names are new, ids tell nothing, and labels are hidden: a theory can know none of them.

        Raises:
            NotComparable: if the dataset was imported, so that there is no generator.
        """
        rng = fast_rng(seed, self.dataset.family.name, "trial")
        built = list(self.near())
        chosen = rng.sample(built, min(len(built), count // 4))
        drawn, near = list(self.fresh(count, seed)), chosen
        names = [f"s{number}" for number in rng.sample(range(10**6, 10**7), len(drawn) + len(near))]
        hidden = [replace(self.renamed(one, rng), id=name) for one, name in zip((*drawn, *near), names, strict=True)]
        return Trial(hidden[: len(drawn)], hidden[len(drawn) :])

    def near(self) -> Sequence[Sample]:
        """Near misses that suit any theory."""
        return self.suspects(self.truth)

    def renamed(self, sample: Sample, rng: Random) -> Sample:
        """The same sample with other names of persons, nodes and the like, and without its label."""
        return replace(sample, label=None)

    # The procedure ----------------------------------------------------------------------------------------------------

    def verdict(self, theory: Theory, *, fresh: int = FRESH, seed: int | None = None) -> Verdict:
        """Judge a theory.

        Args:
            theory: The learned theory.
            fresh: How many fresh samples to draw if nothing was proven.
            seed: The seed of the fresh samples; default: derived from the seed of the dataset.

        Returns:
            The verdict; `incomparable` with the reason if there is no true theory to compare with.

        Raises:
            UsageError: if the theory calls an undefined predicate.
        """
        try:
            return self._verdict(self.defined(theory), fresh, self._fresh_seed() if seed is None else seed)
        except NotComparable as reason:
            return Verdict.incomparable(reason.message)

    def _verdict(self, theory: Theory, fresh: int, seed: int) -> Verdict:
        _ = self.truth  # there must be one
        if not len(theory):
            return self._by_samples(theory, fresh, seed)
        with Courtroom(self.dataset, []) as room:
            room.hear(theory)
        method = self.prove(theory)
        return Verdict.equal(method) if method is not None else self._by_samples(theory, fresh, seed)

    def _by_samples(self, theory: Theory, fresh: int, seed: int) -> Verdict:
        built = list(self.suspects(theory))
        told_apart = self.differences(theory, built)
        try:
            drawn = self.fresh(fresh, seed)
        except NotComparable:
            if not told_apart:
                raise
            return self._refuted(theory, told_apart, len(built), "a sample built to tell them apart")
        differences = self.differences(theory, drawn)
        if not told_apart and not differences:
            return Verdict.agrees(len(built) + len(drawn))
        method = f"{len(differences):,} of {len(drawn):,} fresh samples"
        method += ", and a sample built to tell them apart" if told_apart else ""
        verdict = self._refuted(theory, told_apart or differences, len(drawn), method)
        return replace(verdict, fresh_wrong=len(differences))

    def _refuted(self, theory: Theory, differences: Sequence[Difference], tried: int, method: str) -> Verdict:
        smallest = min(differences, key=lambda difference: self.size(difference.sample))
        witness = Witness(
            kind=self.kind,
            text=self.describe(smallest.sample),
            true=smallest.true,
            learned=smallest.learned,
            prolog=self.dataset.family.facts(smallest.sample),
            html=self.draw(smallest.sample),
        )
        return Verdict.refuted(witness, method=method, fresh=tried, blame=self.blame(theory, smallest))

    def differences(self, theory: Theory, samples: Sequence[Sample]) -> list[Difference]:
        """The samples for which the truth and the theory answer differently, by SWI-Prolog.

        A sample that the truth does not decide within its limits tells nothing; one that only the theory does not
        decide is a difference.
        """
        if not samples:
            return []
        return self.differences_among(theory, samples, samples)

    def differences_among(self, theory: Theory, judged: Sequence[Sample], told: Sequence[Sample]) -> list[Difference]:
        """:meth:`differences` of the samples `judged`; all of `told` are facts, for samples may need each other."""
        names = [sample.id for sample in judged]
        with Courtroom(self.dataset, told) as room:
            rows = zip(judged, room.truth(names), self.answers(room, theory, names), strict=True)
        return [Difference(*row) for row in rows if row[1] not in (row[2], UNDECIDED)]

    def answers(self, room: Courtroom, theory: Theory, names: Sequence[str]) -> list[str]:
        """What a theory with its definitions answers for each of these samples; one without rules says nothing."""
        if not len(theory):
            return [self.silent] * len(names)
        room.hear(theory)
        return room.mine(names)

    def _fresh_seed(self) -> int:
        return derive(self.dataset.manifest.seed or 0, self.dataset.family.name, "fresh") % (1 << 31)

    def _drawn(self, count: int, seed: int) -> Iterator[Sample]:
        """Samples of further seeds, one seed after the other, until there are enough."""
        if self.dataset.manifest.seed is None:
            raise NotComparable("the dataset was imported, so there is no generator of fresh samples")
        family, config = self.dataset.family, self.fresh_config(count)
        samples = (
            sample
            for number in range(seed, seed + _MOST_SEEDS)
            for shard in family.plan(config, number)
            for sample in family.make(config, number, shard).samples
            if self.task in (None, sample.task)
        )
        drawn = 0
        for sample in islice(samples, count):
            yield replace(sample, id=f"fresh_{drawn:06d}")
            drawn += 1
        if drawn < count:
            raise NotComparable(f"the generator gave {drawn} of {count} fresh samples")
