"""CLUTRR, STaR and GraphLog again: graph models and the learner `algebra` on the same rows, beside other figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import write_atomic
from hornbeam.errors import UsageError, unknown_name
from hornbeam.neural.experiment import Trained
from hornbeam.neural.graph.domain import Graphs
from hornbeam.reproductions import published, symbolic
from hornbeam.reproductions.reproduction import Case, Comparison, Plan, Reproduction, train_all
from hornbeam.reproductions.results import Cell, Result, Results, cell_of, with_mean

SETTING = "supervised"
LEARNING_SECONDS = 300.0


class Relational(Reproduction):
    """One family: its data, its models, `algebra`, and what was published."""

    title: ClassVar[str]
    preset: ClassVar[str]
    data: ClassVar[Mapping[str, str]]  # changes of the preset
    models: ClassVar[tuple[str, ...]]

    def run(self, plan: Plan) -> Comparison:
        import hornbeam

        _check(plan)
        out = plan.out / "data"
        dataset = hornbeam.generate(self.name, self.preset, out=out, seed=plan.data_seed, overrides=self.data)
        algebra, seconds = self._algebra(plan, dataset)
        models = plan.models or self.models
        trained = train_all(plan, dataset, [Case(model, SETTING, model) for model in models])
        rows = [_result(one) for one in trained]
        notes = [
            f"Here: one dataset, models from {plan.seeds} seed{'s' if plan.seeds > 1 else ''} by preset {plan.preset}; "
            f"{symbolic.ALGEBRA} learned for {seconds:.1f} CPU s.",
            *self._sources(),
        ]
        results = Results([*rows, algebra, *published.results(self.name)])
        return self._compared(plan, results, trained, notes)

    def _algebra(self, plan: Plan, dataset: Dataset) -> tuple[Result, float]:
        found: dict[Cell, Sequence[float]] = {}
        total = 0.0
        for task in dataset.family.learning_tasks(dataset):
            accuracy, seconds = symbolic.accuracies(dataset, task, plan.out / symbolic.ALGEBRA, LEARNING_SECONDS)
            found.update({cell: (value,) for cell, value in accuracy.items()})
            total += seconds
        return Result(symbolic.ALGEBRA, with_mean(found)), total

    def _sources(self) -> list[str]:
        """Each source once, with the rows that come from it."""
        named: dict[str, list[str]] = {}
        for result in published.results(self.name):
            named.setdefault(result.source, []).append(result.name)
        return [f"{', '.join(names)}: {source}." for source, names in named.items()]

    def _compared(self, plan: Plan, results: Results, trained: Sequence[Trained], notes: Sequence[str]) -> Comparison:
        plot = plan.out / "plots" / f"{self.name}.svg"
        results.draw(plot, self.title)
        write_atomic(plan.out / "comparison.csv", results.csv().encode())
        figures = {
            "rows": results.to_json(),
            "seeds": plan.seeds,
            "options": {one.model: one.options.model_dump() for one in trained},
        }
        title = f"{self.title}: accuracy on test"
        comparison = Comparison(title, results.header(), results.table(), figures, notes, (plot,))
        comparison.save(plan.out)
        return comparison


class Clutrr(Relational):
    """Systematic generalisation, the paper's figure 5 and what later papers made of it."""

    name: ClassVar[str] = "clutrr"
    about: ClassVar[str] = "CLUTRR: trained on k 2-3, tested on k 2-10; graph models and algebra beside other papers'"
    title: ClassVar[str] = "CLUTRR, trained on k 2-3"
    preset: ClassVar[str] = "generalization-k23"
    data: ClassVar[Mapping[str, str]] = {}
    models: ClassVar[tuple[str, ...]] = ("epignn", "gat")


class Star(Relational):
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


class GraphLog(Relational):
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


def _check(plan: Plan) -> None:
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
