"""Where each sample's line is in samples.jsonl: random access without reading the file.

The index is a numpy array on disk, opened memory-mapped: a dataset may be larger than memory.
"""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

NAME = "samples.index.npy"

_ROW = np.dtype([("offset", "<u8"), ("length", "<u4"), ("task", "<u4"), ("split", "<u1")])
_PACK = struct.Struct("<QIIB")


@dataclass(slots=True)
class IndexWriter:
    """Collects the index while lines are written: 17 bytes a sample."""

    tasks: dict[str, int] = field(default_factory=dict)
    splits: dict[str, int] = field(default_factory=dict)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    _offset: int = 0
    _rows: bytearray = field(default_factory=bytearray)

    def add(self, line: bytes, task: str, split: str) -> None:
        number = self.tasks.setdefault(task, len(self.tasks))
        self._rows += _PACK.pack(self._offset, len(line), number, self.splits.setdefault(split, len(self.splits)))
        self._counts[task, split] += 1
        self._offset += len(line)

    def save(self, folder: Path) -> None:
        np.save(folder / NAME, np.frombuffer(bytes(self._rows), dtype=_ROW))

    def counts(self) -> dict[str, dict[str, int]]:
        """How many samples each task has in each split."""
        return {task: {split: self._counts[task, split] for split in self.splits} for task in self.tasks}


def load(folder: Path) -> npt.NDArray[np.void]:
    """The index of a dataset, memory-mapped."""
    array: npt.NDArray[np.void] = np.load(folder / NAME, mmap_mode="r")
    return array
