"""More trees from few annotated pictures: parts of pictures change places.

Two parts that hang at the same place (the same operators with the same number of children above, the same child of
each) were given the same area of the picture. So one can stand for the other without knowing what an operator means.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hornbeam.neural.perceiver.annotated import Node, Values, members
from hornbeam.neural.perceiver.grouping import SceneExample

Place = tuple[tuple[str, int, int], ...]
_KEPT = 0.4
"""The share of parts that are kept at each place."""


@dataclass(frozen=True, eq=False)
class _Part:
    example: SceneExample
    node: Node | int


class Recombiner:
    """Draws new scenes from the parts of annotated ones."""

    def __init__(self, examples: Sequence[SceneExample], jitter: float) -> None:
        self._examples = examples
        self._jitter = jitter
        self._parts: dict[Place, list[_Part]] = {}
        for one in examples:
            for place, node in _places(one.root, ()):
                self._parts.setdefault(place, []).append(_Part(one, node))

    def draw(self, draw: random.Random) -> SceneExample:
        """A scene whose parts come from one or more annotated pictures; places move by a little."""
        one = draw.choice(self._examples)
        features: list[Values] = []
        places: list[Values] = []
        root = self._grown(_Part(one, one.root), (), draw, features, places)
        noise = np.random.Generator(np.random.PCG64(draw.getrandbits(64)))
        spots = np.stack(places)
        spots = spots + noise.normal(0, self._jitter, spots.shape).astype(np.float32)
        return SceneExample(np.stack(features), spots, root)

    def _grown(
        self, part: _Part, place: Place, draw: random.Random, features: list[Values], places: list[Values]
    ) -> Node | int:
        if place and draw.random() > _KEPT:
            part = draw.choice(self._parts[place])
        if isinstance(part.node, int):
            features.append(part.example.features[part.node])
            places.append(part.example.places[part.node])
            return len(features) - 1
        op, count = part.node.op, len(part.node.children)
        return Node(
            op,
            tuple(
                self._grown(_Part(part.example, child), (*place, (op, count, index)), draw, features, places)
                for index, child in enumerate(part.node.children)
            ),
        )


def _places(node: Node | int, place: Place) -> Iterator[tuple[Place, Node | int]]:
    if place:
        yield place, node
    if isinstance(node, Node):
        for index, child in enumerate(node.children):
            yield from _places(child, (*place, (node.op, len(node.children), index)))


def object_count(one: SceneExample) -> int:
    """How many objects a scene has."""
    return sum(1 for _ in members(one.root))
