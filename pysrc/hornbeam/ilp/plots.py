"""Verified accuracy over CPU time: for each learner the mean over its tasks, at every moment that something changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.ilp.compare import ResultRow
from hornbeam.report import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Curve = list[tuple[float, float]]
# Told apart without colour, too.
_DASHES = ("-", "--", "-.", ":")


def mean_curve(rows: Sequence[ResultRow], seconds: float) -> Curve:
    """Steps (seconds, mean accuracy) up to the limit. A task without any theory yet counts with the empty theory's.

    >>> mean_curve([{"curve": [[0, 0.5], [2, 1.0]]}, {"curve": [[0, 0.5]]}], seconds=10.0)
    [(0.0, 0.5), (2.0, 0.75), (10.0, 0.75)]
    """
    curves = [[(float(at), float(value)) for at, value in row["curve"]] for row in rows if row["curve"]]
    if not curves:
        return []
    times = sorted({0.0, seconds, *(at for curve in curves for at, _ in curve if at <= seconds)})
    return [(at, sum(_at(curve, at) for curve in curves) / len(curves)) for at in times]


def _at(curve: Curve, seconds: float) -> float:
    return [value for at, value in curve if at <= seconds or at == curve[0][0]][-1]


def draw(rows: Sequence[ResultRow], folder: Path, *, timeout: float, title: str) -> list[Path]:
    """Write accuracy.svg and accuracy.png; nothing where no row has a curve."""
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    curves = {name: mean_curve([row for row in rows if row["learner"] == name], timeout) for name in learners}
    known = {name: curve for name, curve in curves.items() if curve}
    if not known:
        return []
    figure = _figure(known, timeout, title)
    files = [folder / f"accuracy.{kind}" for kind in ("svg", "png")]
    for file in files:
        figures.save(figure, file)
    return files


def _figure(curves: dict[str, Curve], timeout: float, title: str) -> Figure:
    figure = figures.new(7.5, 4.5)
    axes = figure.add_subplot()
    for number, (name, curve) in enumerate(curves.items()):
        times, values = zip(*curve, strict=True)
        axes.step(
            times,
            values,
            where="post",
            label=f"{name} ({values[-1]:.3f})",
            linestyle=_DASHES[number % len(_DASHES)],
        )
    axes.set_xscale("symlog", linthresh=0.1)
    axes.set_xlim(0, timeout)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("CPU seconds")
    axes.set_ylabel("accuracy (of facts: H-score), mean over tasks")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend(loc="best", fontsize="small")
    return figure
