"""What follows in many networks of one shape at once: the closure of :mod:`hornbeam.networks.closing` over arrays.

The networks have the same edges and differ in the labels: `labels[row][edge]` is a number of
:class:`~hornbeam.networks.masks.MaskNumbers`. The query is (0, 1).
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from hornbeam.networks.closing import triangulate
from hornbeam.networks.masks import MaskNumbers, Numbers
from hornbeam.networks.network import Pair
from hornbeam.networks.table import Table

Known = dict[Pair, Numbers]
# The mask of a network whose parts exclude each other.
CONTRADICTED = -1


def follows(
    table: Table, masks: MaskNumbers, nodes: int, edges: tuple[Pair, ...], labels: Numbers
) -> npt.NDArray[np.int32]:
    """For each row the number of what follows for the query; CONTRADICTED where alternatives exclude each other.

    The same as :func:`~hornbeam.networks.closing.derive` and :func:`~hornbeam.networks.closing.eliminate` row by row.
    A function has no fact for an edge with the empty label.
    """
    if table.reading == "sets":
        return _left(table, masks, nodes, edges, labels)
    return _derived(table, masks, edges, labels)


def _derived(table: Table, masks: MaskNumbers, edges: tuple[Pair, ...], labels: Numbers) -> Numbers:
    known: Known = {}
    ahead: dict[int, set[int]] = {}
    behind: dict[int, set[int]] = {}
    waiting: deque[Pair] = deque()

    def tell(u: int, v: int, told: Numbers) -> None:
        if u == v:
            return
        old = known.get((u, v))
        new = told if old is None else masks.unite(old, told)
        if (new.any() if old is None else (new != old).any()):  # fmt: skip
            known[u, v] = new
            ahead.setdefault(u, set()).add(v)
            behind.setdefault(v, set()).add(u)
            if (u, v) not in waiting:
                waiting.append((u, v))

    for place, (u, v) in enumerate(edges):
        tell(u, v, labels[:, place])
        if table.backwards:
            tell(v, u, masks.converse(labels[:, place]))
    while waiting:
        u, v = waiting.popleft()
        for w in sorted(ahead.get(v, ())):
            if w != u:
                tell(u, w, masks.compose(known[u, v], known[v, w]))
        for w in sorted(behind.get(u, ())):
            if w != v:
                tell(w, v, masks.compose(known[w, u], known[u, v]))
    return known.get((0, 1), np.full(len(labels), masks.empty, np.int32))


def _left(table: Table, masks: MaskNumbers, nodes: int, edges: tuple[Pair, ...], labels: Numbers) -> Numbers:
    plan = triangulate(nodes, edges, (0, 1))
    anything = np.full(len(labels), masks.universal, np.int32)
    contradicted = np.zeros(len(labels), np.bool_)
    known: Known = {}
    for place, (u, v) in enumerate(edges):
        label = labels[:, place]
        known[u, v] = masks.meet(known.get((u, v), anything), label)
        known[v, u] = masks.meet(known.get((v, u), anything), masks.converse(label))
    for pair, told in known.items():
        empty = told == masks.empty
        contradicted |= empty
        known[pair] = np.where(empty, masks.universal, told)
    for a, c in plan.added:
        known[a, c] = known[c, a] = anything
    for a, v, c in plan.triangles:
        for u, w in ((a, c), (c, a)):
            through = masks.compose(known[u, v], known[v, w])
            met = masks.meet(known[u, w], through)
            contradicted |= met == masks.empty
            known[u, w] = met
    return np.where(contradicted, np.int32(CONTRADICTED), known[0, 1])
