"""Pictures of trees: noise, drawing, and the noise-free picture by which two trees look the same.

>>> from hornbeam.seeds import fast_rng
>>> renderer = Renderer(CurriculumConfig())
>>> tree = ("side_by_side", ["circle_red_small", "square_blue_large"])
>>> scene = renderer.scene(tree, fast_rng(7, "example"))
>>> scene.picture().size
(224, 224)
>>> renderer.look(tree) == renderer.look(("side_by_side_reduce_bb", tree[1]))
True
"""

from __future__ import annotations

import colorsys
import random
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image

from hornbeam.kandy.curriculum import RGB, CurriculumConfig
from hornbeam.kandy.geometry import Box, Layout, Spot, layout
from hornbeam.kandy.language.operators import Below
from hornbeam.kandy.shapes import Mask, Outline, place
from hornbeam.kandy.tree import Tree

_Span = tuple[int, int]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER = b"\x78\x01"
_LAST_BLOCK = b"\x03\x00"
_ADLER = 65521
# A flush costs more than a few empty rows.
_LEAST_GAP = 8
_STEP = 64
"""Noise in size comes in this many steps a pixel."""


class DrawnObject(NamedTuple):
    """An object ready to be pasted: corner, mask (already cut off at its canvas) and colour. Nothing if `mask` is.

    `area` counts the pixels of the whole object, those that were cut off included.
    """

    left: int
    top: int
    mask: Mask | None
    color: RGB
    area: int

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        if self.mask is None:
            return self.left, self.top, self.left, self.top
        return self.left, self.top, self.left + self.mask.width, self.top + self.mask.height


@dataclass(frozen=True)
class Scene:
    """A laid out tree with its noise: everything that the picture shows."""

    size: tuple[int, int]
    background: RGB
    layout: Layout
    objects: list[DrawnObject]

    def picture(self) -> Image.Image:
        """The RGB picture; later objects lie on top."""
        image = Image.new("RGB", self.size, self.background)
        # The paste of the core, without the checks that Image.paste makes each time.
        paste = image.im.paste
        for left, top, mask, color, _ in self.objects:
            if mask is not None:
                paste(color, (left, top, left + mask.width, top + mask.height), mask.core)
        return image

    def png(self) -> bytes:
        """The picture as a PNG file."""
        drawn = [(thing.top, thing.top + thing.mask.height) for thing in self.objects if thing.mask is not None]
        return encode(self.picture(), drawn)


def below_of(rng: random.Random) -> Below:
    """Draws from 0..n-1; the fastest way the standard library has."""
    draw = rng.random
    return lambda n: int(draw() * n)


class Renderer:
    """Draws trees under one configuration. Has no state but what it derives from the configuration."""

    def __init__(self, config: CurriculumConfig) -> None:
        self.config = config
        outlines: dict[str, Outline] = dict(config.shapes)
        colors: dict[str, RGB] = dict(config.colors)
        self._looks = {
            name: (outlines[shape], config.pixels[size], colors[color])
            for name, (shape, color, size) in config.domain.props.items()
        }
        inks = dict.fromkeys([config.bg_color, *colors.values()])
        self._inks = {color: ink for ink, color in enumerate(inks)}
        self._hsv = {rgb: colorsys.rgb_to_hsv(*(channel / 255 for channel in rgb)) for rgb in colors.values()}

    def scene(
        self,
        tree: Tree,
        rng: random.Random,
        *,
        noisy_color: bool = True,
        noisy_size: bool = True,
        laid: Layout | None = None,
    ) -> Scene:
        """Lays a tree out and draws its noise: positions of `random` first, then hue, saturation, value and size of
        each object from left to right. `laid` is the layout of a tree without `random`, where it is known."""
        laid = laid or layout(tree, self.config, below_of(rng))
        noise = self.config.size_noise if noisy_size else 0
        steps = 2 * noise * _STEP + 1
        objects = []
        for spot in laid.spots:
            outline, size, color = self._looks[spot.name]
            if noisy_color:
                color = self._shade(color, rng)
            if noise:
                size = max(1.0, size - noise + int(rng.random() * steps) / _STEP)
            objects.append(_drawn(spot, outline, size, color))
        return Scene(self.config.canvas_size, self.config.bg_color, laid, objects)

    def look(self, tree: Tree, rng: random.Random | None = None, laid: Layout | None = None) -> bytes:
        """A digest of the noise-free picture: trees that look the same, pixel by pixel, have the same one.

        Where positions are drawn, they come from `rng` in the same way as those of :meth:`scene`.
        """
        laid = laid or layout(tree, self.config, below_of(rng) if rng else _middle)
        return self._digest([_drawn(spot, *self._looks[spot.name]) for spot in laid.spots])

    def _digest(self, objects: list[DrawnObject]) -> bytes:
        boxes = [thing.box for thing in objects if thing.mask is not None]
        if not boxes:
            return b""
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
        image = Image.new("L" if len(self._inks) < 256 else "I", (right - left, bottom - top))
        for x, y, mask, color, _ in objects:
            if mask is not None:
                x, y = x - left, y - top
                image.im.paste(self._inks[color], (x, y, x + mask.width, y + mask.height), mask.core)
        pixels = image.tobytes()
        # Checksums are enough: equal pictures always agree, and a chance agreement only costs one candidate.
        return struct.pack(">4i2I", left, top, right, bottom, zlib.crc32(pixels), zlib.adler32(pixels))

    def _shade(self, color: RGB, rng: random.Random) -> RGB:
        config = self.config
        hue, saturation, value = self._hsv[color]
        hue += rng.gauss(0.0, config.h_sigma)
        hue = hue % 1.0 if config.hue == "wrap" else min(1.0, max(0.0, hue))
        saturation = min(1.0, max(0.0, saturation + rng.gauss(0.0, config.s_sigma)))
        value = min(1.0, max(0.0, value + rng.gauss(0.0, config.v_sigma)))
        red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
        return int(red * 255), int(green * 255), int(blue * 255)


