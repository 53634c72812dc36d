"""The pictures of a dataset on disk: each is a PNG of the size that the curriculum states."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError

_START = struct.Struct(">8s4x4sII")  # signature, length of the first chunk, its name, width, height
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def picture_of(dataset: Dataset, sample: Sample) -> Path | None:
    """The file of a sample's picture; None if it has none.

    Raises:
        DatasetError: if the file is no PNG, or not of the curriculum's size; an imported one may have any size.
    """
    given: Any = sample.input
    if given["image"] is None:
        return None
    path = dataset.file(given["image"])
    config = dataset.config
    wanted = None if config.imported_tasks else config.curriculum.config.canvas_size
    _refuse_other(path, wanted)
    return path


def _refuse_other(path: Path, size: tuple[int, int] | None) -> None:
    with path.open("rb") as stream:
        start = stream.read(_START.size)
    if len(start) < _START.size or start[:8] != _SIGNATURE:
        raise DatasetError("not a PNG picture", file=str(path))
    _, chunk, width, height = _START.unpack(start)
    if chunk != b"IHDR" or (size is not None and (width, height) != tuple(size)):
        expected = "a picture" if size is None else f"a picture of {size[0]}x{size[1]} pixels"
        raise DatasetError(f"expected {expected}, found one of {width}x{height}", file=str(path))
