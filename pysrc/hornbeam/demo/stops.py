"""One dataset of the tour: made, checked, asked, shown."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.family import Check, Family
from hornbeam.logic import Limits, to_text


@dataclass(frozen=True, slots=True)
class Stop:
    """A dataset with what its check said and what it answered."""

    dataset: Dataset
    check: Check
    goal: str
    meaning: str  # of the goal
    answers: tuple[str, ...]
    samples: tuple[Sample, ...]  # a few that show what it is like
    seconds: float

    @property
    def family(self) -> Family:
        return self.dataset.family

    @property
    def name(self) -> str:
        """As a heading: with the preset where a family has several stops."""
        several = len(self.family.demo_presets) > 1
        return f"{self.family.title} ({self.dataset.manifest.preset})" if several else self.family.title

    def commands(self) -> list[str]:
        """What a person would type to do the same."""
        made, folder = self.dataset.manifest, self.dataset.path
        return [
            f"hornbeam generate {self.family.name} {made.preset} --out {folder} --seed {made.seed}",
            f"hornbeam check {folder}",
            f'hornbeam query {folder} "{self.goal}" --limit 3      # {self.meaning}',
            f"hornbeam show {folder}",
            f"hornbeam explain {folder} {self.samples[0].id}",
        ]


def visit(family: Family, preset: str, out: Path, seed: int) -> Stop:
    """Make a dataset, or take the one that is there, and check and ask it; HornbeamError if a label is wrong."""
    start = time.monotonic()
    folder = out / (family.name if len(family.demo_presets) == 1 else f"{family.name}-{preset.split('-')[0]}")
    dataset = hornbeam.generate(family.name, preset, out=folder, seed=seed)
    check = hornbeam.check(dataset)
    if not check.ok:
        raise HornbeamError(f"{check.refuted} labels of {folder} are refuted, {check.undecided} undecided")
    goal, meaning = family.prolog_side(dataset.config).queries[0]
    answers, samples = tuple(_answers(dataset, goal)), tuple(family.typical(dataset))
    return Stop(dataset, check, goal, meaning, answers, samples, time.monotonic() - start)


def _answers(dataset: Dataset, goal: str) -> list[str]:
    answers = dataset.query(goal, limits=Limits(seconds=60, answers=3))
    return [", ".join(f"{name} = {to_text(value)}" for name, value in answer.items()) or "true" for answer in answers]
