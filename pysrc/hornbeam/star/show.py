"""Pictures of networks: the graph with its paths, and a concrete model that realises every edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import cos, pi, sin
from typing import Any

import msgspec
from markupsafe import Markup

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.data.shape import read_json
from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.report import svg
from hornbeam.report.page import Macros, Section
from hornbeam.star.bundles import paths
from hornbeam.star.explain import edge_text, path_mask
from hornbeam.star.knowledge import Calculus
from hornbeam.star.record import calculus_of, network_of
from hornbeam.star.solving import MODELS, witnesses

_HTML = Macros(__file__, "show.html.j2")
_TASKS = 12
_PATHS = 8
_SOURCE, _SINK = "#b8532d", "#2b5ea8"
_PER_ROW = 8
_TOP = 36


class CellsFile(msgspec.Struct):
    """What of cells.json is shown: the cells that have no graphs or too few, each with the reason."""

    impossible: dict[str, str | int] = {}
    short: dict[str, str | int] = {}


def sections(dataset: Dataset) -> list[Section]:
    """A network of each of the first tasks; then the cells that have no graphs, or too few."""
    calculus = calculus_of(dataset)
    chosen = [sample for task in dataset.tasks[:_TASKS] for sample in dataset.task(task)[:1]]
    path = dataset.path / "cells.json"
    content: CellsFile = read_json(path, CellsFile) if path.is_file() else CellsFile()
    cells = [*content.impossible.items(), *content.short.items()]
    networks = _HTML.networks(calculus.name, _pictures(calculus, chosen))
    return [Section("Networks", networks), Section("Cells", _HTML.cells(cells))]


def picture(dataset: Dataset, sample: Sample) -> Markup:
    """A network, and regions or intervals that realise it."""
    return _pictures(calculus_of(dataset), [sample])[0]


def typical(dataset: Dataset) -> list[Sample]:
    """The sample with most paths, and of these the one with fewest edges; a tangle where there is no bundle."""
    return [max(dataset.samples, key=_paths_then_edges)]


def _paths_then_edges(sample: Sample) -> tuple[int, int]:
    known: Any = sample.symbolic
    given: Any = sample.input
    return known.get("b", 0), -len(given["edges"])


def _pictures(calculus: Calculus, samples: Sequence[Sample]) -> list[Markup]:
    networks = [network_of(calculus, sample) for sample in samples]
    models = witnesses(calculus, networks) if calculus.name in MODELS else [None] * len(networks)
    return [_picture(calculus, *shown) for shown in zip(samples, networks, models, strict=True)]


def _picture(calculus: Calculus, sample: Sample, network: ConstraintNetwork, model: Any) -> Markup:
    drawings = [(graph_svg(calculus, network, str(sample.label)), "The network; the dashed edge is asked about.")]
    if model is not None and calculus.name == "allen":
        drawings.append((timeline_svg(model, network.query), "Intervals that realise it."))
    elif model is not None:
        drawings.append((regions_svg(model, network.query), "Regions that realise it."))
    rows = [
        (
            ", ".join(edge_text(calculus, network, number) for number in path),
            calculus.text(path_mask(calculus, network, path)).replace("|", " or "),
        )
        for path in islice(paths(network), _PATHS + 1)
    ]
    return _HTML.network(sample, drawings, rows, _PATHS)


def _colour(node: int, query: Pair) -> str:
    """The two nodes that are asked about have fixed colours, the others well separated hues."""
    if node in query:
        return _SOURCE if node == query[0] else _SINK
    return f"hsl({(node * 137 + 40) % 360} 45% 42%)"


# The network ----------------------------------------------------------------------------------------------------------


def graph_svg(calculus: Calculus, network: ConstraintNetwork, label: str) -> Markup:
    """Nodes and labelled edges; the pair that is asked about is a dashed arc above everything else."""
    places = _places(network)
    edges = zip(network.edges, network.labels, strict=True)
    parts = [svg.edge(places[u], places[v], calculus.text(mask), "edge", ends=(u, v)) for (u, v), mask in edges]
    (x1, y1), (x2, y2) = (places[node] for node in network.query)
    middle = (x1 + x2) / 2
    parts.append(svg.path(f"M{x1} {y1}C{x1} 8 {x1} 8 {middle:.1f} 18S{x2} 8 {x2} {y2}", svg.BAD, dashes="5 4"))
    parts.append(svg.text((middle, 13), f"{label} ?", **svg.OUTLINE))
    parts += [svg.node(place, node, _colour(node, network.query)) for node, place in enumerate(places)]
    width, height = max(x for x, _ in places) + 40, max(y for _, y in places) + 30
    return svg.drawing(width, height, parts, f"network of {network.nodes} nodes")


def _places(network: ConstraintNetwork) -> list[tuple[int, int]]:
    """In columns by distance from the source where edges never lead back, else on a circle."""
    columns = svg.layers(network.nodes, network.edges)
    source, sink = network.query
    if columns is None or columns.count(0) > 1 or columns[source] > 0 or columns[sink] < max(columns):
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


# Intervals ------------------------------------------------------------------------------------------------------------


def timeline_svg(intervals: Sequence[Sequence[int]], query: Pair) -> Markup:
    """A bar for each node; the two that are asked about come first."""
    last = max(end for _, end in intervals)
    unit = max(14, min(34, 620 // max(1, last)))
    order = [*query, *(node for node in range(len(intervals)) if node not in query)]
    width, height = last * unit + 60, 22 * len(order) + 24
    parts = [svg.path(f"M{40 + tick * unit} 6V{height - 14}", svg.LINE) for tick in range(last + 1)]
    for row, node in enumerate(order):
        start, end = intervals[node]
        y = 10 + 22 * row
        parts.append(svg.text((26, y + 11), node, anchor="end"))
        bar = {"x": 40 + start * unit, "y": y, "width": (end - start) * unit, "height": 14, "rx": 2}
        parts.append(svg.element("rect", class_="bar", data_node=node, **bar, fill=_colour(node, query)))
    return svg.drawing(width, height, parts, f"{len(order)} intervals on a time line")


# Regions --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A piece of a drawn region."""

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


def regions_svg(regions: Sequence[Sequence[int]], query: Pair) -> Markup:
    """Places side by side, several to a row; larger regions below smaller ones."""
    drawn = rectangles(regions)
    step = 2 * (max(piece.top for pieces in drawn for piece in pieces) + 1)
    places = max(piece.right for pieces in drawn for piece in pieces) // step + 1
    scale = max(3, min(9, 700 // (min(places, _PER_ROW) * step)))
    rows = -(-places // _PER_ROW)
    width, height = min(places, _PER_ROW) * step * scale + 20, rows * step * scale + 20
    parts = []
    for node in sorted(range(len(regions)), key=lambda n: (-len(regions[n]), n)):
        tint, border = _colour(node, query), 2.4 if node in query else 1.2
        for piece in drawn[node]:
            place = piece.left // step
            x = 10 + (piece.left - place * step + (place % _PER_ROW) * step) * scale
            y = 10 + ((place // _PER_ROW) * step + step // 2 - piece.top) * scale
            size = {"width": (piece.right - piece.left) * scale, "height": (piece.top - piece.bottom) * scale}
            look = {"fill": tint, "fill_opacity": ".16", "stroke": tint, "stroke_width": border}
            title = svg.element("title", node)
            parts.append(svg.element("rect", title, class_="region", data_node=node, x=x, y=y, **size, **look))
            parts.append(svg.text((x + 3, y + 10), node, anchor=None, fill=tint, font_size=9))
    return svg.drawing(width, height, parts, f"{len(regions)} regions in the plane")
