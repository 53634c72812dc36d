"""CLUTRR, STaR and GraphLog, reproduced: graph models and learners of compositions on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, NotRequired, TypedDict

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256
from hornbeam.data.shape import from_json, read_json
from hornbeam.errors import DatasetError, HornbeamError, UsageError, unknown_name
from hornbeam.ilp import fit
from hornbeam.neural.experiment import Trained
from hornbeam.neural.graph.domain import Graphs
from hornbeam.neural.runs import as_text
from hornbeam.reproductions.reproduction import PaperComparison, Reproduction, ReproductionPlan, train_all
from hornbeam.reproductions.results import Cell, Result, Results, cell_of, published, with_mean
from hornbeam.writing import write_atomic

LEARNERS = ("algebra", "r5", "ctp", "neural-lp", "drum")
SETTING = "supervised"
LEARNING_SECONDS = 300.0


class Relational(Reproduction):
    """One family: its data, its models, the learners of compositions, and what was published."""

    title: ClassVar[str]
    preset: ClassVar[str]
    data: ClassVar[Mapping[str, str]]  # changes of the preset
    models: ClassVar[tuple[str, ...]]

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        import hornbeam

        _check(plan)
        out = plan.out / "data"
        dataset = hornbeam.generate(self.name, self.preset, out=out, seed=plan.data_seed, overrides=self.data)
        learned = {name: _learner(dataset, name, plan.out / name) for name in LEARNERS}
        trained = train_all(plan, dataset, {model: (model, SETTING) for model in plan.models or self.models})
        rules = [result for result, _ in learned.values()]
        results = Results([*map(result_of, trained), *rules, *published(self.name)])
        plot = plan.out / "plots" / f"{self.name}.svg"
        results.draw(plot, self.title)
        write_atomic(plan.out / "comparison.csv", results.csv().encode())
        notes = [
            f"Here: one dataset, models from {plan.seeds} seed{'s' if plan.seeds > 1 else ''} by preset {plan.preset}; "
            f"CPU s of learning: {', '.join(f'{name} {seconds:.1f}' for name, (_, seconds) in learned.items())}.",
            *self._sources(),
        ]
        options = {one.model: one.options.model_dump() for one in trained}
        figures = {"rows": results.to_json(), "seeds": plan.seeds, "options": options}
        title = f"{self.title}: accuracy on test"
        comparison = PaperComparison(title, results.header(), results.table(), figures, notes, (plot,))
        comparison.save(plan.out)
        return comparison

    def _sources(self) -> list[str]:
        """Each source once, with the rows that come from it."""
        named: dict[str, list[str]] = {}
        for result in published(self.name):
            named.setdefault(result.source, []).append(result.name)
        return [f"{', '.join(names)}: {source}." for source, names in named.items()]


class ClutrrReproduction(Relational):
    """Trained on k 2-3, tested on k 2-10: the paper's figure 5, and what later papers made of it."""

    name: ClassVar[str] = "clutrr"
    title: ClassVar[str] = "CLUTRR, trained on k 2-3"
    preset: ClassVar[str] = "generalization-k23"
    data: ClassVar[Mapping[str, str]] = {}
    models: ClassVar[tuple[str, ...]] = ("epignn", "gat")


class StarReproduction(Relational):
    """RCC-8 as published, but trained on k 2-3 and b 1-3 only, and tested up to k 9."""

    name: ClassVar[str] = "star"
    title: ClassVar[str] = "STaR RCC-8, trained on k 2-3"
    preset: ClassVar[str] = "rcc8-compat"
    data: ClassVar[Mapping[str, str]] = {
        "train.cells": "[{k: [2, 3], b: [1, 2, 3], rows: 800}]",
        "test.cells": "[{k: [2, 3, 4, 5, 6, 7, 8, 9], b: [1, 2, 3], rows: 100}]",
    }
    models: ClassVar[tuple[str, ...]] = ("epignn",)


class GraphlogReproduction(Relational):
    """Three worlds and six models, one for each world, as in the paper's supervised setting."""

    name: ClassVar[str] = "graphlog"
    title: ClassVar[str] = "GraphLog, three worlds"
    preset: ClassVar[str] = "suite"
    data: ClassVar[Mapping[str, str]] = {
        "worlds": "3",
        "stride": "20",
        "valid_worlds": "0",
        "test_worlds": "0",
        "rows": "{train: 2000, valid: 400, test: 500}",
    }
    models: ClassVar[tuple[str, ...]] = (
        "gat-egat", "gcn-egat", "param-egat", "gat-rgcn", "gcn-rgcn", "param-rgcn",
    )  # fmt: skip


def _check(plan: ReproductionPlan) -> None:
    known = Graphs().models()
    for model in plan.models:
        if model not in known:
            raise unknown_name("model", model, known)
    if any(setting != SETTING for setting in plan.settings):
        raise UsageError(f"only the setting {SETTING} has figures to compare with")


def result_of(trained: Trained) -> Result:
    """The accuracy of a model in each group."""
    finals = [outcome.final("test") for outcome in trained.outcomes]
    cells: dict[Cell, Sequence[float]] = {
        cell_of(group): tuple(final[group] for final in finals) for group in finals[0]
    }
    return Result(trained.model, with_mean(cells))


def _learner(dataset: Dataset, name: str, folder: Path) -> tuple[Result, float]:
    """What a learner learns from the same data: accuracy by group or world, and the CPU seconds of learning."""
    accuracy: dict[Cell, Sequence[float]] = {}
    total = 0.0
    for task in dataset.family.learning_tasks(dataset):
        figures = _learned(dataset, name, task, folder)
        groups = (figures["test"].get("by_group") or {}) if task is None else {task: figures["test"]}
        accuracy |= {cell_of(group): (judged["accuracy"],) for group, judged in groups.items()}
        total += figures["seconds"]
    return Result(name, with_mean(accuracy)), total


class _Accuracy(TypedDict):
    accuracy: float


class _Judged(_Accuracy):
    by_group: NotRequired[dict[str, _Accuracy] | None]


class _Figures(TypedDict):
    """What of the figures of a learned theory is used."""

    dataset: str
    seconds: float
    test: _Judged


def _learned(dataset: Dataset, name: str, task: str | None, folder: Path) -> _Figures:
    """The figures of a learner on a task. They are kept with the theory, so that it is learned once."""
    file, manifest = folder / f"{task or 'all'}.json", sha256(dataset.path / "manifest.json")
    # What is damaged, or was learned from another dataset, is learned again.
    with suppress(DatasetError):
        kept: _Figures = read_json(file, _Figures)
        if kept["dataset"] == manifest:
            return kept
    fitted = fit(dataset, name, task=task, timeout=LEARNING_SECONDS)
    if fitted.test is None:
        raise HornbeamError(f"{name} found nothing that can be judged: {fitted.status}, {fitted.message}")
    folder.mkdir(parents=True, exist_ok=True)
    stored = as_text({**fitted.to_json(), "dataset": manifest}).encode()
    write_atomic(file.with_suffix(".pl"), f"{str(fitted.theory).rstrip()}\n".encode())
    write_atomic(file, stored)
    figures: _Figures = from_json(stored, _Figures, file=str(file))
    return figures
