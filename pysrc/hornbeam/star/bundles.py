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
import random
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, combinations

from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.star.knowledge import Calculus

# Recursive aliases: a graph is its branches, a branch its parts, a part a label or a graph.
Chain = tuple["int | Graph", ...]
Graph = tuple[tuple["int | Graph", ...], ...]


def assemble(graph: Graph) -> ConstraintNetwork:
    """Number the nodes in order of emission: the source 0, the sink last, a smaller graph's exit after its inside."""
    edges: list[Pair] = []
    labels: list[int] = []
    sink = _inner_nodes(graph) + 1
    _emit(graph, 0, sink, 1, edges, labels)
    return ConstraintNetwork(sink + 1, tuple(edges), tuple(labels), (0, sink))


def _emit(graph: Graph, source: int, sink: int, free: int, edges: list[Pair], labels: list[int]) -> None:
    for chain in graph:
        here = source
        for i, part in enumerate(chain):
            last = i == len(chain) - 1
            inside = 0 if isinstance(part, int) else _inner_nodes(part)
            there = sink if last else free + inside
            if isinstance(part, int):
                edges.append((here, there))
                labels.append(part)
            else:
                _emit(part, here, there, free, edges, labels)
            free += inside + (not last)
            here = there


def _inner_nodes(graph: Graph) -> int:
    """Nodes besides source and sink."""
    parts = [part for chain in graph for part in chain]
    return len(parts) - len(graph) + sum(_inner_nodes(part) for part in parts if not isinstance(part, int))


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
    masks = [calculus.identity]
    for part in chain:
        steps = [part] if isinstance(part, int) else path_masks(calculus, part)
        masks = [calculus.compose(before, step) for before in masks for step in steps]
    return masks


def paths(network: ConstraintNetwork) -> Iterator[list[int]]:
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


# Paths of one composition ---------------------------------------------------------------------------------------------

Labels = tuple[int, ...]
_EXACT = 1 << 50


def atomic_labels(calculus: Calculus) -> Labels:
    """The base relations but the identity, which would lengthen a path without saying anything."""
    return tuple(1 << a for a in range(calculus.size) if 1 << a != calculus.identity)


def wide_labels(calculus: Calculus, width: int) -> Labels:
    """All sets of up to `width` relations without the identity: no edge can turn out to be none."""
    relations = atomic_labels(calculus)
    sets = [sum(chosen) for count in range(1, width + 1) for chosen in combinations(relations, count)]
    return tuple(sorted(sets))


class PathSpace:
    """All paths whose edges carry labels of an alphabet, by length and composition."""

    def __init__(self, calculus: Calculus, alphabet: Labels) -> None:
        self.calculus = calculus
        self.alphabet = alphabet
        # Of each length from 1: how many paths have this composition, and by which last steps they get there.
        self._counts: list[dict[int, int]] = [{}, dict.fromkeys(alphabet, 1)]
        self._steps: list[dict[int, tuple[list[int], list[tuple[int, int]]]]] = [{}, {}]

    def _extend(self, length: int) -> None:
        compose = self.calculus.compose
        while len(self._counts) <= length:
            ways: dict[int, list[tuple[int, int, int]]] = {}
            for before, count in sorted(self._counts[-1].items()):
                for label in self.alphabet:
                    ways.setdefault(compose(before, label), []).append((count, before, label))
            self._counts.append({mask: sum(count for count, _, _ in steps) for mask, steps in ways.items()})
            self._steps.append(
                {
                    mask: (list(accumulate(count for count, _, _ in steps)), [step[1:] for step in steps])
                    for mask, steps in ways.items()
                }
            )

    def masks(self, length: int) -> list[int]:
        """The compositions that paths of this length have, sorted."""
        self._extend(length)
        return sorted(self._counts[length])

    def count(self, length: int, mask: int) -> int:
        """How many paths of this length have exactly this composition."""
        self._extend(length)
        return self._counts[length].get(mask, 0)

    def draw(self, length: int, mask: int, rng: random.Random) -> Labels:
        """A path of this length and composition, each as likely as any other."""
        self._extend(length)
        labels = []
        for here in range(length, 1, -1):
            totals, steps = self._steps[here][mask]
            total = totals[-1]
            # A float is exact enough, and much faster, as long as all integers up to the total are floats.
            at = int(rng.random() * total) if total < _EXACT else rng.randrange(total)
            mask, label = steps[bisect_right(totals, at)]
            labels.append(label)
        labels.append(mask)
        labels.reverse()
        return tuple(labels)

    def all(self, length: int, mask: int) -> list[Labels]:
        """Every path of this length and composition, in order; for small numbers of them."""
        self._extend(length)
        if length == 1:
            return [(mask,)] if mask in self._counts[1] else []
        if mask not in self._steps[length]:
            return []
        return sorted(
            (*path, label) for before, label in self._steps[length][mask][1] for path in self.all(length - 1, before)
        )
