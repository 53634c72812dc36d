"""samples.index.npy: the place, task and split of each line of samples.jsonl, a memory-mapped numpy array.

A dataset may be larger than memory, and a sample is read by its number.
"""

from __future__ import annotations

import io
import struct
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.data.manifest import Counts
from hornbeam.errors import DatasetError

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

    def array(self) -> npt.NDArray[np.void]:
        """The index."""
        return np.frombuffer(bytes(self._rows), dtype=_ROW)

    def save(self, folder: Path) -> None:
        # Not np.save to the file itself: on a full disk its error would not say so.
        buffer = io.BytesIO()
        np.save(buffer, self.array())
        (folder / NAME).write_bytes(buffer.getbuffer())

    def counts(self) -> dict[str, dict[str, int]]:
        """How many samples each task has in each split."""
        return {task: {split: self._counts[task, split] for split in self.splits} for task in self.tasks}


def load(folder: Path, counts: Counts, size: int) -> npt.NDArray[np.void]:
    """The index of a dataset, memory-mapped.

    Args:
        folder: The folder of the dataset.
        counts: What the manifest says of the samples.
        size: The bytes of samples.jsonl.

    Raises:
        DatasetError: if it is not such an array, or contradicts the manifest or the size of samples.jsonl.
    """
    rows = _mapped(folder / NAME)
    wrong = _contradiction(rows, counts, size)
    if wrong:
        raise DatasetError(f"{wrong}; generate the dataset again", file=str(folder / NAME))
    return rows


def _mapped(path: Path) -> npt.NDArray[np.void]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            array: Any = np.load(path, mmap_mode="r", allow_pickle=False)
    # numpy's parser raises what it likes of bytes that are no array, warnings among them.
    except Exception:
        raise DatasetError("not an index of samples; generate the dataset again", file=str(path)) from None
    if not isinstance(array, np.ndarray) or array.dtype != _ROW or array.ndim != 1:
        raise DatasetError("not an index of samples; generate the dataset again", file=str(path))
    return array


def _contradiction(rows: npt.NDArray[np.void], counts: Counts, size: int) -> str | None:
    """What in the index is not as the manifest and samples.jsonl say; None if all is."""
    if len(rows) != counts["samples"]:
        return f"it has {len(rows)} samples, but the manifest says {counts['samples']}"
    ends = rows["offset"] + rows["length"]
    if (rows["offset"][1:] != ends[:-1]).any() or (len(rows) and rows["offset"][0]) or size != (ends[-1:].sum()):
        return "it does not fit the lines of samples.jsonl"
    tasks, splits = list(counts["tasks"]), list(counts["splits"])
    for column, names in (("task", tasks), ("split", splits)):
        if len(rows) and rows[column].max() >= len(names):
            return f"it names {column} number {rows[column].max()}, but the manifest has {len(names)} {column}s"
    cells = np.bincount(rows["task"].astype(np.int64) * len(splits) + rows["split"], minlength=len(tasks) * len(splits))
    stated = [counts["tasks"][task].get(split, 0) for task in tasks for split in splits]
    return None if cells.tolist() == stated else "its samples by task and split are not those of the manifest"
