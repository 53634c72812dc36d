"""Tables side by side: the same relations have the same places in all of them, so that many are reasoned with at once.

>>> stack = Stack(("p", "g"), [Table(("g", "p"), ((0, 0), (0, 1))), Table(("p",), ((0,),))])
>>> stack.cells[0].tolist(), stack.present.tolist()
([[2, 0], [0, 0]], [3, 1])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from hornbeam.networks.composing import Composer, Masks, Places, place_of
from hornbeam.networks.table import Table

ONE = np.uint64(1)


class Stack:
    """Some tables of one reading under one numbering of relations.

    Args:
        names: All relations; a table may lack some.
        tables: The tables.
    """

    def __init__(self, names: tuple[str, ...], tables: Sequence[Table]) -> None:
        self.tables = tables
        self.names = names
        place = {name: number for number, name in enumerate(names)}
        self._places = [[place[name] for name in table.relations] for table in tables]
        count = len(names)
        self.cells: Masks = np.zeros((len(tables), count, count), np.uint64)
        self.converses: Masks = np.zeros((len(tables), count), np.uint64)
        self.present: Masks = np.zeros(len(tables), np.uint64)
        for number, (table, places) in enumerate(zip(tables, self._places, strict=True)):
            self.present[number] = sum(1 << one for one in places)
            if table.relations == names:
                self.cells[number], self.converses[number] = table.cells, table.converses
                continue
            at = np.array(places, np.intp)
            self.cells[number][np.ix_(at, at)] = _turned(np.array(table.cells, np.uint64), at)
            self.converses[number][at] = _turned(np.array(table.converses, np.uint64), at)

    @cached_property
    def sets(self) -> bool:
        return self.tables[0].reading == "sets"

    @cached_property
    def unknown(self) -> Masks:
        """Of each table, what a cell or a converse stands for that it does not state."""
        return self.present if self.sets else np.zeros_like(self.present)

    @cached_property
    def compose(self) -> Composer:
        return Composer(self.cells, self.unknown)

    @cached_property
    def _turned_round(self) -> Masks:
        return np.where(self.converses == 0, self.unknown[:, None], self.converses)

    def converse(self, mask: int) -> Masks:
        """The converse of a mask by each table."""
        places = [place for place in range(len(self.names)) if mask >> place & 1]
        turned: Masks = np.bitwise_or.reduce(self._turned_round[:, places], axis=1)
        return turned

    @cached_property
    def order(self) -> Places:
        """The places of each table's relations in its own order; the last is repeated where a table has fewer."""
        longest = max(map(len, self._places))
        return np.array([[*own, *own[-1:] * (longest - len(own))] for own in self._places], np.intp)

    def first_of(self, masks: Masks) -> Places:
        """The place of the relation of a mask that its table lists first; of nothing, the first of all.

        Args:
            masks: By table (the last axis).
        """
        if all(table.relations == self.names for table in self.tables):
            return place_of(masks)
        found = np.broadcast_to(self.order[:, 0], masks.shape)
        for column in reversed(range(self.order.shape[1])):
            own = self.order[:, column]
            found = np.where(masks >> own.astype(np.uint64) & ONE, own, found)
        return found


def _turned(masks: Masks, places: Places) -> Masks:
    """Masks in which bit i became the bit of places[i]."""
    turned = np.zeros_like(masks)
    for old, new in enumerate(places):
        turned |= (masks >> np.uint64(old) & ONE) << np.uint64(new)
    return turned
