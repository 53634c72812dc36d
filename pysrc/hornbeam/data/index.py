"""Where each sample's line is in samples.jsonl: random access without reading the file.

The index is a numpy array on disk, opened memory-mapped: a dataset may be larger than memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

NAME = "samples.index.npy"

_ROW = np.dtype([("offset", "<u8"), ("length", "<u4"), ("task", "<u4"), ("split", "<u1")])


@dataclass(slots=True)
class IndexWriter:
    """Collects the index while lines are written."""

    tasks: dict[str, int] = field(default_factory=dict)
    splits: dict[str, int] = field(default_factory=dict)
    _offset: int = 0
    _rows: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add(self, line: bytes, task: str, split: str) -> None:
        row = (
            self._offset,
            len(line),
            self.tasks.setdefault(task, len(self.tasks)),
            self.splits.setdefault(split, len(self.splits)),
        )
        self._rows.append(row)
        self._offset += len(line)

    def save(self, folder: Path) -> None:
        np.save(folder / NAME, np.array(self._rows, dtype=_ROW))

    def counts(self) -> dict[str, dict[str, int]]:
        """How many samples each task has in each split."""
        table = {task: dict.fromkeys(self.splits, 0) for task in self.tasks}
        task_names, split_names = list(self.tasks), list(self.splits)
        for _, _, task, split in self._rows:
            table[task_names[task]][split_names[split]] += 1
        return table


def load(folder: Path) -> npt.NDArray[np.void]:
    """The index of a dataset, memory-mapped."""
    array: npt.NDArray[np.void] = np.load(folder / NAME, mmap_mode="r")
    return array
