"""The worlds of a dataset on disk: their theories and figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.errors import DatasetError
from hornbeam.graphlog.statistics import WorldFigures
from hornbeam.graphlog.world import World


@dataclass(frozen=True, slots=True)
class Known:
    """A world of a dataset."""

    world: World
    figures: WorldFigures
    confluence: Mapping[str, Any]


def worlds(dataset: Dataset) -> dict[str, Known]:
    """The worlds of a dataset by name, in its order."""
    return {task: known(dataset, task) for task in dataset.tasks}


def known(dataset: Dataset, task: str) -> Known:
    """One world of a dataset."""
    path = dataset.file(f"worlds/{task}.json")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return Known(World.from_json(value["theory"]), WorldFigures(**value["figures"]), value["confluence"])
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"not the file of a world ({type(error).__name__}: {error})", file=str(path)) from None
