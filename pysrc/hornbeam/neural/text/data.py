"""A dataset's stories as rows: all splits in one list, held-out rows by length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.neural.stream import Rows, set_aside
from hornbeam.neural.text.stories import Story

TASK = "all"


@dataclass(frozen=True)
class StoryData:
    """Stories, the rows to learn from, and the held-out rows by split, task and group."""

    stories: tuple[Story, ...]
    train: Rows
    held: Mapping[str, Mapping[str, Mapping[str, Rows]]]
    relations: tuple[str, ...]


def load(dataset: Dataset, also_test: Iterable[str] = ()) -> StoryData:
    """The stories of a dataset; `also_test` are folders of further ones, whose test split is a group of its own."""
    stories: list[Story] = []
    train = _add(stories, dataset.train)
    held = {split: {TASK: _by_length(stories, dataset, split)} for split in ("valid", "test")}
    if not held["valid"][TASK]:
        train, held["valid"][TASK] = set_aside(train)
    for folder in also_test:
        other = Dataset(folder)
        held["test"][TASK][other.path.name] = _add(stories, other.test)
    relations = tuple(sorted({story.label for story in stories}))
    return StoryData(tuple(stories), train, held, relations)


def _add(stories: list[Story], samples: Iterable[Sample]) -> Rows:
    first = len(stories)
    stories += [_story(sample) for sample in samples]
    return np.arange(first, len(stories), dtype=np.int64)


def _story(sample: Sample) -> Story:
    given: Any = sample.input
    first, second = (given["names"][node] for node in given["query"])
    return Story(sample.id, given["story"], (first, second), str(sample.label))


def _by_length(stories: list[Story], dataset: Dataset, split: str) -> dict[str, Rows]:
    groups: dict[int, list[Sample]] = {}
    for sample in dataset.split(split):
        symbolic: Any = sample.symbolic
        groups.setdefault(symbolic["k"], []).append(sample)
    return {f"k={length}": _add(stories, groups[length]) for length in sorted(groups)}
