"""Graphs of treewidth above 2: no bundle of paths, edges in both directions, the query anywhere.

Labels are drawn edge by edge from what closure leaves possible, so that the network stays consistent. For base
relations of a distributive calculus the answer still is an intersection over paths, but over all paths of the
undirected graph, whose number grows exponentially; with disjunctive labels only search is complete.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

from hornbeam.bitsets import bits
from hornbeam.errors import HornbeamError
from hornbeam.networks.closing import algebraic_closure, possible_mask
from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.star.knowledge import Calculus

_TRIES = 4000


def treewidth_above_two(nodes: int, edges: tuple[Pair, ...]) -> bool:
    """Whether eliminating nodes with at most two neighbours gets stuck; exact."""
    around: dict[int, set[int]] = {v: set() for v in range(nodes)}
    for u, v in edges:
        around[u].add(v)
        around[v].add(u)
    while True:
        few = next((node for node, near in around.items() if len(near) <= 2), None)
        if few is None:
            return bool(around)
        near = around.pop(few)
        for a in near:
            around[a] |= near - {a}
            around[a].discard(few)


def tangled(calculus: Calculus, nodes: int, answer: int, width: int, rng: random.Random) -> ConstraintNetwork:
    """A network of this many nodes whose query has exactly this answer; 0 asks for an inconsistent one."""
    for _ in range(_TRIES):
        edges = _random_edges(nodes, rng)
        labels = _consistent_labels(calculus, nodes, edges, rng)
        network = ConstraintNetwork(nodes, edges, labels, edges[0])
        changed = _conflicting(calculus, network, rng) if answer == 0 else _with_query(calculus, network, answer, rng)
        if changed is not None:
            return _widened(calculus, changed, answer, width, rng) if width > 1 else changed
    raise HornbeamError(f"no network of {nodes} nodes with the answer {calculus.text(answer) or 'none'} was found")


def _random_edges(nodes: int, rng: random.Random) -> tuple[Pair, ...]:
    """A random 3-tree with a fifth of its edges dropped, as long as the treewidth stays above 2 and no node is lost."""
    while True:
        order = rng.sample(range(nodes), nodes)
        triangles = [tuple(order[:3])]
        pairs = {frozenset(pair) for pair in combinations(order[:3], 2)}
        for v in order[3:]:
            base = triangles[rng.randrange(len(triangles))]
            pairs |= {frozenset((v, a)) for a in base}
            triangles += [(v, *two) for two in combinations(base, 2)]
        listed = sorted(sorted(pair) for pair in pairs)
        rng.shuffle(listed)
        kept = listed[: max(nodes, len(listed) - len(listed) // 5)]
        edges = tuple((u, v) if rng.random() < 0.5 else (v, u) for u, v in kept)
        if len({node for edge in edges for node in edge}) == nodes and treewidth_above_two(nodes, edges):
            return edges


def _consistent_labels(calculus: Calculus, nodes: int, edges: tuple[Pair, ...], rng: random.Random) -> tuple[int, ...]:
    """One relation for each edge, drawn from what the earlier ones leave; the identity only if nothing else is left."""
    labels: list[int] = []
    for number, edge in enumerate(edges):
        left = possible_mask(calculus, ConstraintNetwork(nodes, edges[:number], tuple(labels), edge))
        choice = bits(left & ~calculus.identity) or bits(left)
        labels.append(1 << choice[rng.randrange(len(choice))])
    return tuple(labels)


def _with_query(
    calculus: Calculus, network: ConstraintNetwork, answer: int, rng: random.Random
) -> ConstraintNetwork | None:
    """The same network, asked about two nodes that no edge joins and that have this answer."""
    if any(label == calculus.identity for label in network.labels):
        return None
    closed = algebraic_closure(calculus, network)
    assert closed is not None
    joined = {frozenset(edge) for edge in network.edges}
    pairs = [
        (u, v)
        for u in range(network.nodes)
        for v in range(network.nodes)
        if u != v and closed[u][v] == answer and frozenset((u, v)) not in joined
    ]
    return replace(network, query=rng.choice(pairs)) if pairs else None


def _conflicting(calculus: Calculus, network: ConstraintNetwork, rng: random.Random) -> ConstraintNetwork | None:
    """The network with one edge changed to what the others exclude."""
    number = rng.randrange(len(network.edges))
    left = possible_mask(calculus, replace(network.without({number}), query=network.edges[number]))
    excluded = bits(calculus.universal & ~left & ~calculus.identity)
    if not excluded:
        return None
    labels = list(network.labels)
    labels[number] = 1 << rng.choice(excluded)
    joined = {frozenset(edge) for edge in network.edges}
    pairs = [pair for pair in combinations(range(network.nodes), 2) if frozenset(pair) not in joined]
    return replace(network, labels=tuple(labels), query=rng.choice(pairs)) if pairs else None


def _widened(
    calculus: Calculus, network: ConstraintNetwork, answer: int, width: int, rng: random.Random
) -> ConstraintNetwork:
    """Add relations to edges while closure still gives the same answer."""
    for number in rng.sample(range(len(network.edges)), len(network.edges)):
        for _ in range(width - 1):
            labels = list(network.labels)
            labels[number] |= 1 << rng.randrange(calculus.size)
            wider = replace(network, labels=tuple(labels))
            if labels[number].bit_count() <= width and possible_mask(calculus, wider) == answer:
                network = wider
    return network
