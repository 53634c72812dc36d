"""Results over seeds: a summary of each split, and plots as in figures 2 to 6 of the KANDY paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbeam.neural.metrics import METRICS, Outcome, curve
from hornbeam.report import plots
from hornbeam.report.plots import HeatMap, Lines, Values
from hornbeam.report.tables import deviation, mean

if TYPE_CHECKING:
    from hornbeam.neural.experiment import Trained

_LOW = 0.4  # where the paper's scale of colours begins


def summary_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """For each split the mean and deviation of every figure over the runs, and the mean accuracy of each task."""
    splits = list(dict.fromkeys(split for outcome in outcomes for split in outcome.splits()))
    return {split: _split_summary(outcomes, split) for split in splits}


def _split_summary(outcomes: Sequence[Outcome], split: str) -> dict[str, Any]:
    every = [outcome.figures(split) for outcome in outcomes]
    names = [name for name in METRICS if all(name in figures for figures in every)]
    summary: dict[str, Any] = {name: _over([figures[name] for figures in every]) for name in names}
    if all("definitions" in figures for figures in every):
        summary["definitions"] = {
            kind: {name: _over([figures["definitions"][kind][name] for figures in every]) for name in METRICS}
            for kind in every[0]["definitions"]
        }
    finals = [outcome.final(split) for outcome in outcomes]
    summary["tasks"] = {task: _over([final[task] for final in finals]) for task in finals[0]}
    return summary


def _over(values: Sequence[float]) -> dict[str, float]:
    return {"mean": mean(values), "std": deviation(values)}


# Plots ----------------------------------------------------------------------------------------------------------------


def draw(folder: Path, experiments: Sequence[Trained], suffix: str = ".svg") -> list[Path]:
    """Draw what these experiments have figures for; returns the files."""
    figures = {"tasks": plots.heat_maps(_by_task(experiments))}
    continual = [one for one in experiments if all(outcome.matrix() is not None for outcome in one.outcomes)]
    if continual:
        # The average accuracy after each task, a panel a setting; then a row a setting, with the paper's `pairs`.
        transfer = ("forgetting", "backward_transfer", "forward_transfer")
        settings = _settings(continual)
        figures["accuracy"] = plots.lines([[_panel(continual, one, "average_accuracy") for one in settings]])
        figures["transfer"] = plots.lines([[_panel(continual, one, name) for name in transfer] for one in settings])
    files = {name: folder / f"{name}{suffix}" for name in figures}
    for name, figure in figures.items():
        plots.save(figure, files[name])
    return list(files.values())


def _by_task(experiments: Sequence[Trained]) -> list[HeatMap]:
    """The mean test accuracy on whatever was judged by itself (tasks, or groups such as k=4 b=2), a panel a setting.

    The scale of colours begins at the paper's 0.4, or at the tenth below the lowest value; every value is written.
    """
    low = min([_LOW, *(value for one in experiments for run in one.outcomes for value in run.final().values())])
    panels = []
    for setting in _settings(experiments):
        chosen = [one for one in experiments if one.setting == setting]
        names = _judged(chosen)
        finals = [[outcome.final() for outcome in one.outcomes] for one in chosen]
        rows = [np.mean([[run.get(name, math.nan) for name in names] for run in runs], axis=0) for runs in finals]
        across = "task" if set(names) <= set(chosen[0].dataset.tasks) else "group of test samples"
        models = [one.model for one in chosen]
        panels.append(HeatMap(setting, models, names, np.array(rows), across, low=math.floor(10 * low) / 10))
    return panels


def _judged(experiments: Sequence[Trained]) -> list[str]:
    """What has an accuracy of its own: tasks in the dataset's order, then groups in the order of judging."""
    names = dict.fromkeys(name for one in experiments for outcome in one.outcomes for name in outcome.final())
    tasks = [task for task in experiments[0].dataset.tasks if task in names]
    return list(dict.fromkeys([*tasks, *names]))


def _panel(experiments: Sequence[Trained], setting: str, metric: str) -> Lines:
    """A metric after each task; the tasks are named where all runs learned them in one order."""
    chosen = [one for one in experiments if one.setting == setting]
    orders = {outcome.learned for one in chosen for outcome in one.outcomes}
    names = [task for tasks in orders.pop() for task in tasks] if len(orders) == 1 else []
    series = {one.model: np.array([_curve(outcome, metric) for outcome in one.outcomes]) for one in chosen}
    across = "last task learned" if names else "number of the task learned last, from 0"
    return Lines(setting, series, across, metric.replace("_", " "), names=names)


def _settings(experiments: Sequence[Trained]) -> list[str]:
    return list(dict.fromkeys(one.setting for one in experiments))


def _curve(outcome: Outcome, metric: str) -> Values:
    matrix = outcome.matrix()
    assert matrix is not None
    return curve(matrix, metric, "pairs")
