"""Where the objects of a tree lie on the canvas.

A composition divides its canvas among its children; an object lies in the middle of its own and never scales. Spaces
are a k-th of the way apart (k the number of children plus one), canvases overlap, and each canvas cuts off what sticks
out of it: the picture is the one that pasting bitmaps recursively gives, without making the bitmaps.

Two geometries: `right`, and `compat` in which, as in the original, quadrant_ll is drawn in the upper right and the
children of stack and side_by_side lie a pixel or so off the middle line. In both, the objects of `random` keep clear
of each other at their largest, so that noise in size moves nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.language.operators import Below
from hornbeam.kandy.shapes import place
from hornbeam.kandy.tree import Tree

Box = tuple[int, int, int, int]
_TRIES = 1000
_STACKS = ("stack", "stack_reduce_bb")
_ROWS = ("side_by_side", "side_by_side_reduce_bb")


class Spot(NamedTuple):
    """An object's place: its name, its middle, and the box (left, top, right, bottom) that cuts it off."""

    name: str
    x: float
    y: float
    clip: Box


class Group(NamedTuple):
    """A composition's place in the tree, and which spots belong to it."""

    op: str
    path: tuple[int, ...]
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The spots of a tree's objects from left to right, their paths in the tree, and its compositions."""

    spots: list[Spot]
    paths: list[tuple[int, ...]]
    groups: list[Group]


def has_random(tree: Tree) -> bool:
    """Whether positions are drawn, so that the same tree has many noise-free pictures."""
    return not isinstance(tree, str) and (tree[0] == "random" or any(map(has_random, tree[1])))


def layout(tree: Tree, config: CurriculumConfig, below: Below) -> Layout:
    """Places the objects of a tree; `below` draws the positions of `random`."""
    width, height = (side - config.padding for side in config.canvas_size)
    placer = _Placer(config, below)
    corner = config.padding // 2
    placer.put(tree, corner, corner, width, height, (0, 0, *config.canvas_size), ())
    return Layout(placer.spots, placer.paths, placer.groups)


@dataclass(frozen=True, slots=True)
class _Measures:
    """What the division of a canvas depends on."""

    largest: float
    noise: float
    compat: bool

    @property
    def least(self) -> int:
        """The side of the smallest canvas that holds every object."""
        return math.ceil(self.largest + self.noise)

    def big(self, side: int) -> int:
        """A side that holds every object."""
        return math.ceil(self.noise + max(self.largest, side))

    def whole(self, value: float) -> int:
        """A corner on whole pixels."""
        # 1e-9: 3/4 of a side is that, however the quarter was summed up.
        return int(value) if self.compat else math.floor(value + 1e-9)


_Cell = tuple[int, int, int, int]


