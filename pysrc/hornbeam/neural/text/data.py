"""A dataset's stories as rows: all splits in one list, held-out rows by length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from hornbeam import seeds
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.neural.learner import Rows, set_aside

PADDING, UNKNOWN = 0, 1
_TOKEN = re.compile(r"\[([^\]]+)\]|(\w+(?:'\w+)?|[^\w\s])")
_ENDS = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class StoryQuestion:
    """A text with persons in brackets, the two that are asked for, and the relation between them."""

    name: str
    text: str
    query: tuple[str, str]
    label: str


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Stories side by side, padded to the longest."""

    tokens: Tensor  # [stories, length]
    lengths: Tensor  # [stories]
    sentences: Tensor  # [stories, length], the number of a token's sentence; -1 pads
    queries: Tensor  # [stories, 2], the placeholders asked for, as tokens
    labels: Tensor  # [stories]

    @property
    def present(self) -> Tensor:
        """[stories, length], whether there is a token."""
        return self.sentences >= 0


class TokenVocabulary(Protocol):
    """Numbers for words; placeholders have the numbers from `first_person` on."""

    first_person: int

    def numbers(self, word: str) -> list[int]:
        """A word as one or more tokens."""


@dataclass(frozen=True, slots=True)
class WordVocabulary:
    """The words of the training stories, each with a number."""

    words: dict[str, int]

    @classmethod
    def of(cls, stories: Iterable[StoryQuestion], least: int = 1) -> WordVocabulary:
        """All words that come at least so often."""
        counts = Counter(word for story in stories for person, word in tokens_of(story) if person is None)
        kept = sorted(word for word, count in counts.items() if count >= least)
        return cls({word: place for place, word in enumerate(kept, start=2)})

    @property
    def first_person(self) -> int:
        return len(self.words) + 2

    def numbers(self, word: str) -> list[int]:
        return [self.words.get(word, UNKNOWN)]


@dataclass(frozen=True, slots=True)
class TextStore:
    """All stories of a split, as flat arrays."""

    tokens: Tensor
    sentences: Tensor
    start: Tensor  # [stories + 1]
    queries: Tensor
    labels: Tensor
    relations: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, rows: Tensor) -> TextBatch:
        """The stories of these rows."""
        first = self.start[rows]
        lengths = self.start[rows + 1] - first
        places = torch.arange(int(lengths.max()) if len(rows) else 0)
        here = places[None, :] < lengths[:, None]
        at = torch.where(here, first[:, None] + places[None, :], 0)
        return TextBatch(
            torch.where(here, self.tokens[at], PADDING),
            lengths,
            torch.where(here, self.sentences[at], -1),
            self.queries[rows],
            self.labels[rows],
        )


def encode(
    stories: Sequence[StoryQuestion],
    vocabulary: TokenVocabulary,
    relations: Sequence[str],
    *,
    pool: int = 20,
    seed: int = 0,
) -> TextStore:
    """Stories as arrays. Which placeholder a person gets is drawn from the pool for each story by itself."""
    known = {name: place for place, name in enumerate(relations)}
    tokens: list[int] = []
    sentences: list[int] = []
    start, queries = [0], []
    for story in stories:
        persons = _placeholders(story, pool, seed)
        sentence = 0
        for person, word in tokens_of(story):
            numbers = [vocabulary.first_person + persons[person]] if person else vocabulary.numbers(word)
            tokens += numbers
            sentences += [sentence] * len(numbers)
            sentence += word in _ENDS
        start.append(len(tokens))
        queries.append([vocabulary.first_person + persons[person] for person in story.query])
    return TextStore(
        torch.tensor(tokens, dtype=torch.long),
        torch.tensor(sentences, dtype=torch.long),
        torch.tensor(start),
        torch.tensor(queries, dtype=torch.long).reshape(-1, 2),
        torch.tensor([known[story.label] for story in stories], dtype=torch.long),
        tuple(relations),
    )


def tokens_of(story: StoryQuestion) -> list[tuple[str | None, str]]:
    """Persons and words in order: (person, "") or (None, word)."""
    return [(found[1], "") if found[1] else (None, found[2].lower()) for found in _TOKEN.finditer(story.text)]


def _placeholders(story: StoryQuestion, pool: int, seed: int) -> dict[str, int]:
    persons = dict.fromkeys([*(person for person, _ in tokens_of(story) if person), *story.query])
    if len(persons) > pool:
        raise UsageError(f"the story {story.name} has {len(persons)} persons; set pool to as many or more (now {pool})")
    drawn = seeds.fast_rng(seed, "story", story.name).sample(range(pool), len(persons))
    return dict(zip(persons, drawn, strict=True))


TASK = "all"


@dataclass(frozen=True)
class StoryData:
    """Stories, the rows to learn from, and the held-out rows by split, task and group."""

    stories: tuple[StoryQuestion, ...]
    train: Rows
    held: Mapping[str, Mapping[str, Mapping[str, Rows]]]
    relations: tuple[str, ...]


def load(dataset: Dataset, also_test: Iterable[str] = ()) -> StoryData:
    """The stories of a dataset; `also_test` are folders of further ones, whose test split is a group of its own."""
    stories: list[StoryQuestion] = []
    train = _add(stories, dataset.train)
    held = {split: {TASK: _by_length(stories, dataset, split)} for split in ("valid", "test")}
    if not held["valid"][TASK]:
        train, held["valid"][TASK] = set_aside(train)
    for folder in also_test:
        other = Dataset(folder)
        held["test"][TASK][other.path.name] = _add(stories, other.test)
    relations = tuple(sorted({story.label for story in stories}))
    return StoryData(tuple(stories), train, held, relations)


def _add(stories: list[StoryQuestion], samples: Iterable[Sample]) -> Rows:
    first = len(stories)
    stories += [_story(sample) for sample in samples]
    return np.arange(first, len(stories), dtype=np.int64)


def _story(sample: Sample) -> StoryQuestion:
    given: Any = sample.input
    first, second = (given["names"][node] for node in given["query"])
    return StoryQuestion(sample.id, given["story"], (first, second), str(sample.label))


def _by_length(stories: list[StoryQuestion], dataset: Dataset, split: str) -> dict[str, Rows]:
    groups: dict[int, list[Sample]] = {}
    for sample in dataset.split(split):
        symbolic: Any = sample.symbolic
        groups.setdefault(symbolic["k"], []).append(sample)
    return {f"k={length}": _add(stories, groups[length]) for length in sorted(groups)}
