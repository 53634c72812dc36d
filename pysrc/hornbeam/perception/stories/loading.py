"""The stories of a dataset as text. Of a sample nothing else is read but who is asked about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hornbeam.errors import UsageError
from hornbeam.perception.perceiver import Story

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample


def stories_of(dataset: Dataset, samples: Iterable[Sample]) -> list[Story]:
    """The stories of some samples.

    Raises:
        UsageError: if samples of the dataset have no stories.
    """
    return [_story(dataset, sample) for sample in samples]


def _story(dataset: Dataset, sample: Sample) -> Story:
    content: Any = sample.input
    if not isinstance(content, dict) or not isinstance(content.get("story"), str):
        raise UsageError(f"the sample {sample.id} has no story", file=str(dataset.path))
    first, second = content["query"]
    return Story(sample.id, content["story"], tuple(content["names"]), (first, second))
