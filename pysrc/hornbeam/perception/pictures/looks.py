"""How well pictures were read. Trees that look exactly alike are one class: perception is scored up to looks.

Two trees look alike if the renderer draws the same noise-free picture of both. Where a tree draws positions (`random`),
no two pictures of it are alike; then two trees look alike if they have the same structure up to the order of the
children of `random`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hornbeam.data.sample import Json, Sample
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.geometry import has_random
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.tree import Tree, from_json, leaves
from hornbeam.perception.perceiver import Reading


@dataclass(frozen=True, slots=True)
class PerceptionScore:
    """How well pictures were read.

    Attributes:
        pictures: How many.
        unread: How many could not be read.
        trees: How many were read as a tree that looks like the true one.
        among: How many have such a tree among their alternatives.
        objects: How many objects they have.
        named: How many of these were named right (shape, colour and size).
    """

    pictures: int
    unread: int
    trees: int
    among: int
    objects: int
    named: int

    def to_json(self) -> dict[str, Json]:
        return {
            "pictures": self.pictures,
            "unread": self.unread,
            "trees_up_to_looks": self.trees / max(1, self.pictures),
            "among_alternatives": self.among / max(1, self.pictures),
            "objects": self.named / max(1, self.objects),
        }


class Looks:
    """Which trees look alike under one configuration."""

    def __init__(self, config: CurriculumConfig) -> None:
        self._domain = config.domain
        self._renderer = Renderer(config)

    def alike(self, one: Tree, other: Tree) -> bool:
        """Whether two trees look alike."""
        if has_random(one) or has_random(other):
            return bool(_unordered(one) == _unordered(other))
        return self._renderer.look(one) == self._renderer.look(other)

    def score(self, samples: Iterable[Sample], readings: Mapping[str, Reading]) -> PerceptionScore:
        """Compare readings with the true symbols of their samples."""
        counts: Counter[str] = Counter()
        for sample in samples:
            symbolic: Any = sample.symbolic
            true = from_json(symbolic["tree"], self._domain)
            reading = readings[sample.id]
            trees = [self._tree(alternative.symbolic) for alternative in reading.alternatives]
            alike = [self.alike(true, tree) for tree in trees]
            expected = Counter(leaves(true))
            counts["pictures"] += 1
            counts["unread"] += not trees
            counts["trees"] += alike[:1] == [True]
            counts["among"] += any(alike)
            counts["objects"] += expected.total()
            counts["named"] += (expected & Counter(leaves(trees[0]))).total() if trees else 0
        names = ("pictures", "unread", "trees", "among", "objects", "named")
        return PerceptionScore(*(counts[name] for name in names))

    def _tree(self, symbolic: Mapping[str, Any]) -> Tree:
        return from_json(symbolic["tree"], self._domain)


def _unordered(tree: Tree) -> Any:
    if isinstance(tree, str):
        return tree
    children = [_unordered(child) for child in tree[1]]
    return tree[0], sorted(children, key=repr) if tree[0] == "random" else children
