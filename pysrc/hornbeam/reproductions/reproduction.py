"""Experiments of a paper, run again and put beside its figures: ``hornbeam reproduce NAME``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import write_atomic
from hornbeam.errors import unknown_name
from hornbeam.neural.experiment import Trained, train
from hornbeam.neural.report import markdown
from hornbeam.neural.runs import as_text
from hornbeam.progress import Progress, no_progress

_PARTS = 1000  # a run's share of the progress bar

BUILT_IN = {
    "clutrr": "hornbeam.reproductions.relational:ClutrrReproduction",
    "graphlog": "hornbeam.reproductions.relational:GraphlogReproduction",
    "kandy": "hornbeam.reproductions.kandy:KandyReproduction",
    "star": "hornbeam.reproductions.relational:StarReproduction",
}


@dataclass(frozen=True)
class PaperComparison:
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
class ReproductionPlan:
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
class TrainingCase:
    """A model in a setting, in a folder of its own below the plan's."""

    model: str
    setting: str
    folder: str


def train_all(plan: ReproductionPlan, dataset: Dataset, cases: Sequence[TrainingCase]) -> list[Trained]:
    """Train each case from each seed: seed by seed, so that figures of all cases are there early."""
    total = plan.seeds * len(cases)
    for number, (seed, case) in enumerate(product(range(plan.seeds), cases)):
        _train(plan, dataset, case, (seed,), _share(plan.progress, number, total))
    return [_train(plan, dataset, case, tuple(range(plan.seeds)), no_progress) for case in cases]


def _train(
    plan: ReproductionPlan, dataset: Dataset, case: TrainingCase, seeds: tuple[int, ...], progress: Progress
) -> Trained:
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
    def run(self, plan: ReproductionPlan) -> PaperComparison:
        """Make the data, train, compare."""


def names() -> list[str]:
    """The reproductions that can be had here."""
    return sorted(BUILT_IN)


def get(name: str) -> Reproduction:
    """The reproduction of this name."""
    if name not in names():
        raise unknown_name("reproduction", name, names())
    module, _, kind = BUILT_IN[name].partition(":")
    made: Reproduction = getattr(import_module(module), kind)()
    return made
