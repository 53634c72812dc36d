"""Figures of papers, from curricula/neural/FAMILY/published.json, with where each comes from."""

from __future__ import annotations

import json
from typing import Any

from hornbeam import resources
from hornbeam.reproductions.results import Result, cell_of


def results(family: str) -> list[Result]:
    """What others measured, in the order of the file.

    >>> [result.name for result in results("graphlog")][:2]
    ['gat-egat', 'param-egat']
    """
    file = resources.curricula("neural", family, "published.json")
    entries: list[Any] = json.loads(file.read_text(encoding="utf-8"))["results"]
    return [
        Result(
            entry["name"],
            {cell_of(group): (float(value),) for group, value in entry["accuracy"].items()},
            source=entry["source"],
        )
        for entry in entries
    ]
