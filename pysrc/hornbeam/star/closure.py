"""Consistency in bit masks for one network: directional path consistency and algebraic closure.

On networks of base relations of a distributive calculus (:meth:`Calculus.distributive`; RCC-8 and Allen's are) both
decide consistency and give minimal labels. With disjunctive labels they only ever remove what is impossible: an empty
label proves inconsistency, but a label that is left may still be impossible, and then clingo decides.

>>> from hornbeam.star.calculus import load_calculus
>>> from hornbeam.star.network import read_network
>>> rcc8 = load_calculus("rcc8")
>>> net = read_network(rcc8, [(0, 1), (1, 3), (0, 2), (2, 3)], ["EC", "TPPI", "TPPI", "EC"], (0, 3))
>>> rcc8.text(answer_mask(rcc8, net))
'EC'
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache

from hornbeam.star.calculus import Calculus
from hornbeam.star.network import Edge, Network

Edge3 = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Triangulation:
    """An order of elimination, fewest neighbours first and the two nodes of the query last, and what it adds.

    `triangles` lists (a, v, c) for each eliminated v and each two neighbours a, c that it still had, in order; the
    pair of the query only ever occurs as (source, sink). `added` are the pairs that were no edges. `shared` are the
    pairs, in both directions, that more than one edge or triangle speaks of.
    """

    order: tuple[int, ...]
    triangles: tuple[Edge3, ...]
    added: tuple[Edge, ...]
    shared: frozenset[Edge]


@lru_cache(maxsize=256)
def triangulate(nodes: int, edges: tuple[Edge, ...], query: Edge) -> Triangulation:
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
    order: list[int] = []
    triangles: list[Edge3] = []
    added: list[Edge] = []
    for _ in range(nodes - 2):
        degree = min(d for d, there in buckets.items() if there)
        v = min(buckets[degree])
        buckets[degree].discard(v)
        order.append(v)
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
    return Triangulation((*order, source, sink), tuple(triangles), tuple(added), _shared(edges, triangles))


def _shared(edges: tuple[Edge, ...], triangles: list[Edge3]) -> frozenset[Edge]:
    times: dict[Edge, int] = {}
    for u, v in (*edges, *((a, c) for a, _, c in triangles)):
        times[u, v] = times[v, u] = times.get((u, v), 0) + 1
    return frozenset(pair for pair, count in times.items() if count > 1)


@dataclass(frozen=True, slots=True)
class Elimination:
    """The triangulated network: `known[u][v]` is the mask of each edge of it, both ways.

    Where `consistent` is false the work stopped at an empty label.
    """

    plan: Triangulation
    known: list[dict[int, int]]
    consistent: bool


def eliminate(calculus: Calculus, network: Network, *, prune: bool = True) -> Elimination:
    """Directional path consistency; with `prune=False` the network is only triangulated."""
    plan = triangulate(network.nodes, network.edges, network.query)
    known = network.neighbours(calculus)
    universal = calculus.universal
    for a, c in plan.added:
        known[a][c] = known[c][a] = universal
    if prune:
        compose, converse = calculus.compose, calculus.converse
        for a, v, c in plan.triangles:
            known_a = known[a]
            old = known_a[c]
            new = old & compose(known_a[v], known[v][c])
            if new != old:
                if not new:
                    return Elimination(plan, known, False)
                known_a[c] = new
                known[c][a] = converse(new)
    return Elimination(plan, known, all(all(around.values()) for around in known))


def answer_mask(calculus: Calculus, network: Network) -> int:
    """What directional path consistency leaves between the two nodes of the query; 0 if the network is inconsistent."""
    done = eliminate(calculus, network)
    source, sink = network.query
    return done.known[source][sink] if done.consistent else 0


def algebraic_closure(calculus: Calculus, network: Network) -> list[list[int]] | None:
    """The full closure as a matrix of masks, or None if a label becomes empty: the plain algorithm with a queue."""
    n = network.nodes
    known = [[calculus.universal] * n for _ in range(n)]
    for v in range(n):
        known[v][v] = calculus.identity_mask
    for (u, v), label in zip(network.edges, network.labels, strict=True):
        known[u][v] &= label
        known[v][u] = calculus.converse(known[u][v])
        if not known[u][v]:
            return None
    queue = deque(sorted({(min(e), max(e)) for e in network.edges}))
    waiting = set(queue)
    compose, converse = calculus.compose, calculus.converse
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