@lru_cache(maxsize=4096)
def _cells(op: str, count: int, width: int, height: int, measures: _Measures) -> tuple[_Cell, ...]:
    """Corner and size of each child's canvas on the canvas of its composition."""
    if op == "in":
        return ((0, 0, width, height),) * count
    if op.startswith("quadrant"):
        right = op in ("quadrant_ur", "quadrant_lr") or (measures.compat and op == "quadrant_ll")
        low = op == "quadrant_lr" or (not measures.compat and op == "quadrant_ll")
        return ((right * int(width / 2), low * int(height / 2), width // 2, height // 2),) * count
    if op == "grid":
        return _grid(count, width, height, measures)
    return tuple(_in_line(op, index, count, width, height, measures) for index in range(count))


def _grid(count: int, width: int, height: int, measures: _Measures) -> tuple[_Cell, ...]:
    side = math.isqrt(max(0, count - 1)) + 1
    across, down = measures.big(width // side), measures.big(height // side)
    places = (divmod(index, side) for index in range(count))
    return tuple((int(column * width / side), int(row * height / side), across, down) for row, column in places)


def _in_line(op: str, index: int, count: int, width: int, height: int, measures: _Measures) -> _Cell:
    across = measures.big(width if op == "stack" else width // count)
    down = measures.big(height if op == "side_by_side" else height // count)
    along = (index + 1) / (count + 1)
    x = 0.5 if op in _STACKS else along
    y = 0.5 if op in _ROWS else 1 - along if op == "diag_ll_ur" else along
    if not measures.compat:
        # Of equal parity with the canvas it lies on the middle line: a stack and its reduced twin look alike.
        across += (width - across) % 2 * (op in _STACKS)
        down += (height - down) % 2 * (op in _ROWS)
    left = 0 if measures.compat and op == "stack" else measures.whole(x * width - across / 2)
    top = 0 if measures.compat and op == "side_by_side" else measures.whole(y * height - down / 2)
    return left, top, across, down


class _Placer:
    def __init__(self, config: CurriculumConfig, below: Below) -> None:
        self._config = config
        self._below = below
        self._measures = _Measures(config.largest, config.size_noise, config.geometry == "compat")
        self._least = self._measures.least
        self.spots: list[Spot] = []
        self.paths: list[tuple[int, ...]] = []
        self.groups: list[Group] = []

    def put(self, tree: Tree, x: int, y: int, width: int, height: int, clip: Box, path: tuple[int, ...]) -> None:
        """Puts a tree on a canvas whose corner is at (x, y)."""
        if isinstance(tree, str):
            if width < self._least or height < self._least:
                width = height = self._least
            self.paths.append(path)
            self.spots.append(Spot(tree, x + width / 2, y + height / 2, _cut(clip, x, y, width, height)))
            return
        op, children = tree
        start = len(self.spots)
        number = len(self.groups)
        self.groups.append(Group(op, path, start, start))
        inside = _cut(clip, x, y, width, height)
        if op == "random":
            self._scatter(children, x, y, width, height, inside, path)
        elif children:
            cells = _cells(op, len(children), width, height, self._measures)
            for index, (child, (left, top, across, down)) in enumerate(zip(children, cells, strict=True)):
                self.put(child, x + left, y + top, across, down, inside, (*path, index))
        self.groups[number] = Group(op, path, start, len(self.spots))

    # Random positions

    def _scatter(
        self, children: list[Tree], x: int, y: int, width: int, height: int, clip: Box, path: tuple[int, ...]
    ) -> None:
        taken: dict[int, int] = {}
        for index, child in enumerate(children):
            alone = _Placer(self._config, self._below)
            alone.put(child, 0, 0, width, height, (0, 0, width, height), (*path, index))
            dx, dy, pixels = self._free_move(alone.spots, width, height, taken)
            for row, bits in pixels.items():
                taken[row] = taken.get(row, 0) | bits
            self._adopt(alone, x + dx, y + dy, clip)

    def _free_move(
        self, spots: list[Spot], width: int, height: int, taken: dict[int, int]
    ) -> tuple[int, int, dict[int, int]]:
        moved: tuple[int, int, dict[int, int]] = (0, 0, {})
        for _ in range(_TRIES):
            dx, dy = self._move(width), self._move(height)
            moved = dx, dy, self._pixels(spots, dx, dy, width, height)
            if not any(taken.get(row, 0) & bits for row, bits in moved[2].items()):
                break
        return moved

    def _adopt(self, other: _Placer, dx: int, dy: int, clip: Box) -> None:
        start = len(self.spots)
        for name, x, y, (left, top, right, bottom) in other.spots:
            cut = _cut(clip, left + dx, top + dy, right - left, bottom - top)
            self.spots.append(Spot(name, x + dx, y + dy, cut))
        self.paths.extend(other.paths)
        self.groups.extend(
            Group(group.op, group.path, group.start + start, group.stop + start) for group in other.groups
        )

    def _move(self, side: int) -> int:
        margin = self._least // 2 + self._config.padding // 2
        room = side - 2 * margin
        return margin + self._below(room + 1) - side // 2 if room > 0 else 0

    def _pixels(self, spots: list[Spot], dx: int, dy: int, width: int, height: int) -> dict[int, int]:
        """The pixels that objects cover at their largest, as the bits of each row of the canvas."""
        covered: dict[int, int] = {}
        every = (1 << width) - 1
        outlines = dict(self._config.shapes)
        for spot in spots:
            shape, _, size = self._config.domain.props[spot.name]
            largest = self._config.pixels[size] + self._config.size_noise
            x, y, mask = place(outlines[shape], spot.x + dx, spot.y + dy, largest)
            for row, bits in enumerate(mask.rows, y):
                if 0 <= row < height:
                    covered[row] = covered.get(row, 0) | ((bits << x if x >= 0 else bits >> -x) & every)
        return covered


def _cut(clip: Box, x: int, y: int, width: int, height: int) -> Box:
    left, top, right, bottom = clip
    across, down = x + width, y + height
    return (
        x if x > left else left,
        y if y > top else top,
        across if across < right else right,
        down if down < bottom else bottom,
    )
