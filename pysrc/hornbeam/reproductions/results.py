"""Accuracies by group, of models and learners here and in papers: as a table, as CSV, as a plot."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam import resources
from hornbeam.report import plots
from hornbeam.report.plots import HeatMap, Lines
from hornbeam.report.tables import deviation, mean, mean_cell

Cell = tuple[str, str]  # a block of the table ("b=2", or "" where there is only one), and a column ("k=3", a world)
MEAN = "mean"


@dataclass(frozen=True)
class Result:
    """One row: what a model or learner reached in each cell, over its seeds."""

    name: str
    accuracy: Mapping[Cell, Sequence[float]]
    source: str = ""  # where others measured it; "" for what was measured here

    @property
    def label(self) -> str:
        return f"{self.name} (elsewhere)" if self.source else self.name


def cell_of(group: str) -> Cell:
    """The cell of a group of test samples. Without noise is the usual case and not told.

    >>> cell_of("k=3 b=2"), cell_of("k=3 noise=none"), cell_of("rule_4")
    (('b=2', 'k=3'), ('', 'k=3'), ('', 'rule_4'))
    """
    parts = [part for part in group.replace(",", " ").split() if part != "noise=none"]
    columns = [part for part in parts if part.startswith("k=")] or parts
    return " ".join(part for part in parts if part not in columns), " ".join(columns)


@dataclass(frozen=True)
class Results:
    """Rows that are compared with each other, ours first."""

    rows: Sequence[Result]

    @property
    def blocks(self) -> list[str]:
        return sorted({block for row in self._ours for block, _ in row.accuracy})

    @property
    def columns(self) -> list[str]:
        """Groups in order, k by value, the mean last."""
        columns = {column for row in self._ours for _, column in row.accuracy}
        return sorted(columns, key=lambda name: (name == MEAN, _number(name), name))

    @property
    def _ours(self) -> list[Result]:
        return [row for row in self.rows if not row.source]

    def header(self) -> list[str]:
        return ["model", *([] if self.blocks == [""] else ["block"]), *self.columns]

    def table(self) -> list[list[str]]:
        """Mean and, of several seeds, deviation; a dash if there is no measurement."""
        lines = []
        for block in self.blocks:
            for row in self._in(block):
                cells = [_text(row.accuracy.get((block, column), ())) for column in self.columns]
                lines.append([row.label, *([] if self.blocks == [""] else [block]), *cells])
        return lines

    def _in(self, block: str) -> list[Result]:
        return [row for row in self.rows if any(known == block for known, _ in row.accuracy)]

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {
                "name": row.name,
                "source": row.source or None,
                "block": block,
                "group": column,
                "mean": mean(values),
                "std": deviation(values),
                "seeds": list(values),
            }
            for row in self.rows
            for (block, column), values in row.accuracy.items()
        ]

    def csv(self) -> str:
        """A line for each row and cell."""
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(["name", "source", "block", "group", "mean", "std", "seeds"])
        for one in self.to_json():
            figures = (f"{one['mean']:.4f}", f"{one['std']:.4f}", len(one["seeds"]))
            out.writerow([one["name"], one["source"] or "here", one["block"], one["group"], *figures])
        return text.getvalue()

    def draw(self, path: Path, title: str) -> None:
        """Lines over k, a panel a block; of worlds a heat map."""
        if all(column.startswith("k=") or column == MEAN for column in self.columns):
            plots.save(plots.lines([[self._panel(block, title) for block in self.blocks]]), path)
            return
        rows = self._in(self.blocks[0])
        values = [[_mean(row.accuracy.get((self.blocks[0], name), ())) for name in self.columns] for row in rows]
        heat = HeatMap(title, [row.label for row in rows], self.columns, np.array(values))
        plots.save(plots.heat_maps([heat]), path)

    def _panel(self, block: str, title: str) -> Lines:
        columns = [column for column in self.columns if column != MEAN]
        series = {}
        for row in self._in(block):
            seeds = max(len(values) for values in row.accuracy.values())
            cells = [row.accuracy.get((block, column), (float("nan"),) * seeds) for column in columns]
            series[row.label] = np.array(cells, dtype=np.float64).T
        moments = [_number(column) for column in columns]
        name = f"{title}, {block}" if block else title
        return Lines(name, series, "k: relations on a path", "accuracy", moments, (self._lowest(), 1.01))

    def _lowest(self) -> float:
        """Where the scale of all panels begins: the tenth below what is drawn."""
        shown = [value for row in self.rows for values in row.accuracy.values() for value in values]
        return max(0.0, math.floor(10 * min(shown, default=0.0) - 0.2) / 10)


def with_mean(accuracy: Mapping[Cell, Sequence[float]]) -> dict[Cell, Sequence[float]]:
    """With the mean over the columns of each block, seed by seed."""
    extended = dict(accuracy)
    for block in dict.fromkeys(block for block, _ in accuracy):
        columns = [values for (known, _), values in accuracy.items() if known == block]
        extended[block, MEAN] = tuple(float(value) for value in np.mean(np.array(columns), axis=0))
    return extended


def published(family: str) -> list[Result]:
    """What others measured, from curricula/published/FAMILY.json in its order; of a mean with its deviation, the mean.

    >>> [result.name for result in published("graphlog")][:2]
    ['gat-egat', 'param-egat']
    """
    paper = resources.published(family)
    return [
        Result(entry["name"], {cell_of(group): (_first(value),) for group, value in entry["accuracy"].items()},
               source=entry.get("source") or paper["source"])
        for entry in paper["results"]
    ]  # fmt: skip


def _first(value: float | list[float]) -> float:
    return float(value[0] if isinstance(value, list) else value)


def _number(column: str) -> int:
    text = column.partition("=")[2] or column.rpartition("_")[2]
    return int(text) if text.isdigit() else 0


def _mean(values: Sequence[float]) -> float:
    return mean(values) if values else float("nan")


def _text(values: Sequence[float]) -> str:
    if not values:
        return "–"
    return mean_cell(values) if len(values) > 1 else f"{values[0]:.2f}"
