"""Rows (Algorithm 4): a resolution path of the world graph with noise around it, renumbered.

Noise is the rest of the graph: neighbours of the path, detours that support it, and disconnected pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count as count_up
from itertools import pairwise
from random import Random

from hornbeam.graphlog.config import Config, RowNoise
from hornbeam.graphlog.descriptors import Path, PathBook
from hornbeam.graphlog.knowledge import Chain
from hornbeam.graphlog.record import DrawnRow
from hornbeam.graphlog.world import Pair, WorldGraph, links, reach
from hornbeam.seeds import fast_rng

# How often another row is drawn where the one drawn is there already, before its class is given up.
_REDRAWS = 30


class RowMaker:
    """Draws rows of one world."""

    def __init__(self, config: Config, graph: WorldGraph, paths: PathBook) -> None:
        self._config = config
        self._edges = graph.edges
        self._paths = paths
        self._leaving = graph.adjacency(directed=True)
        self._near = self._leaving if config.noise.directed else graph.adjacency(directed=False)
        self._sound = config.profile == "sound"
        self._order = {pair: place for place, pair in enumerate(graph.edges)}
        self._numbers = {label: number for number, label in enumerate(sorted(set(graph.edges.values())), start=1)}
        self.forbidden: set[Chain] = set()  # detours that derive another relation, too
        self._pieces = [path for classes in paths.values() for group in classes.values() for path in group]
        self._routes: dict[Pair, list[Path]] = {}  # paths by the edge that they derive
        for path in self._pieces if "supporting" in config.noise.kinds else ():
            self._routes.setdefault((path[0], path[-1]), []).append(path)

    def rows(self, classes: dict[str, list[Chain]], count: int, seed: int, *names: str) -> list[DrawnRow]:
        """At most `count` rows of a split. In the profile sound each is new, and there may be fewer.

        Classes take turns, or where `balance` is off each descriptor is drawn as often as any other.
        """
        labels = list(classes)
        seen: set[int] = set()
        rows: list[DrawnRow] = []
        turns = count_up()
        while len(rows) < count and labels:
            rng = fast_rng(seed, "graphlog", *names, len(rows))
            if self._config.balance:
                label = labels[next(turns) % len(labels)]
            else:
                label = rng.choices(labels, [len(classes[each]) for each in labels])[0]
            row = self._new_row(label, classes[label], rng, seen)
            if row is None:
                labels.remove(label)
            else:
                rows.append(row)
        return rows

    def _new_row(self, label: str, chains: Sequence[Chain], rng: Random, seen: set[int]) -> DrawnRow | None:
        for _ in range(_REDRAWS if self._sound else 1):
            chain = rng.choice(chains)
            path = rng.choice(self._paths[label][chain])
            pairs = self._draw(path, rng)
            if not self._sound:
                return self._finish(pairs, path, label, chain, ())
            detour: Chain = ()
            if self._routes:
                pairs, detour = self._support(pairs, path, chain, rng)
            key = self._fingerprint(pairs, path)
            if key not in seen:
                seen.add(key)
                draw = rng.random
                pairs.sort(key=lambda _: draw())
                return self._finish(pairs, path, label, chain, detour)
        return None

    def _draw(self, path: Path, rng: Random) -> list[Pair]:
        settings = self._config.noise
        pairs = list(pairwise(path))
        if "neighbours" in settings.kinds:
            pairs = self._with_neighbours(path, rng)
        if "disconnected" in settings.kinds:  # a path from elsewhere in the world, no node of which is here
            here = {node for pair in pairs for node in pair}
            piece = rng.choice(self._pieces)
            if here.isdisjoint(piece):
                pairs += pairwise(piece)
        return pairs

    def _with_neighbours(self, path: Path, rng: Random) -> list[Pair]:
        taken = neighbours(path, self._near, self._config.noise, rng)
        asked = ((path[0], path[-1]), (path[-1], path[0]))
        induced = [(node, target) for node in taken for target in self._leaving[node] if target in taken]
        pairs = [pair for pair in induced if pair not in asked]
        if len(pairs) < len(path):
            return pairs
        if self._sound:
            return cut_sound(pairs, path, rng)
        pairs.sort(key=self._order.__getitem__)  # the published rows follow the world graph
        return cut_compat(pairs, path, rng)

    def _support(self, pairs: list[Pair], path: Path, chain: Chain, rng: Random) -> tuple[list[Pair], Chain]:
        """With a detour beside an edge of the path, over nodes that are not here yet."""
        place = rng.randrange(len(chain))
        routes = self._routes.get((path[place], path[place + 1]))
        if not routes:
            return pairs, ()
        route = rng.choice(routes)
        here = {node for pair in pairs for node in pair}
        if not here.isdisjoint(route[1:-1]):
            return pairs, ()
        steps = list(pairwise(route))
        detour = (*chain[:place], *[self._edges[step] for step in steps], *chain[place + 1 :])
        return (pairs, ()) if detour in self.forbidden else (pairs + steps, detour)

    def _fingerprint(self, pairs: list[Pair], path: Path) -> int:
        """The same number for equal graphs, whatever their nodes are called: which edges meet at each edge's ends."""
        edges, numbers = self._edges, self._numbers
        colours = {node: 1 for pair in pairs for node in pair}
        for place, node in enumerate(path, start=2):
            colours[node] = place
        sums = {node: colour << 64 for node, colour in colours.items()}
        steps = [(source, sink, numbers[edges[source, sink]]) for source, sink in pairs]
        for source, sink, label in steps:
            sums[source] += hash((label, colours[sink]))
            sums[sink] += hash((-label, colours[source]))
        return sum([hash((sums[source], label, sums[sink])) for source, sink, label in steps])

    def _finish(self, pairs: list[Pair], path: Path, label: str, chain: Chain, detour: Chain) -> DrawnRow:
        """Number the nodes in the order in which the edges name them."""
        numbers: dict[int, int] = {}
        number = numbers.setdefault
        edges = self._edges
        renamed = tuple([(number(pair[0], len(numbers)), number(pair[1], len(numbers)), edges[pair]) for pair in pairs])
        return DrawnRow(renamed, label, tuple([numbers[node] for node in path]), chain, len(numbers), detour)


