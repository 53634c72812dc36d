"""Sets of relations in arrays: each set has a number, and what two sets compose to is looked up.

A network leads to few distinct sets, so a table of numbers that is filled when a pair is first met answers millions of
compositions by indexing.

>>> masks = MaskNumbers(Table(("p", "g"), ((2, 0), (0, 0))))
>>> p = np.array([masks.number(0b01)] * 2)
>>> [masks.masks[number] for number in masks.compose(p, p)]
[2, 2]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hornbeam.networks.composing import Composer, Masks
from hornbeam.networks.table import Table

Numbers = npt.NDArray[np.int32]

_UNMET = -1
# A function that is no algebra leads to very many sets; then pairs are not kept.
MOST_KEPT = 1500


class _Looked:
    """An operation on two sets, worked out once for each pair of numbers."""

    def __init__(self, numbers: MaskNumbers, work: Callable[[Masks, Masks], Masks]) -> None:
        self._numbers = numbers
        self._work = work
        self._known: Numbers = np.full((64, 64), _UNMET, np.int32)

    def __call__(self, first: Numbers, second: Numbers) -> Numbers:
        count = len(self._numbers.masks)
        if count > MOST_KEPT:
            return self._worked(first, second)
        if count > len(self._known):
            larger = np.full((2 * count, 2 * count), _UNMET, np.int32)
            larger[: len(self._known), : len(self._known)] = self._known
            self._known = larger
        found: Numbers = self._known[first, second]
        unmet = found == _UNMET
        if unmet.any():
            rows, columns = np.divmod(np.unique(first[unmet] * count + second[unmet]), count)
            self._known[rows, columns] = self._worked(rows, columns)
            found = self._known[first, second]
        return found

    def _worked(self, first: Numbers, second: Numbers) -> Numbers:
        masks = np.array(self._numbers.masks, np.uint64)
        made, where = np.unique(self._work(masks[first], masks[second]), return_inverse=True)
        numbers = np.array([self._numbers.number(mask) for mask in made.tolist()], np.int32)
        return numbers[where.reshape(-1)]


class MaskNumbers:
    """The sets of relations of a table that were met. The number of the empty set is 0, of all relations 1."""

    def __init__(self, table: Table) -> None:
        self.masks: list[int] = []
        self._numbers: dict[int, int] = {}
        self.empty = self.number(0)
        self.universal = self.number(table.universal)
        turned = Composer([[mask] for mask in table.converses], table.unknown)
        self.compose = _Looked(self, Composer(table.cells, table.unknown))
        self.unite = _Looked(self, np.bitwise_or)
        self.meet = _Looked(self, np.bitwise_and)
        self._turn = _Looked(self, lambda one, _: turned(one, np.ones_like(one)))

    def converse(self, one: Numbers) -> Numbers:
        return self._turn(one, np.zeros_like(one))

    def number(self, mask: int) -> int:
        """The number of a set."""
        if mask not in self._numbers:
            self._numbers[mask] = len(self.masks)
            self.masks.append(mask)
        return self._numbers[mask]
