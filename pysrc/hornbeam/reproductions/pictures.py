"""KANDY from pixels: networks, rules learned from what perceivers read, and rules learned from the true symbols.

One table: balanced accuracy on the test split, how many learned rules are right on fresh pictures, and how many
training pictures each used. In the setting `independent` each task is learned alone; in `task-incremental` tasks come
one after the other, networks go on from the earlier task, and rules of earlier tasks are background knowledge of later
ones. ``hornbeam reproduce kandy-pictures --seeds 1 --set curriculum=hard``
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from hornbeam import resources
from hornbeam.config import validated
from hornbeam.data.dataset import Dataset
from hornbeam.ilp import compare
from hornbeam.ilp.report import means
from hornbeam.perception.perceiver import PICTURES
from hornbeam.perception.readings import Perception
from hornbeam.report.tables import mean_cell
from hornbeam.reproductions.reproduction import (
    PaperComparison,
    Reproduction,
    ReproductionPlan,
    chosen,
    train_all,
)

MODELS = ("mlp", "cnn")
PERCEIVERS = ("inverse", "neural")
SYMBOLS = "symbols"
SUBJECTS = (*MODELS, *PERCEIVERS, SYMBOLS)
INDEPENDENT, INCREMENTAL = "independent", "task-incremental"


class PicturesOptions(BaseModel):
    """Options of the command's ``--set``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    curriculum: str = Field(default="easy", description="the curriculum, e.g. easy or hard")
    annotated: int = Field(default=200, ge=0, description="annotated pictures of the perceiver neural")
    learner: str = Field(default="mdie", description="the learner of rules")
    timeout: float = Field(default=60.0, gt=0, description="CPU seconds of the learner a task")
    fresh: int = Field(default=10_000, ge=1, description="fresh pictures on which a rule is compared with the truth")
    epochs: int | None = Field(default=None, ge=1, description="epochs of the networks; by default those of the preset")


@dataclass(frozen=True)
class PicturesRow:
    """Who learned in which setting, with the figures of each seed."""

    subject: str
    setting: str
    accuracy: Sequence[float]
    right: Sequence[int] | None
    tasks: int
    pictures: int
    paper: tuple[float, float] | None = None

    def cells(self) -> list[str]:
        right = "–" if self.right is None else f"{np.mean(self.right):g} of {self.tasks}"
        paper = "–" if self.paper is None else "{:.2f} ± {:.2f}".format(*self.paper)
        return [self.subject, self.setting, self._accuracy(), right, f"{self.pictures:,}", paper]

    def _accuracy(self) -> str:
        return mean_cell(self.accuracy) if len(self.accuracy) > 1 else f"{self.accuracy[0]:.2f}"


class KandyPictures(Reproduction):
    """KANDY's pictures: networks, rules from what perceivers read, and rules from symbols as the upper bound."""

    name: ClassVar[str] = "kandy-pictures"

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        import hornbeam

        options = validated(PicturesOptions, plan.overrides, kind="option", option="--set")
        subjects = chosen("model", plan.models or SUBJECTS, SUBJECTS)
        settings = chosen("setting", plan.settings or (INDEPENDENT, INCREMENTAL), (INDEPENDENT, INCREMENTAL))
        data = plan.out / options.curriculum
        dataset = hornbeam.generate("kandy", options.curriculum, out=data, seed=plan.data_seed)
        rows = [
            *_networks(plan, options, dataset, [name for name in subjects if name in MODELS], settings),
            *_rules(plan, options, dataset, [name for name in subjects if name not in MODELS], settings),
        ]
        comparison = _compared(plan, options, rows)
        comparison.save(plan.out)
        return comparison


