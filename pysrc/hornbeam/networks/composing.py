"""Composition of many masks at once, by one table or by many.

>>> import numpy as np
>>> compose = Composer([((0b10, 0), (0, 0))], unknown=[0])
>>> compose(np.array([1, 1, 3], np.uint64), np.array([1, 2, 3], np.uint64)).tolist()
[2, 0, 2]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.uint64]
Places = npt.NDArray[np.intp]
# The union of a row of the table over a mask is looked up by so many bits of the mask at a time.
_WIDTH = 8
_PLACES = Sequence[Sequence[int]]


class Composer:
    """What two sets of relations compose to: the union over their members.

    Args:
        tables: The cells of each table; all have the same number of relations.
        unknown: For each table, what an empty cell counts as.
    """

    def __init__(self, tables: Sequence[_PLACES] | Masks, unknown: Sequence[int] | Masks) -> None:
        cells = np.asarray(tables, np.uint64)
        filled = np.where(cells == 0, np.asarray(unknown, np.uint64)[:, None, None], cells)
        self._count = filled.shape[1]
        self._unions = [_union_tables(filled[:, :, start : start + _WIDTH]) for start in range(0, self._count, _WIDTH)]

    def __call__(self, first: Masks, second: Masks, which: Places | int = 0) -> Masks:
        """The masks that two arrays of masks compose to; `which` is the number of the table of each."""
        composed = np.zeros(np.broadcast_shapes(first.shape, second.shape, np.shape(which)), np.uint64)
        parts = []
        for number, unions in enumerate(self._unions):
            size = unions.shape[2]
            low = (second >> np.uint64(number * _WIDTH)).astype(np.intp) & (size - 1)
            parts.append((unions.reshape(-1), low + which * (self._count * size), size))
        for relation in range(self._count):
            has = (first >> np.uint64(relation)) & np.uint64(1)
            if has.any():
                every = -has.astype(np.int64).view(np.uint64)  # all bits, or none
                for unions, low, size in parts:
                    composed |= unions[low + relation * size] & every
        return composed


def _union_tables(cells: Masks) -> Masks:
    """For each table, each relation and each mask over the columns of `cells` the union of its cells there."""
    count, rows, width = cells.shape
    tables = np.zeros((count, rows, 1 << width), np.uint64)
    for column in range(width):
        half = 1 << column
        tables[:, :, half : 2 * half] = tables[:, :, :half] | cells[:, :, column : column + 1]
    return tables
