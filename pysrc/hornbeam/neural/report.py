"""Figures over seeds: mean and deviation, and tables in the form of the papers.

The deviation is the sample's (n - 1 in the denominator), and 0 for one seed.

>>> cell([0.60, 0.64, 0.62])
'0.62 ± 0.02'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.neural.metrics import METRICS, Outcome


def mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def deviation(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def cell(values: Sequence[float], digits: int = 2) -> str:
    """A table's cell."""
    return f"{mean(values):.{digits}f} ± {deviation(values):.{digits}f}"


def summary_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """For each split the mean and deviation of every figure over the runs, and the mean accuracy of each task."""
    splits = list(dict.fromkeys(split for outcome in outcomes for split in outcome.splits()))
    return {split: _split_summary(outcomes, split) for split in splits}


def _split_summary(outcomes: Sequence[Outcome], split: str) -> dict[str, Any]:
    every = [outcome.figures(split) for outcome in outcomes]
    names = [name for name in METRICS if all(name in figures for figures in every)]
    found: dict[str, Any] = {name: _over([figures[name] for figures in every]) for name in names}
    if all("definitions" in figures for figures in every):
        found["definitions"] = {
            kind: {name: _over([figures["definitions"][kind][name] for figures in every]) for name in METRICS}
            for kind in every[0]["definitions"]
        }
    finals = [outcome.final(split) for outcome in outcomes]
    found["tasks"] = {task: _over([final[task] for final in finals]) for task in finals[0]}
    return found


def _over(values: Sequence[float]) -> dict[str, float]:
    return {"mean": mean(values), "std": deviation(values)}


def table(
    cells: Mapping[tuple[str, str], Sequence[float]], *, rows: Sequence[str], columns: Sequence[str]
) -> list[list[str]]:
    """Rows of mean ± deviation by row and column name, a dash where nothing was measured."""
    return [[row, *(cell(cells[row, column]) if (row, column) in cells else "–" for column in columns)] for row in rows]


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as Markdown, aligned to be read as text.

    >>> print(markdown(["model", "joint"], [["mlp", "0.61"]]))
    | model | joint |
    |-------|-------|
    | mlp   | 0.61  |
    """
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    padded = [[part.ljust(width) for part, width in zip(line, widths, strict=True)] for line in lines]
    texts = [f"| {' | '.join(line)} |" for line in padded]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([texts[0], rule, *texts[1:]])
