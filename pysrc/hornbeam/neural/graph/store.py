"""Labelled graphs as flat arrays: encoded once, collated into a batch by indexing alone.

An edge carries a *kind*: a set of relations, most often of one. Kinds are rows of a matrix over the relations, so that
a model has parameters for relations only and an edge that is not known exactly is a mixture of them. Paths between the
two nodes of a query take edges in both directions.

>>> from hornbeam.networks.network import Edge, Network
>>> path = Network("n", (Edge(0, ("r",), 1), Edge(1, ("s",), 2)), (0, 2), ("t",))
>>> store = encode([path, path], ("r", "s", "t"))
>>> batch = store.batch(torch.tensor([1, 0]))
>>> batch.sources.tolist(), batch.queries.tolist(), batch.labels.tolist()
([0, 1, 3, 4], [[0, 2], [3, 5]], [2, 2])
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import torch
from torch import Tensor

from hornbeam.errors import UsageError
from hornbeam.networks.network import Network

_STEPS = 20_000  # of the search for paths in a graph; if they do not suffice, the paths found by then are taken


@dataclass(frozen=True, slots=True)
class NetworkBatch:
    """Graphs side by side: nodes are numbered through, and `graph` says which graph a node is of."""

    sources: Tensor  # [edges]
    targets: Tensor  # [edges]
    types: Tensor  # [edges], rows of `kinds`
    kinds: Tensor  # [kinds, relations], each row a distribution
    graph: Tensor  # [nodes]
    local: Tensor  # [nodes], the node's number in its own graph
    queries: Tensor  # [graphs, 2]
    labels: Tensor  # [graphs]
    way: Tensor  # nodes of one shortest path of each graph, one after the other
    way_graph: Tensor  # which graph each of them is of
    paths: Tensor  # [graphs, paths, length], kinds along paths from query to query; -1 pads

    @property
    def nodes(self) -> int:
        return len(self.graph)

    @property
    def graphs(self) -> int:
        return len(self.labels)

    @property
    def largest(self) -> int:
        """The number of nodes of the largest graph."""
        return int(self.local.max()) + 1 if self.nodes else 0

    def both_ways(self) -> NetworkBatch:
        """With each edge also backwards; its kind is then one of as many more."""
        size, relations = self.kinds.shape
        kinds = self.kinds.new_zeros(2 * size, 2 * relations)
        kinds[:size, :relations] = self.kinds
        kinds[size:, relations:] = self.kinds
        return replace(
            self,
            sources=torch.cat([self.sources, self.targets]),
            targets=torch.cat([self.targets, self.sources]),
            types=torch.cat([self.types, self.types + size]),
            kinds=kinds,
        )


@dataclass(frozen=True, slots=True)
class GraphStore:
    """All graphs of a split. Pointers say where each graph's part of a flat array starts."""

    relations: tuple[str, ...]
    kinds: Tensor
    sources: Tensor
    targets: Tensor
    types: Tensor
    edge_start: Tensor  # [graphs + 1]
    sizes: Tensor  # nodes of each graph
    queries: Tensor
    labels: Tensor
    way: Tensor
    way_start: Tensor
    paths: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, rows: Tensor) -> NetworkBatch:
        """The graphs of these rows."""
        sizes = self.sizes[rows]
        shift = torch.cumsum(sizes, 0) - sizes
        edges, edge_graph = _spread(self.edge_start, rows)
        way, way_graph = _spread(self.way_start, rows)
        graph = torch.repeat_interleave(torch.arange(len(rows)), sizes)
        return NetworkBatch(
            sources=self.sources[edges] + shift[edge_graph],
            targets=self.targets[edges] + shift[edge_graph],
            types=self.types[edges],
            kinds=self.kinds,
            graph=graph,
            local=torch.arange(len(graph)) - shift[graph],
            queries=self.queries[rows] + shift[:, None],
            labels=self.labels[rows],
            way=self.way[way] + shift[way_graph],
            way_graph=way_graph,
            paths=self.paths[rows],
        )


