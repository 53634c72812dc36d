"""The same networks asked of many tables at once.

>>> from hornbeam.networks.network import Edge
>>> known = Table(("p", "g"), ((2, 0), (0, 0)))
>>> asked = Repeated(known, [Network("n", (Edge(0, ("p",), 1), Edge(1, ("p",), 2)), (0, 2), ())])
>>> asked.answers([known, Table(("p", "g"), ((2, 1), (0, 0)), identity=1), Table(("g",), ((1,),))])
[[('g',)], [('g',)], [None]]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.bitsets import bits
from hornbeam.networks.composing import Masks
from hornbeam.networks.cutting import Cut, Cutter
from hornbeam.networks.growing import Grower
from hornbeam.networks.network import ConstraintNetwork, Network
from hornbeam.networks.reasoning import answer, reason
from hornbeam.networks.stacked import Stack
from hornbeam.networks.table import Reading, Table

Relations = tuple[str, ...]
_Kind = tuple[Reading, bool]  # and whether edges are read backwards
_NO_ANSWER = (1 << 64) - 1  # a table has at most 63 relations


class _Traced(Table):
    """Looks up every cell that a table like this may need; where the laws hold, fewer would do."""

    @property
    def lawful(self) -> bool:
        return False

    def cells_used(self) -> set[tuple[int, int]]:
        """The cells that were looked up."""
        pairs = [(key >> self.size, key & self.universal) for key in self._compositions]
        return {(row, column) for first, second in pairs for row in bits(first) for column in bits(second)}


class Repeated:
    """Networks that many tables are asked about.

    Args:
        known: The table that others are likely to resemble. It has all relations of the networks.
        networks: The networks.

    Raises:
        UsageError: if a network has a relation that the table does not know.
    """

    def __init__(self, known: Table, networks: Sequence[Network]) -> None:
        self._known = known
        self._networks = networks
        self._numbered: dict[_Kind, list[ConstraintNetwork]] = {}
        self._told: dict[_Kind, Masks] = {}
        self._reasoners: dict[_Kind, Cutter | Grower] = {}
        self._undecided: set[int] = set()  # by closure
        self._users: dict[tuple[int, int], set[int]] = {}
        for number, network in enumerate(self._in_numbers(_kind(known))):
            traced = _Traced(
                known.relations, known.cells, known.converses, known.identity, known.reading, known.answers
            )
            if answer(traced, network).by != "closure":
                self._undecided.add(number)
            for cell in traced.cells_used():
                self._users.setdefault(cell, set()).add(number)

    # Answers ----------------------------------------------------------------------------------------------------------

    def answers(self, tables: Sequence[Table]) -> list[list[Relations | None]]:
        """For each table the answers to all networks, as :func:`hornbeam.networks.reasoning.reason` gives them.

        The relations of an answer may be in another order. None where a network has a relation that the table does not
        know: it answers nothing.
        """
        found: list[list[Relations | None]] = [[] for _ in tables]
        kinds: dict[_Kind, list[int]] = {}
        for number, table in enumerate(tables):
            if table.hints:  # they look at the edges, which the closure of many tables does not know
                found[number] = self._hinted(table)
            else:
                kinds.setdefault(_kind(table), []).append(number)
        for kind, numbers in kinds.items():
            for number, own in zip(numbers, self._answered([tables[at] for at in numbers], kind), strict=True):
                found[number] = own
        return found

    def _hinted(self, table: Table) -> list[Relations | None]:
        known = set(table.relations)
        asked = [network for network in self._networks if known.issuperset(network.named())]
        answers = iter([one.relations for one in reason(table, asked)])
        return [next(answers) if known.issuperset(network.named()) else None for network in self._networks]

    def _answered(self, tables: Sequence[Table], kind: _Kind) -> list[list[Relations | None]]:
        names = tuple(dict.fromkeys(name for table in (self._known, *tables) for name in table.relations))
        stack = Stack(names, tables)
        if kind not in self._reasoners:
            networks = self._in_numbers(kind)
            self._reasoners[kind] = Cutter(networks) if stack.sets else Grower(networks, backwards=kind[1])
        reasoner = self._reasoners[kind]
        masks = _decided(reasoner(stack), stack)
        masks[self._foreign(stack, kind)] = _NO_ANSWER
        different, places = np.unique(masks, return_inverse=True)
        texts = np.empty(len(different), object)
        texts[:] = [_names(int(mask), names) for mask in different]
        rows: list[list[Relations | None]] = texts[places.reshape(masks.shape)].T.tolist()
        return rows

    def _foreign(self, stack: Stack, kind: _Kind) -> npt.NDArray[np.bool_]:
        """By network and table: there is an edge with a relation that the table does not know."""
        if kind not in self._told:
            self._told[kind] = np.array([_told(network, kind, self._known) for network in self._networks], np.uint64)
        foreign: npt.NDArray[np.bool_] = self._told[kind][:, None] & ~stack.present != 0
        return foreign

    def _in_numbers(self, kind: _Kind) -> list[ConstraintNetwork]:
        """The networks under the order of the known table's relations, as tables of this kind read them."""
        if kind not in self._numbered:
            names = self._known.relations
            empty = ((0,) * len(names),) * len(names)
            reader = Table(names, empty, (int(kind[1]),) * len(names), reading=kind[0])
            masks: dict[Relations, int] = {}
            self._numbered[kind] = [network.constraints(reader, masks) for network in self._networks]
        return self._numbered[kind]

    # Differences ------------------------------------------------------------------------------------------------------

    def concerned(self, table: Table) -> list[int]:
        """The numbers of all networks that the table may answer in another way than the known one.

        The answer to a network depends on the cells that were looked up on the way. A table that has the same in all
        of these gives the same answer.
        """
        known = self._known
        if table.hints or set(table.relations) != set(known.relations):
            return list(range(len(self._networks)))
        turned = table.in_order(known.relations)
        if (turned.converses, turned.reading, turned.answers) != (known.converses, known.reading, known.answers):
            return list(range(len(self._networks)))
        concerned: set[int] = set()
        for row, (own, other) in enumerate(zip(known.cells, turned.cells, strict=True)):
            if own != other:
                for column, (one, two) in enumerate(zip(own, other, strict=True)):
                    if one != two:
                        concerned |= self._users.get((row, column), set())
        if table.relations != known.relations:  # where closure does not decide, the order of the relations does
            concerned |= self._undecided
        return sorted(concerned)


