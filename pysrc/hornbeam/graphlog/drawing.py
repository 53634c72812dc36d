"""Graphs and matrices as inline SVG."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from hornbeam.graphlog.record import Read

_WIDTH, _HEIGHT, _MARGIN = 460, 340, 34
_PATH, _NOISE, _END = "#2f6b4a", "#b9c2bc", "#a33a2c"


def graph_svg(row: Read) -> str:
    """A row's graph: the resolution path in colour along the middle, noise in grey around it."""
    places = _layout(row)
    on_path = {(u, v, label) for u, v, label in zip(row.path, row.path[1:], row.chain, strict=False)}
    noise = [edge for edge in row.edges if tuple(edge) not in on_path]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'role="img" aria-label="graph of {len(places)} nodes">',
        _arrow("path", _PATH),
        _arrow("noise", _NOISE),
    ]
    parts += [_edge(places, u, v, label, "noise", _NOISE) for u, v, label in noise]
    parts += [_edge(places, u, v, label, "path", _PATH) for u, v, label in sorted(on_path)]
    parts += [_node(places[node], node, row) for node in sorted(places)]
    return "".join([*parts, "</svg>"])


def _arrow(name: str, colour: str) -> str:
    return (
        f'<defs><marker id="{name}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker></defs>'
    )


def _layout(row: Read) -> dict[int, tuple[float, float]]:
    """The path from left to right, the rest by forces around it; no randomness."""
    nodes = sorted({node for u, v, _ in row.edges for node in (u, v)} | {row.source, row.sink})
    count = max(1, len(row.path) - 1)
    places = {
        node: (_MARGIN + (_WIDTH - 2 * _MARGIN) * place / count, _HEIGHT / 2) for place, node in enumerate(row.path)
    }
    fixed = set(places)
    free = [node for node in nodes if node not in fixed]
    for place, node in enumerate(free):
        angle = 2 * math.pi * place / max(1, len(free)) + 0.5
        places[node] = (_WIDTH / 2 + _WIDTH / 3 * math.cos(angle), _HEIGHT / 2 + _HEIGHT / 3 * math.sin(angle))
    for _ in range(120):
        _relax(places, free, row)
    return places


def _relax(places: dict[int, tuple[float, float]], free: Sequence[int], row: Read) -> None:
    """One step of springs along edges and repulsion between all nodes."""
    moves = {node: [0.0, 0.0] for node in free}
    for node in free:
        x, y = places[node]
        for other, (ox, oy) in places.items():
            if other != node:
                dx, dy = x - ox or 0.1, y - oy or 0.1
                push = 900 / (dx * dx + dy * dy + 60)
                moves[node][0] += dx * push / 8
                moves[node][1] += dy * push / 8
    for u, v, _ in row.edges:
        for node, other in ((u, v), (v, u)):
            if node in moves:
                moves[node][0] += (places[other][0] - places[node][0]) * 0.05
                moves[node][1] += (places[other][1] - places[node][1]) * 0.05
    for node, (dx, dy) in moves.items():
        x, y = places[node]
        places[node] = (_within(x + dx, _WIDTH), _within(y + dy, _HEIGHT))


def _within(value: float, size: int) -> float:
    return min(max(value, _MARGIN / 2), size - _MARGIN / 2)


def _edge(places: dict[int, tuple[float, float]], u: int, v: int, label: str, kind: str, colour: str) -> str:
    (x1, y1), (x2, y2) = places[u], places[v]
    length = math.hypot(x2 - x1, y2 - y1) or 1
    x2, y2 = x2 - (x2 - x1) / length * 11, y2 - (y2 - y1) / length * 11
    width = 2.2 if kind == "path" else 1.1
    return (
        f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="{colour}" stroke-width="{width}" '
        f'marker-end="url(#{kind})"/><text x="{(x1 + x2) / 2:.0f}" y="{(y1 + y2) / 2 - 4:.0f}" font-size="9" '
        f'fill="{colour if kind == "path" else "#7d8a83"}" text-anchor="middle">{html.escape(short(label))}</text>'
    )


def _node(place: tuple[float, float], node: int, row: Read) -> str:
    colour = _END if node in (row.source, row.sink) else _PATH if node in row.path else "#fff"
    ink = "#5b6b63" if colour == "#fff" else "#fff"
    x, y = place
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="10" fill="{colour}" stroke="#5b6b63"/>'
        f'<text x="{x:.0f}" y="{y + 3:.0f}" font-size="9" fill="{ink}" text-anchor="middle">{node}</text>'
    )


def short(label: str) -> str:
    """R_3_+ as 3+."""
    return label.removeprefix("R_").replace("_", "")


def heat_map(names: Sequence[str], matrix: Sequence[Sequence[float]]) -> str:
    """A square matrix of shares; the title of a cell says what it is."""
    size = max(6, min(28, 640 // max(1, len(names))))
    side = size * len(names)
    cells = [
        f'<rect x="{column * size}" y="{row * size}" width="{size}" height="{size}" fill="{_shade(value)}">'
        f"<title>{html.escape(names[row])} and {html.escape(names[column])}: {value:g}</title></rect>"
        for row, values in enumerate(matrix)
        for column, value in enumerate(values)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}" '
        f'role="img" aria-label="similarity of {len(names)} worlds">{"".join(cells)}</svg>'
    )


def _shade(share: float) -> str:
    """White for 0, dark green for 1."""
    light = tuple(round(255 + (end - 255) * share) for end in (31, 84, 56))
    return "#{:02x}{:02x}{:02x}".format(*light)
