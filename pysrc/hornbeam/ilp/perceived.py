"""Learning from what was perceived: induction on readings that may be wrong, and reading again where a rule fails.

A task's readings are settled (:mod:`hornbeam.perception.pictures.settling`), and the most probable alternative of each
training picture becomes an example. The learner is told how many examples may be misread, and tolerates so many.

Then feedback: if the theory is nearly perfect on the training pictures, those on which it fails are read again. Of the
alternatives of such a picture whose probability is near that of the best, the first that agrees with the theory and the
label is taken instead, and the learner learns again. This ends when nothing changes, after a few rounds, or when the
time is up. Of the theories of all rounds, the one that is right with the highest expectation over all alternatives of
all training pictures is the result.

If that is asked for, a theory that makes no error on the training pictures is tightened
(:mod:`hornbeam.ilp.tightening`): what all its positives share, and pictures of other tasks do not, is added to its
clauses. Labels of other tasks are not used.

Pictures of the other splits are read once, without any label. Those that cannot be read count as wrong.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError
from hornbeam.ilp import learner as learners
from hornbeam.ilp.learned import Learned
from hornbeam.ilp.learner import Learner
from hornbeam.ilp.runner import FINISHED, NO_THEORY, TIMEOUT, fit, judge_apart, judged_again, problem_of
from hornbeam.ilp.tightening import Evidence, tightened
from hornbeam.perception.perceiver import PICTURES, STORIES, Alternative, Reading
from hornbeam.perception.pictures.settling import settle
from hornbeam.perception.seen import SeenDataset
from hornbeam.tasks.court import FRESH
from hornbeam.tasks.problem import EXAMPLES, Held, Problem
from hornbeam.tasks.verdicts import Case
from hornbeam.theory import Bench, Theory

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.perception.readings import Perception
    from hornbeam.progress import Progress

TRAIN = "train"
ROUNDS = 3  # of reading again
_NEAR = 3.5  # difference of log-probabilities up to which an alternative is near the best
_NEARLY_PERFECT = 0.8  # balanced accuracy on the training pictures from which on a theory is trusted
_DOUBTFUL = 0.1  # misread pictures, by expectation, from which on a learner must tolerate errors
_LEAST_SHARE = 0.1  # of the time that must be left for another round
_OTHERS = 300  # pictures of other tasks that a theory is tightened on
_JUDGED = (FINISHED, TIMEOUT, NO_THEORY)


@dataclass(frozen=True, slots=True)
class Sight:
    """What was perceived of one task: its samples, and the settled reading of each, by id.

    `others` are training samples of other tasks with what was read of them; their labels are not used.
    """

    dataset: Dataset
    task: str | None  # None: all
    samples: tuple[Sample, ...]
    readings: Mapping[str, Reading]
    source: str = PICTURES
    others: tuple[tuple[Sample, Alternative], ...] = ()

    @classmethod
    def of(
        cls, dataset: Dataset, task: str | None, perception: Perception, progress: Progress, *, tighten: bool = False
    ) -> Sight:
        """Perceive the inputs of a task.

        Of stories also all training stories, since tasks are cells of one theory; of pictures also some of the other
        tasks, if theories are to be tightened.
        """
        if perception.perceiver.source == STORIES:
            cell = None if task is None else dataset.one_task(task)
            told = tuple(one for one in dataset.samples if cell is None or one.split == TRAIN or one.task == cell)
            return cls(dataset, cell, told, perception.readings(dataset, told, progress), STORIES)
        name = dataset.one_task(task)
        samples = tuple(dataset.samples.task(name))
        others = _some([other for other in dataset.tasks if other != name], dataset) if tighten else []
        readings = perception.readings(dataset, [*samples, *chain.from_iterable(others)], progress)
        own = {one.id: readings[one.id] for one in samples}
        settled = settle(own, [one.id for one in samples if one.split == TRAIN])
        seen = tuple(pair for some in others for pair in _best(some, readings))
        return cls(dataset, name, samples, settled, others=seen)

    @property
    def training(self) -> list[Sample]:
        """The labelled training samples that could be read."""
        return [one for one in self.samples if one.split == TRAIN and one.supervised and self.readings[one.id].best]

    @property
    def misread(self) -> float:
        """How many training pictures are misread, by expectation."""
        return sum(1 - _probability(self.readings[one.id], 0) for one in self.training)

    def unread(self) -> dict[str, int]:
        """How many pictures could not be read, by split; only splits that have some."""
        counts: dict[str, int] = {}
        for sample in self.samples:
            if self.readings[sample.id].unread:
                counts[sample.split] = counts.get(sample.split, 0) + 1
        return counts

    def seen(self, picked: Mapping[str, int]) -> SeenDataset:
        """The dataset with the alternatives that were picked, else the most probable."""
        chosen = {
            name: reading.alternatives[picked.get(name, 0)] if reading.alternatives else None
            for name, reading in self.readings.items()
        }
        return SeenDataset(self.dataset, self.samples, chosen)

    def questions(self) -> list[_Question]:
        """The alternatives of the training pictures."""
        return [
            _Question(sample, number, one)
            for sample in self.training
            for number, one in enumerate(self.readings[sample.id].alternatives)
        ]


def _some(tasks: Sequence[str], dataset: Dataset) -> list[list[Sample]]:
    """The first training samples of each task, as many of one as of another."""
    count = math.ceil(_OTHERS / max(1, len(tasks)))
    return [list(islice((one for one in dataset.task(task) if one.split == TRAIN), count)) for task in tasks]


def _best(samples: Sequence[Sample], readings: Mapping[str, Reading]) -> Iterator[tuple[Sample, Alternative]]:
    """Those that were read, with the most probable alternative."""
    names = [one.id for one in samples]
    settled = settle({name: readings[name] for name in names}, names)
    for sample in samples:
        best = settled[sample.id].best
        if best is not None:
            yield sample, best


@dataclass(frozen=True, slots=True)
class _Question:
    """Whether a theory holds of an alternative of a picture."""

    sample: Sample
    number: int
    alternative: Alternative

    @property
    def positive(self) -> bool:
        return bool(self.sample.label)


@dataclass(slots=True)
class _Round:
    """A theory that was learned from some readings, and its expected accuracy."""

    learned: Learned
    problem: Problem
    picked: Mapping[str, int]
    expected: float = 0.0
    right: Mapping[tuple[str, int], bool] = field(default_factory=dict)  # by picture and alternative


@dataclass(frozen=True, slots=True)
class SightSettings:
    """How a theory is learned from what was seen; the arguments of :func:`hornbeam.ilp.fit`."""

    timeout: float = 60.0
    memory: int = 4 << 30
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    fresh: int | None = FRESH
    curve: bool = False
    trace: bool = False
    keep_interrupted: bool = False


def fit_seen(
    sight: Sight,
    learner: str | Learner,
    given: SightSettings,
    *,
    making: threading.Lock | None = None,
    stop: threading.Event | None = None,
) -> Learned:
    """Learn a theory from what was perceived of a task; see the module.

    Args:
        sight: What was perceived.
        learner: A learner or its name.
        given: Limits, options and settings.
        making: Held while a problem is made, if several threads learn.
        stop: Ends the learner when it is set.

    Returns:
        The theory with its scores on what was read of the other splits and the verdict on it; `perception` tells how
        many pictures were unread, and how many were read again.
    """
    chosen = learners.get(learner) if isinstance(learner, str) else learner
    if sight.source == STORIES:
        # It stands on what is said here of a sight.
        from hornbeam.ilp.told import fit_told

        return fit_told(sight, chosen, given, making=making, stop=stop)
    return _Feedback(sight, chosen, given, making, stop).learned()


class _Feedback:
    def __init__(
        self,
        sight: Sight,
        learner: Learner,
        given: SightSettings,
        making: threading.Lock | None,
        stop: threading.Event | None,
    ) -> None:
        self._sight, self._learner, self._given = sight, learner, given
        self._making = making or nullcontext()
        self._stop = stop
        # A user's settings come before ours.
        wrong = math.ceil(sight.misread) if sight.misread >= _DOUBTFUL else 0
        self._settings = {**learner.tolerance(wrong), **given.settings}
        self._left = given.timeout
        self._added = 0  # literals, by tightening

    def learned(self) -> Learned:
        picked: dict[str, int] = {}
        rounds = [self._round(picked)]
        while len(rounds) <= ROUNDS and self._worth_reading_again(rounds[-1]):
            again = {**picked, **self._again(rounds[-1], picked)}
            if again == picked:
                break
            picked = again
            rounds.append(self._round(picked))
        best = max(reversed(rounds), key=lambda one: one.expected)  # of equals the last: it fits what was read again
        learned = self._tightened(best)
        return self._told(learned, len(rounds) - 1, sum(number > 0 for number in best.picked.values()))

    def _tightened(self, best: _Round) -> Learned:
        """What was learned, with conditions added that the positives share and that cannot be chance."""
        learned = best.learned
        theory = learned.evaluation.theory if learned.evaluation else Theory(())
        faultless = learned.train is not None and learned.train.balanced == 1.0
        if learned.view != EXAMPLES or not (faultless and theory.clauses and self._sight.others):
            return learned
        task: Any = best.problem.task
        try:
            with self._making:
                evidence = self._evidence(best.picked)
            narrower = tightened(theory, task.bias, evidence)
        except HornbeamError:
            return learned  # a theory that cannot be tried is kept as it is
        self._added = sum(len(clause.body) for clause in narrower) - sum(len(clause.body) for clause in theory)
        return learned if narrower is theory else judged_again(learned, best.problem, narrower, self._stop)

    def _evidence(self, picked: Mapping[str, int]) -> Evidence:
        """The training pictures and those of other tasks, in the language that the training pictures have."""
        training = self._sight.training
        copies = [replace(one, id=f"{one.id}_again", split="valid") for one in training]
        others = [
            replace(one, id=f"{one.id}_other", task=training[0].task, split="valid", label=False, supervised=True)
            for one, _ in self._sight.others
        ]
        read = [self._sight.readings[one.id].alternatives[picked.get(one.id, 0)] for one in training]
        read = [*read, *read, *(alternative for _, alternative in self._sight.others)]
        samples = [*training, *copies, *others]
        chosen = {one.id: alternative for one, alternative in zip(samples, read, strict=True)}
        seen = SeenDataset(self._sight.dataset, samples, chosen)
        held = problem_of(seen, self._learner, task=self._sight.task, options=self._given.options).held["valid"]
        negatives = sum(not one.label for one in training)
        return Evidence(held.positive, held.negative[:negatives], held.negative[negatives:], held.background)

    def _round(self, picked: Mapping[str, int]) -> _Round:
        with self._making:
            problem = self._problem(self._sight.seen(picked))
            asked = self._asked(picked)
        # What was read with certainty needs no second round.
        share = 1.0 if self._sight.misread < _DOUBTFUL else 0.5
        learned = fit(
            problem,
            self._learner,
            task=self._sight.task,
            timeout=self._left * share,
            memory=self._given.memory,
            settings=self._settings,
            curve=self._given.curve,
            trace=self._given.trace,
            keep_interrupted=self._given.keep_interrupted,
            stop=self._stop,
        )
        self._left = max(0.0, self._left - learned.seconds)
        if learned.status not in _JUDGED:
            return _Round(learned, problem, picked)
        right = asked.answers(learned.theory)
        return _Round(learned, problem, picked, self._expected(right) if right else 0.0, right)

    def _problem(self, seen: SeenDataset) -> Problem:
        """The problem of a round. Pictures that could not be read are counted where the theory is judged."""
        problem = problem_of(seen, self._learner, task=self._sight.task, options=self._given.options)
        held = {
            split: replace(part, unread=seen.unread.get((str(self._sight.task), split), (0, 0)))
            for split, part in problem.held.items()
        }
        return replace(problem, held=held)

    def _asked(self, picked: Mapping[str, int]) -> _Asked:
        """The alternatives of the training pictures, in the language that the round's training pictures have."""
        questions = self._sight.questions()
        chosen: dict[str, Alternative | None] = {}
        samples: list[Sample] = []
        for sample in self._sight.training:
            chosen[sample.id] = self._sight.readings[sample.id].alternatives[picked.get(sample.id, 0)]
            samples.append(sample)
        for question in questions:
            name = f"{question.sample.id}_{question.number}"
            chosen[name] = question.alternative
            samples.append(replace(question.sample, id=name, split="valid"))
        seen = SeenDataset(self._sight.dataset, samples, chosen)
        problem = problem_of(seen, self._learner, task=self._sight.task, options=self._given.options)
        return _Asked(tuple(questions), problem.held["valid"])

    def _expected(self, right: Mapping[tuple[str, int], bool]) -> float:
        """The expected share of training pictures that a theory is right on: alternatives weigh."""
        training = self._sight.training
        total = 0.0
        for sample in training:
            reading = self._sight.readings[sample.id]
            total += sum(
                _probability(reading, number) for number in range(len(reading.alternatives)) if right[sample.id, number]
            )
        return total / max(1, len(training))

    def _worth_reading_again(self, last: _Round) -> bool:
        train = last.learned.train
        nearly = train is not None and _NEARLY_PERFECT <= train.balanced < 1.0
        return nearly and bool(last.right) and self._left >= _LEAST_SHARE * self._given.timeout

    def _again(self, last: _Round, picked: Mapping[str, int]) -> dict[str, int]:
        """The pictures on which the theory fails, with the near alternatives on which it does not."""
        changed = {}
        for sample in self._sight.training:
            now = picked.get(sample.id, 0)
            if last.right[sample.id, now]:
                continue
            alternatives = self._sight.readings[sample.id].alternatives
            near = alternatives[0].log_probability - _NEAR
            for number, one in enumerate(alternatives):
                if one.log_probability >= near and last.right[sample.id, number]:
                    changed[sample.id] = number
                    break
        return changed

    def _told(self, learned: Learned, rounds: int, reread: int) -> Learned:
        """The result with what it was learned from, and the verdict."""
        unread = self._sight.unread()
        perception: dict[str, Json] = {
            "pictures": len(self._sight.samples),
            "unread": sum(unread.values()),
            "unread_by_split": dict(unread),
            "expected_misread_in_training": round(self._sight.misread, 3),
            "rounds_of_reading_again": rounds,
            "read_again": reread,
        }
        if self._sight.others:
            perception["literals_added"] = self._added
        learned = replace(learned, perception=perception)
        if self._given.fresh is None or learned.status not in _JUDGED:
            return learned
        case = Case.of(self._sight.dataset, self._sight.task, self._given.options, fresh=self._given.fresh)
        return replace(learned, verdict=judge_apart(case, learned.theory, self._stop))


@dataclass(frozen=True, slots=True)
class _Asked:
    """Questions as examples: first the positives, then the negatives."""

    questions: Sequence[_Question]
    held: Held

    def answers(self, theory: Theory) -> dict[tuple[str, int], bool]:
        """By picture and alternative: whether the theory gives the picture's label."""
        order = sorted(self.questions, key=lambda one: not one.positive)
        try:
            with Bench(self.held.background) as bench:
                judged = bench.judge(Theory.of(theory.clauses), [*self.held.positive, *self.held.negative])
        except HornbeamError:
            return {}
        return {
            (one.sample.id, one.number): covered == one.positive
            for one, covered in zip(order, judged.covered, strict=True)
        }


def _probability(reading: Reading, number: int) -> float:
    """The probability of an alternative among those that were told."""
    total = sum(one.probability for one in reading.alternatives)
    return reading.alternatives[number].probability / total
