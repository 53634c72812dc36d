"""Resolution paths (Algorithm 4): all simple paths of one sign between the ends of a world graph's edges.

A path's descriptor is the tuple of its labels. Signs never mix in a rule, so paths stay within the edges of a sign.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from hornbeam.graphlog.config import Length
from hornbeam.graphlog.logic import Chain
from hornbeam.graphlog.vocabulary import is_backward
from hornbeam.graphlog.world_graph import Pair, WorldGraph

Path = tuple[int, ...]
# For each class and descriptor its paths, in the order of the edges that they resolve.
PathBook = dict[str, dict[Chain, list[Path]]]


def find_paths(graph: WorldGraph, length: Length) -> PathBook:
    """All resolution paths of a world graph."""
    forwards, backwards = _by_sign(graph)
    book: PathBook = {}
    seekers = [_Seeker(edges, length) for edges in (forwards, backwards) if edges]
    for (source, sink), label in graph.edges.items():
        for seeker in seekers:
            for path in seeker.between(source, sink):
                chain = tuple([seeker.edges[pair] for pair in pairwise(path)])
                book.setdefault(label, {}).setdefault(chain, []).append(path)
    return book


def _by_sign(graph: WorldGraph) -> tuple[dict[Pair, str], dict[Pair, str]]:
    forwards = {pair: label for pair, label in graph.edges.items() if not is_backward(label)}
    backwards = {pair: label for pair, label in graph.edges.items() if is_backward(label)}
    return forwards, backwards


class _Seeker:
    """Finds simple paths in the edges of one sign."""

    def __init__(self, edges: dict[Pair, str], length: Length) -> None:
        self.edges = edges
        self._length = length
        self._targets: dict[int, list[int]] = {}
        self._sources: dict[int, list[int]] = {}
        for source, sink in edges:
            self._targets.setdefault(source, []).append(sink)
            self._sources.setdefault(sink, []).append(source)
        self._distances: dict[int, dict[int, int]] = {}

    def between(self, source: int, sink: int) -> Iterator[Path]:
        """The simple paths from source to sink of at least two edges, within the bounds on length."""
        far = self._distances.get(sink)
        if far is None:
            far = self._distances[sink] = self._to(sink)
        if source not in far:
            return
        path = [source]
        seen = {source}
        stack = [iter(self._targets.get(source, ()))]
        while stack:
            left = self._length.max - len(path)
            for node in stack[-1]:
                if node == sink:
                    if len(path) >= self._length.min:
                        yield (*path, sink)
                elif node not in seen and far.get(node, self._length.max) <= left:
                    path.append(node)
                    seen.add(node)
                    stack.append(iter(self._targets.get(node, ())))
                    break
            else:
                stack.pop()
                seen.discard(path.pop())

    def _to(self, sink: int) -> dict[int, int]:
        """How far each node is from the sink, as far as a path may be long."""
        distances = {sink: 0}
        queue = deque([sink])
        while queue:
            node = queue.popleft()
            step = distances[node] + 1
            if step > self._length.max:
                break
            for source in self._sources.get(node, ()):
                if source not in distances:
                    distances[source] = step
                    queue.append(source)
        return distances
