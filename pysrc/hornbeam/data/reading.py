"""Reads lines of samples.jsonl: each is checked against the family's shape, and against what else the dataset holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from hornbeam.data.sample import Sample
from hornbeam.data.shape import UNREADABLE, SampleShape, WrongValue, complaint, wrong_value
from hornbeam.errors import DatasetError

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

SAMPLES = "samples.jsonl"
SampleCheck = Callable[[Any, Sample], None]


@dataclass(frozen=True, slots=True)
class SampleReader:
    """Reads the samples of one dataset.

    Attributes:
        file: The path of samples.jsonl, for messages.
        decode: Reads a line as the family's shape.
        check: Raises :class:`WrongValue` for what the rest of the dataset contradicts.
        tasks: The names of the tasks, by their number in the index.
        splits: The names of the splits, by their number in the index.
    """

    file: str
    decode: Callable[[bytes], SampleShape]
    check: SampleCheck
    tasks: Sequence[str]
    splits: Sequence[str]

    @classmethod
    def of(cls, dataset: Dataset) -> SampleReader:
        """The reader of a dataset."""
        family = dataset.family
        decoder = msgspec.json.Decoder(family.sample_shape())
        return cls(
            str(dataset.path / SAMPLES), decoder.decode, family.sample_check(dataset), dataset.tasks, dataset.splits
        )

    def sample(self, line: bytes, number: int, task: int, split: int) -> Sample:
        """The sample of a line; `number` counts lines from 0, `task` and `split` are what the index says."""
        try:
            if line.find(b"\n") != len(line) - 1:
                raise WrongValue("", "expected one sample on each line, as the index says")
            shape = self.decode(line)
            if shape.task != self.tasks[task] or shape.split != self.splits[split]:
                said = f"'{self.tasks[task]}' and '{self.splits[split]}'"
                raise WrongValue("", f"its task and split are not those that the index says, {said}")
            sample = Sample.from_line(line)
            self.check(shape, sample)
            return sample
        except WrongValue as error:
            raise self._error(wrong_value(error), number) from None
        except UNREADABLE as error:
            raise self._error(complaint(error, line), number) from None

    def _error(self, message: str, number: int) -> DatasetError:
        return DatasetError(message, file=self.file, line=number + 1)


def refuse_repeated(samples: Sequence[Sample], file: str) -> None:
    """DatasetError if two samples have the same id. Keeps eight bytes a sample: a dataset may be larger than memory."""
    marks = np.fromiter((hash(sample.id) for sample in samples), np.int64, len(samples))
    values, counts = np.unique(marks, return_counts=True)
    suspects = values[counts > 1]
    seen: dict[str, int] = {}
    for number in np.flatnonzero(np.isin(marks, suspects)).tolist() if len(suspects) else ():
        name = samples[number].id
        if name in seen:
            raise DatasetError(f'key "id": "{name}" is also the id of line {seen[name]}', file=file, line=number + 1)
        seen[name] = number + 1
