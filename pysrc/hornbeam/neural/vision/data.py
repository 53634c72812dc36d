"""The pictures of a dataset, decoded once into a memory-mapped array.

The array is next to the dataset (``easy.pictures-<digest>.npy`` next to ``easy/``; the digest is that of the manifest,
so that datasets are never confused) or, if that folder cannot be written, in the system's folder for temporary files.
It may be removed at any time.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image
from torch import Tensor

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256
from hornbeam.errors import DatasetError, UsageError
from hornbeam.neural.learner import Rows
from hornbeam.writing import replacing

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Scale:
    """How pixel values become a network's inputs: (value / 255 - mean) / deviation, for each channel."""

    mean: tuple[float, float, float]
    deviation: tuple[float, float, float]

    def __call__(self, pixels: Tensor) -> Tensor:
        """Pixels (..., height, width, 3) as (..., 3, height, width); the memory stays channels-last."""
        deviation = torch.tensor(self.deviation, device=pixels.device)
        factor = 1 / (255 * deviation)
        shift = torch.tensor(self.mean, device=pixels.device) / deviation
        scaled = torch.addcmul(-shift, pixels.to(torch.float32), factor)
        return scaled.movedim(-1, -3)


@dataclass(frozen=True)
class PictureBatch:
    """What a network is given."""

    pixels: Tensor  # (batch, height, width, 3), bytes
    boxes: npt.NDArray[np.int64]  # (batch, 4): top, left, bottom, right of what is not background
    background: tuple[int, int, int]
    scale: Scale
    features: Tensor | None = None  # of a frozen network, where there is one

    @property
    def inputs(self) -> Tensor:
        """The pictures as a network's inputs, (batch, 3, height, width)."""
        return self.scale(self.pixels)


class Pictures:
    """All samples of a dataset of pictures, by their row: the place in samples.jsonl."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.tasks = list(dataset.tasks)
        samples = [
            (sample.id, sample.label, sample.supervised, _file(sample.input, sample.id)) for sample in dataset.samples
        ]
        self.names = [name for name, *_ in samples]
        self.labels = np.array([bool(label) for _, label, _, _ in samples])
        self.supervised = np.array([supervised for _, _, supervised, _ in samples])
        self._files = [file for *_, file in samples]
        self.task = dataset.column("task").astype(np.int64)
        self._split = dataset.column("split").astype(np.int64)

    def rows(self, split: str, task: str | None = None) -> Rows:
        """The rows of a split, in the order of the dataset."""
        if split not in self.dataset.splits:
            return np.zeros(0, dtype=np.int64)
        chosen = self._split == self.dataset.splits.index(split)
        if task is not None:
            chosen = chosen & (self.task == self.tasks.index(task))
        return np.flatnonzero(chosen).astype(np.int64)

    # Arrays on disk ---------------------------------------------------------------------------------------------------

    @cached_property
    def pixels(self) -> Pixels:
        """All pictures, (samples, height, width, 3)."""
        width, height = 1, 1
        if self._files:
            height, width, _ = _pixels(self.dataset.file(self._files[0])).shape
        return self.cached("pictures", (len(self._files), height, width, 3), np.dtype(np.uint8), self._decode)

    def _decode(self, into: npt.NDArray[Any]) -> None:
        for row, file in enumerate(self._files):
            pixels = _pixels(self.dataset.file(file))
            if pixels.shape != into.shape[1:]:
                size, first = (f"{shape[1]}x{shape[0]}" for shape in (pixels.shape, into.shape[1:]))
                raise UsageError(f"the picture is {size}, the first one {first}", file=str(self.dataset.file(file)))
            into[row] = pixels

    def cached(
        self, name: str, shape: tuple[int, ...], kind: np.dtype[Any], fill: Callable[[npt.NDArray[Any]], None]
    ) -> npt.NDArray[Any]:
        """An array of this dataset that is made once; `fill` makes it."""
        source = self.dataset.path.resolve()
        folder = source.parent if os.access(source.parent, os.W_OK) else Path(tempfile.gettempdir())
        path = folder / f"{source.name}.{name}-{sha256(self.dataset.path / 'manifest.json')[:12]}.npy"
        kept = _kept(path)
        if kept is not None and kept.shape == shape and kept.dtype == kind:
            return kept
        with replacing(path) as partial:
            array = np.lib.format.open_memmap(partial, mode="w+", dtype=kind, shape=shape)
            # Otherwise a full disk ends the process when a page of the array is written.
            with partial.open("rb+") as stream:
                os.posix_fallocate(stream.fileno(), 0, os.fstat(stream.fileno()).st_size)
            fill(array)
            array.flush()
        filled: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
        return filled

    # What the pictures are like ---------------------------------------------------------------------------------------

    @cached_property
    def background(self) -> tuple[int, int, int]:
        """The colour that most pictures have in their corner."""
        corners = Counter(map(tuple, self.pixels[:, 0, 0].tolist()))
        red, green, blue = corners.most_common(1)[0][0]
        return red, green, blue

    @cached_property
    def boxes(self) -> npt.NDArray[np.int64]:
        """Top, left, bottom, right of what is not background, for each picture; a pixel where there is nothing."""
        return self.cached("boxes", (len(self.pixels), 4), np.dtype(np.int64), self._find_boxes)

    def _find_boxes(self, into: npt.NDArray[Any]) -> None:
        for row, picture in enumerate(self.pixels):
            into[row] = box_of(picture, self.background)

    def measured_scale(self) -> Scale:
        """The scale that gives the training pictures mean 0 and deviation 1 over all channels."""
        rows = self.rows("train")
        sums = np.zeros(2)
        for start in range(0, len(rows), 256):
            values = self.pixels[rows[start : start + 256]].astype(np.float64) / 255
            sums += values.sum(), (values**2).sum()
        mean, square = sums / max(len(rows) * self.pixels[0].size, 1)
        deviation = float(np.sqrt(max(square - mean**2, 1e-12)))
        return Scale((float(mean),) * 3, (deviation,) * 3)


def _kept(path: Path) -> npt.NDArray[Any] | None:
    """An array that an earlier run left; None if there is none that can be read, and it is to be made again."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            array: Any = np.load(path, mmap_mode="r", allow_pickle=False)
    # numpy's parser raises what it likes of bytes that are no array, warnings among them.
    except Exception:
        return None
    return array if isinstance(array, np.ndarray) else None


def _pixels(path: Path) -> npt.NDArray[np.uint8]:
    """A picture as (height, width, 3); DatasetError if it cannot be decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(path) as picture:
                return np.asarray(picture.convert("RGB"))
    # Pillow's decoders raise what they like of bytes that are no picture, and warn of a picture that is too large.
    except Exception as error:
        raise DatasetError(f"not a picture that can be read: {error}", file=str(path)) from None


def box_of(picture: Pixels, background: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Top, left, bottom, right of what is not background; a pixel where there is nothing."""
    marked = (picture != np.array(background, dtype=np.uint8)).any(axis=2)
    down, across = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    if not len(down):
        return 0, 0, 1, 1
    return int(down[0]), int(across[0]), int(down[-1]) + 1, int(across[-1]) + 1


def _file(value: Any, name: str) -> str:
    if not isinstance(value, dict) or not isinstance(value.get("image"), str):
        raise UsageError(f"the sample {name} has no picture: models of pictures need one in each sample's input")
    return str(value["image"])
