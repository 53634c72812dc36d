"""The pictures of a dataset as pixels. Nothing else of a sample is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from hornbeam.errors import DatasetError, UsageError
from hornbeam.perception.perceiver import Picture

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample


def pictures_of(dataset: Dataset, samples: Iterable[Sample]) -> list[Picture]:
    """The pictures of some samples.

    Raises:
        UsageError: if samples of the dataset have no pictures.
        DatasetError: if a file is no picture.
    """
    return [Picture(sample.id, _pixels(dataset, sample)) for sample in samples]


def _pixels(dataset: Dataset, sample: Sample) -> Any:
    content: Any = sample.input
    path = content.get("image") if isinstance(content, dict) else None
    if not isinstance(path, str):
        raise UsageError(f"the sample {sample.id} has no picture", file=str(dataset.path))
    file = dataset.file(path)
    try:
        with Image.open(file) as image:
            return np.asarray(image.convert("RGB"))
    except OSError as error:
        raise DatasetError(f"no picture: {error}", file=str(file)) from None
