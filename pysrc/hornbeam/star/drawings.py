"""SVG drawings of graphs, of intervals on a time line, and of regions in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin

from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.star.knowledge import Calculus

_SOURCE, _SINK = "#b8532d", "#2b5ea8"
_PER_ROW = 8
_TOP = 36
_LETTERS = 'text-anchor="middle" font-size="11" fill="#1d2a24" stroke="#fff" stroke-width="3" paint-order="stroke"'


def colour(node: int, query: Pair) -> str:
    """The two nodes that are asked about have fixed colours, the others well separated hues."""
    if node in query:
        return _SOURCE if node == query[0] else _SINK
    return f"hsl({(node * 137 + 40) % 360} 45% 42%)"


# The network ------------------------------------------------------------------------------------------------------


def graph_svg(calculus: Calculus, network: ConstraintNetwork, label: str) -> str:
    """Nodes and labelled edges; the pair that is asked about is a dashed arc above everything else."""
    places = _places(network)
    width = max(x for x, _ in places) + 40
    height = max(y for _, y in places) + 30
    parts = [_svg_open(width, height)]
    for (u, v), mask in zip(network.edges, network.labels, strict=True):
        parts.append(_edge(places[u], places[v], calculus.text(mask)))
    parts.append(_arc(places[network.query[0]], places[network.query[1]], label))
    for node, (x, y) in enumerate(places):
        parts.append(f'<circle cx="{x}" cy="{y}" r="11" fill="{colour(node, network.query)}"/>')
        parts.append(f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="11" fill="#fff">{node}</text>')
    return "".join([*parts, "</svg>"])


def _places(network: ConstraintNetwork) -> list[tuple[int, int]]:
    """In columns by distance from the source where edges never lead back, else on a circle."""
    columns = _columns(network)
    if columns is None:
        radius = 60 + 12 * network.nodes
        at = [2 * pi * i / network.nodes for i in range(network.nodes)]
        return [(round(radius + 40 - radius * cos(a)), round(radius + _TOP + 12 - radius * sin(a))) for a in at]
    filled: dict[int, int] = {}
    places = []
    tallest = max(columns.count(column) for column in columns)
    for column in columns:
        row = filled[column] = filled.get(column, 0) + 1
        share = (tallest + 1) / (columns.count(column) + 1)
        places.append((40 + 96 * column, round(_TOP + 52 * (row * share - 0.5))))
    return places


def _columns(network: ConstraintNetwork) -> list[int] | None:
    columns = [0] * network.nodes
    for _ in range(network.nodes):
        moved = False
        for u, v in network.edges:
            if columns[v] < columns[u] + 1:
                columns[v] = columns[u] + 1
                moved = True
        if not moved:
            first = columns[network.query[0]] == 0 and columns.count(0) == 1
            return columns if first and columns[network.query[1]] == max(columns) else None
    return None


def _edge(start: tuple[int, int], end: tuple[int, int], text: str) -> str:
    (x1, y1), (x2, y2) = start, end
    length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    tip = (x2 - 12 * dx, y2 - 12 * dy)
    back = (tip[0] - 8 * dx, tip[1] - 8 * dy)
    return (
        f'<path d="M{x1} {y1}L{tip[0]:.1f} {tip[1]:.1f}" stroke="#5b6b63"/>'
        f'<path d="M{tip[0]:.1f} {tip[1]:.1f}L{back[0] - 4 * dy:.1f} {back[1] + 4 * dx:.1f} '
        f'L{back[0] + 4 * dy:.1f} {back[1] - 4 * dx:.1f}Z" fill="#5b6b63"/>'
        f'<text x="{(x1 + x2) / 2:.1f}" y="{(y1 + y2) / 2 - 4:.1f}" {_LETTERS}>{escape(text)}</text>'
    )


def _arc(start: tuple[int, int], end: tuple[int, int], text: str) -> str:
    """From one node up to the top margin and down to the other."""
    (x1, y1), (x2, y2) = start, end
    middle = (x1 + x2) / 2
    return (
        f'<path d="M{x1} {y1}C{x1} 8 {x1} 8 {middle:.1f} 18S{x2} 8 {x2} {y2}" fill="none" stroke="#a33a2c" '
        f'stroke-dasharray="5 4"/><text x="{middle:.1f}" y="13" {_LETTERS}>{escape(text)} ?</text>'
    )


# Intervals ----------------------------------------------------------------------------------------------------------


def timeline_svg(intervals: Sequence[Sequence[int]], query: Pair) -> str:
    """A bar for each node; the two that are asked about come first."""
    last = max(end for _, end in intervals)
    unit = max(14, min(34, 620 // max(1, last)))
    order = [*query, *(node for node in range(len(intervals)) if node not in query)]
    width, height = last * unit + 60, 22 * len(order) + 24
    parts = [_svg_open(width, height)]
    for tick in range(last + 1):
        x = 40 + tick * unit
        parts.append(f'<path d="M{x} 6V{height - 14}" stroke="#d8dfda"/>')
    for row, node in enumerate(order):
        start, end = intervals[node]
        y = 10 + 22 * row
        parts.append(f'<text x="26" y="{y + 11}" text-anchor="end" font-size="11">{node}</text>')
        parts.append(
            f'<rect class="bar" data-node="{node}" x="{40 + start * unit}" y="{y}" width="{(end - start) * unit}" '
            f'height="14" rx="2" fill="{colour(node, query)}"/>'
        )
    return "".join([*parts, "</svg>"])


# Regions ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rectangle:
    left: int
    bottom: int
    right: int
    top: int


def rectangles(regions: Sequence[Sequence[int]]) -> list[list[Rectangle]]:
    """Regions of cells as unions of rectangles with the same relations in the plane.

    Cells 2f and 2f+1 lie left and right of a line and touch there. At their other ends, and above and below, a
    region that has more cells reaches farther, so that a part never touches its whole from inside but at that line.
    Different f are apart. In each place a region is one rectangle.
    """
    sizes = sorted({len(region) for region in regions})
    reach = {size: 3 + rank for rank, size in enumerate(sizes)}
    step = 2 * (max(reach.values()) + 1)
    drawn = []
    for region in regions:
        far = reach[len(region)]
        cells = set(region)
        pieces = []
        for fork in sorted({cell >> 1 for cell in cells}):
            middle = step * fork + step // 2
            left = middle - far if 2 * fork in cells else middle
            right = middle + far if 2 * fork + 1 in cells else middle
            pieces.append(Rectangle(left, -far, right, far))
        drawn.append(pieces)
    return drawn


def regions_svg(regions: Sequence[Sequence[int]], query: Pair) -> str:
    """Places side by side, several to a row; larger regions below smaller ones."""
    drawn = rectangles(regions)
    step = 2 * (max(piece.top for pieces in drawn for piece in pieces) + 1)
    places = max(piece.right for pieces in drawn for piece in pieces) // step + 1
    scale = max(3, min(9, 700 // (min(places, _PER_ROW) * step)))
    rows = -(-places // _PER_ROW)
    width, height = min(places, _PER_ROW) * step * scale + 20, rows * step * scale + 20
    parts = [_svg_open(width, height)]
    for node in sorted(range(len(regions)), key=lambda n: (-len(regions[n]), n)):
        for piece in drawn[node]:
            place = piece.left // step
            x = 10 + (piece.left - place * step + (place % _PER_ROW) * step) * scale
            y = 10 + ((place // _PER_ROW) * step + step // 2 - piece.top) * scale
            tint = colour(node, query)
            parts.append(
                f'<rect class="region" data-node="{node}" x="{x}" y="{y}" width="{(piece.right - piece.left) * scale}" '
                f'height="{(piece.top - piece.bottom) * scale}" fill="{tint}" fill-opacity=".16" stroke="{tint}" '
                f'stroke-width="{2.4 if node in query else 1.2}"><title>{node}</title></rect>'
                f'<text x="{x + 3}" y="{y + 10}" font-size="9" fill="{tint}">{node}</text>'
            )
    return "".join([*parts, "</svg>"])


def _svg_open(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" role="img">'
    )
