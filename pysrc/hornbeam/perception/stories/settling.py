"""What a story says as a whole, from what its sentences may say one by one.

Each sentence that tells a fact is a :class:`Statement`: a relation, and the probabilities of the pairs of persons that
it may be between. A story is told to answer its question, so its facts lead from the first person asked about to the
second. The readings of a story are the ways to choose a pair for each statement such that they do, the most probable
first; statements that are not on the way have their most probable pair, and cost what the reader says (`unused`): a
story seldom tells what is not needed. Neither labels nor rules are used.

>>> met, saw = Statement("son", {(0, 1): 0.4, (1, 0): 0.6}), Statement("wife", {(1, 2): 0.9, (2, 1): 0.1})
>>> [(one.couples, round(one.probability, 2)) for one in settled([met, saw], (0, 2), most=2)]
[(((0, 1), (1, 2)), 1.0)]
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Couple = tuple[int, int]
Cost = float
_STEPS = 2000  # of the search, at most: then the readings found so far are all
_WAYS = 24  # that are compared


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact that a sentence tells: a relation, and the probability of each pair of persons that it may be between."""

    relation: str
    couples: Mapping[Couple, float]

    @property
    def best(self) -> Couple:
        return max(self.couples, key=lambda couple: (self.couples[couple], couple))


@dataclass(frozen=True, slots=True)
class StoryReading:
    """A pair of persons for each statement, and the probability among the readings that were found."""

    couples: tuple[Couple, ...]
    probability: float


def settled(statements: Sequence[Statement], query: Couple, *, most: int = 4, unused: Cost = 0.0) -> list[StoryReading]:
    """The most probable readings of a story; without a way between the persons asked about, each fact by itself."""
    best = [one.best for one in statements]
    found: dict[tuple[Couple, ...], Cost] = {}
    for cost, way in _ways(statements, query):
        couples = tuple(way.get(number, best[number]) for number in range(len(statements)))
        total = cost + unused * (len(statements) - len(way))
        found[couples] = min(total, found.get(couples, math.inf))
    if not found:
        return [StoryReading(tuple(best), 1.0)]
    cheapest = min(found.values())
    whole = sum(math.exp(cheapest - cost) for cost in found.values())
    falling = sorted(found.items(), key=lambda item: (item[1], item[0]))
    return [StoryReading(couples, math.exp(cheapest - cost) / whole) for couples, cost in falling[:most]]


def needed(statements: Sequence[Statement], query: Couple) -> int:
    """How many statements are on the most probable way between the persons asked about."""
    return max((len(way) for _, way in _ways(statements, query)[:1]), default=0)


def _ways(statements: Sequence[Statement], query: Couple) -> list[tuple[Cost, dict[int, Couple]]]:
    """The cheapest ways from one person to the other: an improbable pair costs what it is less probable than the best.

    The search is A*, with the true costs of the rest of the way, but for statements that would be used twice.
    """
    leaving: dict[int, list[tuple[int, int, Cost]]] = {}  # by person: the other, the statement, the cost
    entering: dict[int, list[tuple[int, Cost]]] = {}
    for number, one in enumerate(statements):
        top = math.log(one.couples[one.best])
        for (source, target), chance in one.couples.items():
            if chance > 0:
                cost = top - math.log(chance)
                leaving.setdefault(source, []).append((target, number, cost))
                entering.setdefault(target, []).append((source, cost))
    ahead = _distances(entering, query[1])
    if query[0] not in ahead or query[0] == query[1]:
        return []
    found: list[tuple[Cost, dict[int, Couple]]] = []
    # The number breaks ties, so that ways are not compared.
    waiting: list[tuple[Cost, int, Cost, int, frozenset[int], dict[int, Couple]]] = [
        (ahead[query[0]], 0, 0.0, query[0], frozenset({query[0]}), {})
    ]
    pushed = 0
    while waiting and len(found) < _WAYS and pushed < _STEPS:
        _, _, spent, person, seen, way = heapq.heappop(waiting)
        if person == query[1]:
            found.append((spent, way))
            continue
        for target, number, cost in leaving.get(person, ()):
            if target not in seen and number not in way and target in ahead:
                pushed += 1
                total = spent + cost
                longer = {**way, number: (person, target)}
                heapq.heappush(waiting, (total + ahead[target], pushed, total, target, seen | {target}, longer))
    return found


def _distances(entering: Mapping[int, Sequence[tuple[int, Cost]]], goal: int) -> dict[int, Cost]:
    """The least cost from each person to the goal."""
    known: dict[int, Cost] = {}
    waiting = [(0.0, goal)]
    while waiting:
        cost, person = heapq.heappop(waiting)
        if person not in known:
            known[person] = cost
            for source, more in entering.get(person, ()):
                heapq.heappush(waiting, (cost + more, source))
    return known
