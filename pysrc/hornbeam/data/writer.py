"""The files of a dataset, streamed from batches."""

from __future__ import annotations

import contextlib
import hashlib
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from hornbeam.data import prolog_files
from hornbeam.data.files import inside, write_parquet
from hornbeam.data.index import IndexWriter
from hornbeam.data.manifest import NAME, Counts, Manifest, entries, proven
from hornbeam.data.reading import SAMPLES
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import UNREADABLE, complaint
from hornbeam.errors import DatasetError
from hornbeam.family import Batch, Family


def write_dataset(
    folder: Path, family: Family, config: Any, batches: Iterable[Batch], *, preset: str, seed: int | None
) -> Manifest:
    """Write all files of a dataset into `folder`, which is empty; the manifest comes last."""
    stream = SampleStream(folder, family)
    with contextlib.closing(stream):
        _write_originals(folder, family.original_files(config, stream.through(batches)))
        stream.drain()
    stream.index.save(folder)
    summary = f"{preset}, {stream.count} samples"
    prolog_files.write(folder, family, family.prolog_side(config), summary)
    write_parquet(folder)
    manifest = Manifest(
        family=family.name,
        preset=preset,
        seed=seed,
        config=config.model_dump(mode="json"),
        counts=stream.counts(),
        report=stream.report,
        files=entries(folder),
        # What was imported is somebody else's claim.
        proven=None if seed is None else proven(stream.report, family.proof_files, family.confirmed_by),
    )
    (folder / NAME).write_text(manifest.text(), encoding="utf-8")
    return manifest


class SampleStream:
    """Writes samples.jsonl, facts.pl and further files as the samples pass through on their way to the originals."""

    def __init__(self, folder: Path, family: Family) -> None:
        self._folder = folder
        self._family = family
        self._lines: BinaryIO = (folder / SAMPLES).open("wb")
        self._facts: BinaryIO = (folder / "facts.pl").open("wb")
        self._facts.write(prolog_files.facts_header(family.fact_predicates()).encode())
        self._source: Iterator[Sample] = iter(())
        self._decode = msgspec.json.Decoder(family.sample_shape()).decode
        self._ids = Ids()
        self.index = IndexWriter()
        self.report: dict[str, Json] = {}

    @property
    def count(self) -> int:
        return len(self._ids)

    def through(self, batches: Iterable[Batch]) -> Iterator[Sample]:
        self._source = self._samples(batches)
        return self._source

    def drain(self) -> None:
        """Write the samples that the original's format did not ask for."""
        for _ in self._source:
            pass
        self._lines.flush()
        self._ids.refuse_equal(self._folder / SAMPLES)

    def _samples(self, batches: Iterable[Batch]) -> Iterator[Sample]:
        for batch in batches:
            self.report = add_up(self.report, batch.report)
            self._write_files(batch.files)
            for sample in batch.samples:
                self._write(sample)
                yield sample

    def _write(self, sample: Sample) -> None:
        self._ids.add(sample.id)
        line = sample.line().encode()
        try:
            self._decode(line)
        except UNREADABLE as error:
            raise DatasetError(f"sample {sample.id}: {complaint(error, line)}; see docs/samples.md") from None
        self._lines.write(line)
        self.index.add(line, sample.task, sample.split)
        self._facts.write(self._family.facts(sample).encode())

    def _write_files(self, files: dict[str, bytes]) -> None:
        for name, data in files.items():
            path = inside(self._folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def counts(self) -> Counts:
        table = self.index.counts()
        splits = {split: sum(row[split] for row in table.values()) for split in self.index.splits}
        return {
            "samples": self.count,
            "splits": dict(splits),
            "tasks": {task: dict(row) for task, row in table.items()},
        }

    def close(self) -> None:
        self._lines.close()
        self._facts.close()


class Ids:
    """The ids of the samples so far, 8 bytes each: as text they would need more memory than everything else."""

    def __init__(self) -> None:
        self._digests = array("Q")

    def __len__(self) -> int:
        return len(self._digests)

    def add(self, name: str) -> None:
        self._digests.append(_id_digest(name))

    def refuse_equal(self, samples: Path) -> None:
        """DatasetError if two samples have the same id; the file is read only if two digests are equal."""
        digests, counts = np.unique(np.frombuffer(self._digests, dtype=np.uint64), return_counts=True)
        suspect = set(digests[counts > 1].tolist())
        if not suspect:
            return
        seen: set[str] = set()
        with samples.open("rb") as lines:
            for name in (Sample.from_line(line).id for line in lines):
                if _id_digest(name) in suspect:
                    if name in seen:
                        raise DatasetError(f"two samples have the id '{name}'")
                    seen.add(name)


def _id_digest(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


# Files kept open at a time: a dataset may have more of them than a process may open.
_OPEN = 64


def _write_originals(folder: Path, pieces: Iterator[tuple[str, str]]) -> None:
    """Append each piece of text to its file."""
    begun: set[str] = set()
    streams: dict[str, BinaryIO] = {}
    try:
        for name, text in pieces:
            if name not in streams:
                if len(streams) == _OPEN:
                    streams.pop(next(iter(streams))).close()
                path = inside(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                streams[name] = path.open("ab" if name in begun else "wb")
                begun.add(name)
            streams[name].write(text.encode())
    finally:
        for stream in streams.values():
            stream.close()


def add_up(total: dict[str, Json], more: dict[str, Json]) -> dict[str, Json]:
    """Add the figures of one report to another: numbers are added, groups by their keys, all else is replaced.

    >>> add_up({"drawn": 3, "by": {"rule": 1}}, {"drawn": 4, "by": {"rule": 2, "copy": 5}})
    {'drawn': 7, 'by': {'rule': 3, 'copy': 5}}
    """
    result = dict(total)
    for key, value in more.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = add_up(old, value)
        elif _is_number(old) and _is_number(value):
            result[key] = old + value  # type: ignore[operator]
        else:
            result[key] = value
    return result


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
