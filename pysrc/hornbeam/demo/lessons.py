"""What is learned on the tour: a learner for each family, and how its theory differs from the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hornbeam.data.dataset import Dataset
from hornbeam.ilp import learner as learners
from hornbeam.ilp.learned import Learned
from hornbeam.ilp.runner import fit, problem_of
from hornbeam.tasks.verdicts import Case
from hornbeam.theory import Theory, Verdict
from hornbeam.theory.verdict import REFUTED

SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """A learner for a family; `tasks` are how many of its first tasks, None where all are learned at once."""

    learner: str
    tasks: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)  # of the family's tasks
    settings: Mapping[str, str] = field(default_factory=dict)  # of the learner


PLANS = {
    "kandy": Plan("mdie", tasks=3),
    "clutrr": Plan("algebra"),
    "graphlog": Plan("algebra", tasks=2),
    "rudas": Plan("amie", tasks=2, settings={"readings": "one"}),
    "star": Plan("algebra"),
}


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a learner made of a task."""

    plan: Plan
    task: str | None
    learned: Learned
    truth: Theory | None  # in the learner's language; None where the true theory is written in another
    folder: str

    @property
    def command(self) -> str:
        words = ["hornbeam", "learn", self.folder, "--learner", self.plan.learner]
        words += [f"--task {self.task}"] if self.task else []
        words += [f"--{name} {value}" for name, value in self.plan.options.items()]
        words += [f"--set {name}={value}" for name, value in self.plan.settings.items()]
        return " ".join(words)

    @property
    def verdict(self) -> Verdict:
        """How the theory stands to the truth."""
        return self.learned.verdict or Verdict.incomparable("the learner did not run")

    @property
    def is_impostor(self) -> bool:
        """Whether the theory is right on every test sample and refuted all the same."""
        test = self.learned.test
        return self.verdict.kind == REFUTED and test is not None and test.headline == 1.0


def lessons(dataset: Dataset) -> Iterator[Lesson]:
    """Learn a dataset's tasks, one after the other; nothing for a family without a plan."""
    plan = PLANS.get(dataset.family.name)
    if plan is None:
        return
    learner = learners.get(plan.learner)
    tasks = [None] if plan.tasks is None else dataset.tasks[: plan.tasks]
    for task in tasks:
        problem = problem_of(dataset, learner, task=task, options=plan.options)
        case = Case.of(dataset, task, plan.options)
        learned = fit(problem, learner, task=task, timeout=SECONDS, settings=plan.settings, curve=True, case=case)
        yield Lesson(plan, task, learned, problem.truth, str(dataset.path))
