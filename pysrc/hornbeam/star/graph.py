"""Graphs as the benchmark draws them: branches from source to sink, whose edges may be such graphs themselves.

A part is an edge's label (a mask) or a smaller graph that takes an edge's place.

>>> graph = ((1, 2), (4, ((1, 2), (2, 1))))
>>> assemble(graph).edges
((0, 1), (1, 5), (0, 2), (2, 3), (3, 5), (2, 4), (4, 5))
>>> canonical(((4, ((2, 1), (1, 2))), (1, 2))) == canonical(graph)
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from hornbeam.star.calculus import Calculus
from hornbeam.star.network import Edge, Network

# Recursive aliases: a graph is its branches, a branch its parts, a part a label or a graph.
Chain = tuple["int | Graph", ...]
Graph = tuple[tuple["int | Graph", ...], ...]


def assemble(graph: Graph) -> Network:
    """Number the nodes in order of emission: the source 0, the sink last, a smaller graph's exit after its inside."""
    edges: list[Edge] = []
    labels: list[int] = []
    sink = _inner_nodes(graph) + 1
    _emit(graph, 0, sink, 1, edges, labels)
    return Network(sink + 1, tuple(edges), tuple(labels), (0, sink))


def _emit(graph: Graph, source: int, sink: int, free: int, edges: list[Edge], labels: list[int]) -> int:
    for chain in graph:
        here = source
        for i, part in enumerate(chain):
            last = i == len(chain) - 1
            if isinstance(part, int):
                there = sink if last else free
                edges.append((here, there))
                labels.append(part)
                free = free if last else free + 1
            else:
                there = sink if last else free + _inner_nodes(part)
                free = _emit(part, here, there, free, edges, labels)
                free = free if last else free + 1
            here = there
    return free


def _inner_nodes(graph: Graph) -> int:
    """Nodes besides source and sink."""
    total = 0
    for chain in graph:
        total += len(chain) - 1
        for part in chain:
            if not isinstance(part, int):
                total += _inner_nodes(part)
    return total


def canonical(graph: Graph) -> str:
    """A text that two graphs share exactly if they are the same up to the order of branches."""
    return "|".join(sorted(_canonical_chain(chain) for chain in graph))


def _canonical_chain(chain: Chain) -> str:
    return ".".join(format(part, "x") if isinstance(part, int) else f"({canonical(part)})" for part in chain)


def digest(graph: Graph) -> int:
    """A 64-bit number of the canonical form, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(canonical(graph).encode(), digest_size=8).digest(), "big")


def path_masks(calculus: Calculus, graph: Graph) -> list[int]:
    """What each path from source to sink says, branch by branch."""
    return [mask for chain in graph for mask in _chain_masks(calculus, chain)]


def _chain_masks(calculus: Calculus, chain: Chain) -> list[int]:
    masks = [calculus.identity_mask]
    for part in chain:
        steps = [part] if isinstance(part, int) else path_masks(calculus, part)
        masks = [calculus.compose(before, step) for before in masks for step in steps]
    return masks


def paths(network: Network) -> Iterator[list[int]]:
    """The directed paths from source to sink as lists of edge numbers, in order of the edges."""
    outgoing: dict[int, list[int]] = {}
    for number, (u, _) in enumerate(network.edges):
        outgoing.setdefault(u, []).append(number)
    source, sink = network.query

    def walk(node: int, taken: list[int], seen: frozenset[int]) -> Iterator[list[int]]:
        if node == sink:
            yield taken
            return
        for number in outgoing.get(node, []):
            after = network.edges[number][1]
            if after not in seen:
                yield from walk(after, [*taken, number], seen | {after})

    return walk(source, [], frozenset([source]))
