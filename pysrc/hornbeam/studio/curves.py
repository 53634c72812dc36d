"""Curves of what learns: the training accuracy of the best theory so far, test scores, the loss of a model.

>>> points = learned_points([{"seconds": 1.0, "tp": 3, "fn": 1, "fp": 0, "tn": 4}, {"seconds": 2.0, "size": 3}])
>>> points
[(1.0, 0.875)]
>>> "polyline" in curve([Line("train", tuple(points))], "seconds")
True
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from hornbeam.report.svg import element

Points = list[tuple[float, float]]
_WIDTH, _HEIGHT = 320.0, 130.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 8.0, 8.0, 20.0
_LONGEST = 8 << 20  # bytes of results that are read
_MOST = 400  # points that are drawn


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a drawing: what it is, and its points."""

    name: str
    points: tuple[tuple[float, float], ...]


def learned_points(events: Sequence[Mapping[str, Any]]) -> Points:
    """The training accuracy that a learner claims of its best theory, over seconds of CPU."""
    points = []
    for event in events:
        counts = {name: event[name] for name in ("tp", "tn", "fp", "fn") if isinstance(event.get(name), int)}
        every = sum(counts.values())
        if len(counts) == 4 and every:
            points.append((float(event.get("seconds", 0.0)), (counts["tp"] + counts["tn"]) / every))
    return points


def trained_lines(folder: Path) -> list[Line]:
    """The loss of each seed of a training run over steps, and the accuracy on the validation split."""
    lines = []
    for seed in sorted(folder.glob("seed-*/results.jsonl"))[:8]:
        rows = list(_rows(seed))
        loss = [(float(row["step"]), float(row["loss"])) for row in rows if _has(row, "loss")]
        valid = [(float(row["step"]), float(row["valid"])) for row in rows if _has(row, "valid")]
        lines += [Line(f"loss, {seed.parent.name}", tuple(loss)), Line(f"valid, {seed.parent.name}", tuple(valid))]
    return [line for line in lines if line.points]


def _has(row: Mapping[str, Any], name: str) -> bool:
    return isinstance(row.get("step"), int) and isinstance(row.get(name), int | float)


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with contextlib.suppress(OSError), file.open("rb") as stream:
        for line in stream.read(_LONGEST).splitlines():
            with contextlib.suppress(ValueError):
                row = json.loads(line)
                if isinstance(row, dict):
                    yield row


def curve(lines: Sequence[Line], unit: str, limit: float | None = None) -> Markup:
    """The lines over a common axis, with names; the style sheet colours them.

    Args:
        lines: What to draw; lines that only step up are drawn as steps by their points.
        unit: What the axis counts.
        limit: Its end; by default the last point.
    """
    drawn = [line for line in lines if line.points]
    if not drawn:
        return Markup()
    last = max([limit or 0.0, *(x for line in drawn for x, _ in line.points)]) or 1.0
    top = max(1.0, max(y for line in drawn for _, y in line.points))
    parts = [*_axes(last, top, unit), *(_polyline(line, number, last, top) for number, line in enumerate(drawn))]
    words = "; ".join(f"{line.name}: {line.points[-1][1]:.3f} after {line.points[-1][0]:.1f} {unit}" for line in drawn)
    size = {"viewBox": f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}", "role": "img", "aria_label": words, "class_": "curve"}
    names = [element("span", line.name, class_=f"line-{number}") for number, line in enumerate(drawn)]
    return element("svg", *parts, **size) + element("p", *names, class_="legend soft")


def _place(x: float, y: float, last: float, top: float) -> tuple[float, float]:
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    return _LEFT + width * x / last, _TOP + height * (1 - y / top)


def _axes(last: float, top: float, unit: str) -> Iterator[Markup]:
    for share in (0.0, 0.5, 1.0):
        (left, y), (right, _) = _place(0, share * top, last, top), _place(last, share * top, last, top)
        yield element("line", x1=left, y1=y, x2=right, y2=y, class_="grid")
        yield element("text", f"{share * top:.2g}", x=left - 4, y=y + 3, text_anchor="end")
    low = _HEIGHT - 5
    yield element("text", "0", x=_LEFT, y=low)
    yield element("text", f"{last:.3g} {unit}", x=_WIDTH - _RIGHT, y=low, text_anchor="end")


def _polyline(line: Line, number: int, last: float, top: float) -> Markup:
    every = max(1, len(line.points) // _MOST)
    points = [_place(x, y, last, top) for x, y in (*line.points[::every], line.points[-1])]
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [element("circle", cx=x, cy=y, r=2, class_=f"line-{number}") for x, y in points] if len(points) < 40 else []
    return element("polyline", points=places, fill="none", class_=f"line-{number}") + Markup().join(dots)
