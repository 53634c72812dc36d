"""The coloured patches of a picture, and the middles that the object of each can have.

An object has one colour. So a patch, a connected set of pixels of one colour, is what is visible of an object; rarely
two objects of the very same colour touch, or one is split by what lies on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from hornbeam.kandy.curriculum import RGB
from hornbeam.perception.pictures.templates import Stamp, Templates

Pixels = npt.NDArray[np.uint8]
_MOST_COLORS = 400
"""A picture with more colours is no drawing of objects that have one colour each."""


class NoSegments(Exception):
    """A picture has no patches that could be objects; the message says why."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What is visible of an object.

    Attributes:
        color: Its colour.
        left: Of its box.
        top: Of its box.
        width: Of its box.
        height: Of its box.
        bits: Its pixels in its box.
        around: The pixels of a window around it that something else covers; the window begins `margin` pixels before
            the box, in both directions.
        middles: The middles that its object can have, in half pixels of the picture.
        whole: Whether it shows all of its object.
    """

    color: RGB
    left: int
    top: int
    width: int
    height: int
    bits: int
    around: int = 0
    middles: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    whole: bool = False

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def bottom(self) -> int:
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Finds patches. `margin` is the longest side that an object can have."""

    templates: Templates
    background: RGB

    @property
    def margin(self) -> int:
        return self.templates.least

    def patches(self, pixels: Pixels) -> list[Patch]:
        """The patches of a picture, each with the middles that its object can have.

        Raises:
            NoSegments: if the picture is nothing but background, or not of even colours.
        """
        margin = self.margin
        colors = np.full(
            (pixels.shape[0] + 4 * margin, pixels.shape[1] + 4 * margin), _packed(self.background), np.uint32
        )
        weights = np.array([1 << 16, 1 << 8, 1], np.uint32)
        colors[margin : margin + pixels.shape[0], margin : margin + pixels.shape[1]] = pixels @ weights
        covered = colors != _packed(self.background)
        patches = [patch for group in self._by_color(colors, covered) for patch in self._joined(group)]
        if not patches:
            raise NoSegments("nothing but background")
        return patches

    def _by_color(self, colors: npt.NDArray[np.uint32], covered: npt.NDArray[np.bool_]) -> Iterator[list[Patch]]:
        rows, columns = np.nonzero(covered)
        values = colors[rows, columns]
        order = np.argsort(values, kind="stable")
        rows, columns, values = rows[order], columns[order], values[order]
        ends = np.flatnonzero(np.diff(values)) + 1
        if len(ends) > _MOST_COLORS:
            raise NoSegments(f"{len(ends) + 1} colours: not a drawing of objects of one colour each")
        starts = [0, *ends.tolist()]
        for start, stop in zip(starts, [*ends.tolist(), len(values)], strict=True):
            if start == stop:
                continue
            yield self._components(colors, covered, int(values[start]), rows[start:stop], columns[start:stop])

    def _components(
        self,
        colors: npt.NDArray[np.uint32],
        covered: npt.NDArray[np.bool_],
        color: int,
        rows: npt.NDArray[np.int64],
        columns: npt.NDArray[np.int64],
    ) -> list[Patch]:
        """The connected patches of one colour. Windows are as wide as the stride, so larger sets go in strips."""
        top, left = int(rows[0]), int(columns.min())
        bottom, right = int(rows[-1]) + 1, int(columns.max()) + 1
        rgb = (color >> 16, color >> 8 & 255, color & 255)
        if right - left <= 2 * self.margin and bottom - top <= 2 * self.margin:
            bits = self._window(colors[top:bottom, left : left + self.templates.stride] == color)
            parts = [*_connected(bits, self.templates.stride)]
            return [self._patch(rgb, part, left, top, covered) for part in parts]
        return [
            self._patch(rgb, bits, left, top, covered)
            for left, top, bits in _far_apart(rows, columns, self.templates.stride, self.margin)
        ]

    def _window(self, crop: npt.NDArray[np.bool_]) -> int:
        if crop.shape[1] < self.templates.stride:
            crop = np.pad(crop, ((0, 0), (0, self.templates.stride - crop.shape[1])))
        return int.from_bytes(np.packbits(crop, axis=1, bitorder="little").tobytes(), "little")

    def _patch(self, color: RGB, bits: int, left: int, top: int, covered: npt.NDArray[np.bool_]) -> Patch:
        """The patch of some pixels of a window at (left, top) of the widened picture."""
        stride, margin = self.templates.stride, self.margin
        first, last, low, high = _extent(bits, stride)
        bits >>= low * stride + first
        left, top = left + first, top + low
        width, height = last - first + 1, high - low + 1
        _check_size(width, height, 2 * margin)
        window = self._window(covered[top - margin : top + height + margin, left - margin : left - margin + stride])
        around = window & ~(bits << margin * stride + margin)
        return self._read(Patch(color, left - margin, top - margin, width, height, bits, around))

    # Middles ----------------------------------------------------------------------------------------------------------

    def _read(self, patch: Patch) -> Patch:
        """The patch with the middles that its object can have."""
        stamp = self.templates.exact.get((patch.width, patch.height, patch.bits))
        touches = self._touches(patch)
        if stamp is not None and not touches:
            return replace(patch, middles=_middles(stamp, patch.left, patch.top), whole=True)
        middles = self._fits(patch, cuts=1) or self._fits(patch, cuts=2)
        return replace(patch, middles=middles)

    def loosened(self, patches: Sequence[Patch]) -> list[Patch]:
        """The patches with further middles: what shows whole may also be a larger object that its canvas cuts off."""
        return [
            replace(patch, middles=tuple(dict.fromkeys((*patch.middles, *self._fits(patch, cuts=2)))))
            for patch in patches
        ]

    def _touches(self, patch: Patch) -> bool:
        stride, margin = self.templates.stride, self.margin
        grown = _grown(patch.bits << margin * stride + margin, stride)
        return bool(grown & patch.around)

    def _fits(self, patch: Patch, *, cuts: int) -> tuple[tuple[int, int], ...]:
        """The middles at which some object covers the patch, and beyond it only what something else covers.

        An object that its canvas cuts off may also be missing beyond as many sides of the patch as `cuts` says.
        """
        stride, margin = self.templates.stride, self.margin
        own = patch.bits << margin * stride + margin
        free = ~(own | patch.around)  # background
        allowed = [~beyond for beyond in self._beyond(patch, cuts)]
        middles: dict[tuple[int, int], None] = {}
        for stamp in self.templates.stamps:
            if stamp.width < patch.width or stamp.height < patch.height:
                continue
            for y in range(margin + patch.height - stamp.height, margin + 1):
                for x in range(margin + patch.width - stamp.width, margin + 1):
                    bits = stamp.bits << y * stride + x
                    if own & ~bits:
                        continue
                    missing = bits & free
                    if not missing or any(not missing & here for here in allowed):
                        found = _middles(stamp, patch.left + x - margin, patch.top + y - margin)
                        middles.update(dict.fromkeys(found))
        return tuple(middles)

    def _beyond(self, patch: Patch, cuts: int) -> list[int]:
        """The parts of a patch's window that lie beyond some of the sides of its box."""
        stride, margin = self.templates.stride, self.margin
        rows = patch.height + 2 * margin
        row = (1 << stride) - 1
        above = (1 << margin * stride) - 1
        below = ((1 << rows * stride) - 1) >> (margin + patch.height) * stride << (margin + patch.height) * stride
        column = sum(1 << number * stride for number in range(rows))
        before = column * ((1 << margin) - 1)
        after = column * (row >> margin + patch.width << margin + patch.width)
        if cuts == 0:
            return []
        if cuts == 1:
            return [above, below, before, after]
        corners = [one | other for one in (above, below) for other in (before, after)]
        return [*corners, above | below, before | after]

    def _joined(self, patches: list[Patch]) -> list[Patch]:
        """The patches of one colour, where two that are parts of one object, split by what lies on it, become one."""
        joined: list[Patch] = []
        for patch in patches:
            for number, other in enumerate(joined):
                union = None if patch.whole or other.whole else self._union(patch, other)
                if union is not None:
                    joined[number] = union
                    break
            else:
                joined.append(patch)
        return joined

    def _union(self, one: Patch, other: Patch) -> Patch | None:
        stride, margin = self.templates.stride, self.margin
        left, top = min(one.left, other.left), min(one.top, other.top)
        width, height = max(one.right, other.right) - left, max(one.bottom, other.bottom) - top
        if width > margin or height > margin:
            return None
        bits = around = 0
        for part in (one, other):
            shift = (part.top - top) * stride + part.left - left
            bits |= part.bits << shift
            around |= part.around << shift
        around &= ~(bits << margin * stride + margin)
        union = Patch(one.color, left, top, width, height, bits, around)
        middles = self._fits(union, cuts=0)
        return replace(union, middles=middles) if middles else None


