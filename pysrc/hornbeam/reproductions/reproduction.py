"""Experiments of a paper, run again and compared with its figures: ``hornbeam reproduce NAME``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.errors import unknown_name
from hornbeam.neural.experiment import Trained, train
from hornbeam.neural.runs import as_text
from hornbeam.progress import Progress, no_progress
from hornbeam.registry import Registry
from hornbeam.report.tables import markdown
from hornbeam.writing import write_atomic

_PARTS = 1000  # a run's share of the progress bar

BUILT_IN = {
    "clutrr": "hornbeam.reproductions.relational:ClutrrReproduction",
    "clutrr-stories": "hornbeam.reproductions.stories:ClutrrStories",
    "graphlog": "hornbeam.reproductions.relational:GraphlogReproduction",
    "kandy": "hornbeam.reproductions.kandy:KandyReproduction",
    "kandy-noise": "hornbeam.reproductions.robustness:KandyNoise",
    "kandy-pictures": "hornbeam.reproductions.pictures:KandyPictures",
    "rudas": "hornbeam.reproductions.rudas:RudasReproduction",
    "star": "hornbeam.reproductions.relational:StarReproduction",
}


@dataclass(frozen=True)
class PaperComparison:
    """A table with our figures and the paper's."""

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


def chosen(kind: str, wanted: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names that were wanted; UsageError for one that is not known."""
    known = list(known)
    for name in wanted:
        if name not in known:
            raise unknown_name(kind, name, known)
    return list(wanted)


def train_all(plan: ReproductionPlan, dataset: Dataset, cases: Mapping[str, tuple[str, str]]) -> list[Trained]:
    """Train each case (a folder below the plan's, with the model and the setting for it) from each seed.

    Seed by seed, so that figures of all cases are there early.
    """

    def run(folder: str, seeds: tuple[int, ...], progress: Progress) -> Trained:
        model, setting = cases[folder]
        more: dict[str, Any] = {"preset": plan.preset, "overrides": plan.overrides, "progress": progress}
        return train(dataset, model, setting=setting, seeds=seeds, out=plan.out / folder, **more)

    total = plan.seeds * len(cases)
    for number, (seed, folder) in enumerate(product(range(plan.seeds), cases)):
        run(folder, (seed,), _share(plan.progress, number, total))
    return [run(folder, tuple(range(plan.seeds)), no_progress) for folder in cases]


def _share(progress: Progress, place: int, places: int) -> Progress:
    """The progress of one run of several, whatever the steps of each."""
    return lambda done, total: progress(place * _PARTS + _PARTS * done // max(1, total), places * _PARTS)


class Reproduction(ABC):
    """The experiments of a paper. Has no state; finished runs in the plan's folder are kept, unfinished ones resume."""

    name: ClassVar[str]

    @abstractmethod
    def run(self, plan: ReproductionPlan) -> PaperComparison:
        """Make the data, train, compare."""


REPRODUCTIONS = Registry("reproduction", "hornbeam.reproductions", BUILT_IN, base=Reproduction, needs=("name",))
"""All reproductions by name, those of other packages too."""
