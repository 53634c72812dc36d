"""The outlines of shapes, and the pixels they cover.

An outline is `round` (a disc) or a polygon in a box from -1 to 1, y downwards, that the size of the object scales to
its width. The triangle is equilateral and upright in a circle of that diameter.

>>> left, top, mask = place(BUILT_IN["square"], 100.5, 50.0, 7.0)
>>> (left, top, mask.width, mask.height, mask.area)
(97, 46, 8, 8, 64)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import floor
from typing import Any

from PIL import Image, ImageDraw

Point = tuple[float, float]


@dataclass(frozen=True)
class Outline:
    """A disc, or a polygon of at least three points."""

    points: tuple[Point, ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.points)


def _regular(corners: int, turn: float = -90.0) -> Outline:
    angles = (math.radians(turn + 360 * corner / corners) for corner in range(corners))
    # Rounded, so that the sine of 30 degrees is a half and corners fall on the same pixel wherever they are drawn.
    return Outline(tuple((round(math.cos(angle), 9), round(math.sin(angle), 9)) for angle in angles))


def _star(spikes: int, inner: float) -> Outline:
    outer = _regular(spikes).points
    hollow = _regular(spikes, -90 + 180 / spikes).points
    pairs = zip(outer, ((inner * x, inner * y) for x, y in hollow), strict=True)
    return Outline(tuple(point for pair in pairs for point in pair))


_CROSS = ((-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1))

BUILT_IN: dict[str, Outline] = {
    "circle": Outline(),
    "triangle": _regular(3),
    "square": Outline(((-1, -1), (1, -1), (1, 1), (-1, 1))),
    "diamond": _regular(4),
    "pentagon": _regular(5),
    "hexagon": _regular(6),
    "star": _star(5, 0.45),
    "cross": Outline(tuple((x / 3, y / 3) for x, y in _CROSS)),
}


class Mask:
    """The pixels of a shape as an image of 0 and 255."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.width, self.height = image.size
        self.core: Any = image.im

    @cached_property
    def area(self) -> int:
        """The number of pixels covered."""
        return sum(bits.bit_count() for bits in self.rows)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The pixels of each row as the bits of a number, the leftmost the lowest."""
        pixels, width = self.image.tobytes(), self.width
        starts = range(0, len(pixels), width)
        return tuple(sum(1 << i for i, p in enumerate(pixels[start : start + width]) if p) for start in starts)

    @cached_property
    def runs(self) -> str:
        """The pixels row by row as lengths of runs, first of uncovered, then of covered pixels, and so on."""
        return run_lengths(self.rows, self.width)

    def crop(self, box: tuple[int, int, int, int]) -> Mask:
        """The part inside a box of this mask's own pixels."""
        return Mask(self.image.crop(box))


def run_lengths(rows: Sequence[int], width: int) -> str:
    """Runs of equal pixels as text: uncovered, covered, uncovered, ...

    >>> run_lengths([0b110, 0b001], 3)
    '1 3 2'
    """
    pixels = "".join(f"{bits:0{width}b}"[::-1] for bits in rows)
    lengths = []
    covered = False
    start = 0
    while start < len(pixels):
        end = pixels.find("0" if covered else "1", start)
        end = len(pixels) if end < 0 else end
        lengths.append(str(end - start))
        start, covered = end, not covered
    return " ".join(lengths)


def place(outline: Outline, x: float, y: float, size: float) -> tuple[int, int, Mask]:
    """Left, top and the mask of an outline of a size around a middle; end points count, as Pillow draws."""
    whole_x, whole_y = floor(x), floor(y)
    left, top, mask = _around(outline, x - whole_x, y - whole_y, size)
    return whole_x + left, whole_y + top, mask


@lru_cache(maxsize=1 << 16)
def _around(outline: Outline, x: float, y: float, size: float) -> tuple[int, int, Mask]:
    # Middles lie on whole or half pixels and sizes on 1/64ths, so that few masks are made and most are found here.
    half = size / 2
    if not outline.points:
        left, top = floor(x - half), floor(y - half)
        return left, top, _disc(floor(x + half) - left, floor(y + half) - top)
    across = [floor(x + px * half) for px, _ in outline.points]
    down = [floor(y + py * half) for _, py in outline.points]
    left, top = min(across), min(down)
    return left, top, _polygon(tuple((cx - left, cy - top) for cx, cy in zip(across, down, strict=True)))


@lru_cache(maxsize=4096)
def _disc(right: int, bottom: int) -> Mask:
    image = Image.new("L", (right + 1, bottom + 1), 0)
    ImageDraw.Draw(image).ellipse((0, 0, right, bottom), fill=255)
    return Mask(image)


@lru_cache(maxsize=4096)
def _polygon(corners: tuple[tuple[int, int], ...]) -> Mask:
    size = max(cx for cx, _ in corners) + 1, max(cy for _, cy in corners) + 1
    image = Image.new("L", size, 0)
    ImageDraw.Draw(image).polygon(corners, fill=255)
    return Mask(image)
