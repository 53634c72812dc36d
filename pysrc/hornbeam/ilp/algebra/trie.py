"""All paths of all examples in one tree of prefixes, so that a table is tried on everything in a few array steps.

>>> from hornbeam.ilp.algebra.paths import Example
>>> trie = Trie([Example(((1, 1), (1, 1, 1)), 2, True), Example(((2,),), 2, True)])
>>> trie.intersections(Composer(((2, 3), (0, 0)), unknown=3)).tolist()
[2, 2]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.ilp.algebra.composing import Composer, Masks
from hornbeam.ilp.algebra.paths import Example, Path


class Trie:
    """The prefixes level by level: each is a prefix of the level before and one mask more."""

    def __init__(self, examples: Sequence[Example]) -> None:
        levels: list[dict[Path, int]] = []
        ends: list[tuple[int, int]] = []
        for example in examples:
            for path in example.paths:
                while len(levels) < len(path):
                    levels.append({})
                for length in range(len(path), 0, -1):
                    level, prefix = levels[length - 1], path[:length]
                    if prefix in level:
                        break
                    level[prefix] = len(level)
                ends.append((len(path) - 1, levels[len(path) - 1][path]))
        self._levels = [
            (
                np.array([levels[depth - 1][prefix[:-1]] for prefix in level] if depth else [], np.intp),
                np.array([prefix[-1] for prefix in level], np.uint64),
            )
            for depth, level in enumerate(levels)
        ]
        starts = np.cumsum([0, *map(len, levels)])
        self._ends: npt.NDArray[np.intp] = np.array([starts[depth] + number for depth, number in ends], np.intp)
        self._first = np.cumsum([0, *(len(example.paths) for example in examples)])[:-1]

    def intersections(self, compose: Composer) -> Masks:
        """For each example what all of its paths allow, composed from the left."""
        if not len(self._ends):
            return np.zeros(0, np.uint64)
        values: list[Masks] = []
        for depth, (parents, masks) in enumerate(self._levels):
            values.append(compose(values[-1][parents], masks) if depth else masks)
        met: Masks = np.bitwise_and.reduceat(np.concatenate(values)[self._ends], self._first)
        return met
