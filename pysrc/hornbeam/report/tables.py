"""Tables as text: Markdown, and cells with mean and deviation. HTML tables are in page.py, a terminal's in terminal.py.

The deviation is the sample's (n - 1 in the denominator), and 0 for one value.

>>> mean_cell([0.60, 0.64, 0.62])
'0.62 ± 0.02'
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def deviation(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def mean_cell(values: Sequence[float], digits: int = 2) -> str:
    """Mean and deviation."""
    return f"{mean(values):.{digits}f} ± {deviation(values):.{digits}f}"


def number_cell(value: float | None, digits: int = 4) -> str:
    """A number, or nothing if there is none."""
    return "" if value is None else f"{value:.{digits}f}"


def without_empty_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """The table without columns that are empty in every row."""
    kept = [number for number in range(len(header)) if any(row[number] for row in rows)]
    return [header[number] for number in kept], [[row[number] for number in kept] for row in rows]


def plain_cell(text: str) -> str:
    """Text on one line, without what ends a cell of Markdown."""
    return " ".join(str(text).split()).replace("|", "\\|")


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as Markdown, aligned to be read as text.

    >>> print(markdown(["model", "joint"], [["mlp", "0.61"]]))
    | model | joint |
    |-------|-------|
    | mlp   | 0.61  |
    """
    lines = [[plain_cell(cell) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    padded = [[part.ljust(width) for part, width in zip(line, widths, strict=True)] for line in lines]
    texts = [f"| {' | '.join(line)} |" for line in padded]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([texts[0], rule, *texts[1:]])
