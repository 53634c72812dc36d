"""The result of a learner: the theory with its status, scores and verdict, and how it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.data.sample import Json
from hornbeam.ilp.evaluation import Scores, TheoryEvaluation
from hornbeam.ilp.watch import Trace
from hornbeam.theory import Theory, Verdict
from hornbeam.theory.files import save_theory, theory_text
from hornbeam.version import __version__

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Learned:
    """The result of a learner; `theory` is the best one that it reported, even if it failed later.

    Attributes:
        learner: The name of the learner.
        task: The task.
        view: The view of the dataset: examples, facts or networks.
        theory: The theory.
        status: finished, timeout, memory, crashed, no_theory, false_claim, unavailable or interrupted.
        message: Details of the status.
        complete: Whether the learner reports that its search space has no better theory.
        seconds: CPU seconds of all its processes, without the start of Python.
        wall: Wall-clock seconds.
        memory: The most bytes in use.
        tried: How many hypotheses it tested.
        trace: The events of the search.
        evaluation: The scores on all splits; `train` and `test` are those of a split.
        settings: The settings of the learner.
        encoding: The encoding of the samples.
        verdict: The verdict on the theory; None if it was not asked for, or nothing ran.
        perception: What was perceived if it was learned from pictures: how many were unread, and read again.
    """

    learner: str
    task: str
    view: str
    theory: Theory = field(default_factory=lambda: Theory(()))
    status: str = ""
    message: str = ""
    complete: bool = False
    seconds: float = 0.0
    wall: float = 0.0
    memory: int = 0
    tried: int = 0
    trace: Trace = field(default_factory=Trace)
    evaluation: TheoryEvaluation | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    encoding: str = ""
    verdict: Verdict | None = None
    perception: Mapping[str, Json] = field(default_factory=dict)

    @property
    def train(self) -> Scores | None:
        """The scores on the training split."""
        return self.evaluation.train if self.evaluation else None

    @property
    def test(self) -> Scores | None:
        """The scores on the test split."""
        return self.evaluation.test if self.evaluation else None

    @property
    def curve(self) -> list[tuple[float, float]]:
        """CPU seconds and main score on the test split: the empty theory, each best theory so far, the result."""
        if self.evaluation is None or not self.evaluation.curve or self.test is None:
            return []
        times = [0.0, *(event.seconds for event in self.trace.bests)]
        points = [(at, value) for at, value in zip(times, self.evaluation.curve, strict=True) if value is not None]
        return [*points, (max(self.seconds, times[-1]), self.test.headline)]

    @property
    def equivalent(self) -> bool | None:
        """True if the theory was proven equal to the true one, False if it was refuted, None if it is undecided."""
        return self.verdict.equivalent if self.verdict else None

    def to_json(self) -> dict[str, Json]:
        """A JSON object, as `hornbeam learn --json` prints it."""
        judged = self.evaluation
        return {
            "learner": self.learner,
            "task": self.task,
            "view": self.view,
            "encoding": self.encoding,
            "theory": str(self.theory),
            "status": self.status,
            "message": self.message,
            "complete": self.complete,
            "seconds": round(self.seconds, 3),
            "wall_seconds": round(self.wall, 3),
            "memory_mb": self.memory >> 20,
            "tried": self.tried,
            "clauses": len(self.theory),
            "literals": self.theory.literals,
            "settings": dict(self.settings),
            "train": self.train.to_json() if self.train else None,
            **{split: scores.to_json() for split, scores in (judged.held.items() if judged else ()) if scores},
            "verdict": self.verdict.to_json() if self.verdict else None,
            "equivalent": self.equivalent,
            "truth": judged.against.to_json() if judged and judged.against else None,
            "unknown": list(judged.unknown) if judged else [],
            **({"perception": dict(self.perception)} if self.perception else {}),
        }


def plain_file(task: str) -> str:
    """A file name for a task.

    >>> plain_file("t03 red/blue")
    't03_red_blue'
    """
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in task)


def save_learned(learned: Learned, dataset: Dataset, path: Path, options: Mapping[str, str] | None = None) -> None:
    """Write a learned theory to a file that plain `swipl` loads after the dataset and `hornbeam diff` reads.

    Args:
        learned: The result of a learner.
        dataset: The dataset that it was learned from.
        path: The file; it is written completely or not at all.
        options: The options of the family's tasks that were used.
    """
    save_theory(learned.theory, path, _header(learned, dataset, options or {}))


def learned_text(learned: Learned, dataset: Dataset, options: Mapping[str, str] | None = None) -> str:
    """The text that :func:`save_learned` writes."""
    return theory_text(learned.theory, _header(learned, dataset, options or {}))


def _header(learned: Learned, dataset: Dataset, options: Mapping[str, str]) -> dict[str, str]:
    """The header of the file; :func:`hornbeam.theory.files.read_header` reads it."""
    manifest = dataset.manifest
    drawn = "imported" if manifest.seed is None else f"seed {manifest.seed}"
    lines = {
        "learner": learned.learner,
        "hornbeam": __version__,
        "settings": _pairs({name: str(value) for name, value in learned.settings.items()}),
        "dataset": f"{dataset.path.name} ({manifest.family} {manifest.preset}, {drawn})",
        "task": learned.task,
        "view": learned.view,
        "encoding": learned.encoding,
        "options": _pairs(options),
        "status": f"{learned.status}: {learned.message}" if learned.message else learned.status,
        "seconds": f"{learned.seconds:.2f}",
        "train": _scores(learned.train),
        **{split: _scores(held) for split, held in (learned.evaluation.held.items() if learned.evaluation else ())},
        "verdict": str(learned.verdict) if learned.verdict else "",
    }
    return {name: value for name, value in lines.items() if value}


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _scores(scores: Scores | None) -> str:
    if scores is None:
        return ""
    return ", ".join(f"{name} {value:.4f}" for name, value in scores.to_json().items() if isinstance(value, float))
