"""Plots with matplotlib, drawn without a display: lines with a band over seeds, heat maps, steps over time.

The same plot gives the same bytes of SVG, and a file is written whole or not at all.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from hornbeam.errors import UsageError
from hornbeam.writing import write_atomic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Values = npt.NDArray[np.float64]
Curve = Sequence[tuple[float, float]]  # (moment, value from there on)
SUFFIXES = (".svg", ".png")
_SALT = "hornbeam"  # of the ids in an SVG, which are drawn at random without it
_SHORT = 3  # letters that fit side by side below their columns
# Lines are told apart without colour, too.
_DASHES = ("-", "--", "-.", ":")
_MARKS = "osD^vPX*"


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
class HeatMap:
    """A panel of coloured cells; one that is not a number was not measured, and has a dash."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Values
    across: str = ""
    low: float = 0.0
    high: float = 1.0


def save(figure: Figure, path: Path) -> None:
    """Write a plot as SVG or PNG, by the file's name. Raises UsageError for another ending."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"a plot is {' or '.join(SUFFIXES)}, not '{path.suffix}'", file=str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, _drawn(figure, path.suffix[1:], _SALT))


def inline(figure: Figure, name: str) -> Markup:
    """A plot as SVG for a page; `name` is one that no other plot of the page has."""
    text = _drawn(figure, "svg", f"{_SALT} {name}").decode()
    return Markup(text[text.index("<svg") :])


def _new(wide: float, tall: float) -> Figure:
    """An empty figure, in inches. Matplotlib takes a moment to load, so it is loaded here."""
    from matplotlib.figure import Figure

    return Figure(figsize=(wide, tall), layout="constrained", dpi=144)


def _drawn(figure: Figure, kind: str, salt: str) -> bytes:
    from matplotlib import rc_context
    from matplotlib.text import Text

    data = io.BytesIO()
    metadata: Any = {"Date": None} if kind == "svg" else {"Software": None}
    # A `$` in a name of a dataset is no formula. Texts that drawing adds take it from the settings.
    for text in figure.findobj(Text):
        text.set_parse_math(False)
    with rc_context({"svg.hashsalt": salt, "text.parse_math": False}):
        figure.savefig(data, format=kind, metadata=metadata)
    return data.getvalue()


def lines(panels: Sequence[Sequence[Lines]], *, wide: float = 3.6) -> Figure:
    """Panels, row by row, each `wide` inches; one legend for all."""
    columns = max(map(len, panels))
    names = [name for across in panels for panel in across for name in panel.names]
    figure = _new(wide * columns, (2.7 + _room(names)) * len(panels) + 0.5)
    axes = figure.subplots(len(panels), columns, squeeze=False)
    labels: dict[str, Any] = {}
    for row, across in zip(axes, panels, strict=True):
        for axis, panel in zip(row, across, strict=False):
            labels = {**_draw_lines(axis, panel), **labels}
    abreast = max(1, min(len(labels), 2 * columns))
    figure.set_figheight(figure.get_figheight() + 0.18 * (len(labels) // abreast))
    figure.legend(
        list(labels.values()), list(labels),
        loc="outside lower center", ncols=abreast, frameon=False, fontsize=8,
    )  # fmt: skip
    return figure


def _draw_lines(axis: Any, panel: Lines) -> dict[str, Any]:
    drawn = {}
    for number, (label, values) in enumerate(panel.series.items()):
        middle = values.mean(axis=0)
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros_like(middle)
        moments = np.arange(len(middle)) if panel.moments is None else np.asarray(panel.moments)
        (handle,) = axis.plot(moments, middle, marker=_MARKS[number % len(_MARKS)], markersize=3, linewidth=1.3)
        axis.fill_between(moments, middle - spread, middle + spread, alpha=0.18, color=handle.get_color(), linewidth=0)
        drawn[label] = handle
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


def heat_maps(panels: Sequence[HeatMap]) -> Figure:
    """Panels one below the other, with one scale of colours."""
    wide = max(len(panel.columns) for panel in panels) * 0.42 + 2
    tall = max(len(panel.rows) for panel in panels) * 0.3 + 0.8
    tall += _room([name for panel in panels for name in panel.columns])
    figure = _new(wide, tall * len(panels) + 0.5)
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
    return figure


def steps(curves: Mapping[str, Curve], *, up: str, title: str = "", limit: float | None = None) -> Figure:
    """Values over CPU time. Up to a `limit` the axis is logarithmic, and the legend has each curve's last value."""
    figure = _new(7.5, 4.5) if limit else _new(6.0, 2.9)
    axes = figure.add_subplot()
    for number, (label, curve) in enumerate(curves.items()):
        times, values = zip(*curve, strict=True) if curve else ((), ())
        shown = f"{label} ({values[-1]:.3f})" if limit else label
        marker = "" if limit else _MARKS[number % len(_MARKS)]
        dashes = _DASHES[number % len(_DASHES)]
        axes.step(times, values, where="post", label=shown, linestyle=dashes, marker=marker, markersize=3)
    if limit:
        axes.set_xscale("symlog", linthresh=0.1)
        axes.set_xlim(0, limit)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_ylim(-0.02, 1.04)
    axes.set_xlabel("CPU seconds")
    axes.set_ylabel(up)
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend(loc="best", fontsize="small")
    return figure


def _room(names: Sequence[str]) -> float:
    """The inches that tilted names take below a panel."""
    longest = max(map(len, names), default=0)
    return 0.06 * longest if longest > _SHORT else 0.0


def _tilt(names: Sequence[str]) -> dict[str, Any]:
    """How the names of columns are written, so that long ones do not run into each other."""
    return {"rotation": 60, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) > _SHORT else {}
