"""Reads stories with trained networks: clues, the pairs of persons of each, and what that makes of the story."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbeam.clutrr import knowledge
from hornbeam.data.files import sha256
from hornbeam.errors import UsageError
from hornbeam.neural.reader.answers import Asked, expected
from hornbeam.neural.reader.clues import Couple
from hornbeam.neural.reader.lessons import (
    StoryClue,
    TrainingStory,
    annotated_lessons,
    story_clues,
    told_words,
    training_stories,
)
from hornbeam.neural.reader.lexicon import Lexicon
from hornbeam.neural.reader.settings import StoryReaderSettings
from hornbeam.neural.reader.training import Course, Ensemble, trained
from hornbeam.perception.perceiver import Alternative, Part, Preparation, Reader, Reading, Story
from hornbeam.perception.stories.passages import Passage, passages_of
from hornbeam.perception.stories.settling import Statement, StoryReading, needed, settled
from hornbeam.progress import Progress

_VERSION = 1  # of the networks: weights of another version are not used
_LEAST = 0.005  # probability of a pair of persons to be considered
_MOST_COST = 2.0  # of a statement that is not on the way: stories may be noisier than those of training
_LATER = 4  # statements of the stories of later rounds


@dataclass(frozen=True)
class Trained:
    """What training gave: words of relations, networks, the cost of statements beside the way, and the known words."""

    lexicon: Lexicon
    ensemble: Ensemble
    unused: float
    words: frozenset[str]


def trained_reader(preparation: Preparation, settings: StoryReaderSettings) -> NetworkStoryReader:
    """Train the networks, or load them if they are in the preparation's folder."""
    dataset = preparation.dataset
    count = None if settings.annotated == "all" else settings.annotated
    annotated, others = training_stories(dataset, count, settings.seed)
    identity = {"dataset": sha256(dataset.path / "manifest.json"), "version": _VERSION}
    identity |= settings.model_dump(include={"annotated", "networks", "steps", "rounds", "seed"})
    folder = preparation.folder / f"stories-neural-{_digest(identity)}"
    relations = tuple(knowledge.load(tuple(dataset.config.packs)).labels())

    def course(name: str, progress: Progress) -> Course:
        return Course(folder / name, identity, settings.seed, settings.steps, settings.networks, progress)

    if annotated:
        known = _from_facts(annotated, relations, course("facts", preparation.progress))
    else:
        known = _from_answers(others, relations, settings.rounds, course, preparation.progress)
    return NetworkStoryReader(known, settings)


def _digest(values: Mapping[str, Any]) -> str:
    return hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()[:12]


def _from_facts(stories: Sequence[TrainingStory], relations: Sequence[str], course: Course) -> Trained:
    lexicon = Lexicon.learned(relations, told_words(stories))
    lessons = annotated_lessons(stories, lexicon)
    _need(lessons)
    used = total = 0
    for one in stories:
        facts = [Statement(word, {(source, target): 1.0}) for source, word, target in one.facts]
        used += needed(facts, one.query)
        total += len(facts)
    return Trained(lexicon, trained(lessons, course), _cost(1 - used / total), _words(stories))


def _from_answers(
    stories: Sequence[TrainingStory],
    relations: Sequence[str],
    rounds: int,
    course: Callable[[str, Progress], Course],
    progress: Progress,
) -> Trained:
    """Words are the names of the relations; pairs of persons are learned in rounds, see :mod:`.answers`."""
    lexicon = Lexicon.of_names(relations)
    asked = [Asked(story_clues(one.story, one.passages, lexicon), one.query, one.answer) for one in stories]
    lessons, votes, beside = expected(asked, None, None)
    for number in range(1, rounds + 1):
        _need(lessons)
        plan = course(f"round-{number}", _part(progress, number - 1, rounds))
        # One network is enough to tell the ways of a story apart; the last ones have to know how sure they are.
        ensemble = trained(lessons, plan if number == rounds else replace(plan, networks=1))
        if number < rounds:
            lessons, votes, beside = expected(asked, votes, ensemble.couples, _LATER)
    return Trained(lexicon, ensemble, _cost(beside), _words(stories))


