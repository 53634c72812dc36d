"""All samples of a rule, where they are few: the same expansion, with every choice made in turn.

>>> from hornbeam.kandy.language.operators import permutation
>>> found = [permutation(["a", "b", "c"], below) for below in every_way(limit=100)]
>>> len(found), len({tuple(way) for way in found})
(6, 6)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from hornbeam.kandy.language.nodes import DrawError, Node, draw
from hornbeam.kandy.language.operators import Below
from hornbeam.kandy.tree import Tree


@dataclass(frozen=True)
class Outcomes:
    """The distinct trees of a rule by their identity; `complete` if these are all of them."""

    trees: dict[str, Tree]
    complete: bool


def every_way(limit: int) -> Iterator[Below]:
    """Choice functions, one for each way to choose, until all ways or `limit` of them were taken.

    Each must be used for one whole computation before the next is asked for.
    """
    path: list[list[int]] = []
    for _ in range(limit):
        position = 0

        def below(n: int) -> int:
            nonlocal position
            if position == len(path):
                path.append([0, n])
            position += 1
            return path[position - 1][0]

        yield below
        del path[position:]
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return
        path[-1][0] += 1


def outcomes(elements: Sequence[Node], limit: int = 20_000) -> Outcomes:
    """The samples of a set of rules: all of them, or none where there are more than `limit` ways to draw one."""
    trees: dict[str, Tree] = {}
    for element in elements:
        if _guess(element) > limit:
            return Outcomes({}, False)
        taken = 0
        for below in every_way(limit + 1):
            taken += 1
            try:
                tree = draw(element, below)
            except DrawError:
                continue
            trees[repr(tree)] = tree
        if taken > limit:
            return Outcomes({}, False)
    return Outcomes(trees, True)


def _guess(element: Node) -> float:
    """The least number of ways that a few random draws suggest."""
    guesses = []
    for turn in range(5):
        rng = random.Random(turn)
        sizes: list[int] = []

        def below(n: int, rng: random.Random = rng, sizes: list[int] = sizes) -> int:
            sizes.append(n)
            return int(rng.random() * n)

        try:
            draw(element, below)
        except DrawError:
            continue
        guesses.append(prod(map(float, sizes)))
    return min(guesses, default=1.0)
