"""The figures of training runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.neural.run_reading import StoredRun, figure_text


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of several runs, as text, and for two the difference of the means; None where one has no such figure."""

    split: str
    name: str
    figures: tuple[str, ...]
    difference: float | None


def figure_rows(runs: Sequence[StoredRun]) -> list[FigureRow]:
    """All figures that one of the runs has, those of splits in their order."""
    rows = []
    for split in dict.fromkeys(split for run in runs for split in run.summary["metrics"]):
        every = [run.figures(split) for run in runs]
        for name in dict.fromkeys(name for figures in every for name in figures):
            row = [figures.get(name) for figures in every]
            means = [figure["mean"] for figure in row if figure is not None]
            difference = means[1] - means[0] if len(means) == len(runs) == 2 else None
            rows.append(FigureRow(split, name, tuple(figure_text(figure, 4) for figure in row), difference))
    return rows
