"""Figures of papers, from curricula/published/FAMILY.json, with where each comes from."""

from __future__ import annotations

from hornbeam import resources
from hornbeam.reproductions.results import Result, cell_of


def results(family: str) -> list[Result]:
    """What others measured, in the order of the file; of a mean with its deviation, the mean.

    >>> [result.name for result in results("graphlog")][:2]
    ['gat-egat', 'param-egat']
    """
    published = resources.published(family)
    return [
        Result(entry["name"], {cell_of(group): (_mean(value),) for group, value in entry["accuracy"].items()},
               source=entry.get("source") or published["source"])
        for entry in published["results"]
    ]  # fmt: skip


def _mean(value: float | list[float]) -> float:
    return float(value[0] if isinstance(value, list) else value)
