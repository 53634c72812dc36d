"""Converse and identity of a partial function, read off its cells.

If x r y, y s z and x t z, and r' is a converse of r, then y r' x and x t z: so r' and t compose to s, if to anything.
Two relations whose cells say so again and again, and never say otherwise, are taken for converse. A relation may
have several: a father's child is a son or a daughter. So a cell speaks against a converse only where no other
converse explains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Pair = tuple[int, int]
# So many triangles must agree on a converse, or cells on an identity, none against.
AGREEING = 2


def converse_of(cells: Mapping[Pair, int], count: int) -> tuple[int, ...]:
    """The converses of each relation as a mask.

    >>> parent, child, sibling = 0, 1, 2
    >>> cells = {(parent, child): sibling, (child, sibling): child, (sibling, parent): parent}
    >>> cells |= {(sibling, sibling): sibling}
    >>> converse_of(cells, 3)
    (2, 1, 4)
    """
    agree = [[0] * count for _ in range(count)]
    against = [[0] * count for _ in range(count)]
    for one, said in _said(cells, count):
        agreeing = [back for back, right in said.items() if right]
        for back in agreeing:
            agree[one][back] += 1
        for back in said if not agreeing else ():
            against[one][back] += 1
    mutual = [
        [
            min(agree[one][back], agree[back][one]) >= AGREEING and not against[one][back] and not against[back][one]
            for back in range(count)
        ]
        for one in range(count)
    ]
    return tuple(sum(1 << back for back in range(count) if mutual[one][back]) for one in range(count))


def _said(cells: Mapping[Pair, int], count: int) -> Iterator[tuple[int, dict[int, bool]]]:
    """For each side of each triangle: the relation, and of each possible converse whether its cell says the same."""
    for (first, second), whole in sorted(cells.items()):
        left = {back: cells[back, whole] == second for back in range(count) if (back, whole) in cells}
        right = {back: cells[whole, back] == first for back in range(count) if (whole, back) in cells}
        yield first, left
        yield second, right


def identity_of(cells: Mapping[Pair, int], count: int) -> int:
    """The relations that change nothing wherever their cells are known, on both sides.

    >>> identity_of({(0, 1): 1, (1, 0): 1, (1, 1): 1}, 2)
    1
    """
    found = 0
    for one in range(count):
        left = [whole == other for (first, other), whole in cells.items() if first == one and other != one]
        right = [whole == other for (other, second), whole in cells.items() if second == one and other != one]
        if left and right and len(left) + len(right) >= AGREEING and all(left) and all(right):
            found |= 1 << one
    return found
