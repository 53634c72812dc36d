"""CLUTRR, STaR and GraphLog again: graph models and the learner `algebra` on the same rows, beside other figures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256, write_atomic
from hornbeam.errors import HornbeamError, UsageError, unknown_name
from hornbeam.ilp import fit
from hornbeam.neural.experiment import Trained
from hornbeam.neural.graph.domain import Graphs
from hornbeam.neural.runs import as_text
from hornbeam.reproductions import published
from hornbeam.reproductions.reproduction import PaperComparison, Reproduction, ReproductionPlan, TrainingCase, train_all
from hornbeam.reproductions.results import Cell, Result, Results, cell_of, with_mean

ALGEBRA = "algebra"


def accuracies(dataset: Dataset, task: str | None, folder: Path, timeout: float) -> tuple[dict[Cell, float], float]:
    """Test accuracy by group, or of a world as a whole; and the CPU seconds of learning."""
    figures = _kept(folder / f"{task or 'all'}.json", sha256(dataset.path / "manifest.json"))
    if figures is None:
        figures = _learned(dataset, task, folder, timeout)
    test: Mapping[str, Any] = figures["test"]
    if task is not None:
        return {cell_of(task): test["accuracy"]}, figures["seconds"]
    groups = {cell_of(group): found["accuracy"] for group, found in test["by_group"].items()}
    return groups, figures["seconds"]


def _kept(file: Path, manifest: str) -> dict[str, Any] | None:
    if not file.is_file():
        return None
    figures: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return figures if figures.pop("dataset") == manifest else None


def _learned(dataset: Dataset, task: str | None, folder: Path, timeout: float) -> dict[str, Any]:
    found = fit(dataset, ALGEBRA, task=task, timeout=timeout)
    figures: dict[str, Any] = found.to_json()
    if found.test is None:
        raise HornbeamError(f"{ALGEBRA} found nothing that can be judged: {found.status}, {found.message}")
    folder.mkdir(parents=True, exist_ok=True)
    name = task or "all"
    write_atomic(folder / f"{name}.pl", f"{str(found.theory).rstrip()}\n".encode())
    kept = {**figures, "dataset": sha256(dataset.path / "manifest.json")}
    write_atomic(folder / f"{name}.json", as_text(kept).encode())
    return figures


SETTING = "supervised"
LEARNING_SECONDS = 300.0


class Relational(Reproduction):
    """One family: its data, its models, `algebra`, and what was published."""

    title: ClassVar[str]
    preset: ClassVar[str]
    data: ClassVar[Mapping[str, str]]  # changes of the preset
    models: ClassVar[tuple[str, ...]]

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        import hornbeam

        _check(plan)
        out = plan.out / "data"
        dataset = hornbeam.generate(self.name, self.preset, out=out, seed=plan.data_seed, overrides=self.data)
        algebra, seconds = self._algebra(plan, dataset)
        models = plan.models or self.models
        trained = train_all(plan, dataset, [TrainingCase(model, SETTING, model) for model in models])
        rows = [_result(one) for one in trained]
        notes = [
            f"Here: one dataset, models from {plan.seeds} seed{'s' if plan.seeds > 1 else ''} by preset {plan.preset}; "
            f"{ALGEBRA} learned for {seconds:.1f} CPU s.",
            *self._sources(),
        ]
        results = Results([*rows, algebra, *published.results(self.name)])
        return self._compared(plan, results, trained, notes)

    def _algebra(self, plan: ReproductionPlan, dataset: Dataset) -> tuple[Result, float]:
        found: dict[Cell, Sequence[float]] = {}
        total = 0.0
        for task in dataset.family.learning_tasks(dataset):
            accuracy, seconds = accuracies(dataset, task, plan.out / ALGEBRA, LEARNING_SECONDS)
            found.update({cell: (value,) for cell, value in accuracy.items()})
            total += seconds
        return Result(ALGEBRA, with_mean(found)), total

    def _sources(self) -> list[str]:
        """Each source once, with the rows that come from it."""
        named: dict[str, list[str]] = {}
        for result in published.results(self.name):
            named.setdefault(result.source, []).append(result.name)
        return [f"{', '.join(names)}: {source}." for source, names in named.items()]

    def _compared(
        self, plan: ReproductionPlan, results: Results, trained: Sequence[Trained], notes: Sequence[str]
    ) -> PaperComparison:
        plot = plan.out / "plots" / f"{self.name}.svg"
        results.draw(plot, self.title)
        write_atomic(plan.out / "comparison.csv", results.csv().encode())
        figures = {
            "rows": results.to_json(),
            "seeds": plan.seeds,
            "options": {one.model: one.options.model_dump() for one in trained},
        }
        title = f"{self.title}: accuracy on test"
        comparison = PaperComparison(title, results.header(), results.table(), figures, notes, (plot,))
        comparison.save(plan.out)
        return comparison


class ClutrrReproduction(Relational):
    """Systematic generalisation, the paper's figure 5 and what later papers made of it."""

    name: ClassVar[str] = "clutrr"
    about: ClassVar[str] = "CLUTRR: trained on k 2-3, tested on k 2-10; graph models and algebra beside other papers'"
    title: ClassVar[str] = "CLUTRR, trained on k 2-3"
    preset: ClassVar[str] = "generalization-k23"
    data: ClassVar[Mapping[str, str]] = {}
    models: ClassVar[tuple[str, ...]] = ("epignn", "gat")


class StarReproduction(Relational):
    """RCC-8 as published, but trained on paths of two and three edges only."""

    name: ClassVar[str] = "star"
    about: ClassVar[str] = "STaR RCC-8: trained on k 2-3 and b 1-3, tested up to k 9; graph models and algebra"
    title: ClassVar[str] = "STaR RCC-8, trained on k 2-3"
    preset: ClassVar[str] = "rcc8-compat"
    data: ClassVar[Mapping[str, str]] = {
        "train.cells": "[{k: [2, 3], b: [1, 2, 3], rows: 800}]",
        "test.cells": "[{k: [2, 3, 4, 5, 6, 7, 8, 9], b: [1, 2, 3], rows: 100}]",
    }
    models: ClassVar[tuple[str, ...]] = ("epignn",)


class GraphlogReproduction(Relational):
    """Three worlds, a model for each, as in the paper's supervised setting."""

    name: ClassVar[str] = "graphlog"
    about: ClassVar[str] = "GraphLog: the six models and algebra on three worlds, beside the paper's means"
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


def _result(trained: Trained) -> Result:
    finals = [outcome.final("test") for outcome in trained.outcomes]
    cells: dict[Cell, Sequence[float]] = {
        cell_of(group): tuple(final[group] for final in finals) for group in finals[0]
    }
    return Result(trained.model, with_mean(cells))
