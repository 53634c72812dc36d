"""What follows in a network: elimination and closure for alternatives, derivation for functions.

Alternatives cut down. :func:`eliminate` (directional path consistency) removes one node after the other, and what its
neighbours said of each other through it stays; :func:`algebraic_closure` does so for all pairs. For base relations of a
distributive calculus, and for series-parallel graphs of an associative table, elimination leaves exactly what is
possible. Else it leaves at least that, and with alternatives on the edges only a search is complete.

A function adds up. :func:`derive` closes all pairs of nodes, because its table need not be associative: what any
bracketing of any walk derives holds.

>>> table = Table(("a", "b", "c"), ((0b011, 0, 0), (0, 0b110, 0), (0, 0, 0)), reading="sets")
>>> edges = ((0, 2), (2, 1), (0, 3), (3, 1))  # two paths from 0 to 1: a, a and b, b
>>> table.names(possible_mask(table, ConstraintNetwork(4, edges, (0b001, 0b001, 0b010, 0b010), (0, 1))))
('b',)
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache

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


def derive(table: Table, network: ConstraintNetwork) -> int:
    """The relations that follow for the query.

    What is new of a pair is composed with all that is known at its two ends. Nobody is related to themselves.
    """
    ahead: list[dict[int, int]] = [{} for _ in range(network.nodes)]
    behind: list[dict[int, int]] = [{} for _ in range(network.nodes)]
    waiting: list[tuple[int, int, int]] = []

    def tell(u: int, v: int, mask: int) -> None:
        known = ahead[u].get(v, 0)
        if mask & ~known and u != v:
            ahead[u][v] = behind[v][u] = known | mask
            waiting.append((u, v, mask & ~known))

    for (u, v), label in zip(network.edges, network.labels, strict=True):
        tell(u, v, label)
        if table.backwards:
            tell(v, u, table.converse(label))
    compose = table.compose
    while waiting:
        u, v, new = waiting.pop()
        for w, mask in ahead[v].items():
            if w != u:
                tell(u, w, compose(new, mask))
        for w, mask in behind[u].items():
            if w != v:
                tell(w, v, compose(mask, new))
    source, sink = network.query
    return ahead[source].get(sink, 0)
