"""The pixels that an object can cover: every outline, size and place between pixels, as the renderer draws them.

Pixels are the bits of one whole number: pixel (x, y) of a window is bit ``y * stride + x``.

>>> from hornbeam.kandy.curriculum import CurriculumConfig
>>> templates = Templates(CurriculumConfig())
>>> sorted({template.shape for template in templates.at(0, 0)})
['circle', 'square', 'triangle']
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.shapes import place

_STEP = 64  # sizes a pixel that are tried


@dataclass(frozen=True, slots=True)
class Template:
    """The pixels of an object, relative to the pixel that its middle lies in.

    Attributes:
        shape: The name of its shape.
        size: The name of its size.
        left: The column of its first pixels.
        top: The row of its first pixels.
        width: Of its box.
        height: Of its box.
        bits: The pixels in its box.
        share: The share of the noise in size that gives these pixels.
    """

    shape: str
    size: str
    left: int
    top: int
    width: int
    height: int
    bits: int
    share: float


@dataclass(frozen=True, slots=True)
class Stamp:
    """Pixels that templates share, and the middles (in half pixels, from the corner of the box) that they can have."""

    width: int
    height: int
    bits: int
    area: int
    middles: tuple[tuple[int, int], ...]


class Templates:
    """All templates of a configuration. A middle lies on a whole or on a half pixel, in either direction."""

    def __init__(self, config: CurriculumConfig) -> None:
        self.config = config
        self.least = math.ceil(config.largest + config.size_noise) + 2
        # A window has room for two objects beside each other and one more on every side; whole bytes.
        self.stride = -(-4 * self.least // 8) * 8
        self._at = {(x, y): self._made(x, y) for x in (0, 1) for y in (0, 1)}
        self.stamps = self._stamps()
        self.exact = {(stamp.width, stamp.height, stamp.bits): stamp for stamp in self.stamps}

    def at(self, x: int, y: int) -> Sequence[Template]:
        """The templates of a middle whose place is this many half pixels, modulo 2."""
        return self._at[x % 2, y % 2]

    def _made(self, x: int, y: int) -> list[Template]:
        noise = self.config.size_noise
        steps = max(1, round(2 * noise * _STEP) + 1)
        templates = []
        for shape, outline in self.config.shapes:
            for size, pixels in self.config.sizes:
                masks: Counter[tuple[int, int, int, int, int]] = Counter()
                for step in range(steps):
                    diameter = max(1.0, pixels - noise + step / _STEP)
                    left, top, mask = place(outline, x / 2, y / 2, diameter)
                    masks[left, top, mask.width, mask.height, _bits(mask.rows, self.stride)] += 1
                templates += [Template(shape, size, *key, count / steps) for key, count in masks.items()]
        return templates

    def _stamps(self) -> list[Stamp]:
        middles: dict[tuple[int, int, int], dict[tuple[int, int], None]] = {}
        for (x, y), templates in self._at.items():
            for one in templates:
                known = middles.setdefault((one.width, one.height, one.bits), {})
                known[x - 2 * one.left, y - 2 * one.top] = None
        return [
            Stamp(width, height, bits, bits.bit_count(), tuple(places))
            for (width, height, bits), places in middles.items()
        ]


@lru_cache(maxsize=4096)
def _bits(rows: tuple[int, ...], stride: int) -> int:
    return sum(row << number * stride for number, row in enumerate(rows))
