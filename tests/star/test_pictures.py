"""Pictures realise the networks: measured on the drawn shapes, without the table and without the models' own logic."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.bundles import assemble
from hornbeam.star.cells import space
from hornbeam.star.compat import published
from hornbeam.star.generate import draw
from hornbeam.star.knowledge import Calculus, load_calculus
from hornbeam.star.show import Rectangle, graph_svg, rectangles, regions_svg, timeline_svg
from hornbeam.star.solving import witnesses
from hornbeam.star.tangles import tangled


def networks(name: str) -> tuple[Calculus, list[ConstraintNetwork]]:
    calculus = load_calculus(name)
    rng = random.Random(3)
    where = space(name, "most", 1)
    made = [
        assemble(draw(where, cell, rng, "mixed"))
        for r in range(calculus.size)
        if (cell := where.cell(6, 2, 1 << r)).deciding
    ]
    made += [assemble(published(name, 1).graph(7, 1, r, rng)) for r in range(calculus.size)]
    made += [tangled(calculus, 7, 1 << r, 1, rng) for r in (1, 2, 3)]
    return calculus, made


def planar_relation(x: list[Rectangle], y: list[Rectangle]) -> str:
    """The RCC-8 relation of two unions of rectangles, on the grid of all their borders."""
    xs = sorted({v for r in [*x, *y] for v in (r.left, r.right)})
    ys = sorted({v for r in [*x, *y] for v in (r.bottom, r.top)})

    def cells(region: list[Rectangle]) -> set[tuple[int, int]]:
        return {
            (i, j)
            for i, (a, b) in enumerate(pairwise(xs))
            for j, (c, d) in enumerate(pairwise(ys))
            if any(r.left <= a and b <= r.right and r.bottom <= c and d <= r.top for r in region)
        }

    def grown(region: set[tuple[int, int]]) -> set[tuple[int, int]]:
        return {(i + di, j + dj) for i, j in region for di in (-1, 0, 1) for dj in (-1, 0, 1)}

    one, two = cells(x), cells(y)
    if one == two:
        return "EQ"
    if one < two:
        return "NTPP" if grown(one) <= two else "TPP"
    if two < one:
        return "NTPPI" if grown(two) <= one else "TPPI"
    if one & two:
        return "PO"
    return "EC" if grown(one) & two else "DC"


def test_the_planar_measure_itself() -> None:
    big, inside, edge = Rectangle(0, 0, 9, 9), Rectangle(1, 1, 3, 3), Rectangle(0, 1, 3, 3)
    assert planar_relation([inside], [big]) == "NTPP"
    assert planar_relation([edge], [big]) == "TPP"
    assert planar_relation([big], [Rectangle(9, 0, 12, 9)]) == "EC"
    assert planar_relation([big], [Rectangle(10, 0, 12, 9)]) == "DC"
    assert planar_relation([big], [Rectangle(5, 5, 12, 12)]) == "PO"


def test_drawn_regions_realise_every_edge() -> None:
    calculus, made = networks("rcc8")
    seen = set()
    for network, model in zip(made, witnesses(calculus, made), strict=True):
        drawn = rectangles(model)  # type: ignore[arg-type]
        for (u, v), label in zip(network.edges, network.labels, strict=True):
            relation = planar_relation(drawn[u], drawn[v])
            assert relation == calculus.text(label)
            seen.add(relation)
    assert seen == set(calculus.relations)


def test_drawn_bars_realise_every_edge() -> None:
    calculus, made = networks("allen")
    names = {
        (0, 0, 1, -1): "=", (-1, -1, -1, -1): "<", (1, 1, 1, 1): ">", (1, -1, 1, -1): "d", (-1, 1, 1, -1): "di",
        (-1, -1, 1, -1): "o", (1, 1, 1, -1): "oi", (-1, -1, 0, -1): "m", (1, 1, 1, 0): "mi", (0, -1, 1, -1): "s",
        (0, 1, 1, -1): "si", (1, 0, 1, -1): "f", (-1, 0, 1, -1): "fi",
    }  # fmt: skip
    seen = set()
    for network, model in zip(made, witnesses(calculus, made), strict=True):
        svg = timeline_svg(model, network.query)  # type: ignore[arg-type]
        found = re.findall(r'data-node="(\d+)" x="(\d+)" y="\d+" width="(\d+)"', svg)
        bars = {int(node): (int(x), int(x) + int(width)) for node, x, width in found}
        assert len(bars) == network.nodes
        for (u, v), label in zip(network.edges, network.labels, strict=True):
            (a, b), (c, d) = bars[u], bars[v]
            sign = tuple((p > q) - (p < q) for p, q in ((a, c), (b, d), (b, c), (a, d)))
            assert names[sign] == calculus.text(label)
            seen.add(names[sign])
    assert seen == set(calculus.relations)


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_pictures_show_every_node_and_edge(name: str) -> None:
    calculus, made = networks(name)
    for network, model in zip(made, witnesses(calculus, made), strict=True):
        svg = graph_svg(calculus, network, "?")
        assert svg.count("<circle") == network.nodes
        assert svg.count("<path") == 2 * len(network.edges) + 1
        assert "nan" not in svg
        if name == "rcc8":
            drawn = regions_svg(model, network.query)  # type: ignore[arg-type]
            assert {int(n) for n in re.findall(r'data-node="(\d+)"', drawn)} == set(range(network.nodes))
            assert min(float(y) for y in re.findall(r' y="(-?[\d.]+)"', drawn)) >= 0
