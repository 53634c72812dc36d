"""Paths between the two nodes of a query, edges taken in both directions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

import torch
from torch import Tensor

from hornbeam.networks.network import Network

# Of a graph with more steps than this in its search for paths, those found by then are taken.
_STEPS = 20_000


def shortest_path(network: Network) -> list[int]:
    """The nodes of one shortest path; the two nodes of the query where there is none."""
    start, goal = network.query
    links = _links(network)
    before: dict[int, int] = {start: start}
    queue = deque([start])
    while queue and goal not in before:
        node = queue.popleft()
        for following, _ in links.get(node, ()):
            if following not in before:
                before[following] = node
                queue.append(following)
    if goal not in before:
        return [start, goal]
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def relation_paths(networks: Sequence[Network], kinds: Sequence[int], size: int, *, count: int, longest: int) -> Tensor:
    """Kinds along up to `count` simple paths of each query, the shortest first; -1 pads.

    `kinds` are those of all edges, network after network, of `size`; an edge taken backward has its kind plus `size`.
    """
    if count == 0:
        return torch.zeros(len(networks), 0, 0, dtype=torch.long)
    found, first = [], 0
    for network in networks:
        paths = islice(_simple_paths(network, longest), count)
        found.append([[kinds[first + edge] + (0 if forward else size) for edge, forward in path] for path in paths])
        first += len(network.edges)
    length = max((len(path) for paths in found for path in paths), default=1)
    padded = torch.full((len(networks), count, length), -1, dtype=torch.long)
    for row, paths_of in enumerate(found):
        for place, path in enumerate(paths_of):
            padded[row, place, : len(path)] = torch.tensor(path)
    return padded


def _simple_paths(network: Network, longest: int) -> Iterator[list[tuple[int, bool]]]:
    """Simple paths from query to query, in order of length."""
    start, goal = network.query
    links = _links(network)
    queue: deque[tuple[int, list[tuple[int, bool]], frozenset[int]]] = deque([(start, [], frozenset({start}))])
    for _ in range(_STEPS):
        if not queue:
            return
        node, path, seen = queue.popleft()
        for following, edge in links.get(node, ()):
            if following == goal:
                yield [*path, edge]
            elif following not in seen and len(path) + 1 < longest:
                queue.append((following, [*path, edge], seen | {following}))


def _links(network: Network) -> dict[int, list[tuple[int, tuple[int, bool]]]]:
    links: dict[int, list[tuple[int, tuple[int, bool]]]] = {}
    for place, edge in enumerate(network.edges):
        links.setdefault(edge.source, []).append((edge.target, (place, True)))
        links.setdefault(edge.target, []).append((edge.source, (place, False)))
    return links
