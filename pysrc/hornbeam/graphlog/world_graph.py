"""World graphs (Algorithm 3): seed edges that are expanded by rules, until every rule was used often enough.

`sound`: a seed edge shares at most one node with the graph, so the graph is a tree of blocks, and each block was grown
from one edge by replacing edges with paths that derive them. Every simple path between the ends of an edge derives it.

`compat`: half of the seed edges put a random label between two nodes that are there already, as in the published
worlds. What such an edge closes is not derivable.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

from hornbeam.graphlog.config import Growth
from hornbeam.graphlog.world import Rule, World

Pair = tuple[int, int]
# How often compat draws another edge where the one it drew has no rule.
_TRIES = 3


@dataclass(slots=True)
class WorldGraph:
    """At most one edge for each ordered pair of nodes, in the order in which they were added."""

    edges: dict[Pair, str] = field(default_factory=dict)
    nodes: int = 0
    touched: dict[int, None] = field(default_factory=dict)  # nodes of edges that were expanded, in order
    uses: dict[Rule, int] = field(default_factory=dict)

    def fresh(self) -> int:
        self.nodes += 1
        return self.nodes - 1

    def adjacency(self, *, directed: bool) -> list[list[int]]:
        """The neighbours of each node, in the order of the edges: targets only, or sources, too."""
        neighbours: list[dict[int, None]] = [{} for _ in range(self.nodes)]
        for source, sink in self.edges:
            neighbours[source][sink] = None
            if not directed:
                neighbours[sink][source] = None
        return [list(found) for found in neighbours]


def grow(world: World, growth: Growth, rng: Random, *, sound: bool) -> WorldGraph:
    """A world graph in which every rule was used at least `growth.cycles` times."""
    gardener = _Gardener(world, growth, rng)
    seed = gardener.sound_seed if sound else gardener.compat_seed
    while gardener.cycles < growth.cycles:
        seed()
        gardener.close_cycle()
    return gardener.graph


class _Gardener:
    def __init__(self, world: World, growth: Growth, rng: Random) -> None:
        self.graph = WorldGraph(uses=dict.fromkeys(world.rules, 0))
        self.cycles = 0
        self._rng = rng
        self._growth = growth
        self._rules = world.rules
        self._labels = world.labels
        self._by_head: dict[str, list[Rule]] = {}
        for rule in world.rules:
            self._by_head.setdefault(rule.head, []).append(rule)
        self._heads = list(self._by_head)
        self._weight = dict.fromkeys(world.rules, 1.0)
        self._used: set[Rule] = set()

    def close_cycle(self) -> None:
        """Count a cycle when all rules were used since the last one."""
        if len(self._used) == len(self._weight):
            self.cycles += 1
            self._used.clear()
            self._weight = dict.fromkeys(self._rules, 1.0)

    # Seeds ------------------------------------------------------------------------------------------------------------

    def sound_seed(self) -> None:
        rng, graph = self._rng, self.graph
        label = rng.choice(self._heads)
        steps = rng.randint(*self._growth.expansions)
        anchor = rng.randrange(graph.nodes) if graph.nodes and rng.random() < self._growth.reuse else graph.fresh()
        ends = (anchor, graph.fresh())
        pair = ends if rng.random() < 0.5 else (ends[1], ends[0])
        graph.edges[pair] = label
        open_edges = [pair]  # those of this seed that a rule can expand
        for step in range(steps):
            chosen = pair if step == 0 else rng.choice(open_edges)
            open_edges += [new for new in self._expand(chosen) if graph.edges[new] in self._by_head]

    def compat_seed(self) -> None:
        rng, graph = self._rng, self.graph
        label = rng.choice(self._labels)
        steps = rng.randint(*self._growth.expansions)
        if rng.random() < self._growth.reuse and len(graph.touched) > 1:
            one, other = rng.sample(list(graph.touched), 2)
            pair = (one, other)
        else:
            pair = (graph.fresh(), graph.fresh())
        graph.edges[pair] = label
        if label not in self._by_head:
            return
        added = [pair, *self._expand(pair)]
        for _ in range(steps - 1):
            chosen = self._expandable(added)
            if chosen is not None:
                added += self._expand(chosen)

    def _expandable(self, added: Sequence[Pair]) -> Pair | None:
        for _ in range(_TRIES):
            chosen = self._rng.choice(added)
            if self.graph.edges[chosen] in self._by_head:
                return chosen
        return None

    # Expansion --------------------------------------------------------------------------------------------------------

    def _expand(self, pair: Pair) -> list[Pair]:
        """Derive an edge: put the body of a rule with its label beside it, over a fresh node."""
        graph = self.graph
        rules = self._by_head[graph.edges[pair]]
        rule = self._draw(rules)
        self._weight[rule] *= self._growth.gamma
        self._used.add(rule)
        graph.uses[rule] += 1
        middle = graph.fresh()
        source, sink = pair
        graph.edges[source, middle] = rule.first
        graph.edges[middle, sink] = rule.second
        for node in (source, middle, sink):
            graph.touched[node] = None
        return [(source, middle), (middle, sink)]

    def _draw(self, rules: list[Rule]) -> Rule:
        if len(rules) == 1:
            return rules[0]
        sums = list(accumulate(self._weight[rule] for rule in rules))
        return rules[bisect(sums, self._rng.random() * sums[-1], 0, len(sums) - 1)]