def encode(networks: Sequence[Network], relations: Sequence[str], *, paths: int = 0, longest: int = 12) -> GraphStore:
    """Networks as arrays; `paths` simple paths of each query are kept for models that read paths."""
    known = {name: place for place, name in enumerate(relations)}
    table: dict[tuple[str, ...], int] = {(name,): place for place, name in enumerate(relations)}
    flat: list[list[int]] = [[], [], []]
    edge_start, sizes, way, way_start = [0], [], list[int](), [0]
    for network in networks:
        for edge in network.edges:
            kind = tuple(sorted(set(edge.relations), key=known.__getitem__))
            flat[0].append(edge.source)
            flat[1].append(edge.target)
            flat[2].append(table.setdefault(kind, len(table)))
        edge_start.append(len(flat[0]))
        nodes = [*network.query, *(node for edge in network.edges for node in (edge.source, edge.target))]
        sizes.append(1 + max(nodes))
        way += shortest_path(network)
        way_start.append(len(way))
    return GraphStore(
        tuple(relations),
        _distributions(table, known),
        sources=torch.tensor(flat[0], dtype=torch.long),
        targets=torch.tensor(flat[1], dtype=torch.long),
        types=torch.tensor(flat[2], dtype=torch.long),
        edge_start=torch.tensor(edge_start),
        sizes=torch.tensor(sizes, dtype=torch.long),
        queries=torch.tensor([network.query for network in networks], dtype=torch.long).reshape(-1, 2),
        labels=torch.tensor([_label(network, known) for network in networks], dtype=torch.long),
        way=torch.tensor(way, dtype=torch.long),
        way_start=torch.tensor(way_start),
        paths=_kind_paths(networks, flat[2], len(table), count=paths, longest=longest),
    )


def _label(network: Network, known: dict[str, int]) -> int:
    if len(network.answer) != 1:
        raise UsageError(
            f"the answer of {network.name} is {' or '.join(network.answer) or 'missing'}: models need a single relation"
        )
    return known[network.answer[0]]


def _distributions(table: dict[tuple[str, ...], int], known: dict[str, int]) -> Tensor:
    kinds = torch.zeros(len(table), len(known))
    for kind, place in table.items():
        kinds[place, [known[name] for name in kind]] = 1 / len(kind)
    return kinds


def _spread(start: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    """The places of these rows' parts in a flat array, and for each which of the rows it is of."""
    first, lengths = start[rows], start[rows + 1] - start[rows]
    row = torch.repeat_interleave(torch.arange(len(rows)), lengths)
    before = torch.cumsum(lengths, 0) - lengths
    return torch.arange(len(row)) - before[row] + first[row], row


def shortest_path(network: Network) -> list[int]:
    """The nodes of one shortest path, edges taken both ways; the two nodes of the query if there is none."""
    start, goal = network.query
    links = _links(network)
    queue, seen = deque([[start]]), {start}
    while queue:
        way = queue.popleft()
        if way[-1] == goal:
            return way
        for following, _ in links.get(way[-1], ()):
            if following not in seen:
                seen.add(following)
                queue.append([*way, following])
    return [start, goal]


def _kind_paths(networks: Sequence[Network], kinds: Sequence[int], size: int, *, count: int, longest: int) -> Tensor:
    """Kinds along up to `count` simple paths of each query, the shortest first; -1 pads.

    `kinds` are those of all edges, network after network, of `size`; an edge taken backward has its kind plus `size`.
    """
    if count == 0:
        return torch.zeros(len(networks), 0, 0, dtype=torch.long)
    paths: dict[tuple[int, int], list[int]] = {}  # by network and place
    first = 0
    for row, network in enumerate(networks):
        for place, path in enumerate(islice(_simple_paths(network, longest), count)):
            paths[row, place] = [kinds[first + edge] + (0 if forward else size) for edge, forward in path]
        first += len(network.edges)
    padded = torch.full((len(networks), count, max(map(len, paths.values()), default=1)), -1, dtype=torch.long)
    for (row, place), kinds_along in paths.items():
        padded[row, place, : len(kinds_along)] = torch.tensor(kinds_along)
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
