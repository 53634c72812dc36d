"""Networks spoiled on purpose: wrong answers and wrong edges, by a seed.

>>> from hornbeam.networks.network import Edge
>>> clean = [Network(str(at), (Edge(0, ("a",), 1),), (0, 1), ("a",)) for at in range(10)]
>>> sum(one.answer != ("a",) for one in wrong_answers(clean, ("a", "b", "c"), 0.2, seed=1))
2
>>> sum(one.edges[0].relations != ("a",) for one in wrong_edges(clean, ("a", "b", "c"), 0.5, seed=1))
5
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hornbeam import seeds
from hornbeam.networks.network import Network


def wrong_answers(networks: Sequence[Network], relations: Sequence[str], share: float, seed: int) -> list[Network]:
    """The same networks; this share of them, rounded, has one other relation for an answer, each equally likely."""
    rng = seeds.fast_rng(seed, "wrong answers")
    wrong = _chosen(rng, len(networks), share)
    return [
        replace(one, answer=_other(rng, relations, one.answer)) if at in wrong else one
        for at, one in enumerate(networks)
    ]


def wrong_edges(networks: Sequence[Network], relations: Sequence[str], share: float, seed: int) -> list[Network]:
    """The same networks; this share of all their edges, rounded, has one other relation."""
    rng = seeds.fast_rng(seed, "wrong edges")
    wrong = _chosen(rng, sum(len(one.edges) for one in networks), share)
    spoiled = []
    start = 0
    for one in networks:
        edges = tuple(
            replace(edge, relations=_other(rng, relations, edge.relations)) if at in wrong else edge
            for at, edge in enumerate(one.edges, start)
        )
        start += len(edges)
        spoiled.append(replace(one, edges=edges))
    return spoiled


def _chosen(rng: Random, count: int, share: float) -> set[int]:
    return set(rng.sample(range(count), round(share * count)))


def _other(rng: Random, relations: Sequence[str], known: tuple[str, ...]) -> tuple[str, ...]:
    return (rng.choice([name for name in relations if (name,) != known]),)