def _kind(table: Table) -> _Kind:
    return table.reading, table.backwards


def _decided(found: Cut | Masks, stack: Stack) -> Masks:
    """The answers as masks: one relation, unless a table has answers of several or of none."""
    left = found.left if isinstance(found, Cut) else found
    several = np.array(["several" in table.answers for table in stack.tables])
    first = np.uint64(1) << stack.first_of(left).astype(np.uint64)
    masks: Masks = np.where((left != 0) & several, left, first)
    if isinstance(found, Cut) and found.contradicted.any():
        none = np.array(["none" in table.answers for table in stack.tables])
        voted = np.uint64(1) << _most_votes(found, stack).astype(np.uint64)
        masks = np.where(found.contradicted, np.where(none, np.uint64(0), voted), masks)
    return masks


def _most_votes(found: Cut, stack: Stack) -> npt.NDArray[np.intp]:
    """The relation with most votes among those that are left; of two with as many, the one that is listed first."""
    places = np.arange(len(stack.names), dtype=np.uint64)
    votes = np.where(found.left[:, :, None] >> places & np.uint64(1), found.votes, -1)
    best = votes == votes.max(axis=2, keepdims=True)
    masks: Masks = (best.astype(np.uint64) << places).sum(axis=2, dtype=np.uint64)
    return stack.first_of(masks)


def _names(mask: int, names: Sequence[str]) -> Relations | None:
    return None if mask == _NO_ANSWER else tuple([names[place] for place in bits(mask)])


def _told(network: Network, kind: _Kind, known: Table) -> int:
    """The relations of the edges that a reader of this kind looks at, in its part of the network or in all of it."""
    if network.query[0] == network.query[1]:
        return 0
    nodes = None
    if kind[1]:
        nodes = network.connected() if kind[0] == "sets" else network.without_dead_ends()
    edges = [edge for edge in network.edges if nodes is None or (edge.source in nodes and edge.target in nodes)]
    return known.mask(sorted({name for edge in edges for name in edge.relations}))
