"""A constraint network: nodes, directed edges labelled with sets of relations, and two nodes that are asked about.

>>> from hornbeam.star.calculus import load_calculus
>>> rcc8 = load_calculus("rcc8")
>>> net = read_network(rcc8, [(0, 1), (1, 2)], ["EC", "TPPI"], (0, 2))
>>> net.nodes, rcc8.text(net.labels[1])
(3, 'TPPI')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.errors import UsageError
from hornbeam.star.calculus import Calculus

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Network:
    """Nodes are 0 .. nodes-1; `labels[i]` is the mask of `edges[i]`; `query` is the pair that is asked about."""

    nodes: int
    edges: tuple[Edge, ...]
    labels: tuple[int, ...]
    query: Edge

    def atomic(self) -> bool:
        """Whether every edge has one relation."""
        return all(label & (label - 1) == 0 for label in self.labels)

    def without(self, dropped: set[int]) -> Network:
        """The same nodes and query without the edges of these numbers."""
        kept = [i for i in range(len(self.edges)) if i not in dropped]
        return Network(self.nodes, tuple(self.edges[i] for i in kept), tuple(self.labels[i] for i in kept), self.query)

    def neighbours(self, calculus: Calculus) -> list[dict[int, int]]:
        """For each node its neighbours with the mask of what is known, from both sides; parallel edges intersected."""
        known: list[dict[int, int]] = [{} for _ in range(self.nodes)]
        for (u, v), label in zip(self.edges, self.labels, strict=True):
            label &= known[u].get(v, label)
            known[u][v] = label
            known[v][u] = calculus.converse(label)
        return known


def read_network(
    calculus: Calculus,
    edges: Sequence[Edge],
    labels: Sequence[str],
    query: Edge,
    *,
    file: str | None = None,
    line: int | None = None,
) -> Network:
    """A checked network; an error names the edge, and the file and line where there are any."""
    if len(edges) != len(labels):
        raise UsageError(f"{len(edges)} edges but {len(labels)} labels", file=file, line=line)
    if not edges:
        raise UsageError("a network needs an edge", file=file, line=line)
    masks = [check_edge(calculus, edge, label, file=file, line=line) for edge, label in zip(edges, labels, strict=True)]
    used = {node for edge in edges for node in edge}
    nodes = max(used) + 1
    for node in query:
        if type(node) is not int or node not in used:
            raise UsageError(f"the query {query} asks about node {node}, which no edge has", file=file, line=line)
    if query[0] == query[1]:
        raise UsageError(f"the query {query} asks about one node, expected two", file=file, line=line)
    if len(used) < nodes:
        missing = next(node for node in range(nodes) if node not in used)
        raise UsageError(f"node {missing} is missing: nodes must be 0 .. {nodes - 1}", file=file, line=line)
    _check_pairs(calculus, edges, masks, file, line)
    return Network(nodes, tuple((u, v) for u, v in edges), tuple(masks), (query[0], query[1]))


def check_edge(calculus: Calculus, edge: Edge, label: str, *, file: str | None = None, line: int | None = None) -> int:
    """The mask of an edge's label; an error names the edge."""
    u, v = edge
    if type(u) is not int or type(v) is not int or u < 0 or v < 0:
        raise UsageError(f"edge {edge}: nodes are numbers from 0", file=file, line=line)
    if u == v:
        raise UsageError(f"edge {edge} goes from a node to itself", file=file, line=line)
    try:
        return calculus.mask(label)
    except UsageError as error:
        raise UsageError(f"edge {edge}: {error.message}", file=file, line=line) from None


def _check_pairs(
    calculus: Calculus, edges: Sequence[Edge], masks: Sequence[int], file: str | None, line: int | None
) -> None:
    """Two edges between the same nodes must agree: a relation one way, its converse the other way."""
    known: dict[Edge, int] = {}
    for (u, v), mask in zip(edges, masks, strict=True):
        before = known.get((u, v))
        if before is not None and not before & mask:
            raise UsageError(
                f"edge ({u}, {v}) is {calculus.text(mask)}, but an earlier edge between the two says "
                f"{calculus.text(before)} in this direction",
                file=file,
                line=line,
            )
        both = mask if before is None else mask & before
        known[u, v] = both
        known[v, u] = calculus.converse(both)
