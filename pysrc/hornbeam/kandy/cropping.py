"""The part of a picture that a person looks at: most of a picture is background, and its objects are small.

>>> around((224, 224), {(0,): (100, 100, 112, 112), (1,): (130, 100, 142, 112)})
(92, 82, 150, 130)
>>> around((224, 224), {})
(0, 0, 224, 224)
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from PIL import Image

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.kandy.geometry import Box
from hornbeam.kandy.pictures import picture_of

Place: TypeAlias = tuple[int, ...]
_AROUND = 8  # pixels that are shown around the objects
_SMALLEST = 48  # a single object keeps its size beside others
_WIDEST = 1.5  # times its height
_LARGEST_PICTURE = 32_000_000  # pixels


def node_box(place: Place, boxes: Mapping[Place, Box]) -> Box | None:
    """The box around all objects below a place; None if none of them can be seen."""
    inside = [box for path, box in boxes.items() if path[: len(place)] == place]
    if not inside:
        return None
    lefts, tops, rights, bottoms = zip(*inside, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def boxes_of(sample: Sample) -> dict[Place, Box]:
    """The box (left, top, right, bottom) of each object of a sample that can be seen, by its place in the tree."""
    given: Any = sample.input
    found = {}
    for thing in given["objects"]:
        left, top, width, height = thing["box"]
        if width and height:
            found[tuple(thing["path"])] = (left, top, left + width, top + height)
    return found


def around(size: tuple[int, int], boxes: Mapping[Place, Box]) -> Box:
    """The part of a picture of this size that has all objects, between a square and one and a half times as wide."""
    whole = node_box((), boxes)
    if whole is None:
        return 0, 0, *size
    left, top, right, bottom = whole
    width = max(right - left + 2 * _AROUND, _SMALLEST)
    height = max(bottom - top + 2 * _AROUND, _SMALLEST)
    width = min(max(width, height), size[0])
    height = min(max(height, math.ceil(width / _WIDEST)), size[1])
    left = max(0, min((left + right - width) // 2, size[0] - width))
    top = max(0, min((top + bottom - height) // 2, size[1] - height))
    return left, top, left + width, top + height


def cropped(dataset: Dataset, sample: Sample) -> tuple[Image.Image, Box] | None:
    """The part of a sample's picture that has objects, and where it is; None if the sample has no picture.

    Raises:
        DatasetError: if the picture cannot be read.
    """
    file = picture_of(dataset, sample)
    if file is None:
        return None
    try:
        image = Image.open(file)
        if image.width * image.height > _LARGEST_PICTURE:
            raise DatasetError("the picture is too large", file=str(file))
        image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DatasetError(f"the picture cannot be read: {error}", file=str(file)) from None
    box = around(image.size, boxes_of(sample))
    return image.convert("RGB").crop(box), box


def png(image: Image.Image) -> bytes:
    """A part of a picture as a PNG file; a browser enlarges it."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
