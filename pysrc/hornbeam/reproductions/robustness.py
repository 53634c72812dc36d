"""Accuracy under noise that the renderer does not have: `cnn`, and rules learned from what each perceiver reads.

All learn from clean pictures. Then the test pictures are degraded (:mod:`hornbeam.perception.pictures.corruptions`),
each kind at three strengths, and predicted again. A picture that a perceiver cannot read counts as wrong, and the share
of such pictures is told. ``hornbeam reproduce kandy-noise --set pictures=5``
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from hornbeam.config import validated
from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256
from hornbeam.data.sample import Sample
from hornbeam.ilp import learner as learners
from hornbeam.ilp.perceived import Sight, SightSettings, fit_seen
from hornbeam.ilp.runner import problem_of
from hornbeam.neural.metrics import balanced_accuracy
from hornbeam.neural.vision.robust import predictions
from hornbeam.perception.perceiver import Picture, Preparation, Reading
from hornbeam.perception.pictures.corruptions import CORRUPTIONS, STRENGTHS, corrupted
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.perception.pictures.settling import settle
from hornbeam.perception.readings import Perception
from hornbeam.progress import no_progress
from hornbeam.report import plots
from hornbeam.report.tables import mean_cell
from hornbeam.reproductions.reproduction import PaperComparison, Reproduction, ReproductionPlan, chosen
from hornbeam.theory import Bench, Theory
from hornbeam.writing import write_atomic

MODELS = ("cnn",)
PERCEIVERS = ("inverse", "neural")
_SETTING = "joint"


class RobustnessOptions(BaseModel):
    """Options of the command's ``--set``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    curriculum: str = Field(default="easy", description="easy or hard")
    pictures: int = Field(default=5, ge=1, description="test pictures a task; all kinds of noise are put on each")
    annotated: int = Field(default=200, ge=0, description="annotated pictures of the perceiver neural")
    learner: str = Field(default="mdie", description="the learner of rules")
    timeout: float = Field(default=20.0, gt=0, description="CPU seconds of the learner a task")


class Noise(NamedTuple):
    """A kind of noise and its strength; strength 0 is a clean picture."""

    kind: str
    strength: int

    def on(self, picture: Picture, seed: int) -> Picture:
        """The picture with this noise."""
        if not self.strength:
            return picture
        noisy = corrupted(picture.pixels, self.kind, self.strength, seed=seed, name=picture.id)
        return Picture(picture.id, noisy)


