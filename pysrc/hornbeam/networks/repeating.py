"""The same networks asked of many tables, most of which are much like one that is known.

The answer to a network depends on the cells that were looked up on the way. A table that has the same in all of these
gives the same answer, so only the other networks are reasoned with.

>>> from hornbeam.networks.network import Edge
>>> known = Table(("p", "g"), ((2, 0), (0, 0)))
>>> asked = Repeated(known, [Network("n", (Edge(0, ("p",), 1), Edge(1, ("p",), 2)), (0, 2), ())])
>>> [answer.relations for answer in asked.answers(Table(("p", "g"), ((2, 1), (0, 0))))]
[('g',)]
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.bitsets import bits
from hornbeam.networks.network import ConstraintNetwork, Network
from hornbeam.networks.reasoning import Answer, answer, reason
from hornbeam.networks.table import Table


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
        known: The table that others are likely to resemble.
        networks: The networks.

    Raises:
        UsageError: if a network has a relation that the table does not know.
    """

    def __init__(self, known: Table, networks: Sequence[Network]) -> None:
        self._known = known
        self._networks = networks
        self._numbered: dict[tuple[str, bool], list[ConstraintNetwork]] = {}
        self._answers: list[Answer] = []
        self._users: dict[tuple[int, int], set[int]] = {}
        for number, network in enumerate(self._in_numbers(known)):
            traced = _Traced(
                known.relations, known.cells, known.converses, known.identity, known.reading, known.answers
            )
            self._answers.append(answer(traced, network))
            for cell in traced.cells_used():
                self._users.setdefault(cell, set()).add(number)

    def answers(self, table: Table) -> list[Answer]:
        """As :func:`hornbeam.networks.reasoning.reason`; the relations of an answer may be in another order.

        Raises:
            UsageError: if a network has a relation that the table does not know.
        """
        if table.hints or set(table.relations) != set(self._known.relations):
            return reason(table, self._networks)
        turned = table.in_order(self._known.relations)
        numbered = self._in_numbers(turned)
        found = self._answers.copy()
        for number in self._concerned(turned):
            found[number] = answer(turned, numbered[number])
        if turned is not table:  # where closure does not decide, the order of the relations does
            left = [number for number, one in enumerate(found) if one.by != "closure"]
            own = reason(table, [self._networks[number] for number in left])
            for number, one in zip(left, own, strict=True):
                found[number] = one
        return found

    def concerned(self, table: Table) -> list[int]:
        """The numbers of all networks that the table may answer in another way than the known one."""
        known = self._known
        if table.hints or set(table.relations) != set(known.relations):
            return list(range(len(self._networks)))
        numbers = self._concerned(table.in_order(known.relations))
        if table.relations != known.relations:
            numbers = numbers | {number for number, one in enumerate(self._answers) if one.by != "closure"}
        return sorted(numbers)

    def _concerned(self, table: Table) -> set[int]:
        """The networks for which a cell was looked up that is another in this table, whose relations are in order."""
        known = self._known
        if (table.converses, table.reading, table.answers) != (known.converses, known.reading, known.answers):
            return set(range(len(self._networks)))
        concerned: set[int] = set()
        for row, (own, other) in enumerate(zip(known.cells, table.cells, strict=True)):
            if own != other:
                for column, (one, two) in enumerate(zip(own, other, strict=True)):
                    if one != two:
                        concerned |= self._users.get((row, column), set())
        return concerned

    def _in_numbers(self, table: Table) -> list[ConstraintNetwork]:
        """The networks under the order of the known table's relations."""
        kind = (table.reading, table.backwards)
        if kind not in self._numbered:
            masks: dict[tuple[str, ...], int] = {}
            self._numbered[kind] = [network.constraints(table, masks) for network in self._networks]
        return self._numbered[kind]