def _networks(
    plan: ReproductionPlan, options: PicturesOptions, dataset: Dataset, models: list[str], settings: Sequence[str]
) -> list[PicturesRow]:
    paper = {entry["name"]: entry["accuracy"] for entry in resources.published("kandy")["results"]}
    overrides = {} if options.epochs is None else {"epochs": str(options.epochs)}
    training = ReproductionPlan(plan.out, plan.seeds, plan.preset, overrides=overrides, progress=plan.progress)
    cases = {f"{model}-{setting}": (model, setting) for model in models for setting in settings}
    rows = []
    for one in train_all(training, dataset, cases) if cases else ():
        figures = paper.get(one.model, {}).get(f"{options.curriculum} {one.setting}")
        accuracy = [outcome.mean() for outcome in one.outcomes]
        pictures = _training_pictures(dataset)
        published = None if figures is None else (figures[0], figures[1])
        rows.append(PicturesRow(one.model, one.setting, accuracy, None, len(dataset.tasks), pictures, published))
    return rows


def _rules(
    plan: ReproductionPlan, options: PicturesOptions, dataset: Dataset, sources: list[str], settings: Sequence[str]
) -> list[PicturesRow]:
    rows = []
    for source in sources:
        for setting in settings:
            runs = [_summary(plan, options, dataset, source, setting, seed) for seed in range(_seeds(plan, source))]
            rows.append(
                PicturesRow(
                    f"{options.learner} from {_told(source, options)}",
                    setting,
                    [run["balanced_accuracy"] or 0.0 for run in runs],
                    [run["right_on_fresh"] for run in runs],
                    runs[0]["tasks"],
                    _training_pictures(dataset),
                )
            )
    return rows


def _seeds(plan: ReproductionPlan, source: str) -> int:
    """Only a perceiver that is trained differs from seed to seed."""
    return plan.seeds if source == "neural" else 1


def _told(source: str, options: PicturesOptions) -> str:
    if source == SYMBOLS:
        return "true symbols"
    more = f", {options.annotated} annotated" if source == "neural" else ""
    return f"pictures ({source}{more})"


def _training_pictures(dataset: Dataset) -> int:
    return sum(sample.supervised for sample in dataset.samples.split("train"))


def _summary(
    plan: ReproductionPlan, options: PicturesOptions, dataset: Dataset, source: str, setting: str, seed: int
) -> Mapping[str, Any]:
    """The means of one comparison; rows that an earlier run left are not made again."""
    out = plan.out / f"{source}-{setting}-{seed}"
    perception = None
    if source != SYMBOLS:
        own = {"seed": str(seed), **({"annotated": str(options.annotated)} if source == "neural" else {})}
        perception = Perception.of(PICTURES, source, own, plan.out / "readings")
    contest = compare.Contest(
        [dataset],
        [compare.Entrant.parse(options.learner, {}, {})],
        options.timeout,
        fresh=options.fresh,
        perception=perception,
        rules=out / "rules" if setting == INCREMENTAL else None,
    )
    rows = compare.run(contest, out, progress=plan.progress)
    (summary,) = means(rows).values()
    return summary


def _compared(plan: ReproductionPlan, options: PicturesOptions, rows: Sequence[PicturesRow]) -> PaperComparison:
    header = [
        *("who", "setting", "balanced accuracy", f"rules right on {options.fresh:,} fresh pictures"),
        *("labelled training pictures", "paper"),
    ]
    figures = [
        {
            "who": row.subject,
            "setting": row.setting,
            "balanced_accuracy": list(row.accuracy),
            "rules_right": None if row.right is None else list(row.right),
            "tasks": row.tasks,
            "training_pictures": row.pictures,
            "paper": None if row.paper is None else list(row.paper),
        }
        for row in rows
    ]
    notes = [
        f"KANDY {options.curriculum}, data of seed {plan.data_seed}. Networks over {plan.seeds} seeds, preset "
        f"{plan.preset}; rules by {options.learner} in {options.timeout:g} s of CPU time a task. A picture that could "
        "not be read counts as wrong. Rules from true symbols are the upper bound."
    ]
    title = f"KANDY {options.curriculum} from pixels: balanced accuracy on test"
    return PaperComparison(title, header, [row.cells() for row in rows], {"rows": figures, "seeds": plan.seeds}, notes)
