"""What the reader is trained on: training stories with their question, and the facts of those that are annotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.neural.reader.clues import MOST_PERSONS, Clue, Couple, Lesson, clues_of
from hornbeam.neural.reader.lexicon import Lexicon, Told
from hornbeam.perception.perceiver import Story
from hornbeam.perception.stories.loading import stories_of
from hornbeam.perception.stories.passages import Passage, passages_of
from hornbeam.seeds import fast_rng

Fact = tuple[int, str, int]


@dataclass(frozen=True, slots=True)
class StoryClue:
    """A clue with the passage that it stands in and the nodes of its persons."""

    clue: Clue
    passage: Passage
    nodes: tuple[int, ...]

    def between(self, couple: Couple) -> Couple:
        """A pair of the passage's persons as nodes of the story."""
        return self.nodes[couple[0]], self.nodes[couple[1]]


@dataclass(frozen=True, slots=True)
class TrainingStory:
    """A story to learn from: its answer, and its facts if it is annotated."""

    story: Story
    passages: tuple[Passage, ...]
    answer: str
    facts: tuple[Fact, ...] = ()

    @property
    def query(self) -> Couple:
        return self.story.query


def training_stories(
    dataset: Dataset, annotated: int | None, seed: int
) -> tuple[list[TrainingStory], list[TrainingStory]]:
    """The stories whose facts are given, drawn at random (None: all), and the others."""
    samples = [sample for sample in dataset.samples.split("train") if sample.supervised]
    if not samples:
        raise UsageError(
            "the neural reader needs training stories: the dataset has no split train", file=str(dataset.path)
        )
    fast_rng(seed, "annotated stories").shuffle(samples)
    count = len(samples) if annotated is None else min(annotated, len(samples))
    known = [_story(dataset, sample, facts=True) for sample in samples[:count]]
    return known, [_story(dataset, sample, facts=False) for sample in samples[count:]]


def _story(dataset: Dataset, sample: Sample, *, facts: bool) -> TrainingStory:
    [story] = stories_of(dataset, [sample])
    given: Any = sample.input
    told = tuple((one, word, two) for one, word, two in given["edges"]) if facts else ()
    try:
        passages = tuple(passages_of(story.text))
    except UsageError as error:
        raise UsageError(f"{sample.id}: {error.message}", file=str(dataset.path)) from None
    return TrainingStory(story, passages, str(sample.label), told)


def story_clues(story: Story, passages: Iterable[Passage], lexicon: Lexicon) -> list[StoryClue]:
    """The clues of a story whose persons are known; of passages with two persons or more."""
    node = {name: number for number, name in enumerate(story.names)}
    clues = []
    for passage in passages:
        if 2 <= len(passage.persons) <= MOST_PERSONS and all(name in node for name in passage.persons):
            nodes = tuple(node[name] for name in passage.persons)
            clues += [StoryClue(clue, passage, nodes) for clue in clues_of(passage, lexicon)]
    return clues


def told_words(stories: Sequence[TrainingStory]) -> list[Told]:
    """For each passage of annotated stories its words, and the relations of the facts between its persons."""
    return [
        (
            [
                token.text
                for token in passage.tokens
                if (token.person is None and token.text.isalpha()) or "-" in token.text
            ],
            relations,
        )
        for one in stories
        for passage in one.passages
        if (relations := [word for _, word, _ in _within(one, passage)])
    ]


def _within(one: TrainingStory, passage: Passage) -> Iterator[Fact]:
    there = {number for number, name in enumerate(one.story.names) if name in passage.persons}
    return (fact for fact in one.facts if fact[0] in there and fact[2] in there)


def annotated_lessons(stories: Sequence[TrainingStory], lexicon: Lexicon) -> list[Lesson]:
    """Each clue with the pair of persons that the story's facts say; clues that tell no fact are left out."""
    lessons = []
    for one in stories:
        facts = Counter(one.facts)
        for told in story_clues(one.story, one.passages, lexicon):
            couples = [couple for couple in told.clue.couples() if facts[_fact(told, couple)] > 0]
            if couples:
                share = 1 / len(couples)
                lessons.append(Lesson(told.clue.marks, tuple((couple, share) for couple in couples)))
    return lessons


def _fact(told: StoryClue, couple: Couple) -> Fact:
    one, two = told.between(couple)
    return one, told.clue.relation, two
