"""Answers to stories by a theory over what was read: the probability of each relation, the proof, its sentences.

Each alternative of a reading is a network of facts with the probability of the alternative; what follows from it
follows with that probability. So the probability of a relation is that of all alternatives from which it follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbeam.networks.table import Table
from hornbeam.networks.weighing import WeightedAnswer, answer_weighted
from hornbeam.networks.weighted import WeightedEdge, WeightedNetwork

if TYPE_CHECKING:
    from hornbeam.data.sample import Sample
    from hornbeam.perception.perceiver import Alternative, Reading


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """The answer to a story.

    Attributes:
        relation: The most probable relation; where nothing follows from any alternative, what the theory answers then.
        probabilities: The probability of each relation, the most probable first.
        undecided: The probability that nothing follows.
        alternative: The number of the alternative that the proof is of.
        by: The answer to that alternative: its steps, and the numbers of the facts that they use.
        each: What follows from each alternative by itself.
    """

    relation: str
    probabilities: Mapping[str, float]
    undecided: float
    alternative: int
    by: WeightedAnswer
    each: tuple[str, ...]


def answer_told(table: Table, samples: Sequence[Sample], readings: Mapping[str, Reading]) -> list[ToldAnswer | None]:
    """The answer to each story; None where it is unread."""
    asked = [(sample, number, one) for sample in samples for number, one in enumerate(readings[sample.id].alternatives)]
    answers = iter(answer_weighted(table, [network_of(sample, one) for sample, _, one in asked]))
    return [
        _mixed(readings[sample.id], [next(answers) for _ in readings[sample.id].alternatives]) for sample in samples
    ]


def network_of(sample: Sample, alternative: Alternative) -> WeightedNetwork:
    """The facts of an alternative; the origin of each is its number."""
    given: Any = sample.input
    edges: Any = alternative.symbolic["edges"]
    source, target = given["query"]
    told = tuple(WeightedEdge(one, two, {word: 1.0}, number) for number, (one, word, two) in enumerate(edges))
    return WeightedNetwork(sample.id, told, (source, target), (str(sample.label),))


def _mixed(reading: Reading, answers: Sequence[WeightedAnswer]) -> ToldAnswer | None:
    if not answers:
        return None
    weights = [one.probability for one in reading.alternatives]
    whole = sum(weights)
    chances: dict[str, float] = {}
    for weight, answer in zip(weights, answers, strict=True):
        for name, chance in answer.probabilities.items():
            chances[name] = chances.get(name, 0.0) + chance * weight / whole
    falling = dict(sorted(chances.items(), key=lambda item: (-item[1], item[0])))
    relation = next(iter(falling), answers[0].relation)
    number = next((number for number, one in enumerate(answers) if one.probabilities.get(relation)), 0)
    each = tuple(one.relation if one.probabilities else "" for one in answers)
    return ToldAnswer(relation, falling, max(0.0, 1 - sum(chances.values())), number, answers[number], each)
