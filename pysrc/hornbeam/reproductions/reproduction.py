"""Experiments of a paper, run again and put beside its figures: ``hornbeam reproduce NAME``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import write_atomic
from hornbeam.neural.experiment import Trained, train
from hornbeam.neural.runs import as_text
from hornbeam.progress import Progress, no_progress
from hornbeam.registry import Registry
from hornbeam.report.tables import markdown

_PARTS = 1000  # a run's share of the progress bar

BUILT_IN = {
    "clutrr": "hornbeam.reproductions.relational:Clutrr",
    "graphlog": "hornbeam.reproductions.relational:GraphLog",
    "kandy": "hornbeam.reproductions.kandy:Kandy",
    "star": "hornbeam.reproductions.relational:Star",
}


@dataclass(frozen=True)
class Comparison:
    """A table of ours beside theirs, and the figures in it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: Mapping[str, Any]
    notes: Sequence[str] = ()
    plots: Sequence[Path] = field(default_factory=tuple)

    def text(self) -> str:
        """As Markdown."""
        notes = "".join(f"\n{note}\n" for note in self.notes)
        return f"{self.title}\n\n{markdown(self.header, self.rows)}\n{notes}"

    def save(self, folder: Path) -> None:
        """Write comparison.md and comparison.json."""
        write_atomic(folder / "comparison.md", self.text().encode())
        write_atomic(folder / "comparison.json", as_text(self.figures).encode())


@dataclass(frozen=True)
class Plan:
    """What to run again; an empty choice means all that the reproduction has."""

    out: Path
    seeds: int = 3
    preset: str = "quick"
    models: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    overrides: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = no_progress
    data_seed: int = 0


@dataclass(frozen=True)
class Case:
    """A model in a setting, in a folder of its own below the plan's."""

    model: str
    setting: str
    folder: str


def train_all(plan: Plan, dataset: Dataset, cases: Sequence[Case]) -> list[Trained]:
    """Train each case from each seed: seed by seed, so that figures of all cases are there early."""
    total = plan.seeds * len(cases)
    for number, (seed, case) in enumerate(product(range(plan.seeds), cases)):
        _train(plan, dataset, case, (seed,), _share(plan.progress, number, total))
    return [_train(plan, dataset, case, tuple(range(plan.seeds)), no_progress) for case in cases]


def _train(plan: Plan, dataset: Dataset, case: Case, seeds: tuple[int, ...], progress: Progress) -> Trained:
    return train(
        dataset,
        case.model,
        setting=case.setting,
        seeds=seeds,
        preset=plan.preset,
        out=plan.out / case.folder,
        overrides=plan.overrides,
        progress=progress,
    )


def _share(progress: Progress, place: int, places: int) -> Progress:
    """The progress of one run of several, whatever the steps of each."""
    return lambda done, total: progress(place * _PARTS + _PARTS * done // max(1, total), places * _PARTS)


class Reproduction(ABC):
    """One paper's experiments. Stateless; what is finished in the plan's folder is taken, what was begun goes on."""

    name: ClassVar[str]
    about: ClassVar[str]

    @abstractmethod
    def run(self, plan: Plan) -> Comparison:
        """Make the data, train, compare."""


REPRODUCTIONS = Registry("reproduction", "hornbeam.reproductions", BUILT_IN, base=Reproduction, needs=("name", "about"))
names, get = REPRODUCTIONS.names, REPRODUCTIONS.get
