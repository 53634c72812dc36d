"""Worlds: rules are drawn (Algorithm 1), windows over them are worlds (Algorithm 2), and each world grows a graph (3).

A world graph starts from seed edges, which are expanded by rules until every rule was used often enough.

`sound`: a seed edge shares at most one node with the graph. So the graph is a tree of blocks, and each block was grown
from one edge by replacing edges with paths that derive them. Every simple path between the ends of an edge derives it.

`compat`: half of the seed edges put a random label between two existing nodes, as in the published worlds. The label
of such an edge does not follow from the rules.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from random import Random

from hornbeam.errors import UsageError
from hornbeam.graphlog.config import Config, Growth
from hornbeam.graphlog.knowledge import GraphWorld, LabelVocabulary, WorldRule, name, surviving_rules
from hornbeam.seeds import fast_rng

# Redraws of all heads until exactly the rules that were asked for survive; 76 of 10 relations take 15 on average.
_DRAWS = 2000
_DRAWS_AT_ONCE = 50


def rule_sets(config: Config, seed: int) -> Iterator[tuple[LabelVocabulary, tuple[WorldRule, ...]]]:
    """A vocabulary with one set of permuted rules after the other, each of the number that is asked for."""
    vocabulary = LabelVocabulary.draw(config.relations, config.invertible, fast_rng(seed, "graphlog", "vocabulary"))
    larger: dict[int, list[list[int]]] = {}
    most, exact = 0, False
    draws = iter(range(_DRAWS))
    while numbers := list(islice(draws, _DRAWS_AT_ONCE)):
        drawn = [_draw(config, seed, number) for number in numbers]
        for number, kept in zip(numbers, surviving_rules(vocabulary.partners, drawn), strict=True):
            most = max(most, len(kept))
            if len(kept) == config.rules:
                exact = True
                yield vocabulary, _permuted(kept, seed, number)
            elif len(kept) > config.rules and len(larger) < _DRAWS_AT_ONCE:
                larger[number] = kept
    if most < config.rules:
        raise UsageError(
            f"rules: {_DRAWS} draws over {config.relations} relations gave {most} rules at most, "
            f"{config.rules} were asked for; ask for fewer or add relations"
        )
    for number, kept in larger.items() if not exact else ():
        yield vocabulary, _permuted(kept, seed, number)[: config.rules]


def _draw(config: Config, seed: int, number: int) -> list[list[int]]:
    """A head for each ordered pair of base relations."""
    rng = fast_rng(seed, "graphlog", "rules", number)
    bases = range(config.relations)
    return [[first, second, rng.randrange(config.relations)] for first in bases for second in bases]


def _permuted(kept: list[list[int]], seed: int, number: int) -> tuple[WorldRule, ...]:
    rules = [WorldRule(name(first, sign), name(second, sign), name(head, sign)) for sign, first, second, head in kept]
    fast_rng(seed, "graphlog", "order", number).shuffle(rules)
    return tuple(rules)


def windows(config: Config, vocabulary: LabelVocabulary, rules: Sequence[WorldRule]) -> list[GraphWorld]:
    """The worlds of a suite: windows over its rules."""
    starts = range(0, config.world_count * config.stride, config.stride)
    inverses = tuple(vocabulary.inverses())
    return [
        GraphWorld(f"rule_{index}", tuple(rules[start : start + config.rules_per_world]), inverses, config.backwards)
        for index, start in enumerate(starts)
    ]


def similarity(one: GraphWorld, other: GraphWorld) -> float:
    """The share of the one's rules that the other has, too: the measure of the paper."""
    return len(set(one.rules) & set(other.rules)) / len(one.rules) if one.rules else 0.0


def jaccard(one: GraphWorld, other: GraphWorld) -> float:
    """Shared rules as a share of the rules of both: the same from either side."""
    both = set(one.rules) | set(other.rules)
    return len(set(one.rules) & set(other.rules)) / len(both) if both else 0.0


Pair = tuple[int, int]
# How often compat draws another edge where the one it drew has no rule.
_TRIES = 3


@dataclass(slots=True)
class WorldGraph:
    """At most one edge for each ordered pair of nodes, in the order in which they were added."""

    edges: dict[Pair, str] = field(default_factory=dict)
    nodes: int = 0
    touched: dict[int, None] = field(default_factory=dict)  # nodes of edges that were expanded, in order
    uses: dict[WorldRule, int] = field(default_factory=dict)

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
        return [list(near) for near in neighbours]


def grow(world: GraphWorld, growth: Growth, rng: Random, *, sound: bool) -> WorldGraph:
    """A world graph in which every rule was used at least `growth.cycles` times."""
    grower = _Grower(world, growth, rng)
    seed = grower.sound_seed if sound else grower.compat_seed
    while grower.cycles < growth.cycles:
        seed()
        grower.close_cycle()
    return grower.graph


class _Grower:
    def __init__(self, world: GraphWorld, growth: Growth, rng: Random) -> None:
        self.graph = WorldGraph(uses=dict.fromkeys(world.rules, 0))
        self.cycles = 0
        self._rng = rng
        self._growth = growth
        self._rules = world.rules
        self._labels = world.labels
        self._by_head: dict[str, list[WorldRule]] = {}
        for rule in world.rules:
            self._by_head.setdefault(rule.head, []).append(rule)
        self._heads = list(self._by_head)
        self._weight = dict.fromkeys(world.rules, 1.0)
        self._used: set[WorldRule] = set()

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

    def _draw(self, rules: list[WorldRule]) -> WorldRule:
        if len(rules) == 1:
            return rules[0]
        sums = list(accumulate(self._weight[rule] for rule in rules))
        return rules[bisect(sums, self._rng.random() * sums[-1], 0, len(sums) - 1)]


def links(arcs: Iterable[Pair]) -> dict[int, list[int]]:
    """The nodes that arcs lead to from each node."""
    targets: dict[int, list[int]] = defaultdict(list)
    for source, sink in arcs:
        targets[source].append(sink)
    return targets


def reach(targets: Mapping[int, Sequence[int]], start: int) -> set[int]:
    """The node `start` and all nodes that links lead to from it."""
    seen = {start}
    todo = [start]
    while todo:
        for node in targets.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen
