"""Answers where nothing follows: what the edges at the two nodes of the query speak for.

A theory may have hints, ``hint(End, R, T, W)``: an edge R at this end of the query speaks for the answer T with the
weight W, in hundredths. The answer is the one with the largest sum over all ends and relations there, each once; of
equal ones that which the theory lists first. The sums are those of a logistic model, so they give a probability.
prolog/networks/reasoning.pl answers the same.

>>> from hornbeam.networks.network import Edge
>>> table = Table(("p", "g"), ((2, 0), (0, 0)), hints=(("leaves_first", "p", "g", 100),))
>>> guess = guessed(table, Network("n", (Edge(0, ("p",), 5),), (0, 1), ()), table.relations)
>>> guess.relation, round(guess.confidence, 2)
('g', 0.73)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from hornbeam.networks.network import Network
from hornbeam.networks.table import ENDS, Table

Place = tuple[str, str]  # an end, and a relation of an edge there


@dataclass(frozen=True, slots=True)
class Guess:
    """The best relation, and its probability."""

    relation: str
    confidence: float


def places(network: Network) -> set[Place]:
    """The ends of the query at which edges lie, each with the relations of the edge."""
    first, second = network.query
    found: set[Place] = set()
    for edge in network.edges:
        lies = (edge.source == first, edge.target == first, edge.source == second, edge.target == second)
        found.update(
            (end, relation) for end, here in zip(ENDS, lies, strict=True) if here for relation in edge.relations
        )
    return found


def guessed(table: Table, network: Network, among: Sequence[str]) -> Guess:
    """What the hints say, of some relations."""
    sums = dict.fromkeys(among, 0)
    known = places(network)
    for end, relation, whole, weight in table.hints:
        if (end, relation) in known and whole in sums:
            sums[whole] += weight
    best = max(sums, key=lambda name: (sums[name], -table.place[name]))
    return Guess(best, 1 / sum(exp(max(-700.0, (value - sums[best]) / 100)) for value in sums.values()))
