"""Curves over a common axis, as SVG; the style sheet of a page colours them.

>>> "polyline" in curve([Line("train", ((1.0, 0.5), (2.0, 0.75)))], "seconds")
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from hornbeam.report.svg import element

_WIDTH, _HEIGHT = 320.0, 130.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 8.0, 8.0, 20.0
_MOST = 400  # points that are drawn
_COLOURS = 4  # of the style sheets


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a drawing: what it is, and its points."""

    name: str
    points: tuple[tuple[float, float], ...]


def curve(lines: Sequence[Line], unit: str, limit: float | None = None, *, top: float = 0.0) -> Markup:
    """The lines over a common axis, with names; the style sheet colours them.

    Args:
        lines: What to draw; lines that only step up are drawn as steps by their points.
        unit: What the axis counts.
        limit: Its end; by default the last point.
        top: The least height of the other axis; by default the highest point.
    """
    drawn = [line for line in lines if line.points]
    if not drawn:
        return Markup()
    last = max([limit or 0.0, *(x for line in drawn for x, _ in line.points)]) or 1.0
    top = max(top, max(y for line in drawn for _, y in line.points)) or 1.0
    parts = [
        *_axes(last, top, unit),
        *(_polyline(line, number % _COLOURS, last, top) for number, line in enumerate(drawn)),
    ]
    words = "; ".join(f"{line.name}: {line.points[-1][1]:.3f} after {line.points[-1][0]:.1f} {unit}" for line in drawn)
    size = {"viewBox": f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}", "role": "img", "aria_label": words, "class_": "curve"}
    names = [element("span", line.name, class_=f"line-{number % _COLOURS}") for number, line in enumerate(drawn)]
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
