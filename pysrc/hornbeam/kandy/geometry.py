"""Where the objects of a tree lie on the canvas.

A composition divides its canvas among its children; an object lies in the middle of its own and never scales. Spaces
are a k-th of the way apart (k the number of children plus one), canvases overlap, and each canvas cuts off what sticks
out of it: the picture is the one that pasting bitmaps recursively gives, without making the bitmaps.

The division of a canvas is stated in kb/kandy/pictures/layout.pl, and nowhere else. It has two geometries, `right` and
`compat`. In both, the objects of `random` keep clear of each other at their largest, so that noise in size moves
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from hornbeam import resources
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.language.operators import Below
from hornbeam.kandy.shapes import place
from hornbeam.kandy.tree import Tree
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Compound

Box = tuple[int, int, int, int]
_TRIES = 1000
_MODULE = "hornbeam_kandy_layout"


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


class _Measures(NamedTuple):
    """What the division of a canvas depends on; see kb/kandy/pictures/layout.pl."""

    geometry: str
    largest: float
    noise: float

    @property
    def term(self) -> Compound:
        return Compound("measures", tuple(self))


_Cell = tuple[int, int, int, int]


@cache
def _geometry() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.kb("kandy", "pictures", "layout.pl"), module=_MODULE)
    return prolog


@cache
def _least(measures: _Measures) -> int:
    """The side of the smallest canvas that holds every object."""
    answer: Any = _geometry().once("least_side(_Measures, Side)", given={"_Measures": measures.term}, module=_MODULE)
    return int(answer["Side"])


@lru_cache(maxsize=4096)
def _object_sides(width: int, height: int, measures: _Measures) -> tuple[int, int]:
    """The sides of the canvas that an object is drawn in the middle of."""
    given: dict[str, Any] = {"_Width": width, "_Height": height, "_Measures": measures.term}
    goal = "object_canvas(canvas(0, 0, _Width, _Height), _Measures, canvas(_, _, Across, Down))"
    answer: Any = _geometry().once(goal, given=given, module=_MODULE)
    return answer["Across"], answer["Down"]


@lru_cache(maxsize=4096)
def _cells(op: str, count: int, width: int, height: int, measures: _Measures) -> tuple[_Cell, ...]:
    """Corner and size of each child's canvas on the canvas of its composition; asked once, as few differ."""
    given: dict[str, Any] = {"_Op": op, "_Count": count, "_Width": width, "_Height": height, "_Measures": measures.term}
    answer: Any = _geometry().once("cells(_Op, _Count, _Width, _Height, _Measures, Cells)", given=given, module=_MODULE)
    return tuple(cell.args for cell in answer["Cells"])


class _Placer:
    def __init__(self, config: CurriculumConfig, below: Below) -> None:
        self._config = config
        self._below = below
        self._measures = _Measures(config.geometry, config.largest, config.size_noise)
        self._least = _least(self._measures)
        self.spots: list[Spot] = []
        self.paths: list[tuple[int, ...]] = []
        self.groups: list[Group] = []

    def put(self, tree: Tree, x: int, y: int, width: int, height: int, clip: Box, path: tuple[int, ...]) -> None:
        """Puts a tree on a canvas whose corner is at (x, y)."""
        if isinstance(tree, str):
            width, height = _object_sides(width, height, self._measures)
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