def _part(progress: Progress, place: int, places: int) -> Progress:
    return lambda done, total: progress(place * total + done, places * total)


def _need(lessons: Sequence[Any]) -> None:
    if not lessons:
        raise UsageError("no training story has a sentence with two persons and a word for a relation that is known")


def _cost(share: float) -> float:
    """What a statement costs that is not needed, if so many are not."""
    least = 1 / (1 + math.exp(_MOST_COST))
    kept = min(max(share, least), 0.5)
    return math.log((1 - kept) / kept)


def _words(stories: Sequence[TrainingStory]) -> frozenset[str]:
    return frozenset(token.text for one in stories for passage in one.passages for token in passage.tokens)


class NetworkStoryReader(Reader):
    """Reads with trained networks. A sentence that it cannot read makes the story unread, and is named."""

    def __init__(self, known: Trained, settings: StoryReaderSettings) -> None:
        self.known = known
        self._settings = settings

    def perceive(self, inputs: Sequence[Story]) -> list[Reading]:
        found: list[list[StoryClue] | str] = [self._clues(story) for story in inputs]
        clues = [told.clue for one in found if not isinstance(one, str) for told in one]
        chances = iter(self.known.ensemble.couples(clues))
        return [
            Reading(story.id, unread=one)
            if isinstance(one, str)
            else self._reading(story, one, [next(chances) for _ in one])
            for story, one in zip(inputs, found, strict=True)
        ]

    def _clues(self, story: Story) -> list[StoryClue] | str:
        """The clues of a story, or why it is unread."""
        try:
            passages = passages_of(story.text)
        except UsageError as error:
            return error.message
        if strange := self._strange(passages):
            return strange
        strangers = sorted({name for one in passages for name in one.persons} - {*story.names})
        if strangers:
            return f"{strangers[0]} is not among the persons of the story"
        clues = story_clues(story, passages, self.known.lexicon)
        spoken = {id(told.passage) for told in clues}
        for passage in passages:
            if len(passage.persons) > 1 and id(passage) not in spoken:
                return f"no word of it names a relation that is known: {passage.text}"
        return clues or "no sentence has two persons and a word for a relation that is known"

    def _strange(self, passages: Sequence[Passage]) -> str:
        words = [token.text for one in passages for token in one.tokens if token.text.isalpha()]
        unknown = [word for word in words if word not in self.known.words]
        if len(unknown) < self._settings.strange * max(1, len(words)):
            return ""
        return f"{len(unknown)} of {len(words)} words were in no training story, e.g. '{unknown[0]}': another language?"

    def _reading(self, story: Story, clues: Sequence[StoryClue], chances: Sequence[Mapping[Couple, float]]) -> Reading:
        statements = [
            Statement(
                told.clue.relation,
                {told.between(couple): chance for couple, chance in each.items() if chance >= _LEAST},
            )
            for told, each in zip(clues, chances, strict=True)
        ]
        ways = settled(statements, story.query, most=self._settings.alternatives, unused=self.known.unused)
        return Reading(story.id, tuple(_alternative(clues, statements, way) for way in ways))


def _alternative(clues: Sequence[StoryClue], statements: Sequence[Statement], way: StoryReading) -> Alternative:
    edges: list[Any] = []
    parts = []
    for told, statement, couple in zip(clues, statements, way.couples, strict=True):
        edges.append([couple[0], statement.relation, couple[1]])
        chance = min(1.0, statement.couples[couple]) * told.clue.sure
        place = (told.passage.start, 0, told.passage.end, 1)
        parts.append(Part(statement.relation, couple, place, probability=round(chance, 4)))
    return Alternative({"edges": edges}, min(0.0, math.log(way.probability)), tuple(parts))
