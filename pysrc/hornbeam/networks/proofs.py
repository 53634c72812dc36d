"""The proof of an answer: the compositions that lead to it, and the edges that it rests on.

>>> from hornbeam.networks.network import Edge
>>> table = Table(("p", "g"), ((2, 0), (0, 0)))
>>> proof = prove(table, Network("n", (Edge(5, ("p",), 6), Edge(6, ("p",), 7)), (5, 7), ()), [0.9, 0.8], "g")
>>> proof.steps
(Step(source=5, through=6, target=7, first=('p',), second=('p',), whole=('g',), kept=('g',)),)
>>> proof.edges
(0, 1)
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from hornbeam.bitsets import bits
from hornbeam.networks.closing import triangulate
from hornbeam.networks.network import Network, Pair
from hornbeam.networks.table import Table

Fact = tuple[int, int, int]  # from, to, the place of the relation
Origin = int | tuple[Fact, Fact]  # the edge that states a fact, or the two facts that it is composed of


@dataclass(frozen=True, slots=True)
class Step:
    """`source` `first` `through` and `through` `second` `target`, hence `source` `whole` `target`.

    `kept` is what is left of `whole` together with what was known of the pair before; for a function the same.
    An edge that is read backwards appears with its converse.
    """

    source: int
    through: int
    target: int
    first: tuple[str, ...]
    second: tuple[str, ...]
    whole: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """The steps in order, each after those that it needs, and the numbers of the edges that they use."""

    steps: tuple[Step, ...] = ()
    edges: tuple[int, ...] = ()


def prove(table: Table, network: Network, chances: Sequence[float], relation: str) -> Proof:
    """The proof that a relation follows for the query of a network.

    Of a function it is the proof whose edges have the largest product of `chances`. Alternatives are cut down by all
    that elimination uses; steps that cut nothing off are left out. Empty if nothing leads to the relation.
    """
    if table.reading == "sets":
        return _cuts(table, network)
    return _derivation(table, network, chances, table.place[relation])


# Functions ------------------------------------------------------------------------------------------------------------


def _derivation(table: Table, network: Network, chances: Sequence[float], goal: int) -> Proof:
    """Facts become known in the order of their probability, so the first proof of one is its best."""
    waiting: list[tuple[float, int, Fact, Origin]] = []
    turn = count()
    known: dict[Fact, Origin] = {}
    ahead: dict[int, list[tuple[int, int, float]]] = {}
    behind: dict[int, list[tuple[int, int, float]]] = {}

    def tell(fact: Fact, chance: float, origin: Origin) -> None:
        if fact[0] != fact[1] and fact not in known:
            heapq.heappush(waiting, (-chance, next(turn), fact, origin))

    between = network.between(table)
    for number, edge in enumerate(network.edges):
        if edge.source in between and edge.target in between:
            mask = table.mask(edge.relations)
            for place in bits(mask):
                tell((edge.source, edge.target, place), chances[number], number)
            for place in bits(table.converse(mask)) if table.backwards else ():
                tell((edge.target, edge.source, place), chances[number], number)
    wanted = (*network.query, goal)
    while waiting and wanted not in known:
        falling, _, fact, origin = heapq.heappop(waiting)
        chance = -falling
        if fact in known:
            continue
        known[fact] = origin
        u, v, r = fact
        ahead.setdefault(u, []).append((v, r, chance))
        behind.setdefault(v, []).append((u, r, chance))
        for w, s, other in ahead.get(v, ()):
            for whole in bits(table.cells[r][s]):
                tell((u, w, whole), chance * other, (fact, (v, w, s)))
        for w, s, other in behind.get(u, ()):
            for whole in bits(table.cells[s][r]):
                tell((w, v, whole), chance * other, ((w, u, s), fact))
    return _told(table, wanted, known)


def _told(table: Table, wanted: Fact, known: dict[Fact, Origin]) -> Proof:
    steps: dict[Step, None] = {}
    edges: set[int] = set()

    def tell(fact: Fact) -> None:
        origin = known[fact]
        if isinstance(origin, int):
            edges.add(origin)
            return
        left, right = origin
        tell(left)
        tell(right)
        first, second, whole = ((table.relations[one[2]],) for one in (left, right, fact))
        steps[Step(left[0], left[1], right[1], first, second, whole, whole)] = None

    if wanted not in known:
        return Proof()
    tell(wanted)
    return Proof(tuple(steps), tuple(sorted(edges)))


# Alternatives ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """The mask of a pair, and what it rests on: numbers of steps and of edges."""

    mask: int
    steps: frozenset[int] = frozenset()
    edges: frozenset[int] = frozenset()


def _cuts(table: Table, network: Network) -> Proof:
    between = network.between(table)
    nodes = list(dict.fromkeys((*network.query, *sorted(between))))
    place = {node: number for number, node in enumerate(nodes)}
    anything = _Known(table.universal)
    known: dict[Pair, _Known] = {}
    pairs: list[Pair] = []
    for number, edge in enumerate(network.edges):
        if edge.source in between and edge.target in between and edge.source != edge.target:
            u, v = place[edge.source], place[edge.target]
            pairs.append((u, v))
            label = table.mask(edge.relations)
            for pair, mask in (((u, v), label), ((v, u), table.converse(label))):
                old = known.get(pair, anything)
                known[pair] = _Known(old.mask & mask, old.steps, old.edges | {number})
    steps: list[Step] = []
    for a, v, c in triangulate(len(nodes), tuple(dict.fromkeys(pairs)), (0, 1)).triangles:
        for u, w in ((a, c), (c, a)):
            first, second, old = (known.get(pair, anything) for pair in ((u, v), (v, w), (u, w)))
            through = table.compose(first.mask, second.mask)
            if old.mask & through == old.mask:
                continue
            uses = (first, second, old) if old.mask & ~through and old.mask != table.universal else (first, second)
            known[u, w] = _Known(
                old.mask & through,
                frozenset({len(steps)}).union(*(one.steps for one in uses)),
                frozenset().union(*(one.edges for one in uses)),
            )
            masks = (first.mask, second.mask, through, old.mask & through)
            steps.append(Step(nodes[u], nodes[v], nodes[w], *map(table.names, masks)))
    done = known.get((0, 1), anything)
    return Proof(tuple(steps[number] for number in sorted(done.steps)), tuple(sorted(done.edges)))