def _middle(n: int) -> int:
    return n // 2


def _drawn(spot: Spot, outline: Outline, size: float, color: RGB) -> DrawnObject:
    left, top, mask = place(outline, spot.x, spot.y, size)
    clip_left, clip_top, clip_right, clip_bottom = spot.clip
    width, height = mask.image.size
    if left >= clip_left and top >= clip_top and left + width <= clip_right and top + height <= clip_bottom:
        return DrawnObject(left, top, mask, color, mask.area)
    inner = (
        max(0, clip_left - left),
        max(0, clip_top - top),
        min(width, clip_right - left),
        min(height, clip_bottom - top),
    )
    if inner[0] >= inner[2] or inner[1] >= inner[3]:
        return DrawnObject(left, top, None, color, mask.area)
    return DrawnObject(left + inner[0], top + inner[1], mask.crop(inner), color, mask.area)


def encode(picture: Image.Image, drawn: Sequence[_Span]) -> bytes:
    """The PNG file of an RGB picture, fast: an even background needs no choice of filters, nor work on its empty rows.

    `drawn` are the spans of rows (from, to) on which something was drawn; outside of them every row is the same. Every
    row stores its difference to the row above (filter 2), which is nothing where the picture is even. Rows that differ
    are compressed at the lowest level; runs of rows that do not are the same bytes in every picture and are compressed
    once. The pieces are blocks of one valid deflate stream, because each ends in a full flush.

    >>> import io
    >>> picture = Image.new("RGB", (5, 40), (1, 2, 3))
    >>> picture.paste((9, 9, 9), (1, 20, 3, 24))
    >>> Image.open(io.BytesIO(encode(picture, [(20, 24)]))).tobytes() == picture.tobytes()
    True
    """
    width, height = picture.size
    length = 3 * width
    packer = zlib.compressobj(1, zlib.DEFLATED, -15, 8, zlib.Z_RLE)
    pieces = []
    low, high = 1, 0  # the two halves of the Adler checksum
    row = 0
    for start, stop in _changing(drawn, height):
        if start > row:
            piece, low, high = _even(start - row, length, low, high)
            pieces.append(piece)
        data = _differences(picture, start, stop, length)
        pieces.append(packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH))
        high, low = divmod(zlib.adler32(data, high << 16 | low), 1 << 16)
        row = stop
    if row < height:
        piece, low, high = _even(height - row, length, low, high)
        pieces.append(piece)
    stream = b"".join((_ZLIB_HEADER, *pieces, _LAST_BLOCK, struct.pack(">I", high << 16 | low)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join((_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", stream), _chunk(b"IEND", b"")))


def _changing(drawn: Sequence[_Span], height: int) -> Iterator[_Span]:
    """The spans of rows that may differ from the row above: the first row, and what was drawn with the row below it."""
    start, stop = 0, 1
    for first, last in sorted(drawn):
        if first - stop >= _LEAST_GAP:
            yield start, stop
            start = first
        stop = max(stop, min(height, last + 1))
    yield start, stop


def _differences(picture: Image.Image, start: int, stop: int, length: int) -> bytes:
    """The filtered rows: each after the number of its filter."""
    above = max(0, start - 1)
    part = picture.crop((0, above, picture.width, stop))
    pixels = np.frombuffer(part.tobytes(), np.uint8).reshape(stop - above, length)
    rows = np.empty((stop - start, length + 1), np.uint8)
    rows[:, 0] = 2
    rows[0, 1:] = pixels[0]  # there is no row above the first
    np.subtract(pixels[1:], pixels[:-1], out=rows[start == 0 :, 1:])
    return rows.tobytes()


def _even(count: int, length: int, low: int, high: int) -> tuple[bytes, int, int]:
    """Rows that are like the row above: their compressed bytes, and the checksum with them."""
    # A row is the byte 2 and `length` zeros: it adds 2 to the low half, and the low half length + 1 times to the high.
    high = (high + (length + 1) * count * (low + count + 1)) % _ADLER
    return _even_rows(count, length), (low + 2 * count) % _ADLER, high


@lru_cache(maxsize=1024)
def _even_rows(count: int, length: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress((b"\x02" + bytes(length)) * count) + packer.flush(zlib.Z_FULL_FLUSH)


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
