"""Learning to read from answers alone: targets of the reader's networks by expectation maximisation.

Why targets and not a gradient: a clue has at most 56 pairs and a short story few ways, so that the posterior of each
clue's pair, given the answer, is a sum over all ways. It is the exact expected target, and the networks are trained on
it as on annotations, with the same variation. A gradient through the closure gives the same direction a step at a time
and needs the closure at every step.

A round has two halves. Expectation: each way through a story, from the first person of its question to the second, has
the probability that the networks give its pairs (all the same in the first round), times the probability of the
story's answer by the table so far: closure over the relations of the way. Statements beside the way are improbable.
Maximisation: the table counts what two relations in a row answer, over all ways of stories of two facts; the networks
learn the posteriors. The first round has stories of two statements only: what they are between follows from the
question alone, wherever a sentence names two persons. Later rounds take longer ones.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hornbeam.bitsets import bits
from hornbeam.networks.table import Table
from hornbeam.neural.reader.clues import Clue, Couple, Lesson, Marks
from hornbeam.neural.reader.lessons import StoryClue

BESIDE = 0.05  # probability of a statement that is not on the way
_NOISE = 0.02  # probability that an answer is not what the table says, shared by all relations
_USED = 0.5  # least probability that a statement is on the way, to be learned from

Couples = Callable[[Sequence[Clue]], list[dict[Couple, float]]]
Shares = dict[Couple, float]
Way = tuple[tuple[int, Couple], ...]  # statements by number, with pairs of the passage's persons


@dataclass(frozen=True, slots=True)
class Asked:
    """The statements of a training story, its question and its answer."""

    clues: Sequence[StoryClue]
    query: Couple
    answer: str


@dataclass
class Votes:
    """What two relations in a row answered, and how often."""

    relations: tuple[str, ...]
    counts: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)

    def add(self, pair: tuple[str, str], answer: str, weight: float) -> None:
        """Two relations in a row had this answer."""
        votes = self.counts.setdefault(pair, {})
        votes[answer] = votes.get(answer, 0.0) + weight

    def table(self) -> Table:
        """The most frequent answer of each two relations."""
        place = {name: number for number, name in enumerate(self.relations)}
        cells = [[0] * len(self.relations) for _ in self.relations]
        for (first, second), votes in self.counts.items():
            cells[place[first]][place[second]] = 1 << place[min(votes, key=lambda name: (-votes[name], name))]
        return Table(self.relations, tuple(map(tuple, cells)))

    def likelihood(self, table: Table, way: Sequence[str], answer: str) -> float:
        """The probability of an answer to relations in a row."""
        other = _NOISE / len(self.relations)
        if len(way) == 1:
            return 1.0 if way[0] == answer else other
        if len(way) == 2:
            votes = self.counts.get((way[0], way[1]))
            return (votes.get(answer, 0.0) / sum(votes.values()) if votes else 1 / len(self.relations)) + other
        derived = [table.relations[number] for number in bits(_closed(table, way))]
        return (answer in derived) / len(derived) + other if derived else 1 / len(self.relations)


def _closed(table: Table, way: Sequence[str]) -> int:
    """What relations in a row derive, by any bracketing."""
    size = len(way)
    parts = {(at, at + 1): table.mask((name,)) for at, name in enumerate(way)}
    for length in range(2, size + 1):
        for start in range(size - length + 1):
            end = start + length
            whole = 0
            for middle in range(start + 1, end):
                left, right = parts[start, middle], parts[middle, end]
                whole |= table.compose(left, right) if left and right else 0
            parts[start, end] = whole
    return parts[0, size]


def expected(
    stories: Sequence[Asked], votes: Votes | None, couples: Couples | None, longest: int = 2
) -> tuple[list[Lesson], Votes, float]:
    """The expectation half of a round.

    Args:
        stories: Training stories.
        votes: The table of the round before; None in the first.
        couples: The networks of the round before; None in the first.
        longest: The most statements of a story.

    Returns:
        Lessons with their posteriors, the table's new counts, and the share of statements that are beside the way.
    """
    chosen = [one for one in stories if 2 <= len(one.clues) <= longest]
    clues = [told.clue for one in chosen for told in one.clues]
    chances = iter(couples(clues) if couples else [_even(clue) for clue in clues])
    if votes is None:
        votes = _certain(chosen, _names(stories))
    table, counted = votes.table(), Votes(votes.relations)
    posteriors: dict[Marks, Shares] = defaultdict(lambda: defaultdict(float))
    beside = total = 0.0
    for one in chosen:
        own = [next(chances) for _ in one.clues]
        weighed = [(way, _weight(one, way, own, votes, table)) for way in _ways(one)]
        whole = sum(weight for _, weight in weighed)
        for way, weight in weighed if whole > 0 else ():
            share = weight / whole
            total += share * len(one.clues)
            beside += share * (len(one.clues) - len(way))
            for number, couple in way:
                posteriors[one.clues[number].clue.marks][couple] += share
            if len(way) == 2:
                first, second = _relations(one, way)
                counted.add((first, second), one.answer, share)
    times = Counter(told.clue.marks for one in chosen for told in one.clues)
    lessons = [
        _lesson(marks, found) for marks, found in posteriors.items() if sum(found.values()) >= _USED * times[marks]
    ]
    return lessons, counted, beside / total if total else 0.0


def _names(stories: Sequence[Asked]) -> tuple[str, ...]:
    """All relations that answers and statements name, also those of stories that come in later rounds."""
    told = {told.clue.relation for one in stories for told in one.clues}
    return tuple(sorted(told | {one.answer for one in stories}))


def _certain(stories: Sequence[Asked], relations: tuple[str, ...]) -> Votes:
    """The counts of stories that have only one way through all of their statements."""
    votes = Votes(relations)
    for one in stories:
        ways = [way for way in _ways(one) if len(way) == len(one.clues) == 2]
        if len(ways) == 1:
            first, second = _relations(one, ways[0])
            votes.add((first, second), one.answer, 1.0)
    return votes


def _even(clue: Clue) -> dict[Couple, float]:
    couples = clue.couples()
    return dict.fromkeys(couples, 1 / len(couples))


def _ways(one: Asked) -> Iterator[Way]:
    """All ways from the first person asked about to the second that use no statement and meet nobody twice."""

    def extend(person: int, seen: tuple[int, ...], way: Way) -> Iterator[Way]:
        if person == one.query[1]:
            yield way
            return
        used = {number for number, _ in way}
        for number, told in enumerate(one.clues):
            if number not in used and person in told.nodes:
                source = told.nodes.index(person)
                for target, node in enumerate(told.nodes):
                    if node not in seen:
                        yield from extend(node, (*seen, node), (*way, (number, (source, target))))

    yield from extend(one.query[0], (one.query[0],), ())


def _relations(one: Asked, way: Way) -> tuple[str, ...]:
    return tuple(one.clues[number].clue.relation for number, _ in way)


def _weight(one: Asked, way: Way, chances: Sequence[Mapping[Couple, float]], votes: Votes, table: Table) -> float:
    read = math.prod(chances[number][couple] for number, couple in way)
    return read * BESIDE ** (len(one.clues) - len(way)) * votes.likelihood(table, _relations(one, way), one.answer)


def _lesson(marks: Marks, found: Shares) -> Lesson:
    total = sum(found.values())
    falling = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return Lesson(marks, tuple((couple, round(count / total, 3)) for couple, count in falling if count > 0.01 * total))
