"""Rows (Algorithm 4): a resolution path of the world graph with noise around it, renumbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        self._routes = self._find_routes() if "supporting" in config.noise.kinds else {}
        self.forbidden: set[Chain] = set()  # detours that derive another relation, too
        self._pieces = [path for classes in paths.values() for found in classes.values() for path in found]

    def _find_routes(self) -> dict[Pair, list[Path]]:
        """Paths by the edge that they derive."""
        routes: dict[Pair, list[Path]] = {}
        for classes in self._paths.values():
            for found in classes.values():
                for path in found:
                    routes.setdefault((path[0], path[-1]), []).append(path)
        return routes

    # A world's rows of a split --------------------------------------------------------------------------------------

    def rows(self, classes: dict[str, list[Chain]], count: int, seed: int, *names: str) -> Iterator[DrawnRow]:
        """At most `count` rows, round the classes; in the profile sound each is new, and there may be fewer."""
        pool = _Pool(classes, balance=self._config.balance)
        seen: set[int] = set()
        made = 0
        while made < count and pool.labels:
            rng = fast_rng(seed, "graphlog", *names, made)
            label = pool.next(rng)
            row = self._new_row(label, classes[label], rng, seen)
            if row is None:
                pool.drop(label)
            else:
                made += 1
                yield row

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

    # One row ----------------------------------------------------------------------------------------------------------

    def _draw(self, path: Path, rng: Random) -> list[Pair]:
        settings = self._config.noise
        if not settings.follows:
            pairs = list(pairwise(path))
            return self._with_piece(pairs, path, rng) if "disconnected" in settings.kinds else pairs
        taken = neighbours(path, self._near, settings, rng)
        asked = ((path[0], path[-1]), (path[-1], path[0]))
        pairs = [pair for pair in induced(taken, self._leaving) if pair not in asked]
        if len(pairs) >= len(path):
            if self._sound:
                pairs = cut_sound(pairs, path, rng)
            else:
                pairs.sort(key=self._order.__getitem__)  # the published rows follow the world graph
                pairs = cut_compat(pairs, path, rng)
        return self._with_piece(pairs, path, rng) if "disconnected" in settings.kinds else pairs

    def _with_piece(self, pairs: list[Pair], path: Path, rng: Random) -> list[Pair]:
        """With a path from elsewhere in the world, no node of which is here."""
        here = {node for pair in pairs for node in pair}
        piece = rng.choice(self._pieces)
        if here.isdisjoint(piece):
            return pairs + list(pairwise(piece))
        return pairs

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


class _Pool:
    """Classes to draw from: in turn, or each descriptor as often as any other."""

    def __init__(self, classes: dict[str, list[Chain]], *, balance: bool) -> None:
        self.labels = list(classes)
        self._weights = {label: len(chains) for label, chains in classes.items()}
        self._balance = balance
        self._turn = 0

    def next(self, rng: Random) -> str:
        if not self._balance:
            return rng.choices(self.labels, [self._weights[label] for label in self.labels])[0]
        self._turn += 1
        return self.labels[(self._turn - 1) % len(self.labels)]

    def drop(self, label: str) -> None:
        self.labels.remove(label)


# Noise ----------------------------------------------------------------------------------------------------------------


def neighbours(path: Sequence[int], adjacency: Sequence[list[int]], noise: RowNoise, rng: Random) -> dict[int, None]:
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
    leaving = links(pairs)
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
    leaving, entering = links(pairs), links((sink, source) for source, sink in pairs)
    after, before = reach(leaving, path[0]), reach(entering, path[-1])
    nodes = set(path)
    end = int(rng.random() < 0.5)
    return [
        pair
        for pair in pairs
        if pair[end] not in nodes or pair in on_path or pair[0] not in after or pair[1] not in before
    ]