CLEAN = Noise("clean", 0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was predicted for a test picture; None if it was not read."""

    task: str
    label: bool
    predicted: bool | None


@dataclass(frozen=True)
class NoiseTest:
    """The test pictures of each task, and the noise to put on them."""

    dataset: Dataset
    samples: Mapping[str, Sequence[Sample]]
    noises: Sequence[Noise]
    seed: int

    @classmethod
    def of(cls, dataset: Dataset, pictures: int, noises: Sequence[Noise], seed: int) -> NoiseTest:
        """The first pictures of each task's test split, of both labels in turn."""
        samples = {}
        for task in dataset.tasks:
            labelled: dict[bool, list[Sample]] = {True: [], False: []}
            for one in dataset.samples.task(task).split("test"):
                labelled[bool(one.label)].append(one)
            turns = range(max(map(len, labelled.values())))
            order = [part[turn] for turn in turns for part in labelled.values() if turn < len(part)]
            samples[task] = order[:pictures]
        return cls(dataset, samples, noises, seed)

    def pictures(self, samples: Sequence[Sample], noise: Noise) -> list[Picture]:
        """The pictures of some samples with noise."""
        return [noise.on(one, self.seed) for one in pictures_of(self.dataset, samples)]


class NoisyReading(NamedTuple):
    """What was read of a test picture with noise."""

    noise: Noise
    sample: Sample
    reading: Reading

    @property
    def name(self) -> str:
        """A name that no other picture or noise has."""
        return f"{self.sample.id} {self.noise.kind} {self.noise.strength}"


class Subject(ABC):
    """What is tested: it has learned from clean pictures."""

    @abstractmethod
    def answers(self, test: NoiseTest) -> dict[Noise, list[Answer]]:
        """What it predicts under each noise."""


@dataclass(frozen=True)
class NetworkSubject(Subject):
    """A network that predicts the label from pixels."""

    learner: Any

    def answers(self, test: NoiseTest) -> dict[Noise, list[Answer]]:
        return {noise: self._answers(test, noise) for noise in test.noises}

    def _answers(self, test: NoiseTest, noise: Noise) -> list[Answer]:
        samples = [(task, sample) for task, some in test.samples.items() for sample in some]
        pixels = [one.pixels for one in test.pictures([sample for _, sample in samples], noise)]
        guessed = predictions(self.learner, np.stack(pixels), [task for task, _ in samples])
        return [
            Answer(task, bool(sample.label), bool(guess))
            for (task, sample), guess in zip(samples, guessed, strict=True)
        ]


@dataclass(frozen=True)
class RuleSubject(Subject):
    """Rules that were learned from what a perceiver reads, one theory a task."""

    perception: Perception
    sights: Mapping[str, Sight]
    theories: Mapping[str, Theory]
    learner: str

    def answers(self, test: NoiseTest) -> dict[Noise, list[Answer]]:
        how = self.perception
        reader = how.perceiver.prepare(Preparation(test.dataset, how.folder, how.settings))
        answers: dict[Noise, list[Answer]] = {noise: [] for noise in test.noises}
        for task, samples in test.samples.items():
            read = [
                NoisyReading(noise, sample, reading)
                for noise in test.noises
                for sample, reading in zip(samples, reader.perceive(test.pictures(samples, noise)), strict=True)
            ]
            for one, predicted in zip(read, self._predicted(task, read), strict=True):
                answers[one.noise].append(Answer(task, bool(one.sample.label), predicted))
        return answers

    def _predicted(self, task: str, read: Sequence[NoisyReading]) -> list[bool | None]:
        """What the task's theory says of readings. All go into one problem, under names with the noise."""
        sight = self.sights[task]
        training = [one for one in sight.samples if one.split == "train"]
        readings = {one.id: sight.readings[one.id] for one in training}
        readings |= {one.name: replace(one.reading, id=one.name) for one in read}
        settled = settle(readings, [one.id for one in training])
        noisy = [replace(one.sample, id=one.name, split="test") for one in read]
        seen = Sight(sight.dataset, task, (*training, *noisy), settled)
        covered = _covered(seen, learners.get(self.learner), self.theories[task])
        return [covered.get(one.name) for one in read]


def _covered(sight: Sight, learner: Any, theory: Theory) -> dict[str, bool]:
    """Whether a theory holds of each test picture that was read, by id."""
    seen = sight.seen({})
    held = problem_of(seen, learner, task=sight.task).held["test"]
    samples = list(seen.samples.split("test"))
    order = [one.id for one in samples if one.label] + [one.id for one in samples if not one.label]
    with Bench(held.background) as bench:
        judged = bench.judge(Theory.of(theory.clauses), [*held.positive, *held.negative])
    return {name: bool(outcome) for name, outcome in zip(order, judged.covered, strict=True)}


def balanced(answers: Sequence[Answer]) -> float:
    """Balanced accuracy, the mean over tasks; a picture that was not read counts as wrong."""
    by_task: dict[str, list[Answer]] = {}
    for one in answers:
        by_task.setdefault(one.task, []).append(one)
    figures = []
    for some in by_task.values():
        predicted = np.array([(not one.label) if one.predicted is None else one.predicted for one in some])
        figures.append(balanced_accuracy(predicted, np.array([one.label for one in some])))
    return float(np.mean(figures)) if figures else float("nan")


def unread(answers: Sequence[Answer]) -> float:
    """The share of pictures that were not read."""
    return sum(one.predicted is None for one in answers) / max(1, len(answers))


def wrong(answers: Sequence[Answer]) -> float:
    """The share of pictures that were answered wrongly; those that were not read are not among them."""
    return sum(one.predicted not in (None, one.label) for one in answers) / max(1, len(answers))


class KandyNoise(Reproduction):
    """KANDY's pictures with noise: `cnn` and the rules of both perceivers, each kind of noise at three strengths."""

    name: ClassVar[str] = "kandy-noise"

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        import hornbeam

        options = validated(RobustnessOptions, plan.overrides, kind="option", option="--set")
        subjects = chosen("model", plan.models or (*MODELS, *PERCEIVERS), (*MODELS, *PERCEIVERS))
        kinds = chosen("kind of noise", plan.settings or tuple(CORRUPTIONS), tuple(CORRUPTIONS))
        data = plan.out / options.curriculum
        dataset = hornbeam.generate("kandy", options.curriculum, out=data, seed=plan.data_seed)
        noises = [CLEAN, *(Noise(kind, strength) for kind in kinds for strength in STRENGTHS)]
        curves = NoiseCurves(kinds, {})
        total = len(subjects) * plan.seeds
        for done, (name, seed) in enumerate((name, seed) for name in subjects for seed in range(plan.seeds)):
            plan.progress(done, total)
            test = NoiseTest.of(dataset, options.pictures, noises, seed)
            curves.cells.setdefault(name, []).append(_tested(name, test, plan, options))
        plan.progress(total, total)
        comparison = _compared(curves, plan, options)
        comparison.save(plan.out)
        return comparison


class Cell(NamedTuple):
    """Balanced accuracy under a noise, and the shares of pictures that were not read and answered wrongly."""

    accuracy: float
    unread: float
    wrong: float

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Cell:
        return cls(balanced(answers), unread(answers), wrong(answers))


@dataclass(frozen=True)
class NoiseCurves:
    """For each subject and seed the cells by noise."""

    kinds: Sequence[str]
    cells: dict[str, list[dict[Noise, Cell]]]

    def series(self, kind: str) -> dict[str, Any]:
        """Accuracies of each subject by strength, (seeds, strengths), clean pictures first."""
        return {
            name: np.array([[run[noise].accuracy for noise in _strengths(kind)] for run in runs])
            for name, runs in self.cells.items()
        }


def _strengths(kind: str) -> list[Noise]:
    return [CLEAN, *(Noise(kind, strength) for strength in STRENGTHS)]


def _tested(name: str, test: NoiseTest, plan: ReproductionPlan, options: RobustnessOptions) -> dict[Noise, Cell]:
    """The cells of one subject and seed; those that an earlier run left are not made again."""
    says = [
        name,
        test.seed,
        plan.preset,
        options.model_dump(),
        test.noises,
        sha256(test.dataset.path / "manifest.json"),
    ]
    if name in PERCEIVERS:
        says.append(_perception(name, plan, options, test.seed).key(test.dataset))
    file = plan.out / "curves" / f"{name}-{test.seed}-{hashlib.sha256(json.dumps(says).encode()).hexdigest()[:12]}.json"
    if file.is_file():
        kept = json.loads(file.read_text(encoding="utf-8"))
        return {Noise(kind, strength): Cell(*figures) for kind, strength, figures in kept}
    subject = _trained(name, test.dataset, plan, options, test.seed)
    cells = {noise: Cell.of(some) for noise, some in subject.answers(test).items()}
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, json.dumps([[*noise, cell] for noise, cell in cells.items()]).encode())
    return cells


