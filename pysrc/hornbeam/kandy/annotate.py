"""What a picture shows, and where: box, pixels and visible share of every object and composition.

A mask is the text of run lengths over the box, row by row, uncovered pixels first: ``"2 3 1"`` are two uncovered, three
covered and one uncovered pixel. The mask of a composition is that of its objects together (:func:`group_mask`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from hornbeam.kandy.geometry import Group
from hornbeam.kandy.render import DrawnObject, Scene
from hornbeam.kandy.shapes import run_lengths


def annotated(scene: Scene) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The objects from left to right in the tree, and the compositions from the top."""
    top = _Top(scene.objects)
    objects = [
        {
            "name": spot.name,
            "path": list(path),
            "box": _sized(thing.box),
            "rgb": list(thing.color),
            "visible": round(top.counts[index] / thing.area, 4),
            "mask": top.mask(index),
        }
        for index, (spot, path, thing) in enumerate(
            zip(scene.layout.spots, scene.layout.paths, scene.objects, strict=True)
        )
    ]
    groups = [
        {
            "op": group.op,
            "path": list(group.path),
            "objects": [group.start, group.stop],
            "box": _around(scene.objects[group.start : group.stop]),
            "visible": round(top.share(group), 4),
        }
        for group in scene.layout.groups
    ]
    return objects, groups


class _Top:
    """What of each object is visible under the later ones, as the bits of the rows of its box."""

    def __init__(self, things: Sequence[DrawnObject]) -> None:
        self._things = things
        self._rows = [self._left_over(index) for index in range(len(things))]
        self.counts = [
            thing.mask.area if rows is None and thing.mask else sum(bits.bit_count() for bits in rows or ())
            for thing, rows in zip(things, self._rows, strict=True)
        ]

    def _left_over(self, index: int) -> list[int] | None:
        """The rows of an object that something lies on; None for one that shows whole, or not at all."""
        thing = self._things[index]
        if thing.mask is None:
            return None
        rows: list[int] | None = None
        left, top, right, bottom = thing.box
        for other in self._things[index + 1 :]:
            x, y = other.left, other.top
            if x >= right or y >= bottom or other.mask is None:
                continue
            if x + other.mask.width <= left or y + other.mask.height <= top:
                continue
            rows = _under(list(thing.mask.rows) if rows is None else rows, other.mask.rows, x - left, y - top)
        return rows

    def mask(self, index: int) -> str:
        mask = self._things[index].mask
        if mask is None or not self.counts[index]:
            return ""
        rows = self._rows[index]
        return mask.runs if rows is None else run_lengths(rows, mask.width)

    def share(self, group: Group) -> float:
        """The visible part of what the composition would show alone."""
        things = self._things[group.start : group.stop]
        visible = sum(self.counts[group.start : group.stop])
        if visible == sum(thing.area for thing in things):
            return 1.0
        cut_off = sum(thing.area - (thing.mask.area if thing.mask else 0) for thing in things)
        return visible / (sum(_Top(things).counts) + cut_off)


def _under(rows: list[int], cover: Sequence[int], dx: int, dy: int) -> list[int]:
    for row in range(max(0, dy), min(len(rows), dy + len(cover))):
        bits = cover[row - dy]
        rows[row] &= ~(bits << dx if dx >= 0 else bits >> -dx)
    return rows


def _sized(box: tuple[int, int, int, int]) -> list[int]:
    left, top, right, bottom = box
    return [left, top, right - left, bottom - top]


def _around(things: list[DrawnObject]) -> list[int]:
    boxes = [thing.box for thing in things if thing.mask is not None]
    if not boxes:
        return [0, 0, 0, 0]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return _sized((left, top, max(box[2] for box in boxes), max(box[3] for box in boxes)))


def object_mask(annotation: Mapping[str, Any], size: tuple[int, int]) -> Image.Image:
    """The visible pixels of an object as an image of 0 and 255 of the size of the picture."""
    left, top, width, height = annotation["box"]
    pixels = bytearray()
    for turn, length in enumerate(map(int, annotation["mask"].split())):
        pixels += (b"\xff" if turn % 2 else b"\0") * length
    image = Image.new("L", size)
    if pixels:
        image.paste(Image.frombytes("L", (width, height), bytes(pixels)), (left, top))
    return image


def group_mask(picture: Mapping[str, Any], group: Mapping[str, Any], size: tuple[int, int]) -> Image.Image:
    """The visible pixels of a composition; `picture` is the `input` of a sample."""
    image = Image.new("L", size)
    start, stop = group["objects"]
    for annotation in picture["objects"][start:stop]:
        mask = object_mask(annotation, size)
        image.paste(255, (0, 0), mask)
    return image