# Noise ----------------------------------------------------------------------------------------------------------------


def neighbours(path: Sequence[int], adjacency: Sequence[list[int]], noise: RowNoise, rng: Random) -> dict[int, None]:
    """The path's nodes and those that a search in breadth takes along, each further neighbour of a node less often."""
    taken = dict.fromkeys(path)
    frontier: Sequence[int] = path
    draw = rng.random
    first, decay = noise.first, noise.decay
    for _ in range(noise.depth):
        further: list[int] = []
        for node in frontier:
            near = adjacency[node]
            start = int(draw() * len(near)) if len(near) > 1 else 0
            chance = first
            for other in near[start:] + near[:start]:
                if draw() < chance and other not in taken:
                    taken[other] = None
                    further.append(other)
                chance *= decay
        frontier = further
    return taken


def cut_compat(pairs: list[Pair], path: Sequence[int], rng: Random) -> list[Pair]:
    """Without an edge of each other path between the ends of `path`, in both directions, up to one edge longer.

    A path of which an edge is gone already loses another one; longer paths stay. Both are as in the published data, in
    which one row of a hundred has a second path.
    """
    kept = dict.fromkeys(pairs)
    on_path = set(pairwise(path))
    leaving = links(pairs)
    for start, end in ((path[0], path[-1]), (path[-1], path[0])):
        for other in _simple_paths(leaving, start, end, len(path)):
            free = [step for step in pairwise(other) if step not in on_path]
            if free:
                kept.pop(rng.choice(free), None)
    return list(kept)


def _simple_paths(leaving: dict[int, list[int]], start: int, end: int, longest: int) -> list[list[int]]:
    paths: list[list[int]] = []
    path = [start]

    def extend() -> None:
        for node in leaving.get(path[-1], ()):
            if node == end:
                paths.append([*path, end])
            elif node not in path and len(path) < longest:
                path.append(node)
                extend()
                path.pop()

    extend()
    return paths


def cut_sound(pairs: list[Pair], path: Sequence[int], rng: Random) -> list[Pair]:
    """Without any other walk between the ends of `path`.

    All walks between the ends are directed paths of the block in which the path lies; see world.py. Another one
    leaves the path by an edge and comes back by an edge: either all that leave are cut, or all that come back.
    """
    on_path = set(pairwise(path))
    leaving, entering = links(pairs), links((sink, source) for source, sink in pairs)
    after, before = reach(leaving, path[0]), reach(entering, path[-1])
    nodes = set(path)
    end = int(rng.random() < 0.5)
    return [
        pair
        for pair in pairs
        if pair[end] not in nodes or pair in on_path or pair[0] not in after or pair[1] not in before
    ]
