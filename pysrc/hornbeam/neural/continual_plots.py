"""The plots of the KANDY paper: accuracy over time (figure 2), by task (3, 5), forgetting and transfer (4, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hornbeam.neural.experiment import Trained
from hornbeam.neural.metrics import curve
from hornbeam.neural.outcome import Outcome
from hornbeam.neural.plots import Heat, Lines, Values, heat, lines

TIME = "last task learned"


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
    """The mean test accuracy on each task, a panel a setting; what is below 0.4 is left out, as in the paper."""
    panels = []
    for setting in _settings(experiments):
        chosen = [one for one in experiments if one.setting == setting]
        tasks = chosen[0].dataset.tasks
        rows = [np.mean([_final(outcome, tasks) for outcome in one.outcomes], axis=0) for one in chosen]
        values = np.where(np.array(rows) < 0.4, np.nan, rows)
        names = [str(number) for number in range(len(tasks))]
        panels.append(Heat(setting, [one.model for one in chosen], names, values, across="task"))
    return panels


def over_time(experiments: Sequence[Trained]) -> list[Lines]:
    """The average accuracy after each task, a panel a setting."""
    return [
        Lines(setting, _series(experiments, setting, "average_accuracy"), TIME, "average accuracy")
        for setting in _settings(experiments)
    ]


def transfer(experiments: Sequence[Trained]) -> list[list[Lines]]:
    """Forgetting, backward and forward transfer after each task, a row of panels a setting; the paper's `pairs`."""
    metrics = ("forgetting", "backward_transfer", "forward_transfer")
    return [
        [Lines(setting, _series(experiments, setting, name), TIME, name.replace("_", " ")) for name in metrics]
        for setting in _settings(experiments)
    ]


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
