"""WebDataset shards: tar files in which a sample is a picture and a JSON file of the same name.

The bytes depend on the dataset alone: entries have no time and no owner.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError


def write_shards(dataset: Dataset, folder: Path, *, size: int = 1000) -> list[Path]:
    """Write every split as ``SPLIT-000000.tar``, ``SPLIT-000001.tar``, ... of at most `size` samples."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty; choose another one", file=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for split in dataset.splits:
        for number, samples in enumerate(_chunks(dataset.split(split), size)):
            path = folder / f"{split}-{number:06d}.tar"
            with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
                for sample in samples:
                    _add(archive, dataset, sample)
            written.append(path)
    return written


def _chunks(samples: Sequence[Sample], size: int) -> Iterator[Sequence[Sample]]:
    for start in range(0, len(samples), size):
        yield samples[start : start + size]


def _add(archive: tarfile.TarFile, dataset: Dataset, sample: Sample) -> None:
    value = sample.to_json()
    picture = value["input"]
    if not isinstance(picture, dict):
        raise UsageError(f"sample '{sample.id}' has no picture", file=str(dataset.path))
    image = dataset.file(str(picture["image"])).read_bytes()
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    for suffix, data in (("png", image), ("json", text)):
        entry = tarfile.TarInfo(f"{sample.id}.{suffix}")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
