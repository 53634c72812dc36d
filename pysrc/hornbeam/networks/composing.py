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
_ONE = np.uint64(1)


class Composer:
    """What two sets of relations compose to: the union over their members.

    Args:
        tables: The cells of each table; all have the same number of relations.
        unknown: For each table, what an empty cell counts as.
    """

    def __init__(self, tables: Sequence[Sequence[Sequence[int]]] | Masks, unknown: Sequence[int] | Masks) -> None:
        cells = np.asarray(tables, np.uint64)
        filled = np.where(cells == 0, np.asarray(unknown, np.uint64)[:, None, None], cells)
        self._count = filled.shape[1]
        self._unions = [_union_tables(filled[:, :, start : start + _WIDTH]) for start in range(0, self._count, _WIDTH)]

    def __call__(self, first: Masks, second: Masks, which: Places | int = 0) -> Masks:
        """The masks that two arrays of masks compose to; `which` is the number of the table of each."""
        several = first & (first - _ONE) != 0
        if not several.any():
            return self._of_one(first, second, which)
        if several.ndim > 1 or not isinstance(which, np.ndarray):
            return self._of_several(first, second, which)
        composed = self._of_one(first, second, which)
        at = np.flatnonzero(several)
        composed[at] = self._of_several(first[at], second[at], which[at])
        return composed

    def _of_one(self, first: Masks, second: Masks, which: Places | int) -> Masks:
        """Where `first` is one relation or none; of several, only the lowest counts."""
        rows = place_of(first) + which * self._count
        composed = np.zeros(np.broadcast_shapes(rows.shape, second.shape), np.uint64)
        for unions, part in self._parts(second):
            composed |= unions.reshape(-1)[rows * unions.shape[2] + part]
        return np.where(first == 0, np.uint64(0), composed)

    def _of_several(self, first: Masks, second: Masks, which: Places | int) -> Masks:
        composed = np.zeros(np.broadcast_shapes(first.shape, second.shape, np.shape(which)), np.uint64)
        parts = [
            (unions.reshape(-1), part + which * (self._count * unions.shape[2]), unions.shape[2])
            for unions, part in self._parts(second)
        ]
        for relation in range(self._count):
            has = (first >> np.uint64(relation)) & _ONE
            if has.any():
                every = ~has + _ONE  # all bits, or none
                for unions, places, size in parts:
                    composed |= unions[places + relation * size] & every
        return composed

    def _parts(self, second: Masks) -> list[tuple[Masks, Places]]:
        """The unions of some columns of the tables, and which of these columns `second` has."""
        return [
            (unions, (second >> np.uint64(number * _WIDTH)).astype(np.intp) & (unions.shape[2] - 1))
            for number, unions in enumerate(self._unions)
        ]


def place_of(masks: Masks) -> Places:
    """The place of the lowest relation of each mask; 0 if it has none.

    >>> place_of(np.array([0b1, 0b100, 0b110, 0], np.uint64)).tolist()
    [0, 2, 1, 0]
    """
    lowest = masks & (~masks + _ONE)
    places: Places = np.maximum(np.frexp(lowest.astype(np.float64))[1] - 1, 0).astype(np.intp)
    return places


def _union_tables(cells: Masks) -> Masks:
    """For each table, each relation and each mask over the columns of `cells` the union of its cells there."""
    count, rows, width = cells.shape
    tables = np.zeros((count, rows, 1 << width), np.uint64)
    for column in range(width):
        half = 1 << column
        tables[:, :, half : 2 * half] = tables[:, :, :half] | cells[:, :, column : column + 1]
    return tables
