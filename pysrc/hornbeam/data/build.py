"""Builds a dataset. The result is complete or absent, and an interrupted run resumes from its finished shards.

A later run with the same family, configuration and seed keeps the finished shards. The bytes are those of an
uninterrupted run, for any number of workers.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import FORMAT
from hornbeam.data.sample import Sample
from hornbeam.data.workshop import Workshop
from hornbeam.data.writer import write_dataset
from hornbeam.errors import DatasetError, UsageError
from hornbeam.family import Batch, Family, Shard
from hornbeam.parallel import map_shards
from hornbeam.progress import Progress, no_progress
from hornbeam.version import __version__
from hornbeam.wall.trust import note_made


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that determines the bytes of a dataset."""

    family: Family
    preset: str
    seed: int | None
    config: Any

    def digest(self) -> str:
        described = {
            "family": self.family.name,
            "preset": self.preset,
            "seed": self.seed,
            "config": self.config.model_dump(mode="json"),
            "hornbeam": __version__,
            "format": FORMAT,
        }
        return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()

    def made(self, dataset: Dataset) -> bool:
        """Whether this recipe made that dataset."""
        manifest = dataset.manifest
        noted = Recipe(self.family, manifest.preset, manifest.seed, dataset.config)
        same_family = manifest.family == self.family.name and manifest.hornbeam == __version__
        return same_family and noted.digest() == self.digest()


@dataclass(frozen=True, slots=True)
class Built:
    """A dataset, and the cost of building it."""

    dataset: Dataset
    cpu_seconds: float
    shards_made: int
    shards_kept: int  # from an earlier, interrupted run


def build(
    recipe: Recipe,
    out: Path,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress = no_progress,
) -> Built:
    """Build the dataset of a recipe in the folder `out`."""
    finished = _already(recipe, out)
    if finished is not None:
        Workshop(out).sweep(recipe.digest())
        return Built(finished, 0.0, 0, 0)
    assert recipe.seed is not None
    shards = recipe.family.plan(recipe.config, recipe.seed)
    workshop = Workshop(out)
    with workshop.opened(recipe.digest()):
        # Planning can take minutes; another run may have finished meanwhile.
        finished = _already(recipe, out)
        if finished is not None:
            workshop.leave()
            return Built(finished, 0.0, 0, 0)
        making = Making(recipe, workshop, shards, progress)
        batches = making.batches(workers, scheduler)
        _finish(workshop, recipe, recipe.family.select(recipe.config, recipe.seed, batches))
    note_made(out)
    return Built(Dataset(out), making.cpu_seconds, making.made, making.kept)


class Making:
    """The shards of a dataset on their way: made by workers, kept on disk, and written while others are being made."""

    def __init__(self, recipe: Recipe, workshop: Workshop, shards: Sequence[Shard], progress: Progress) -> None:
        self._recipe = recipe
        self._workshop = workshop
        self._shards = shards
        self._progress = progress
        self._missing = [shard for shard in shards if not workshop.has(shard.index)]
        self.kept = len(shards) - len(self._missing)
        self.made = 0
        self.cpu_seconds = 0.0

    def batches(self, workers: int, scheduler: str | None) -> Iterator[Batch]:
        """The batch of every shard, in order."""
        assert self._recipe.seed is not None
        maker = ShardMaker(self._recipe.family, self._recipe.config, self._recipe.seed)
        results = map_shards(maker, self._missing, workers=workers, scheduler=scheduler, on_done=self._keep)
        missing = {shard.index for shard in self._missing}
        self._progress(self.kept, len(self._shards))
        for shard in self._shards:
            yield unpack(next(results)[0]) if shard.index in missing else unpack(self._workshop.kept(shard.index))
        # The last word is the pool's: it ends its workers.
        next(results, None)

    def _keep(self, place: int, packed: tuple[bytes, float]) -> None:
        """Put a finished shard on disk at once, also where it waits for a slower one before it."""
        data, seconds = packed
        self._workshop.keep(self._missing[place].index, data)
        self.cpu_seconds += seconds
        self.made += 1
        self._progress(self.kept + self.made, len(self._shards))


def build_imported(recipe: Recipe, out: Path, batches: Iterator[Batch]) -> Dataset:
    """Write imported batches as a dataset at `out`."""
    workshop = Workshop(out)
    if out.exists():
        workshop.sweep(recipe.digest())
    _refuse_existing(out)
    with workshop.opened(recipe.digest()):
        _refuse_existing(out)  # another run may have finished meanwhile
        _finish(workshop, recipe, batches)
    return Dataset(out)


def _refuse_existing(out: Path) -> None:
    if out.exists():
        raise UsageError("exists already; choose another place with --out, or remove it", file=str(out))


def _already(recipe: Recipe, out: Path) -> Dataset | None:
    if not out.exists():
        return None
    try:
        dataset = Dataset(out)
    except DatasetError as error:
        raise UsageError(
            f"exists already and is not a complete dataset ({error.message}); choose another folder or remove it",
            file=str(out),
        ) from None
    if not recipe.made(dataset):
        raise UsageError(
            f"holds another dataset ({dataset.manifest.family} {dataset.manifest.preset}, seed "
            f"{dataset.manifest.seed}); choose another place or remove it",
            file=str(out),
        )
    return dataset


def _finish(workshop: Workshop, recipe: Recipe, batches: Iterator[Batch]) -> None:
    write_dataset(workshop.whole, recipe.family, recipe.config, batches, preset=recipe.preset, seed=recipe.seed)
    workshop.finish()


# Finished shards on disk: one zip file each, so that an interrupted run loses none of them ----------------------------


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
