"""What a prompt says about a sample, before a template puts it into words.

Each family has a teller: it draws the names and the order of the facts, and knows the options and the answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.data.sample import Json, Sample
from hornbeam.language.prompts.settings import PromptSettings
from hornbeam.yaml_reader import plain, read_file, read_yaml

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

MARK = "\x02"
"""Stands for a picture in the text of a template; no text of a dataset has it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A sample of a dataset, or a question about its world that is no sample (`sample` is then None)."""

    task: str
    split: str
    key: str  # unique in the dataset; never shown
    label: str  # by which shots are balanced
    steps: int = 0  # how long the proof is
    sample: Sample | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """A question as a template gets it.

    Attributes:
        values: What the template shows.
        options: The words to choose from.
        target: The right answer, in the words of the prompt.
        form: One of :data:`hornbeam.language.item.FORMS`.
        renamed: Words of the options to those of the dataset, if they differ.
        images: Files of pictures that the values speak of.
        entities: Nodes or constants of the dataset to their names in the prompt.
    """

    values: Mapping[str, Any]
    options: tuple[str, ...]
    target: str
    form: str
    renamed: Mapping[str, Json] = field(default_factory=dict)
    images: tuple[str, ...] = ()
    entities: Mapping[str, Json] = field(default_factory=dict)


class Teller(ABC):
    """Tells the samples of one dataset.

    Args:
        dataset: The dataset.
        settings: How samples become prompts.
    """

    knowable = True
    """Whether a question can be answered without the rules and without solved samples."""

    def __init__(self, dataset: Dataset, settings: PromptSettings) -> None:
        self.dataset = dataset
        self.settings = settings

    def questions(self) -> Iterable[Question]:
        """All questions of the dataset, in its order."""
        for sample in self.dataset.samples:
            yield Question(sample.task, sample.split, sample.id, str(sample.label), self.steps(sample), sample)

    def steps(self, sample: Sample) -> int:
        """How long the proof of a sample is."""
        return 0

    @abstractmethod
    def tell(self, question: Question, rng: Random, vocabulary: Mapping[str, str]) -> Told:
        """The question with names and an order of facts that `rng` draws; `vocabulary` renames relations."""

    @abstractmethod
    def words(self, task: str) -> Sequence[str]:
        """The words of a task that the style `symbols` renames, in an order that says nothing."""

    def rules(self, task: str, vocabulary: Mapping[str, str]) -> Mapping[str, Any]:
        """The rules of a task for a prompt that states them."""
        return {}

    def vocabulary(self, task: str, rng: Random) -> dict[str, str]:
        """New names for the words of a task, if the style asks for them."""
        words = list(self.words(task))
        if self.settings.style != "symbols":
            return {word: word for word in words}
        numbers = rng.sample(range(1, max(60, 2 * len(words))), len(words))
        return {word: f"R{number}" for word, number in zip(words, numbers, strict=True)}


def places(count: int, settings: PromptSettings, rng: Random, own: str) -> list[str]:
    """Names for nodes; they say nothing about the order of the nodes.

    >>> len(set(places(40, PromptSettings(names="de"), Random(0), "N")))
    40
    """
    if settings.style == "symbols":
        return [f"E{number}" for number in rng.sample(range(1, max(40, 2 * count)), count)]
    if settings.names == "own":
        return [f"{own}{number}" for number in rng.sample(range(1, max(30, count + 1)), count)]
    pool = list(_letters()) if settings.names == "letters" else wordlist()["places"][settings.names]
    drawn = rng.sample(pool, min(count, len(pool)))
    return [
        *drawn,
        *(f"{drawn[number % len(drawn)]} {number // len(drawn) + 1}" for number in range(len(drawn), count)),
    ]


def persons(genders: Sequence[str], settings: PromptSettings, rng: Random) -> list[str] | None:
    """New names for persons; None if they keep their own."""
    if settings.style == "symbols":
        return [f"E{number}" for number in rng.sample(range(1, max(40, 2 * len(genders))), len(genders))]
    if settings.names == "own":
        return None
    if settings.names == "letters":
        return rng.sample(list(_letters()), len(genders))
    names = wordlist()["persons"][settings.names]
    drawn = {gender: iter(rng.sample(names[gender], genders.count(gender))) for gender in set(genders)}
    return [next(drawn[gender]) for gender in genders]


def _letters() -> Iterator[str]:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from alphabet
    yield from (first + second for first in alphabet for second in alphabet)


@cache
def wordlist() -> dict[str, Any]:
    """Names by language, and what each relation means: curricula/prompts/words.yml."""
    path = resources.curricula("prompts", "words.yml")
    words: dict[str, Any] = plain(read_yaml(read_file(path), str(path)))
    return words
