"""What a graph holds beside its resolution path: neighbours, detours that support it, pieces apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from hornbeam.graphlog.config import Noise
from hornbeam.graphlog.relevant import reach
from hornbeam.graphlog.world_graph import Pair


def neighbours(path: Sequence[int], adjacency: Sequence[list[int]], noise: Noise, rng: Random) -> dict[int, None]:
    """The path's nodes and those that a search in breadth takes along, each further neighbour of a node less often."""
    taken = dict.fromkeys(path)
    frontier: Sequence[int] = path
    draw = rng.random
    first, decay = noise.first, noise.decay
    for _ in range(noise.depth):
        found: list[int] = []
        for node in frontier:
            near = adjacency[node]
            start = int(draw() * len(near)) if len(near) > 1 else 0
            chance = first
            for other in near[start:] + near[:start]:
                if draw() < chance and other not in taken:
                    taken[other] = None
                    found.append(other)
                chance *= decay
        frontier = found
    return taken


def induced(taken: dict[int, None], leaving: Sequence[Sequence[int]]) -> list[Pair]:
    """The edges between nodes that were taken."""
    return [(node, target) for node in taken for target in leaving[node] if target in taken]


def cut_compat(pairs: list[Pair], path: Sequence[int], rng: Random) -> list[Pair]:
    """Without an edge of each other path between the ends of `path`, in both directions, up to one edge longer.

    A path of which an edge is gone already loses another one; longer paths stay. Both are as in the published data, in
    which one row of a hundred has a second path.
    """
    kept = dict.fromkeys(pairs)
    on_path = set(pairwise(path))
    leaving: dict[int, list[int]] = {}
    for source, sink in pairs:
        leaving.setdefault(source, []).append(sink)
    for start, end in ((path[0], path[-1]), (path[-1], path[0])):
        for other in _simple_paths(leaving, start, end, len(path)):
            free = [step for step in pairwise(other) if step not in on_path]
            if free:
                kept.pop(rng.choice(free), None)
    return list(kept)


def _simple_paths(leaving: dict[int, list[int]], start: int, end: int, longest: int) -> list[list[int]]:
    found: list[list[int]] = []
    path = [start]

    def extend() -> None:
        for node in leaving.get(path[-1], ()):
            if node == end:
                found.append([*path, end])
            elif node not in path and len(path) < longest:
                path.append(node)
                extend()
                path.pop()

    extend()
    return found


def cut_sound(pairs: list[Pair], path: Sequence[int], rng: Random) -> list[Pair]:
    """Without any other walk between the ends of `path`.

    All walks between the ends are directed paths of the block in which the path lies; see world_graph. Another one
    leaves the path by an edge and comes back by an edge: either all that leave are cut, or all that come back.
    """
    on_path = set(pairwise(path))
    leaving: dict[int, list[int]] = {}
    entering: dict[int, list[int]] = {}
    for source, sink in pairs:
        if source in leaving:
            leaving[source].append(sink)
        else:
            leaving[source] = [sink]
        if sink in entering:
            entering[sink].append(source)
        else:
            entering[sink] = [source]
    after, before = reach(leaving, path[0]), reach(entering, path[-1])
    nodes = set(path)
    end = int(rng.random() < 0.5)
    return [
        pair
        for pair in pairs
        if pair[end] not in nodes or pair in on_path or pair[0] not in after or pair[1] not in before
    ]
