"""Some samples of a dataset, as a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from hornbeam.data.sample import Sample

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


_SHOWN = 8  # in a notebook


class SampleView(Sequence[Sample]):
    """Some samples of a dataset, in order, as a sequence. A sample is read when it is accessed.

    >>> train = ds.train
    >>> train[0].split, len(train[:3]), len(train.task("ancestor")) == len(train)
    ('train', 3, True)
    """

    def __init__(self, dataset: Dataset, rows: npt.NDArray[np.int64]) -> None:
        self._dataset = dataset
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, key: int) -> Sample: ...
    @overload
    def __getitem__(self, key: slice) -> SampleView: ...
    def __getitem__(self, key: int | slice) -> Sample | SampleView:
        if isinstance(key, slice):
            return SampleView(self._dataset, self._rows[key])
        return next(self._dataset.at(self._rows[[key]]))

    def __iter__(self) -> Iterator[Sample]:
        return self._dataset.at(self._rows)

    def _repr_html_(self) -> str:
        """How a notebook shows it: the first samples, as the family draws them."""
        return self._dataset.family.gallery(self._dataset, self[:_SHOWN], len(self))

    def chosen(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> SampleView:
        """Some of these samples: by their numbers in this view, from 0, or by a mark for each."""
        return SampleView(self._dataset, self._rows[which])

    def split(self, *names: str) -> SampleView:
        """The samples of a split, or of several; none if the dataset has no such split."""
        return self._where("split", self._dataset.splits, *names)

    def task(self, name: str) -> SampleView:
        """The samples of a task; UsageError if the dataset has no such task."""
        return self._where("task", self._dataset.tasks, self._dataset.one_task(name))

    def _where(self, column: str, names: Sequence[str], *wanted: str) -> SampleView:
        numbers = [names.index(name) for name in wanted if name in names]
        return self.chosen(np.isin(self._dataset.column(column)[self._rows], numbers))
