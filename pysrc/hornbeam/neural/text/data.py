"""A dataset's stories as rows: all splits in one list, held-out rows by length, words and persons as numbers.

Persons become placeholders drawn from a pool; words get numbers from the training stories.

>>> story = StoryQuestion("s", "[Ann] met her son [Bob]. Rain fell.", ("Ann", "Bob"), "son")
>>> words = WordVocabulary.of([story])
>>> store = encode([story], words, ("mother", "son"), pool=3, seed=1)
>>> batch = store.batch(torch.tensor([0]))
>>> batch.tokens.shape, batch.sentences.tolist(), batch.labels.tolist()
(torch.Size([1, 9]), [[0, 0, 0, 0, 0, 0, 1, 1, 1]], [1])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from hornbeam import seeds
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.neural.learner import HeldRows, Rows, set_aside

TASK = "all"
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

    @property
    def first_person(self) -> int: ...

    def numbers(self, word: str) -> list[int]:
        """A word as one or more tokens."""


@dataclass(frozen=True, slots=True)
class WordVocabulary:
    """The words of the training stories, each with a number."""

    words: dict[str, int]

    @classmethod
    def of(cls, stories: Iterable[StoryQuestion]) -> WordVocabulary:
        """All words of these stories."""
        words = {word for story in stories for person, word in _tokens_of(story) if person is None}
        return cls({word: place for place, word in enumerate(sorted(words), start=2)})

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
    tokens, sentences, start, queries = list[int](), list[int](), [0], []
    for story in stories:
        persons = _placeholders(story, pool, seed)
        sentence = 0
        for person, word in _tokens_of(story):
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
    )


def _tokens_of(story: StoryQuestion) -> list[tuple[str | None, str]]:
    """Persons and words in order: (person, "") or (None, word)."""
    return [(person, "") if person else (None, word.lower()) for person, word in _TOKEN.findall(story.text)]


def _placeholders(story: StoryQuestion, pool: int, seed: int) -> dict[str, int]:
    persons = dict.fromkeys([*(person for person, _ in _tokens_of(story) if person), *story.query])
    if len(persons) > pool:
        raise UsageError(f"the story {story.name} has {len(persons)} persons; set pool to as many or more (now {pool})")
    drawn = seeds.fast_rng(seed, "story", story.name).sample(range(pool), len(persons))
    return dict(zip(persons, drawn, strict=True))


@dataclass(frozen=True)
class StoryData:
    """Stories, the rows to learn from, and the held-out rows."""

    stories: tuple[StoryQuestion, ...]
    train: Rows
    held: HeldRows
    relations: tuple[str, ...]


def load(dataset: Dataset, also_test: Iterable[str] = ()) -> StoryData:
    """The stories of a dataset; `also_test` are folders of further ones, whose test split is a group of its own."""
    stories: list[StoryQuestion] = []

    def add(samples: Iterable[Sample]) -> Rows:
        first = len(stories)
        stories.extend(_story(sample) for sample in samples)
        return np.arange(first, len(stories), dtype=np.int64)

    train = add(dataset.train)
    held: dict[str, dict[str, Rows]] = {}
    for split in ("valid", "test"):
        lengths: dict[int, list[Sample]] = {}
        for sample in dataset.split(split):
            symbolic: Any = sample.symbolic
            lengths.setdefault(symbolic["k"], []).append(sample)
        held[split] = {f"k={length}": add(lengths[length]) for length in sorted(lengths)}
    if not held["valid"]:
        train, held["valid"] = set_aside(train)
    for folder in also_test:
        other = Dataset(folder)
        held["test"][other.path.name] = add(other.test)
    relations = tuple(sorted({story.label for story in stories}))
    return StoryData(tuple(stories), train, {split: {TASK: groups} for split, groups in held.items()}, relations)


def _story(sample: Sample) -> StoryQuestion:
    given: Any = sample.input
    first, second = (given["names"][node] for node in given["query"])
    return StoryQuestion(sample.id, given["story"], (first, second), str(sample.label))
