"""WebDataset shards: tar files in which a sample is a picture and a JSON file of the same name.

The bytes depend on the dataset alone: entries have no time and no owner.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError


def write_shards(dataset: Dataset, folder: Path, *, size: int = 1000) -> list[Path]:
    """Write every split as ``SPLIT-000000.tar``, ``SPLIT-000001.tar``, ... of at most `size` samples."""
    family = dataset.manifest.family
    if family != "kandy":
        raise UsageError(f"expected a dataset of kandy, this is one of {family}", file=str(dataset.path))
    for sample in dataset.samples:
        _picture(dataset, sample)  # nothing is written unless every sample has one
    if folder.exists() and not folder.is_dir():
        raise UsageError("expected a folder, this is a file", file=str(folder))
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
    image = _picture(dataset, sample).read_bytes()
    text = json.dumps(sample.to_json(), ensure_ascii=False, separators=(",", ":")).encode()
    for suffix, data in (("png", image), ("json", text)):
        entry = tarfile.TarInfo(f"{sample.id}.{suffix}")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))


def _picture(dataset: Dataset, sample: Sample) -> Path:
    given: Any = sample.input
    if given["image"] is None:
        raise UsageError(f"sample '{sample.id}' has no picture", file=str(dataset.path))
    return dataset.file(given["image"])
