"""Where a learned table differs from the true one in what it answers; names and order of facts do not matter.

What cannot change an answer is left out: identity/1, which no answer depends on; converses of a function where one has
several, for then edges are read forwards only; the kind of answer `one`, which every theory can give.

>>> from hornbeam.theory import Theory
>>> true = Table.of(Theory.parse("relation(p). relation(g). compose(p,p,g)."))
>>> differing(Table.of(Theory.parse("compose(p,p,p). relation(g).")), true).cells
(('p', 'p'),)
>>> bool(differing(Table.of(Theory.parse("compose(p,p,g).")), true))
False
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hornbeam.networks.table import Table

Cell = tuple[str, str]

_KINDS = frozenset({"several", "none"})


@dataclass(frozen=True, slots=True)
class Differing:
    """Cells, and relations with another converse; `unknown` relations of the truth, and `others` that concern all."""

    cells: tuple[Cell, ...]
    converses: tuple[str, ...]
    unknown: tuple[str, ...]
    others: tuple[str, ...]  # reading, answers

    def __bool__(self) -> bool:
        return bool(self.cells or self.converses or self.unknown or self.others)


def differing(own: Table, true: Table, harmless: Callable[[Cell, frozenset[str]], bool] | None = None) -> Differing:
    """What may make other answers.

    Args:
        own: The learned table.
        true: The true one.
        harmless: Whether a cell that the truth does not have may have these relations: no network can ask for it.
    """
    names = tuple(dict.fromkeys((*true.relations, *own.relations)))
    cells = []
    for cell in ((first, second) for first in names for second in names):
        is_true, is_own = members(true, cell), members(own, cell)
        allowed = harmless is not None and not is_true and harmless(cell, is_own)
        if is_true != is_own and not allowed:
            cells.append(cell)
    others = ["reading"] * (own.reading != true.reading) + ["answers"] * (not _KINDS & true.answers <= own.answers)
    own_laws, true_laws = _converses(own), _converses(true)
    return Differing(
        cells=tuple(cells),
        converses=tuple(name for name in names if own_laws.get(name) != true_laws.get(name)),
        unknown=tuple(name for name in true.relations if name not in own.place),
        others=tuple(others),
    )


def members(table: Table, cell: Cell) -> frozenset[str]:
    """What a pair composes to; nothing where a relation is unknown."""
    if not all(name in table.place for name in cell):
        return frozenset()
    return frozenset(table.names(table.cells[table.place[cell[0]]][table.place[cell[1]]]))


def _converses(table: Table) -> dict[str, frozenset[str]]:
    """Those that answers depend on."""
    if table.reading == "function" and not all(mask.bit_count() == 1 for mask in table.converse):
        return {}
    known = zip(table.relations, table.converse, strict=True)
    return {name: frozenset(table.names(mask)) for name, mask in known if mask}


def mended(table: Table, cell: Cell, right: frozenset[str]) -> Table | None:
    """The table with one cell put right; None where it does not know a relation."""
    if not {*cell, *right} <= set(table.place):
        return None
    row, column = (table.place[name] for name in cell)
    cells: list[Sequence[int]] = [*table.cells]
    cells[row] = [*cells[row][:column], table.mask(sorted(right)), *cells[row][column + 1 :]]
    return replace(table, cells=tuple(map(tuple, cells)))
