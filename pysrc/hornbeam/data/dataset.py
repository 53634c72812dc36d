"""A dataset on disk, read lazily.

>>> import hornbeam
>>> ds = hornbeam.load(dataset_folder)
>>> len(ds.samples) == len(ds.train) + len(ds.valid) + len(ds.test)
True
>>> ds.train[0].split
'train'
"""

from __future__ import annotations

import mmap
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from hornbeam.data import manifest
from hornbeam.data.files import inside
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError, UsageError, unknown_name
from hornbeam.logic import CAREFUL, Answer, Limits, Prolog

if TYPE_CHECKING:
    from hornbeam.family import Family
    from hornbeam.theory import Theory


SAMPLES = "samples.jsonl"


class SampleView(Sequence[Sample]):
    """Some samples of a dataset, in its order: a sequence that reads a line when it is asked for it."""

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
        return Sample.from_line(self._dataset.line(int(self._rows[key])))

    def __iter__(self) -> Iterator[Sample]:
        for row in self._rows:
            yield Sample.from_line(self._dataset.line(int(row)))

    def split(self, name: str) -> SampleView:
        """Those of a split."""
        return self._where("split", self._dataset.splits, name)

    def task(self, name: str) -> SampleView:
        """Those of a task."""
        return self._where("task", self._dataset.tasks, self._dataset.one_task(name))

    def _where(self, column: str, names: Sequence[str], name: str) -> SampleView:
        if name not in names:
            return SampleView(self._dataset, self._rows[:0])
        return SampleView(self._dataset, self._rows[self._dataset.column(column)[self._rows] == names.index(name)])


class Dataset:
    """A finished dataset. Opening it checks names and sizes of all files; `verify` reads every byte."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.manifest = manifest.read(self.path)
        manifest.verify(self.path, self.manifest, digests=False)

    def __repr__(self) -> str:
        return f"Dataset({str(self.path)!r}, {self.manifest.family}, {len(self.samples)} samples)"

    def verify(self) -> None:
        """Refuse a dataset of which any byte was changed."""
        manifest.verify(self.path, self.manifest, digests=True)

    # What it is -------------------------------------------------------------------------------------------------------

    @cached_property
    def family(self) -> Family:
        from hornbeam import family

        return family.get(self.manifest.family)

    @cached_property
    def config(self) -> Any:
        """The configuration that made it, as the family's own type."""
        try:
            return self.family.config_type.model_validate(self.manifest.config)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise DatasetError(
                f"no configuration of the family {self.manifest.family} ({place}: {first['msg']})",
                file=str(self.path / manifest.NAME),
            ) from None

    @cached_property
    def truth(self) -> Theory:
        """The true theory; where each task has its own, see :meth:`truth_of`."""
        return self.truth_of(None)

    def truth_of(self, task: str | None) -> Theory:
        """The true theory of a task; with None, that of all tasks.

        Raises:
            UsageError: if each task has a theory of its own and none was named, or if there is no true theory.
        """
        return self.family.court(self, task).truth

    @property
    def tasks(self) -> list[str]:
        names: Any = self.manifest.counts["tasks"]
        return list(names)

    @property
    def splits(self) -> list[str]:
        names: Any = self.manifest.counts["splits"]
        return list(names)

    def one_task(self, name: str | None) -> str:
        """The task of this name, or the only one; UsageError where there are several to choose from."""
        if name is None and len(self.tasks) != 1:
            example = f", e.g. '{self.tasks[0]}'" if self.tasks else ""
            raise UsageError(f"the dataset has {len(self.tasks)} tasks: name one{example}", file=str(self.path))
        if name is not None and name not in self.tasks:
            raise unknown_name("task", name, self.tasks, file=str(self.path))
        return name or self.tasks[0]

    def file(self, relative: str) -> Path:
        """The path of one of its files."""
        path = inside(self.path, relative)
        if not path.is_file():
            raise UsageError("the dataset has no such file", file=str(path))
        return path

    # Samples ----------------------------------------------------------------------------------------------------------

    @cached_property
    def _index(self) -> npt.NDArray[np.void]:
        return load(self.path)

    @cached_property
    def _lines(self) -> mmap.mmap | bytes:
        path = self.path / SAMPLES
        if path.stat().st_size == 0:
            return b""
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)

    def column(self, name: str) -> npt.NDArray[Any]:
        """A column of the index, e.g. the number of each sample's split."""
        column: npt.NDArray[Any] = self._index[name]
        return column

    def line(self, row: int) -> bytes:
        """The line of samples.jsonl of this number."""
        entry = self._index[row]
        start = int(entry["offset"])
        return bytes(self._lines[start : start + int(entry["length"])])

    @property
    def samples(self) -> SampleView:
        return SampleView(self, np.arange(len(self._index), dtype=np.int64))

    def split(self, name: str) -> SampleView:
        return self.samples.split(name)

    def task(self, name: str) -> SampleView:
        return self.samples.task(name)

    @property
    def train(self) -> SampleView:
        return self.split("train")

    @property
    def valid(self) -> SampleView:
        return self.split("valid")

    @property
    def test(self) -> SampleView:
        return self.split("test")

    def sample(self, name: str) -> Sample:
        """The sample of this id."""
        mark = f'{{"id":"{name}",'.encode()
        place = self._lines.find(mark)
        while place > 0 and self._lines[place - 1 : place] != b"\n":
            place = self._lines.find(mark, place + 1)
        if place < 0:
            hint = f"the first is '{self.samples[0].id}'" if len(self.samples) else "the dataset is empty"
            raise UsageError(f"there is no sample '{name}'; {hint}", file=str(self.path))
        end = self._lines.find(b"\n", place)
        return Sample.from_line(bytes(self._lines[place:end]))

    # Prolog -----------------------------------------------------------------------------------------------------------

    def query(self, goal: str, *, limits: Limits = CAREFUL) -> list[Answer]:
        """Ask the dataset a Prolog goal, in a contained process: a dataset may come from anywhere.

        >>> ds.query("sample(Id, _, train, _, _)")[0].keys()
        dict_keys(['Id'])
        """
        with self.prolog() as prolog:
            return prolog.all(goal, limits=limits)

    def prolog(self) -> Prolog:
        """A contained SWI-Prolog with the dataset loaded; close it, or use it in a `with`."""
        prolog = Prolog.contained(memory=2 << 30)
        try:
            prolog.load(self.path / "load.pl", "user", strict=False)
        except BaseException:
            prolog.close()
            raise
        return prolog


# Where each sample's line is: a numpy array on disk, opened memory-mapped, for a dataset may be larger than memory ---

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
