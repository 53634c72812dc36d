"""Finished shards of an unfinished dataset: one zip file each, so that an interrupted run loses none of them."""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import shutil
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.files import write_atomic
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch, Family, Shard


@dataclass(frozen=True, slots=True)
class ShardMaker:
    """Makes a shard in a worker and packs it; sent to the worker as it is."""

    family: Family
    config: Any
    seed: int

    def __call__(self, shard: Shard) -> tuple[bytes, float]:
        start = time.process_time()
        batch = self.family.make(self.config, self.seed, shard)
        return pack(batch), time.process_time() - start


def pack(batch: Batch) -> bytes:
    """A batch as the bytes of a zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("report.json", json.dumps(batch.report))
        archive.writestr("samples.jsonl", "".join(sample.line() for sample in batch.samples))
        for name, data in batch.files.items():
            archive.writestr(f"files/{name}", data)
    return buffer.getvalue()


def unpack(data: bytes) -> Batch:
    """The batch that `pack` packed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        lines = archive.read("samples.jsonl").splitlines()
        names = [name for name in archive.namelist() if name.startswith("files/")]
        return Batch(
            samples=[Sample.from_line(line) for line in lines],
            files={name.removeprefix("files/"): archive.read(name) for name in names},
            report=json.loads(archive.read("report.json")),
        )


class Workshop:
    """The hidden folder beside a dataset's place in which it is made."""

    def __init__(self, out: Path) -> None:
        self.folder = out.with_name(f".{out.name}.partial")
        self.dataset = self.folder / "dataset"

    @contextlib.contextmanager
    def opened(self, recipe: str) -> Iterator[Workshop]:
        """Take the folder for this process; shards of another recipe are thrown away."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError("another run is making this dataset now", file=str(self.folder)) from None
            self._prepare(recipe)
            yield self

    def _prepare(self, recipe: str) -> None:
        noted = self.folder / "recipe"
        if not noted.is_file() or noted.read_text() != recipe:
            shutil.rmtree(self.folder / "shards", ignore_errors=True)
            (self.folder / "shards").mkdir()
            write_atomic(noted, recipe.encode())
        shutil.rmtree(self.dataset, ignore_errors=True)
        self.dataset.mkdir()

    def has(self, shard: Shard) -> bool:
        return self._path(shard).is_file()

    def keep(self, shard: Shard, data: bytes) -> None:
        write_atomic(self._path(shard), data)

    def batch(self, shard: Shard) -> Batch:
        return unpack(self._path(shard).read_bytes())

    def finish(self, out: Path) -> None:
        """Put the dataset in its place."""
        out.parent.mkdir(parents=True, exist_ok=True)
        self.dataset.rename(out)
        self.leave()

    def leave(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, shard: Shard) -> Path:
        return self.folder / "shards" / f"{shard.index:06d}.zip"
