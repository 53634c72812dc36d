"""The tour: for each family a small dataset is generated, checked, queried and learned from."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

import hornbeam
from hornbeam import family as families
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.family import Check, Family
from hornbeam.ilp import learner as learners
from hornbeam.ilp.learned import Learned
from hornbeam.ilp.runner import fit, problem_of
from hornbeam.logic import Limits, to_text
from hornbeam.tasks.verdicts import Case
from hornbeam.theory import Theory, Verdict
from hornbeam.theory.verdict import AGREES, EQUAL, INCOMPARABLE, REFUTED

_SECONDS = 10.0  # of learning, for each task
_STYLES = {EQUAL: "green", REFUTED: "red", AGREES: "", INCOMPARABLE: "dim"}  # only a proof is green


@dataclass(frozen=True, slots=True)
class LearningPlan:
    """A learner for a family; `tasks` are how many of its first tasks, None if all are learned at once."""

    learner: str
    tasks: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


_PLANS = {
    "kandy": LearningPlan("mdie", tasks=3),
    "clutrr": LearningPlan("algebra"),
    "graphlog": LearningPlan("algebra", tasks=2),
    "rudas": LearningPlan("amie", tasks=2, settings={"readings": "one"}),
    "star": LearningPlan("algebra"),
}

# By the preset of the dataset: a model that is quick, and its options.
_MODELS: dict[str, tuple[str, dict[str, str]]] = {
    "rcc8-small": ("epignn", {"epochs": "60", "lr": "0.02", "batch": "32", "pooling": "min", "margin": "1.0"}),
}


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a learner made of a task."""

    plan: LearningPlan
    task: str | None
    learned: Learned
    truth: Theory | None  # in the learner's language; None if the true theory is written in another
    folder: Path

    @property
    def command(self) -> str:
        task = f" --task {self.task}" if self.task else ""
        settings = _settings(self.plan.settings)
        return f"hornbeam learn {self.folder} --learner {self.plan.learner}{task}{settings}"

    @property
    def verdict(self) -> Verdict:
        """How the theory compares with the truth."""
        return self.learned.verdict or Verdict.incomparable("the learner did not run")

    @property
    def is_impostor(self) -> bool:
        """Whether the theory is right on every test sample and refuted all the same."""
        test = self.learned.test
        return self.verdict.kind == REFUTED and test is not None and test.headline == 1.0


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained model and its accuracy, by group."""

    name: str
    command: str
    accuracy: float
    groups: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Stop:
    """A dataset with what its check said, what it answered, and what was learned from it."""

    dataset: Dataset
    check: Check
    goal: str
    meaning: str  # of the goal
    answers: tuple[str, ...]
    samples: tuple[Sample, ...]  # a few that show what it is like
    seconds: float
    lessons: tuple[Lesson, ...] = ()
    model: TrainedModel | None = None

    @property
    def family(self) -> Family:
        return self.dataset.family

    @property
    def name(self) -> str:
        """As a heading: with the preset where a family has several stops."""
        several = len(self.family.demo_presets) > 1
        return f"{self.family.title} ({self.dataset.manifest.preset})" if several else self.family.title

    @property
    def commands(self) -> list[str]:
        """What a person would type to do the same."""
        manifest, folder = self.dataset.manifest, self.dataset.path
        return [
            f"hornbeam generate {self.family.name} {manifest.preset} --out {folder} --seed {manifest.seed}",
            f"hornbeam check {folder}",
            f'hornbeam query {folder} "{self.goal}" --limit 3      # {self.meaning}',
            f"hornbeam show {folder}",
            f"hornbeam explain {folder} {self.samples[0].id}",
            *(lesson.command for lesson in self.lessons),
            *([self.model.command] if self.model else []),
        ]


def tour(out: Path, seed: int) -> Path:
    """Visit all families and write the report.

    Args:
        out: The folder for datasets and the report; datasets that are there already are used as they are.
        seed: The seed of all datasets.

    Returns:
        The report's path.

    Raises:
        HornbeamError: A label was not confirmed.
    """
    from hornbeam.demo.report import write

    out.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    places = [(family, preset) for family in families.loaded().values() for preset in family.demo_presets]
    start = time.monotonic()
    stops = []
    for number, (family, preset) in enumerate(places, start=1):
        heading = f"\n[bold]{number} of {len(places)}: {family.title}, {preset}[/bold]  [dim]{family.question}[/dim]"
        console.print(heading)
        stops.append(_told(console, family, preset, out, seed))
    report = out / "report.html"
    write(report, stops, seed)
    console.print(f"\nDone in {time.monotonic() - start:.0f} s. The report: [bold]{report}[/bold]")
    console.print(f"Look at the samples, edit a rule, see what changes:  hornbeam studio {out}", markup=False)
    return report


def _told(console: Console, family: Family, preset: str, out: Path, seed: int) -> Stop:
    """Visit a family, learn and train there, and print each command with its result."""

    def say(line: str, style: str | None = None) -> None:
        console.print(line, markup=False, soft_wrap=True, style=style)

    with console.status("making and checking a dataset"):
        stop = visit(family, preset, out, seed)
    for command in stop.commands[:3]:
        say(f"$ {command}")
    say(f"  {len(stop.dataset.samples)} samples; {stop.check.confirmed} labels confirmed by {stop.check.reasoner}")
    for answer in stop.answers:
        say(f"  {answer}")
    lessons = []
    with console.status("learning its theory"):
        for lesson in _lessons(stop.dataset):
            learned, verdict = lesson.learned, lesson.verdict
            score = f"{learned.test.headline:.2f} on the test split" if learned.test else "not judged"
            say(f"$ {lesson.command}")
            say(
                f"  {len(learned.theory)} clauses in {learned.seconds:.1f} s, {score}; {verdict}", _STYLES[verdict.kind]
            )
            if lesson.is_impostor:
                say("  Right on every test sample, and wrong: see the report.", "bold yellow")
            lessons.append(lesson)
    with console.status("training a model"):
        model = _train(stop.dataset, out / "runs")
    if model is not None:
        say(f"$ {model.command}")
        say(f"  test accuracy {model.accuracy:.2f}")
    return replace(stop, lessons=tuple(lessons), model=model)


def visit(family: Family, preset: str, out: Path, seed: int) -> Stop:
    """Make a dataset, or take the one that is there, and check and query it; HornbeamError if a label is wrong."""
    start = time.monotonic()
    folder = out / (family.name if len(family.demo_presets) == 1 else f"{family.name}-{preset.split('-')[0]}")
    dataset = hornbeam.generate(family.name, preset, out=folder, seed=seed)
    check = hornbeam.check(dataset)
    if not check.ok:
        raise HornbeamError(f"{check.refuted} labels of {folder} are refuted, {check.undecided} undecided")
    goal, meaning = family.prolog_side(dataset.config).queries[0]
    bindings = dataset.query(goal, limits=Limits(seconds=60, answers=3))
    answers = [", ".join(f"{name} = {to_text(value)}" for name, value in one.items()) or "true" for one in bindings]
    samples = tuple(family.typical(dataset))
    return Stop(dataset, check, goal, meaning, tuple(answers), samples, time.monotonic() - start)


def _lessons(dataset: Dataset) -> Iterator[Lesson]:
    """Learn a dataset's tasks, one after the other; nothing for a family without a plan."""
    plan = _PLANS.get(dataset.family.name)
    if plan is None:
        return
    learner = learners.get(plan.learner)
    for task in [None] if plan.tasks is None else dataset.tasks[: plan.tasks]:
        problem = problem_of(dataset, learner, task=task, options={})
        case = Case.of(dataset, task, {})
        learned = fit(problem, learner, task=task, timeout=_SECONDS, settings=plan.settings, curve=True, case=case)
        yield Lesson(plan, task, learned, problem.truth, dataset.path)


def _train(dataset: Dataset, runs: Path) -> TrainedModel | None:
    """Train the model for this dataset; None if there is none, or if torch is not installed."""
    name, options = _MODELS.get(dataset.manifest.preset, ("", {}))
    if not name or find_spec("torch") is None or find_spec("torch_geometric") is None:
        return None
    from hornbeam.neural.experiment import train

    outcome = train(dataset, name, out=runs / f"{dataset.path.name}-{name}", overrides=options).outcomes[0]
    command = f"hornbeam train {dataset.path} --model {name}{_settings(options)}"
    return TrainedModel(name, command, outcome.mean("test"), outcome.final("test"))


def _settings(settings: Mapping[str, str]) -> str:
    return "".join(f" --set {name}={value}" for name, value in settings.items())
