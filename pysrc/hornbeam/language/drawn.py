"""A dataset in memory: the samples of a generator, proven and confirmed, and the files that came with them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import FileEntry, Manifest
from hornbeam.data.reading import SAMPLES
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.family import Family


class DrawnDataset(Dataset):
    """The samples that a family draws with some settings and a seed, in memory.

    It has what prompts and their judge need. Everything else needs a dataset on disk, which :func:`hornbeam.generate`
    makes with the same samples.

    Args:
        family: The family.
        config: The settings of its generator.
        seed: The seed.
        pictures: Whether pictures are painted, for prompts that show them.
    """

    def __init__(self, family: Family, config: Any, seed: int, *, pictures: bool = False) -> None:
        make = family.make if pictures else family.draw
        batches = (make(config, seed, shard) for shard in family.plan(config, seed))
        self._drawn: list[Sample] = []
        self._files: dict[str, bytes] = {}
        for batch in family.select(config, seed, batches):
            self._drawn += batch.samples
            self._files |= batch.files
        self._by_id = {sample.id: sample for sample in self._drawn}
        splits = Counter(sample.split for sample in self._drawn)
        tasks = dict.fromkeys(sample.task for sample in self._drawn)
        text = f"{family.name}\x1f{seed}\x1f{config.model_dump_json()}"
        files = {SAMPLES: FileEntry(0, hashlib.sha256(text.encode()).hexdigest())}
        counts: Any = {"samples": len(self._drawn), "splits": dict(splits), "tasks": {task: {} for task in tasks}}
        self.path = Path()
        self.manifest = Manifest(family.name, "drawn", seed, {}, counts, {}, files)
        self.__dict__["config"] = config

    @cached_property
    def samples(self) -> Any:
        """All samples."""
        return self._drawn

    def split(self, name: str) -> Any:
        """The samples of a split."""
        return self._those(lambda sample: sample.split == name)

    def task(self, name: str) -> Any:
        """The samples of a task."""
        return self._those(lambda sample: sample.task == name)

    def _those(self, wanted: Any) -> Sequence[Sample]:
        return [sample for sample in self._drawn if wanted(sample)]

    def read(self, relative: str) -> bytes:
        """A file that came with the samples."""
        if relative not in self._files:
            raise UsageError(f"the samples came without a file {relative}")
        return self._files[relative]

    def sample(self, name: str) -> Sample:
        """Look up a sample by its id."""
        if name not in self._by_id:
            raise UsageError(f"there is no sample '{name}'")
        return self._by_id[name]