def _packed(color: RGB) -> int:
    red, green, blue = color
    return red << 16 | green << 8 | blue


def _middles(stamp: Stamp, left: int, top: int) -> tuple[tuple[int, int], ...]:
    return tuple((2 * left + x, 2 * top + y) for x, y in stamp.middles)


def _grown(bits: int, stride: int) -> int:
    """The pixels and their neighbours."""
    return bits | bits << 1 | bits >> 1 | bits << stride | bits >> stride


def _connected(bits: int, stride: int) -> Iterator[int]:
    while bits:
        part, before = bits & -bits, 0
        while part != before:
            before = part
            part = _grown(part, stride) & bits
        bits &= ~part
        yield part


def _extent(bits: int, stride: int) -> tuple[int, int, int, int]:
    """The first and last column, and the first and last row."""
    low, high = ((bits & -bits).bit_length() - 1) // stride, (bits.bit_length() - 1) // stride
    columns, every = 0, (1 << stride) - 1
    for row in range(low, high + 1):
        columns |= bits >> row * stride & every
    return (columns & -columns).bit_length() - 1, columns.bit_length() - 1, low, high


def _far_apart(
    rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], stride: int, margin: int
) -> Iterator[tuple[int, int, int]]:
    """The connected patches of one colour that is in several places: corner and pixels of each."""
    left_over = set(zip(rows.tolist(), columns.tolist(), strict=True))
    while left_over:
        part, edge = set(), [left_over.pop()]
        while edge:
            row, column = edge.pop()
            part.add((row, column))
            for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if near in left_over:
                    left_over.remove(near)
                    edge.append(near)
        top, left = min(row for row, _ in part), min(column for _, column in part)
        bottom, right = max(row for row, _ in part), max(column for _, column in part)
        _check_size(right - left + 1, bottom - top + 1, 2 * margin)
        yield left, top, sum(1 << (row - top) * stride + column - left for row, column in part)


def _check_size(width: int, height: int, most: int) -> None:
    if width > most or height > most:
        raise NoSegments(f"a patch of {width} x {height} pixels: no object is that large")
