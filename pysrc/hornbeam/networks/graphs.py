"""Networks made ready for closure: only what can matter for the query, nodes numbered from 0, labels as masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hornbeam.networks.network import Network
from hornbeam.networks.table import Table

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Graph:
    """What is known of pairs of nodes. The query is the pair (0, 1)."""

    nodes: int
    known: Mapping[Pair, int]


def read(network: Network, table: Table, masks: dict[tuple[str, ...], int], *, backwards: bool) -> Graph:
    """The part of a network that can matter for its query; with `backwards` edges are read both ways.

    A function derives nothing through dead ends. Alternatives may contradict each other there, so they stay.
    """
    if network.query[0] == network.query[1]:
        return Graph(2, {})  # of a node and itself nothing follows
    if table.reading == "sets":
        between = _reached(network.query[0], _neighbours(network))
    else:
        between = linked(network) if backwards else _forwards(network)
    place = {node: number for number, node in enumerate(dict.fromkeys((*network.query, *sorted(between))))}
    known: dict[Pair, int] = {}
    for edge in network.edges:
        if edge.source in between and edge.target in between and edge.source != edge.target:
            if edge.relations not in masks:
                masks[edge.relations] = table.mask(edge.relations)
            pair = (place[edge.source], place[edge.target])
            label = masks[edge.relations]
            # Of two edges between the same nodes both hold: alternatives are cut down, derived relations add up.
            known[pair] = (known.get(pair, label) & label) if table.reading == "sets" else known.get(pair, 0) | label
    return Graph(len(place), known)


def _forwards(network: Network) -> set[int]:
    """The nodes on walks from the first node of the query to the second."""
    ahead: dict[int, list[int]] = {}
    behind: dict[int, list[int]] = {}
    for edge in network.edges:
        ahead.setdefault(edge.source, []).append(edge.target)
        behind.setdefault(edge.target, []).append(edge.source)
    return _reached(network.query[0], ahead) & _reached(network.query[1], behind)


def _reached(start: int, steps: Mapping[int, Iterable[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for node in steps.get(waiting.pop(), ()):
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def _neighbours(network: Network) -> dict[int, set[int]]:
    around: dict[int, set[int]] = {node: set() for node in network.query}
    for edge in network.edges:
        around.setdefault(edge.source, set()).add(edge.target)
        around.setdefault(edge.target, set()).add(edge.source)
    return around


def linked(network: Network) -> set[int]:
    """The nodes that are left when dead ends and pieces apart are cut off, in whatever direction edges are read."""
    around = _neighbours(network)
    left = _reached(network.query[0], around)
    ends = [node for node in left if len(around[node]) == 1 and node not in network.query]
    while ends:
        node = ends.pop()
        left.discard(node)
        for other in around[node]:
            around[other].discard(node)
            if len(around[other]) == 1 and other not in network.query:
                ends.append(other)
    return left


# Elimination --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Elimination:
    """Pairs, numbered, both directions of each; and steps (whole, first, second): the pair of number `whole` is cut
    down to what the other two compose to. The query is pair 0."""

    pairs: tuple[Pair, ...]
    steps: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=4096)
def eliminate(nodes: int, pairs: frozenset[Pair]) -> Elimination:
    """Nodes go one by one, the one with the fewest neighbours first; their neighbours keep what they said."""
    around: dict[int, set[int]] = {node: set() for node in range(max(nodes, 2))}
    for u, v in pairs:
        around[u].add(v)
        around[v].add(u)
    number: dict[Pair, int] = {(0, 1): 0, (1, 0): 1}

    def of(u: int, v: int) -> int:
        return number.setdefault((u, v), len(number))

    for u, v in sorted(pairs):
        of(u, v)
        of(v, u)
    steps: list[tuple[int, int, int]] = []
    waiting = set(range(2, nodes))
    while waiting:
        node = min(waiting, key=lambda one: (len(around[one]), one))
        waiting.discard(node)
        near = sorted(around.pop(node))
        for i, u in enumerate(near):
            around[u].discard(node)
            for v in near[i + 1 :]:
                steps.append((of(u, v), of(u, node), of(node, v)))
                steps.append((of(v, u), of(v, node), of(node, u)))
                around[u].add(v)
                around[v].add(u)
    return Elimination(tuple(number), tuple(steps))