def _perception(name: str, plan: ReproductionPlan, options: RobustnessOptions, seed: int) -> Perception:
    settings = {"seed": seed, **({"annotated": options.annotated} if name == "neural" else {})}
    return Perception.of("pictures", name, settings, plan.out / "perceived")


def _trained(name: str, dataset: Dataset, plan: ReproductionPlan, options: RobustnessOptions, seed: int) -> Subject:
    if name in MODELS:
        from hornbeam.neural.experiment import train

        out = plan.out / f"{name}-{_SETTING}"
        trained = train(dataset, name, setting=_SETTING, seeds=(seed,), preset=plan.preset, out=out)
        return NetworkSubject(trained.learner(seed))
    perception = _perception(name, plan, options, seed)
    sights = {task: Sight.of(dataset, task, perception, no_progress) for task in dataset.tasks}
    given = SightSettings(timeout=options.timeout, fresh=None)
    theories = {task: fit_seen(sight, options.learner, given).theory for task, sight in sights.items()}
    return RuleSubject(perception, sights, theories, options.learner)


def _compared(curves: NoiseCurves, plan: ReproductionPlan, options: RobustnessOptions) -> PaperComparison:
    header = ["noise", *(f"{name}{' (unread, wrong)' if name in PERCEIVERS else ''}" for name in curves.cells)]
    noises = list(dict.fromkeys(noise for kind in curves.kinds for noise in _strengths(kind)))
    rows = [
        [
            f"{noise.kind} {noise.strength or ''}".strip(),
            *(_cell(name, runs, noise) for name, runs in curves.cells.items()),
        ]
        for noise in noises
    ]
    figures = {
        name: {f"{noise.kind} {noise.strength}": [run[noise]._asdict() for run in runs] for noise in noises}
        for name, runs in curves.cells.items()
    }
    notes = [
        f"KANDY {options.curriculum}, data of seed {plan.data_seed}, {options.pictures} test pictures a task, "
        f"{plan.seeds} seeds. Learned from clean pictures; rules by {options.learner} in {options.timeout:g} s a task; "
        f"neural with {options.annotated} annotated pictures. Unread pictures count "
        "as wrong in the accuracy; in brackets the shares of pictures that were unread, and that got a wrong answer."
    ]
    title = "Balanced accuracy on test pictures with noise"
    return PaperComparison(title, header, rows, {"rows": figures, "seeds": plan.seeds}, notes, _drawn(curves, plan.out))


def _cell(name: str, runs: Sequence[Mapping[Noise, Cell]], noise: Noise) -> str:
    text = mean_cell([run[noise].accuracy for run in runs])
    shares = [float(np.mean([run[noise][figure] for run in runs])) for figure in (1, 2)]
    return "{} ({:.2f}, {:.2f})".format(text, *shares) if name in PERCEIVERS else text


def _drawn(curves: NoiseCurves, out: Path) -> list[Path]:
    panels = [
        plots.Lines(kind, curves.series(kind), across="strength", up="balanced accuracy", limits=(0.0, 1.02))
        for kind in curves.kinds
    ]
    file = out / "plots" / "noise.svg"
    plots.save(plots.lines([panels[start : start + 3] for start in range(0, len(panels), 3)]), file)
    return [file]
