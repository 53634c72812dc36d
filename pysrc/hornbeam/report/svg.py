"""Drawings as SVG: elements whose text is escaped, and the parts that several drawings share.

>>> element("text", "a < b", x=1.25, font_size=9)
Markup('<text x="1.2" font-size="9">a &lt; b</text>')
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup, escape

INK, SOFT, LINE, LEAF, BAD, PALE = "#1d2a24", "#5b6b63", "#d8dfda", "#2f6b4a", "#a33a2c", "#eef4ef"
"""The colours of the style sheet."""

MONOSPACE = "ui-monospace, monospace"
_SANS = "system-ui, sans-serif"
Point = tuple[float, float]
OUTLINE: dict[str, Any] = {"stroke": "#fff", "stroke_width": 3, "paint_order": "stroke"}
"""For text on top of lines."""


def element(name: str, *content: object, **attributes: object) -> Markup:
    """An element of a drawing.

    Args:
        name: The name of the element.
        content: Text, which is escaped, and elements, which are not.
        attributes: Its attributes. In a name `_` stands for `-`, and a last `_` is dropped (`class_`); a value that is
            None is left out; numbers are written with one decimal.
    """
    given = [(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None]
    start = "".join(f' {key}="{escape(_number(value))}"' for key, value in given)
    inner = "".join(escape(part) for part in content)
    return Markup(f"<{name}{start}>{inner}</{name}>" if inner else f"<{name}{start}/>")


def _number(value: object) -> object:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value


def drawing(width: float, height: float, content: Iterable[Markup], label: str, font: str = _SANS) -> Markup:
    """The whole drawing. `label` says what it shows to readers who do not see it."""
    width, height = math.ceil(width), math.ceil(height)
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    named = {"font_family": font, "role": "img", "aria_label": label}
    return element("svg", *content, xmlns="http://www.w3.org/2000/svg", **size, font_size=11, **named)


def text(place: Point, words: object, anchor: str | None = "middle", **more: object) -> Markup:
    """Words at a place; `anchor` says which part of them is there, None for their start."""
    return element("text", words, x=place[0], y=place[1], text_anchor=anchor, **{"fill": INK, **more})


def path(shape: str, colour: str = SOFT, width: float | None = None, dashes: str | None = None) -> Markup:
    """A line that is not filled."""
    return element("path", d=shape, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes)


# Nodes and edges ------------------------------------------------------------------------------------------------------


def node(place: Point, label: object, fill: str) -> Markup:
    """A circle with a label in it; `data-node` names it for pages that mark it."""
    x, y = place
    ink = SOFT if fill == "#fff" else "#fff"
    circle = element("circle", cx=x, cy=y, r=11, fill=fill, stroke=SOFT)
    return element("g", circle, text((x, y + 4), label, fill=ink), data_node=label)


def box(
    x: float, y: float, width: float, height: float, label: str, named: str | None = None, **more: object
) -> Markup:
    """A rectangle with a label in the middle of it; `data-node` has its name, by default the label."""
    frame = {"rx": 5, "fill": PALE, "stroke": LINE, **more}
    words = text((x + width / 2, y + height / 2 + 4), label)
    return element("g", element("rect", x=x, y=y, width=width, height=height, **frame), words, data_node=named or label)


def edge(
    start: Point,
    end: Point,
    label: str,
    kind: str,
    colour: str = SOFT,
    width: float = 1.0,
    ends: tuple[object, object] | None = None,
) -> Markup:
    """An arrow from node to node, with its label above the middle. `kind` is its class, `ends` names the nodes."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x, y = x2 - 12 * dx, y2 - 12 * dy  # the tip, at the border of the node
    bx, by = x - 8 * dx, y - 8 * dy
    head = f"M{x:.1f} {y:.1f}L{bx - 4 * dy:.1f} {by + 4 * dx:.1f} {bx + 4 * dy:.1f} {by - 4 * dx:.1f}Z"
    return element(
        "g",
        element("path", class_=kind, d=f"M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}", stroke=colour, stroke_width=width),
        element("path", d=head, fill=colour),
        text(((x1 + x2) / 2, (y1 + y2) / 2 - 4), label, **OUTLINE),
        data_edge=None if ends is None else f"{ends[0]} {ends[1]}",
    )


def layers(count: int, edges: Collection[tuple[int, int]]) -> list[int] | None:
    """For each node the length of the longest path that leads to it; None if edges form a cycle."""
    layer = [0] * count
    for _ in range(count):
        late = [(u, v) for u, v in edges if layer[v] < layer[u] + 1]
        if not late:
            return layer
        for u, v in late:
            layer[v] = max(layer[v], layer[u] + 1)
    return None


def spring_layout(
    fixed: Mapping[int, Point], free: Sequence[int], edges: Sequence[tuple[int, int]], size: Point, margin: float
) -> dict[int, Point]:
    """Places of nodes: free ones move away from all others, and along their edges; the same each time."""
    order = [*fixed, *free]
    row = {name: number for number, name in enumerate(order)}
    angles = 2 * np.pi * np.arange(len(free)) / max(1, len(free)) + 0.5
    around = np.array(size) * (0.5 + np.stack([np.cos(angles), np.sin(angles)], axis=1) / 3)
    places = np.concatenate([np.array([*fixed.values()], dtype=float).reshape(-1, 2), around])
    ends = np.array([(row[u], row[v]) for u, v in edges], dtype=int).reshape(-1, 2)
    for _ in range(120):
        apart = places[:, None] - places[None]
        apart[apart == 0] = 0.1
        push = 900 / ((apart**2).sum(axis=2) + 60) / 8
        np.fill_diagonal(push, 0)
        move = (apart * push[..., None]).sum(axis=1)
        pull = (places[ends[:, 1]] - places[ends[:, 0]]) * 0.05
        np.add.at(move, ends[:, 0], pull)
        np.add.at(move, ends[:, 1], -pull)
        moved = np.clip(places + move, margin, np.array(size) - margin)
        places[len(fixed) :] = moved[len(fixed) :]
    return {name: (float(x), float(y)) for name, (x, y) in zip(order, places, strict=True)}


# Figures --------------------------------------------------------------------------------------------------------------


def bars(counts: Mapping[str, int], label: str) -> Markup:
    """A horizontal bar for each name, with its count."""
    most = max(counts.values(), default=1)
    parts = []
    for number, (name, count) in enumerate(counts.items()):
        y, length = 18 * number, round(300 * count / most)
        parts.append(text((128, y + 13), name, anchor="end"))
        parts.append(element("rect", x=134, y=y + 3, width=length, height=12, fill=LEAF))
        parts.append(text((140 + length, y + 13), count, anchor=None))
    return drawing(500, 18 * len(counts) + 4, parts, label)


def heat_map(names: Sequence[str], values: Sequence[Sequence[float]], label: str) -> Markup:
    """A square matrix of shares, white for 0 and dark green for 1; each cell has a tooltip."""
    size = max(6, min(28, 640 // max(1, len(names))))
    cells = [
        element(
            "rect", element("title", f"{names[row]} and {names[column]}: {value:g}"),
            x=column * size, y=row * size, width=size, height=size, fill=_shade(value),
        )
        for row, line in enumerate(values)
        for column, value in enumerate(line)
    ]  # fmt: skip
    return drawing(size * len(names), size * len(names), cells, label)


def _shade(share: float) -> str:
    return "#{:02x}{:02x}{:02x}".format(*(round(255 + (end - 255) * share) for end in (31, 84, 56)))
