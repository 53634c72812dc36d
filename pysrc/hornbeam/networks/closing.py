"""What follows in a network: elimination and closure for alternatives, derivation for functions.

Alternatives cut down. :func:`eliminate` (directional path consistency) removes one node after the other, and what its
neighbours said of each other through it stays; :func:`algebraic_closure` does so for all pairs. For base relations of a
distributive calculus, and for series-parallel graphs of an associative table, elimination leaves exactly what is
possible. Else it leaves at least that, and with alternatives on the edges only a search is complete.

A function adds up. :func:`derive` closes all pairs of nodes, for its table need not be associative: what every
bracketing of every walk derives holds.

>>> table = Table(("a", "b", "c"), ((0b011, 0, 0), (0, 0b110, 0), (0, 0, 0)), reading="sets")
>>> edges = ((0, 2), (2, 1), (0, 3), (3, 1))  # two paths from 0 to 1: a, a and b, b
>>> table.names(possible_mask(table, ConstraintNetwork(4, edges, (0b001, 0b001, 0b010, 0b010), (0, 1))))
('b',)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.networks.table import Table

Triangle = tuple[int, int, int]


# Alternatives ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Triangulation:
    """What eliminating nodes, fewest neighbours first and the two nodes of the query last, goes through.

    `triangles` lists (a, v, c) for each eliminated v and each two neighbours a, c that it still had, in order; the
    pair of the query only ever occurs as (source, sink). `added` are the pairs that were no edges. `shared` are the
    pairs, in both directions, that more than one edge or triangle speaks of.
    """

    triangles: tuple[Triangle, ...]
    added: tuple[Pair, ...]
    shared: frozenset[Pair]


@lru_cache(maxsize=1024)
def triangulate(nodes: int, edges: tuple[Pair, ...], query: Pair) -> Triangulation:
    """Graphs of one shape come again and again, so the last few are remembered."""
    source, sink = query
    rest: list[set[int]] = [set() for _ in range(nodes)]
    for u, v in edges:
        rest[u].add(v)
        rest[v].add(u)
    buckets: dict[int, set[int]] = {}
    for v in range(nodes):
        if v not in query:
            buckets.setdefault(len(rest[v]), set()).add(v)
    triangles: list[Triangle] = []
    added: list[Pair] = []
    for _ in range(nodes - 2):
        degree = min(d for d, there in buckets.items() if there)
        v = min(buckets[degree])
        buckets[degree].discard(v)
        around = sorted(rest[v])
        before = [len(rest[a]) for a in around]
        for i, a in enumerate(around):
            rest[a].discard(v)
            for c in around[i + 1 :]:
                triangles.append((c, v, a) if a == sink else (a, v, c))
                if c not in rest[a]:
                    rest[a].add(c)
                    rest[c].add(a)
                    added.append((a, c))
        for a, old in zip(around, before, strict=True):
            if a not in query and len(rest[a]) != old:
                buckets[old].discard(a)
                buckets.setdefault(len(rest[a]), set()).add(a)
    if sink not in rest[source]:
        added.append((source, sink))
    return Triangulation(tuple(triangles), tuple(added), _shared(edges, triangles))


def _shared(edges: tuple[Pair, ...], triangles: list[Triangle]) -> frozenset[Pair]:
    times: dict[Pair, int] = {}
    for u, v in (*edges, *((a, c) for a, _, c in triangles)):
        times[u, v] = times[v, u] = times.get((u, v), 0) + 1
    return frozenset(pair for pair, count in times.items() if count > 1)


@dataclass(frozen=True, slots=True)
class Elimination:
    """The triangulated network: `known[u][v]` is the mask of each edge of it, both ways.

    `contradicted`: two parts of the network exclude each other. Then a mask is what at least one part says. `said` is
    what each part says of the query.
    """

    plan: Triangulation
    known: list[dict[int, int]]
    contradicted: bool
    said: list[int]


def eliminate(table: Table, network: ConstraintNetwork, *, prune: bool = True) -> Elimination:
    """Directional path consistency; with `prune=False` the network is only triangulated and has the masks it states."""
    plan = triangulate(network.nodes, network.edges, network.query)
    known = network.neighbours(table)
    universal, compose, converse, lawful = table.universal, table.compose, table.converse, table.lawful
    contradicted = False
    for around in known if prune else ():
        for other, mask in around.items():
            if not mask:  # edges between the same nodes that exclude each other
                around[other], contradicted = universal, True
    for a, c in plan.added:
        known[a][c] = known[c][a] = universal
    source, sink = network.query
    said = [known[source][sink]]
    for a, v, c in plan.triangles if prune else ():
        known_a, known_v, known_c = known[a], known[v], known[c]
        through = compose(known_a[v], known_v[c])
        if a == source and c == sink:
            said.append(through)
        old = known_a[c]
        new = old & through
        if new != old:
            contradicted = contradicted or not new
            known_a[c] = new or old | through
            if lawful:
                known_c[a] = converse(known_a[c])
        if not lawful:
            back = compose(known_c[v], known_v[a])
            old = known_c[a]
            contradicted = contradicted or not old & back
            known_c[a] = old & back or old | back
    return Elimination(plan, known, contradicted, said)


def possible_mask(table: Table, network: ConstraintNetwork) -> int:
    """What elimination leaves between the two nodes of the query; 0 if the network is inconsistent."""
    done = eliminate(table, network)
    source, sink = network.query
    return 0 if done.contradicted else done.known[source][sink]


def algebraic_closure(table: Table, network: ConstraintNetwork) -> list[list[int]] | None:
    """The closure of all pairs as a matrix of masks, or None if a label becomes empty: the algorithm with a queue.

    The table must be lawful.
    """
    n = network.nodes
    known = [[table.universal] * n for _ in range(n)]
    for v in range(n):
        known[v][v] = table.identity
    for (u, v), label in zip(network.edges, network.labels, strict=True):
        known[u][v] &= label
        known[v][u] = table.converse(known[u][v])
        if not known[u][v]:
            return None
    queue = deque(sorted({(min(e), max(e)) for e in network.edges}))
    waiting = set(queue)
    compose, converse = table.compose, table.converse
    while queue:
        i, j = queue.popleft()
        waiting.discard((i, j))
        for k in range(n):
            if k in (i, j):
                continue
            for a, b, c in ((i, j, k), (j, i, k)):
                new = known[a][c] & compose(known[a][b], known[b][c])
                if new != known[a][c]:
                    if not new:
                        return None
                    known[a][c] = new
                    known[c][a] = converse(new)
                    pair = (min(a, c), max(a, c))
                    if pair not in waiting:
                        waiting.add(pair)
                        queue.append(pair)
    return known


# Functions ------------------------------------------------------------------------------------------------------------

Masks = npt.NDArray[np.uint64]
# So many numbers are held at a time.
_ROOM = 4_000_000
# The union of a row of the table over a mask is looked up by so many bits of the mask at a time.
_WIDTH = 11


class Composer:
    """What two sets of relations compose to, for many at once. An empty cell counts as `unknown`.

    >>> compose = Composer(((0b10, 0), (0, 0)), unknown=0)
    >>> compose(np.array([1, 1, 3], np.uint64), np.array([1, 2, 3], np.uint64)).tolist()
    [2, 0, 2]
    """

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


def derive(table: Table, networks: Sequence[ConstraintNetwork], *, backwards: bool) -> list[int]:
    """The relations that follow for each query, which must be (0, 1); networks of one size are closed together."""
    compose = Composer(table.cells, unknown=0)
    derived = [0] * len(networks)
    sizes: dict[int, list[int]] = {}
    for number, network in enumerate(networks):
        sizes.setdefault(network.nodes, []).append(number)
    for nodes, numbers in sorted(sizes.items()):
        room = max(1, _ROOM // nodes**2)
        for start in range(0, len(numbers), room):
            part = numbers[start : start + room]
            known = _matrices(table, [networks[number] for number in part], nodes, backwards)
            _close(known, compose)
            for number, mask in zip(part, known[:, 0, 1].tolist(), strict=True):
                derived[number] = mask
    return derived


def _matrices(table: Table, networks: Sequence[ConstraintNetwork], nodes: int, backwards: bool) -> Masks:
    known = np.zeros((len(networks), nodes, nodes), np.uint64)
    for row, network in zip(known, networks, strict=True):
        for (u, v), mask in zip(network.edges, network.labels, strict=True):
            row[u, v] |= np.uint64(mask)
            if backwards:
                row[v, u] |= np.uint64(table.converse(mask))
    return known


def _close(known: Masks, compose: Composer) -> None:
    """Compose over every middle node until nothing new comes; nobody is related to themselves."""
    nodes = known.shape[1]
    off_diagonal = ~np.eye(nodes, dtype=bool)
    active = np.arange(len(known))
    while len(active):
        work = known[active]
        before = work.copy()
        for middle in range(nodes):
            new = compose(work[:, :, middle, None], work[:, None, middle, :])
            work |= new * off_diagonal
        known[active] = work
        active = active[(work != before).any(axis=(1, 2))]
