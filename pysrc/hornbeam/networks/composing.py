"""Composition of many masks at once.

>>> import numpy as np
>>> compose = Composer(((0b10, 0), (0, 0)), unknown=0)
>>> compose(np.array([1, 1, 3], np.uint64), np.array([1, 2, 3], np.uint64)).tolist()
[2, 0, 2]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.uint64]
# The union of a row of the table over a mask is looked up by so many bits of the mask at a time.
_WIDTH = 11


class Composer:
    """What two sets of relations compose to: the union over their members. An empty cell counts as `unknown`."""

    def __init__(self, cells: Sequence[Sequence[int]], unknown: int) -> None:
        self._count = len(cells)
        self._parts = range(0, self._count, _WIDTH)
        filled = np.array([[mask or unknown for mask in row] for row in cells], np.uint64).reshape(self._count, -1)
        self._unions = [self._union_tables(filled[:, start : start + _WIDTH]) for start in self._parts]

    @staticmethod
    def _union_tables(cells: Masks) -> Masks:
        """For each relation and each mask over the columns of `cells` the union of its cells there."""
        count, width = cells.shape
        tables = np.zeros((count, 1 << width), np.uint64)
        for column in range(width):
            half = 1 << column
            tables[:, half : 2 * half] = tables[:, :half] | cells[:, column : column + 1]
        return tables

    def __call__(self, first: Masks, second: Masks) -> Masks:
        lows = [
            ((second >> np.uint64(start)) & np.uint64((1 << _WIDTH) - 1)).astype(np.intp) & (tables.shape[1] - 1)
            for start, tables in zip(self._parts, self._unions, strict=True)
        ]
        composed = np.zeros(np.broadcast_shapes(first.shape, second.shape), np.uint64)
        for relation in range(self._count):
            has = (first >> np.uint64(relation)) & np.uint64(1)
            if has.any():
                for low, tables in zip(lows, self._unions, strict=True):
                    composed |= tables[relation][low] * has
        return composed
