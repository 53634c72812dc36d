"""Plots in the manner of the papers: lines with a band over seeds, heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.report import figures

Values = npt.NDArray[np.float64]
_SHORT = 3  # letters that fit side by side below their columns


@dataclass(frozen=True)
class Lines:
    """A panel of lines: for each label the values, (seeds, moments); the line is the mean, the band the deviation."""

    title: str
    series: Mapping[str, Values]
    across: str  # what the x axis is
    up: str  # what the y axis is
    moments: Sequence[float] | None = None  # 0, 1, ... if none are given
    limits: tuple[float, float] | None = None
    names: Sequence[str] = ()  # of the moments, in place of their numbers


@dataclass(frozen=True)
class Heat:
    """A panel of coloured cells; one that is not a number was not measured, and has a dash."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Values
    across: str = ""
    low: float = 0.0
    high: float = 1.0


def lines(path: Path, panels: Sequence[Sequence[Lines]]) -> None:
    """Draw panels, row by row; one legend for all."""
    columns = max(map(len, panels))
    names = [name for across in panels for panel in across for name in panel.names]
    figure = figures.new(3.6 * columns, (2.7 + _room(names)) * len(panels) + 0.5)
    axes = figure.subplots(len(panels), columns, squeeze=False)
    labels: dict[str, Any] = {}
    for row, across in zip(axes, panels, strict=True):
        for axis, panel in zip(row, across, strict=False):
            for label, handle in _draw_lines(axis, panel):
                labels.setdefault(label, handle)
    abreast = max(1, min(len(labels), 2 * columns))
    figure.set_figheight(figure.get_figheight() + 0.18 * (len(labels) // abreast))
    figure.legend(
        list(labels.values()), list(labels),
        loc="outside lower center", ncols=abreast, frameon=False, fontsize=8,
    )  # fmt: skip
    figures.save(figure, path)


def _draw_lines(axis: Any, panel: Lines) -> list[tuple[str, Any]]:
    drawn = []
    for number, (label, values) in enumerate(panel.series.items()):
        middle = values.mean(axis=0)
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros_like(middle)
        moments = np.arange(len(middle)) if panel.moments is None else np.asarray(panel.moments)
        (handle,) = axis.plot(moments, middle, marker="osD^vPX*"[number % 8], markersize=3, linewidth=1.3)
        axis.fill_between(moments, middle - spread, middle + spread, alpha=0.18, color=handle.get_color(), linewidth=0)
        drawn.append((label, handle))
    axis.set_title(panel.title, fontsize=9)
    axis.set_xlabel(panel.across, fontsize=8)
    axis.set_ylabel(panel.up, fontsize=8)
    axis.tick_params(labelsize=7)
    if panel.names:
        axis.set_xticks(range(len(panel.names)), panel.names, **_tilt(panel.names))
    else:
        axis.xaxis.get_major_locator().set_params(integer=True)
    axis.grid(alpha=0.25, linewidth=0.5)
    if panel.limits is not None:
        axis.set_ylim(*panel.limits)
    return drawn


def heat(path: Path, panels: Sequence[Heat]) -> None:
    """Draw panels one below the other, with one scale of colours."""
    wide = max(len(panel.columns) for panel in panels) * 0.42 + 2
    tall = max(len(panel.rows) for panel in panels) * 0.3 + 0.8
    tall += _room([name for panel in panels for name in panel.columns])
    figure = figures.new(wide, tall * len(panels) + 0.5)
    axes = figure.subplots(len(panels), 1, squeeze=False)
    image = None
    for (axis,), panel in zip(axes, panels, strict=True):
        image = axis.imshow(panel.values, vmin=panel.low, vmax=panel.high, cmap="viridis", aspect="auto")
        axis.set_title(panel.title, fontsize=9, loc="left")
        axis.set_yticks(range(len(panel.rows)), panel.rows, fontsize=8)
        axis.set_xticks(range(len(panel.columns)), panel.columns, fontsize=7, **_tilt(panel.columns))
        axis.set_xlabel(panel.across, fontsize=8)
        middle = (panel.low + panel.high) / 2
        for (row, column), value in np.ndenumerate(panel.values):
            colour = "white" if value < middle else "black"
            text = f"{value:.2f}".removeprefix("0") if np.isfinite(value) else "–"
            axis.text(column, row, text, ha="center", va="center", fontsize=6, color=colour)
    if image is not None:
        bar = figure.colorbar(image, ax=[axis for row in axes for axis in row], fraction=0.03, pad=0.02)
        bar.ax.tick_params(labelsize=7)
        bar.set_label("accuracy", fontsize=8)
    figures.save(figure, path)


def _room(names: Sequence[str]) -> float:
    """The inches that tilted names take below a panel."""
    longest = max(map(len, names), default=0)
    return 0.06 * longest if longest > _SHORT else 0.0


def _tilt(names: Sequence[str]) -> dict[str, Any]:
    """How the names of columns are written, so that long ones do not run into each other."""
    return {"rotation": 60, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) > _SHORT else {}
