"""What follows from networks whose edges are uncertain, with which probability, by which proof.

An edge has alternatives with probabilities; what they leave to 1 is the probability that nothing was said. A *reading*
takes one alternative of each edge, or leaves the edge out. Edges are independent, so the probability of a reading is
the product. In a reading the table derives what :func:`hornbeam.networks.reasoning.reason` derives from such a network.

**The probability of an answer is the probability of all readings from which it follows.** Of each reading:

- exactly one relation follows (or, where the table's answers may be `several`, exactly these): it has all;
- several are left though answers are single: they share equally;
- nothing follows: it counts as `undecided`;
- its edges exclude each other: it counts as `contradicted`. What happened is possible, so such a reading is wrong.
  Where the table's answers may be `none`, "" is the answer.

The sum goes over the `most` best readings of the edges that can matter, without those 1e7 times less probable than the
best one; the mass of all others is `left_out`. Where that is 0, the answer is exact.

>>> from hornbeam.networks.weighted import WeightedEdge
>>> table = Table(("p", "g"), ((2, 0), (0, 0)))
>>> edges = (WeightedEdge(0, 1, {"p": 0.9, "g": 0.1}, origin=4), WeightedEdge(1, 2, {"p": 0.8}, origin=7))
>>> [answer] = answer_weighted(table, [WeightedNetwork("n", edges, (0, 2))])
>>> answer.relation, {name: round(chance, 3) for name, chance in answer.probabilities.items()}
('g', {'g': 0.72})
>>> round(answer.undecided, 3), answer.origins
(0.28, (4, 7))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hornbeam.networks.bulk import CONTRADICTED
from hornbeam.networks.proofs import Proof, Step, prove
from hornbeam.networks.reasoning import reason
from hornbeam.networks.scoring import Scored, scored
from hornbeam.networks.table import Table
from hornbeam.networks.weighted import WeightedNetwork

MOST_READINGS = 256


@dataclass(frozen=True, slots=True)
class WeightedAnswer:
    """What follows for the query of a weighted network.

    Attributes:
        relation: The most probable answer ("DC|EC" for several relations); where nothing follows in any reading,
            what the table answers to the best reading.
        probabilities: The probability of each answer, the most probable first.
        undecided: The probability that nothing follows.
        contradicted: The probability of readings whose edges exclude each other.
        left_out: The probability of the readings that were not looked at.
        reading: The alternatives, by the number of the edge, of the most probable reading from which the answer
            follows; only edges that can matter.
        steps: The proof of the answer in that reading: of a function the one with the most probable edges.
        edges: The numbers of the edges that the proof uses.
        origins: The origins of these edges, in order, each once.
    """

    relation: str
    probabilities: Mapping[str, float]
    undecided: float
    contradicted: float
    left_out: float
    reading: Mapping[int, str]
    steps: tuple[Step, ...]
    edges: tuple[int, ...]
    origins: tuple[int, ...]

    @property
    def probability(self) -> float:
        """Of the answer; 0 if it does not follow in any reading."""
        return self.probabilities.get(self.relation, 0.0)


@dataclass(frozen=True, slots=True)
class EdgePosteriors:
    """What a known answer says of the edges.

    Attributes:
        likelihood: The probability of the known answer. Where it is 0 the edges keep what they had.
        edges: For each edge the probability of each alternative, given the answer; the rest is that nothing was said.
    """

    likelihood: float
    edges: tuple[Mapping[str, float], ...]


def answer_weighted(
    table: Table, networks: Sequence[WeightedNetwork], *, most: int = MOST_READINGS
) -> list[WeightedAnswer]:
    """The answer to each network, with its probability and proof.

    Args:
        table: The theory of composition.
        networks: The networks.
        most: How many readings of a network are looked at.

    Raises:
        UsageError: if an alternative is a relation that the table does not know.
    """
    return [_answer(table, one) for one in scored(table, networks, most)]


def edge_posteriors(
    table: Table, networks: Sequence[WeightedNetwork], *, most: int = MOST_READINGS, undecided: float = 0.0
) -> list[EdgePosteriors]:
    """The posterior of each edge's alternatives, given the known answer of its network.

    This is the E step for a reader that is trained with answers alone: its targets. It is also the gradient of the log
    likelihood by the log probabilities of the alternatives. An edge that cannot matter keeps what it had.

    Args:
        table: The theory of composition.
        networks: The networks with their answers.
        most: How many readings of a network are looked at. For exact posteriors of a flat reader take the number
            of all readings: 400 for two edges of 20 relations each.
        undecided: The probability of the known answer in a reading from which nothing follows. 0 trusts the table to
            be complete; 1 / relations is fair to a table with holes.
    """
    return [_posteriors(table, one, undecided) for one in scored(table, networks, most)]


# Sums -----------------------------------------------------------------------------------------------------------------


def _shares(table: Table, mask: int) -> list[str]:
    """The answers that a reading speaks for, with equal shares; [] where it does not say anything."""
    if mask == CONTRADICTED:
        return [""] if "none" in table.answers else []
    names = table.names(mask)
    if mask and "several" in table.answers:
        return ["|".join(names)]
    return [] if mask == table.universal and len(names) > 1 else list(names)


def _answer(table: Table, readings: Scored) -> WeightedAnswer:
    masses: dict[int, float] = {}
    for mask, weight in zip(readings.masks, readings.weights.tolist(), strict=True):
        masses[mask] = masses.get(mask, 0.0) + weight
    chances: dict[str, float] = {}
    for mask, mass in masses.items():
        shares = _shares(table, mask)
        for name in shares:
            chances[name] = chances.get(name, 0.0) + mass / len(shares)
    silent = {mask: mass for mask, mass in masses.items() if not _shares(table, mask)}
    contradicted = silent.pop(CONTRADICTED, 0.0)
    left_out = max(0.0, 1.0 - float(readings.weights.sum()))
    falling = dict(sorted(chances.items(), key=lambda item: (-item[1], _order(table, item[0]))))
    if falling:
        relation = next(iter(falling))
        reading, proof = _proof(table, readings, relation)
    else:
        reading, proof = readings.options.choice(readings.choices[0]), Proof()
        relation = "|".join(reason(table, [readings.options.network.read(reading)])[0].relations)
    edges = readings.options.network.edges
    origins = {edges[number].origin: None for number in proof.edges}
    known = tuple(origin for origin in origins if origin is not None)
    return WeightedAnswer(
        relation, falling, sum(silent.values()), contradicted, left_out, reading, proof.steps, proof.edges, known
    )


def _order(table: Table, label: str) -> list[int]:
    return [table.place[name] for name in label.split("|") if name]


def _proof(table: Table, readings: Scored, relation: str) -> tuple[dict[int, str], Proof]:
    """The best reading from which a relation follows, and the best proof in it."""
    shared = {mask: _shares(table, mask) for mask in set(readings.masks)}
    place = min(
        (place for place, mask in enumerate(readings.masks) if relation in shared[mask]),
        key=lambda place: (-readings.weights[place] / len(shared[readings.masks[place]]), place),
    )
    reading = readings.options.choice(readings.choices[place])
    network = readings.options.network
    chances = [network.edges[number].alternatives[label] for number, label in reading.items()]
    proof = prove(table, network.read(reading), chances, relation)
    numbers = list(reading)
    return reading, Proof(proof.steps, tuple(numbers[edge] for edge in proof.edges))


def _posteriors(table: Table, readings: Scored, undecided: float) -> EdgePosteriors:
    network = readings.options.network
    label = "|".join(table.names(table.mask(network.answer)))
    given: dict[int, float] = {}
    for mask in set(readings.masks):
        shares = _shares(table, mask)
        given[mask] = (label in shares) / len(shares) if shares else undecided * (mask != CONTRADICTED)
    weights = readings.weights * np.array([given[mask] for mask in readings.masks])
    likelihood = float(weights.sum())
    edges = [dict(edge.alternatives) for edge in network.edges]
    if likelihood > 0:
        for place, (number, labels) in enumerate(zip(readings.options.numbers, readings.options.labels, strict=True)):
            mass = np.bincount(readings.choices[:, place], weights, minlength=len(labels) + 1) / likelihood
            edges[number] = dict(zip(labels, mass.tolist(), strict=False))
    return EdgePosteriors(likelihood, tuple(edges))
