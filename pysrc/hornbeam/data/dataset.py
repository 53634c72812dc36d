"""A dataset on disk, read lazily.

>>> import hornbeam
>>> ds = hornbeam.load(dataset_folder)
>>> len(ds.samples) == len(ds.train) + len(ds.valid) + len(ds.test)
True
>>> ds.train[0].split
'train'
"""

from __future__ import annotations

import copy
import mmap
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from hornbeam.data import index, manifest
from hornbeam.data.files import inside
from hornbeam.data.reading import SAMPLES, SampleReader, refuse_repeated
from hornbeam.data.sample import Sample
from hornbeam.data.view import SampleView
from hornbeam.errors import DatasetError, UsageError, unknown_name
from hornbeam.logic import CAREFUL, Answer, Limits, Prolog
from hornbeam.seeds import fast_rng
from hornbeam.wall.trust import made_here

if TYPE_CHECKING:
    from hornbeam.family import Family
    from hornbeam.theory import Theory


_AT_ONCE = 1024  # entries of the index that are read together


class Dataset:
    """A finished dataset on disk.

    Opening it checks the names and sizes of all files; :meth:`verify` reads every byte.

    Args:
        path: The folder of the dataset.

    Attributes:
        path: The folder of the dataset.
        manifest: What the dataset is: family, preset, seed, settings, counts, and the hash of every file.
        family: The family, see :class:`hornbeam.family.Family`.
        config: The settings that it was generated with, as the family's own type.
        truth: The true theory.
        samples: All samples; `train`, `valid` and `test` are those of a split. Reading a damaged one raises
            DatasetError with its line, its key and what was expected there.

    Raises:
        NoDataset: if there is no dataset at `path`.
        DatasetError: if a file is missing or has another size than recorded, or the format is of another version.

    >>> print(ds.manifest.family, ds.tasks, len(ds.samples))
    ancestors ['ancestor'] 40
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.manifest = manifest.read(self.path)
        manifest.verify(self.path, self.manifest, digests=False)

    def __repr__(self) -> str:
        return f"Dataset({str(self.path)!r}, {self.manifest.family}, {len(self.samples)} samples)"

    def verify(self) -> None:
        """Check the hash of every file, and read every sample.

        Raises:
            DatasetError: if a file was modified, a sample is damaged, or two samples have the same id.

        >>> ds.verify()
        """
        manifest.verify(self.path, self.manifest, digests=True)
        refuse_repeated(self.samples, str(self.path / SAMPLES))

    # What it is -------------------------------------------------------------------------------------------------------

    @cached_property
    def family(self) -> Family:
        """The family that the dataset belongs to."""
        from hornbeam import family

        try:
            return family.get(self.manifest.family)
        except UsageError as error:
            raise DatasetError(error.message, file=str(self.path / manifest.NAME)) from None

    @cached_property
    def config(self) -> Any:
        """The settings that the dataset was generated with, as the family's own type."""
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
        """The true theory; if each task has its own, use :meth:`truth_of`."""
        return self.truth_of(None)

    def truth_of(self, task: str | None) -> Theory:
        """The true theory of a task.

        Args:
            task: The name of the task; None for the theory of all tasks.

        Returns:
            The theory.

        Raises:
            UsageError: if each task has its own theory and `task` is None, or if there is no true theory.

        >>> print(ds.truth_of("ancestor").texts[0])
        ancestor(Id, X, Y) :- parent(Id, X, Y).
        """
        return self.family.court(self, task).truth

    @property
    def tasks(self) -> list[str]:
        """The names of the tasks."""
        return list(self.manifest.counts["tasks"])

    @property
    def splits(self) -> list[str]:
        """The names of the splits that have samples."""
        return list(self.manifest.counts["splits"])

    def one_task(self, name: str | None) -> str:
        """The name of a task, checked.

        Args:
            name: The name; None for the only task of the dataset.

        Returns:
            The name.

        Raises:
            UsageError: if there is no such task, or `name` is None and the dataset has several tasks.

        >>> ds.one_task(None)
        'ancestor'
        """
        if name is None and len(self.tasks) != 1:
            example = f", e.g. '{self.tasks[0]}'" if self.tasks else ""
            raise UsageError(f"the dataset has {len(self.tasks)} tasks: name one{example}", file=str(self.path))
        if name is not None and name not in self.tasks:
            raise unknown_name("task", name, self.tasks, file=str(self.path))
        return name or self.tasks[0]

    def file(self, relative: str) -> Path:
        """The path of a file of the dataset.

        Args:
            relative: The path inside the dataset's folder.

        Returns:
            The full path.

        Raises:
            UsageError: if the dataset has no such file.
            DatasetError: if it is a link that leads out of the dataset's folder.

        >>> ds.file("load.pl").name
        'load.pl'
        """
        path = inside(self.path, relative)
        if not path.is_file():
            raise UsageError("the dataset has no such file", file=str(path))
        manifest.refuse_outside(path, os.path.realpath(self.path))
        return path

    def read(self, relative: str) -> bytes:
        """Read a file of the dataset.

        Args:
            relative: Its path inside the dataset.

        Returns:
            Its bytes.

        Raises:
            UsageError: if the dataset has no such file.
            DatasetError: if it cannot be read, or is a link that leads out of the dataset's folder.

        >>> ds.read("load.pl").startswith(b"%")
        True
        """
        path = self.file(relative)
        try:
            return path.read_bytes()
        except OSError as error:
            raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from None

    # Samples ----------------------------------------------------------------------------------------------------------

    @cached_property
    def _index(self) -> npt.NDArray[np.void]:
        return index.load(self.path, self.manifest.counts, len(self._lines))

    @cached_property
    def _lines(self) -> mmap.mmap | bytes:
        path = self.path / SAMPLES
        if path.stat().st_size == 0:
            return b""
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)

    @cached_property
    def _reader(self) -> SampleReader:
        return SampleReader.of(self)

    def column(self, name: str) -> npt.NDArray[Any]:
        """A column of the index: ``task`` or ``split``, as numbers into `tasks` and `splits`."""
        column: npt.NDArray[Any] = self._index[name]
        return column

    def at(self, rows: npt.NDArray[np.int64]) -> Iterator[Sample]:
        """The samples of lines of samples.jsonl, by their numbers from 0; DatasetError for what is not a sample."""
        lines, read = self._lines, self._reader.sample
        for first in range(0, len(rows), _AT_ONCE):
            chunk = rows[first : first + _AT_ONCE]
            entries = self._index[chunk].tolist()
            for number, (start, length, task, split) in zip(chunk.tolist(), entries, strict=True):
                yield read(lines[start : start + length], number, task, split)

    @cached_property
    def samples(self) -> SampleView:
        """All samples."""
        return SampleView(self, np.arange(len(self._index), dtype=np.int64))

    def drawn(self, most: int) -> Dataset:
        """The same dataset with at most so many samples of each task and split, to learn from a large one.

        Args:
            most: The number of samples. The same number draws the same samples.

        Returns:
            The dataset, whose files are the same. Only the drawn samples are read.

        Raises:
            UsageError: if the samples of a task belong together, because they are the facts of one world.

        >>> small = ds.drawn(5)
        >>> len(small.train), len(small.samples) < len(ds.samples)
        (5, True)
        """
        from hornbeam.tasks.problem import FACTS

        if FACTS in self.family.learning_views:
            raise UsageError(f"the facts of a task of {self.manifest.family} belong together: none can be left out")
        groups = self.column("task").astype(np.int64) * len(self.splits) + self.column("split")
        rows = [np.flatnonzero(groups == group) for group in np.unique(groups)]
        rng = fast_rng(self.manifest.seed or 0, "drawn", most)
        chosen = [some[rng.sample(range(len(some)), most)] if len(some) > most else some for some in rows]
        smaller = copy.copy(self)
        smaller.samples = SampleView(smaller, np.sort(np.concatenate(chosen)))
        return smaller

    def split(self, name: str) -> SampleView:
        """The samples of a split; none if the dataset has no such split."""
        return self.samples.split(name)

    def task(self, name: str) -> SampleView:
        """The samples of a task; UsageError if the dataset has no such task."""
        return self.samples.task(name)

    @property
    def train(self) -> SampleView:
        """The training samples."""
        return self.split("train")

    @property
    def valid(self) -> SampleView:
        """The validation samples."""
        return self.split("valid")

    @property
    def test(self) -> SampleView:
        """The test samples."""
        return self.split("test")

    def sample(self, name: str) -> Sample:
        """Look up a sample by its id, or by the opaque id that it has in exports.

        Args:
            name: The id.

        Returns:
            The sample.

        Raises:
            UsageError: if there is no such sample.

        >>> ds.sample("s000000").id
        's000000'
        """
        return self.samples[self.number(name)]

    def number(self, name: str) -> int:
        """The number, from 0, of the line of a sample in samples.jsonl; UsageError if there is no such sample."""
        mark = f'{{"id":"{name}",'.encode()
        place = self._lines.find(mark)
        while place > 0 and self._lines[place - 1 : place] != b"\n":
            place = self._lines.find(mark, place + 1)
        if place < 0 and name in self._real_ids:
            return self.number(self._real_ids[name])
        if place < 0:
            hint = f"the first is '{self.samples[0].id}'" if len(self.samples) else "the dataset is empty"
            raise UsageError(f"there is no sample '{name}'; {hint}", file=str(self.path))
        return int(np.searchsorted(self._index["offset"], place))

    def line(self, number: int) -> bytes:
        """A line of samples.jsonl as it is, by its number from 0."""
        entry = self._index[number]
        start, length = int(entry["offset"]), int(entry["length"])
        return self._lines[start : start + length]

    @cached_property
    def _real_ids(self) -> dict[str, str]:
        from hornbeam.data.opaque import real_ids

        return real_ids(self)

    # Prolog -----------------------------------------------------------------------------------------------------------

    def query(self, goal: str, *, limits: Limits = CAREFUL) -> list[Answer]:
        """Ask the dataset a Prolog goal, in a contained process: a dataset may come from an untrusted source.

        Args:
            goal: The goal as text.
            limits: Limits on time, inferences, memory and the number of answers.

        Returns:
            The answers, each with the values of the goal's variables by name.

        Raises:
            PrologError: if the goal raises an exception or calls what the sandbox forbids.
            LimitExceeded: if the goal exceeds a limit.

        >>> ds.query("sample(Id, _, train, _, _)")[0].keys()
        dict_keys(['Id'])
        """
        with self.prolog() as prolog:
            return prolog.all(goal, limits=limits)

    def prolog(self) -> Prolog:
        """Start a contained SWI-Prolog with the dataset loaded. Close it, or use it in a `with` statement.

        >>> with ds.prolog() as prolog:
        ...     prolog.ask("sample(_, ancestor, train, true, _)")
        True
        """
        prolog = Prolog.contained(readable=[self.path], memory=2 << 30, foreign=not made_here(self.path))
        try:
            prolog.load(self.path / "load.pl", "user", strict=False)
        except BaseException:
            prolog.close()
            raise
        return prolog
