"""The published generator's behaviour, for comparison with published results.

It is what the authors' repository does (Khalid and Schockaert 2024; not quite what the paper says): base graphs of
2-edge paths drawn until their intersection is the label, edges lengthened by short paths that compose to exactly
the edge, from k = 5 on edges replaced by smaller bundles. Known faults that are kept: b counts branches, not needed
paths; identity edges lengthen paths; a base path that is drawn twice is lengthened in the same way; universal
compositions are treated as empty, so that no path is without information; rows repeat within and across splits.
"""

from __future__ import annotations

import random
from functools import cache, lru_cache, reduce
from operator import and_

import numpy as np

from hornbeam.bitsets import bits
from hornbeam.seeds import fast_rng, rng
from hornbeam.star.bundles import Chain, Graph
from hornbeam.star.knowledge import Calculus, load_calculus

# How many short paths of each length are drawn in advance, and how many of them stand ready for each relation.
DRAWN = 100_000
READY = 800
_LENGTHS = (2, 3, 4)
# Lengthened paths that are remembered; they come out the same when they are made again.
_KEPT = 10_000


class Published:
    """The short paths drawn in advance for one calculus and seed, and the graphs made of them."""

    def __init__(self, calculus: Calculus, seed: int) -> None:
        self.calculus = calculus
        self.seed = seed
        self._base: list[tuple[int, ...]] = []
        self._base_masks: list[int] = []
        self._with: dict[int, list[int]] = {}
        self._ready: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        self._lengthened = lru_cache(_KEPT)(self._lengthen)
        self._with_smaller_graphs = lru_cache(_KEPT)(self._replace_edges)
        for length in _LENGTHS:
            self._draw(length)

    def _draw(self, length: int) -> None:
        generator = rng(self.seed, "star", "compat", self.calculus.name, length)
        paths = generator.integers(0, self.calculus.size, (DRAWN, length))
        masks = self._said(paths)
        for relation in range(self.calculus.size):
            exact = np.flatnonzero(masks == 1 << relation)
            chosen = exact[generator.integers(0, len(exact), READY)]
            self._ready[length, relation] = [tuple(path) for path in (1 << paths[chosen]).tolist()]
            if length == 2:
                self._with[relation] = np.flatnonzero(masks & (1 << relation)).tolist()
        if length == 2:
            self._base = [tuple(path) for path in (1 << paths).tolist()]
            self._base_masks = masks.tolist()

    def _said(self, paths: np.ndarray) -> np.ndarray:
        """Compositions from left to right, universal cells taken as empty."""
        n, universal = self.calculus.size, self.calculus.universal
        cells = np.array(self.calculus.cells, dtype=np.int64)
        cells[cells == universal] = 0
        after = np.zeros((1 << n, n), dtype=np.int64)
        for relation in range(n):
            have = (np.arange(1 << n) >> relation & 1).astype(bool)
            after[have] |= cells[relation]
        said = 1 << paths[:, 0].astype(np.int64)
        for step in range(1, paths.shape[1]):
            said = after[said, paths[:, step]]
        return said

    def graph(self, k: int, b: int, relation: int, row_rng: random.Random) -> Graph:
        """A graph of k edges on each path and b branches whose answer is this relation."""
        chosen = self._choose(relation, b, row_rng)
        if k <= max(_LENGTHS):
            return tuple(self._lengthened(index, k) for index in chosen)
        return tuple(self._with_smaller_graphs(index, k) for index in chosen)

    def _choose(self, relation: int, b: int, row_rng: random.Random) -> list[int]:
        """Base paths, drawn with replacement until their intersection is the relation."""
        usable, masks = self._with[relation], self._base_masks
        while True:
            chosen = [usable[int(row_rng.random() * len(usable))] for _ in range(b)]
            if reduce(and_, [masks[index] for index in chosen]) == 1 << relation:
                return chosen

    def _lengthen(self, index: int, length: int) -> tuple[int, ...]:
        path = self._base[index]
        if len(path) == length:
            return path
        draw = fast_rng(self.seed, "star", "compat-longer", length, index)
        while len(path) < length:
            place = draw.randrange(len(path))
            step = draw.randint(2, min(4, length - len(path) + 1))
            ready = self._ready[step, bits(path[place])[0]]
            path = (*path[:place], *ready[draw.randrange(len(ready))], *path[place + 1 :])
        return path

    def _replace_edges(self, index: int, k: int) -> Chain:
        draw = fast_rng(self.seed, "star", "compat-replaced", k, index)
        chain: list[int | Graph] = list(self._lengthened(index, k // 2 + 1))
        missing = k - len(chain)
        while missing:
            place = draw.choice([i for i, part in enumerate(chain) if isinstance(part, int)])
            label = chain[place]
            assert isinstance(label, int)
            length = draw.randint(2, min(k - 2, missing + 1))
            inner = self._choose(bits(label)[0], draw.randint(2, 5), draw)
            chain[place] = tuple(self._lengthened(one, length) for one in inner)
            missing -= length - 1
        return tuple(chain)


@cache
def published(calculus: str, seed: int) -> Published:
    """Made once in a process: about a tenth of a second."""
    return Published(load_calculus(calculus), seed)
