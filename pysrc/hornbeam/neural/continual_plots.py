"""Accuracy by task or group of test samples, and over time, as in figures 2 to 6 of the KANDY paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hornbeam.neural.experiment import Trained
from hornbeam.neural.metrics import Outcome, curve
from hornbeam.neural.plots import Heat, Lines, Values, heat, lines

TIME = "last task learned"
COUNT = "number of the task learned last, from 0"
_LOW = 0.4  # where the paper's scale of colours begins


def draw(folder: Path, experiments: Sequence[Trained], suffix: str = ".svg") -> list[Path]:
    """Draw what these experiments have figures for; gives the files."""
    made = [folder / f"tasks{suffix}"]
    heat(made[0], by_task(experiments))
    continual = [one for one in experiments if all(outcome.matrix() is not None for outcome in one.outcomes)]
    if continual:
        made += [folder / f"accuracy{suffix}", folder / f"transfer{suffix}"]
        lines(made[1], [over_time(continual)])
        lines(made[2], transfer(continual))
    return made


def by_task(experiments: Sequence[Trained]) -> list[Heat]:
    """The mean test accuracy on whatever was judged by itself (tasks, or groups such as k=4 b=2), a panel a setting.

    The scale of colours begins at the paper's 0.4, or at the tenth below the lowest value; every value is written.
    """
    low = min([_LOW, *(value for one in experiments for run in one.outcomes for value in run.final().values())])
    panels = []
    for setting in _settings(experiments):
        chosen = [one for one in experiments if one.setting == setting]
        names = judged(chosen)
        rows = [np.mean([_final(outcome, names) for outcome in one.outcomes], axis=0) for one in chosen]
        across = "task" if set(names) <= set(chosen[0].dataset.tasks) else "group of test samples"
        models = [one.model for one in chosen]
        panels.append(Heat(setting, models, names, np.array(rows), across, low=math.floor(10 * low) / 10))
    return panels


def judged(experiments: Sequence[Trained]) -> list[str]:
    """What has an accuracy of its own: tasks in the dataset's order, then groups in the order of judging."""
    names = dict.fromkeys(name for one in experiments for outcome in one.outcomes for name in outcome.final())
    tasks = [task for task in experiments[0].dataset.tasks if task in names]
    return list(dict.fromkeys([*tasks, *names]))


def over_time(experiments: Sequence[Trained]) -> list[Lines]:
    """The average accuracy after each task, a panel a setting."""
    return [_panel(experiments, setting, "average_accuracy") for setting in _settings(experiments)]


def transfer(experiments: Sequence[Trained]) -> list[list[Lines]]:
    """Forgetting, backward and forward transfer after each task, a row of panels a setting; the paper's `pairs`."""
    metrics = ("forgetting", "backward_transfer", "forward_transfer")
    return [[_panel(experiments, setting, name) for name in metrics] for setting in _settings(experiments)]


def _panel(experiments: Sequence[Trained], setting: str, metric: str) -> Lines:
    """A metric after each task; the tasks are named where all runs learned them in one order."""
    orders = {outcome.learned for one in experiments if one.setting == setting for outcome in one.outcomes}
    names = [task for tasks in orders.pop() for task in tasks] if len(orders) == 1 else []
    series = _series(experiments, setting, metric)
    return Lines(setting, series, TIME if names else COUNT, metric.replace("_", " "), names=names)


def _settings(experiments: Sequence[Trained]) -> list[str]:
    return list(dict.fromkeys(one.setting for one in experiments))


def _series(experiments: Sequence[Trained], setting: str, metric: str) -> dict[str, Values]:
    return {
        one.model: np.array([_curve(outcome, metric) for outcome in one.outcomes])
        for one in experiments
        if one.setting == setting
    }


def _curve(outcome: Outcome, metric: str) -> Values:
    matrix = outcome.matrix()
    assert matrix is not None
    return curve(matrix, metric, "pairs")


def _final(outcome: Outcome, tasks: Sequence[str]) -> list[float]:
    final = outcome.final()
    return [final.get(task, float("nan")) for task in tasks]
