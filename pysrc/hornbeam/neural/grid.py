"""Grid search: every combination of the values, each an experiment, the best by validation accuracy.

The test split plays no part in the choice.

>>> combinations({"lr": [0.1, 0.01], "batch": [1]})
[{'lr': 0.1, 'batch': 1}, {'lr': 0.01, 'batch': 1}]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hornbeam.config import setting_value
from hornbeam.errors import UsageError
from hornbeam.neural.experiment import Trained
from hornbeam.report.tables import mean, mean_cell


@dataclass(frozen=True)
class Tried:
    """One combination and what came of it."""

    values: Mapping[str, Any]
    trained: Trained

    @property
    def valid(self) -> float:
        return mean([outcome.mean("valid") for outcome in self.trained.outcomes])

    def to_json(self) -> dict[str, Any]:
        """Its options and figures."""
        return {"values": dict(self.values), "valid": self.valid, "test": self.trained.accuracy,
                "folder": str(self.trained.path)}  # fmt: skip

    def row(self) -> list[str]:
        """Its line of the table."""
        outcomes = self.trained.outcomes
        options = ", ".join(f"{key}={value}" for key, value in self.values.items())
        return [options, mean_cell([outcome.mean("valid") for outcome in outcomes], 3),
                mean_cell([outcome.mean("test") for outcome in outcomes], 3)]  # fmt: skip


def combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Every choice of one value an option."""
    if not grid or any(not values for values in grid.values()):
        raise UsageError("a grid needs at least one option with values: a preset's `grid`, or --grid lr=0.1,0.01")
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def folder_name(values: Mapping[str, Any]) -> str:
    """A folder's name for a combination."""
    return ",".join(f"{key}={value}" for key, value in values.items())


def search(
    grid: Mapping[str, Sequence[Any]], out: Path, train: Callable[[dict[str, str], Path], Trained]
) -> list[Tried]:
    """Try every combination (`train` gets it as overrides, with a folder for it); the best first."""
    tried = []
    for values in combinations(grid):
        overrides = {key: yaml.safe_dump(value, default_flow_style=True) for key, value in values.items()}
        tried.append(Tried(values, train(overrides, out / folder_name(values))))
    return sorted(tried, key=lambda one: -one.valid)


def values_of(given: Mapping[str, str]) -> dict[str, list[Any]]:
    """Values to search as the command gives them: comma-separated YAML.

    >>> values_of({"lr": "0.1,0.01", "optimizer": "sgd"})
    {'lr': [0.1, 0.01], 'optimizer': ['sgd']}
    """
    return {key: [setting_value(key, part, "--try") for part in text.split(",")] for key, text in given.items()}
