"""Making a dataset: it is finished or absent, and an interrupted run goes on from its finished shards.

A later run with the same family, configuration and seed takes the finished shards as they are; the bytes are those of
an unbroken run, for any number of workers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import FORMAT
from hornbeam.data.shards import ShardMaker, Workshop, unpack
from hornbeam.data.writer import write_dataset
from hornbeam.errors import DatasetError, UsageError
from hornbeam.family import Batch, Family, Shard
from hornbeam.parallel import map_shards
from hornbeam.progress import Progress, no_progress
from hornbeam.version import __version__


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the bytes of a dataset."""

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
    """A dataset, and what it took."""

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
    """Make the dataset of a recipe at `out`."""
    finished = _already(recipe, out)
    if finished is not None:
        return Built(finished, 0.0, 0, 0)
    assert recipe.seed is not None
    shards = recipe.family.plan(recipe.config, recipe.seed)
    workshop = Workshop(out)
    with workshop.opened(recipe.digest()):
        # Planning may take minutes, in which another run may have finished.
        finished = _already(recipe, out)
        if finished is not None:
            workshop.leave()
            return Built(finished, 0.0, 0, 0)
        making = Making(recipe, workshop, shards, progress)
        batches = making.batches(workers, scheduler)
        _finish(workshop, recipe, out, recipe.family.select(recipe.config, recipe.seed, batches))
    return Built(Dataset(out), making.cpu_seconds, making.made, making.kept)


class Making:
    """The shards of a dataset on their way: made by workers, kept on disk, and written while others are being made."""

    def __init__(self, recipe: Recipe, workshop: Workshop, shards: Sequence[Shard], progress: Progress) -> None:
        self._recipe = recipe
        self._workshop = workshop
        self._shards = shards
        self._progress = progress
        self._missing = [shard for shard in shards if not workshop.has(shard)]
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
            yield unpack(next(results)[0]) if shard.index in missing else self._workshop.batch(shard)
        # The last word is the pool's: it ends its workers.
        next(results, None)

    def _keep(self, place: int, made: tuple[bytes, float]) -> None:
        """Put a finished shard on disk at once, also where it waits for a slower one before it."""
        data, seconds = made
        self._workshop.keep(self._missing[place], data)
        self.cpu_seconds += seconds
        self.made += 1
        self._progress(self.kept + self.made, len(self._shards))


def build_imported(recipe: Recipe, out: Path, batches: Iterator[Batch]) -> Dataset:
    """Write imported batches as a dataset at `out`."""
    if out.exists():
        raise UsageError("exists already; choose another place with --out, or remove it", file=str(out))
    workshop = Workshop(out)
    with workshop.opened(recipe.digest()):
        _finish(workshop, recipe, out, batches)
    return Dataset(out)


def _already(recipe: Recipe, out: Path) -> Dataset | None:
    if not out.exists():
        return None
    try:
        dataset = Dataset(out)
    except DatasetError as error:
        raise UsageError(
            f"exists already and is not a whole dataset ({error.message}); choose another place or remove it",
            file=str(out),
        ) from None
    if not recipe.made(dataset):
        raise UsageError(
            f"holds another dataset ({dataset.manifest.family} {dataset.manifest.preset}, seed "
            f"{dataset.manifest.seed}); choose another place or remove it",
            file=str(out),
        )
    return dataset


def _finish(workshop: Workshop, recipe: Recipe, out: Path, batches: Iterator[Batch]) -> None:
    write_dataset(workshop.dataset, recipe.family, recipe.config, batches, preset=recipe.preset, seed=recipe.seed)
    workshop.finish(out)


def overrides_of(settings: Sequence[str], option: str = "--set") -> Mapping[str, str]:
    """`key=value` texts of an option as a mapping; UsageError for one without an equals sign."""
    pairs = [setting.partition("=") for setting in settings]
    for key, equals, _ in pairs:
        if not equals or not key:
            raise UsageError(f"{option} expects key=value, found '{key}'")
    return {key.strip(): value for key, _, value in pairs}
