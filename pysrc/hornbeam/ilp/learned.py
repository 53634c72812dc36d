"""What a learner gave: its theory, what became of it and what it is worth; and all of that as a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.data.sample import Json
from hornbeam.ilp.evaluation import Scores, TheoryEvaluation
from hornbeam.ilp.watch import Trace
from hornbeam.theory import Theory, Verdict
from hornbeam.theory.files import save_theory
from hornbeam.version import __version__

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Learned:
    """What came out. `theory` is the best that the learner told of, whatever became of it later."""

    learner: str
    task: str
    view: str
    theory: Theory = field(default_factory=lambda: Theory(()))
    status: str = ""
    message: str = ""
    complete: bool = False  # the learner says that nothing better is in its space
    seconds: float = 0.0  # of CPU, all its processes, without the start of Python
    wall: float = 0.0
    memory: int = 0
    tried: int = 0
    trace: Trace = field(default_factory=Trace)
    evaluation: TheoryEvaluation | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    encoding: str = ""
    verdict: Verdict | None = None  # how the theory stands to the truth; None where nobody asked, or nothing ran

    @property
    def train(self) -> Scores | None:
        return self.evaluation.train if self.evaluation else None

    @property
    def test(self) -> Scores | None:
        return self.evaluation.test if self.evaluation else None

    @property
    def curve(self) -> list[tuple[float, float]]:
        """CPU seconds and headline figure on the test split: the empty theory's, each best one's, the result's."""
        if self.evaluation is None or not self.evaluation.curve or self.test is None:
            return []
        times = [0.0, *(event.seconds for event in self.trace.bests)]
        points = [(at, value) for at, value in zip(times, self.evaluation.curve, strict=True) if value is not None]
        return [*points, (max(self.seconds, times[-1]), self.test.headline)]

    @property
    def equivalent(self) -> bool | None:
        """True where the theory was proven equal to the truth, False where it was refuted, None where it is open."""
        return self.verdict.equivalent if self.verdict else None

    def to_json(self) -> dict[str, Json]:
        """The keys of the design, and more."""
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
        }


def save_learned(learned: Learned, dataset: Dataset, path: Path, options: Mapping[str, str] | None = None) -> None:
    """Write a learned theory so that plain `swipl` loads it behind the dataset, and `hornbeam diff` knows its task.

    Args:
        learned: What a learner gave.
        dataset: What it was learned from.
        path: The file to write, whole or not at all.
        options: Those of the family's tasks that the learner was given.
    """
    save_theory(learned.theory, path, _header(learned, dataset, options or {}))


def _header(learned: Learned, dataset: Dataset, options: Mapping[str, str]) -> dict[str, str]:
    """What stands at the top of the file; :func:`hornbeam.theory.files.read_header` reads it back."""
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
