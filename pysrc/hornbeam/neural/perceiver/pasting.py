"""Training pictures for the detector: crops of annotated pictures, and crops onto which cut-out objects are pasted.

A cut-out is what differs from the background inside the box of an object that no other box touches. It keeps its name,
so pasting it elsewhere needs no new annotation. Two cut-outs give a third: the outline of the one in the colour of the
other. Shading a cut-out changes brightness and saturation, never the hue.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.neural.perceiver.annotated import Annotation, Indices, Pixels, Values
from hornbeam.neural.perceiver.detector import DetectorBatch

SIDE = 64
_DIFFERENT = 24
"""A pixel of a cut-out differs by more than this from the background, in one channel."""
_PAINTED = 0.7
"""The share of pasted objects that get the colour of another."""
_COLOR = 1  # its place among the kinds
_COVERED = 0.65
"""An object of which pasting covers more than this share is no longer annotated."""


@dataclass(frozen=True, eq=False)
class Cutout:
    """The pixels of an object, which of them are its own, and its kinds."""

    pixels: Values
    mask: npt.NDArray[np.bool_]
    kinds: Indices


def background_of(annotated: Sequence[Annotation]) -> Pixels:
    """The most frequent colour of the pictures."""
    corners = np.concatenate([one.pixels[::16, ::16].reshape(-1, 3) for one in annotated])
    colors, counts = np.unique(corners, axis=0, return_counts=True)
    common: Pixels = colors[np.argmax(counts)]
    return common


def cutouts(annotated: Sequence[Annotation], background: Pixels) -> list[Cutout]:
    """The objects that stand alone."""
    return [
        _cutout(one, number, background)
        for one in annotated
        for number in range(len(one.boxes))
        if _alone(one.boxes, number)
    ]


def _alone(boxes: Values, number: int) -> bool:
    left, top, width, height = boxes[number]
    apart = (
        (boxes[:, 0] >= left + width)
        | (boxes[:, 0] + boxes[:, 2] <= left)
        | (boxes[:, 1] >= top + height)
        | (boxes[:, 1] + boxes[:, 3] <= top)
    )
    return bool(apart.sum() == len(boxes) - 1)


def _cutout(one: Annotation, number: int, background: Pixels) -> Cutout:
    left, top, width, height = one.boxes[number].astype(int)
    part = one.pixels[top : top + height, left : left + width].astype(np.float32)
    mask = np.abs(part - background).max(axis=2) > _DIFFERENT
    return Cutout(part, mask, one.kinds[number])


class CropMaker:
    """Draws crops for training. The same generator gives the same crops."""

    def __init__(self, annotated: Sequence[Annotation]) -> None:
        self.background = background_of(annotated)
        self._annotated = annotated
        self._cutouts = cutouts(annotated, self.background)

    def batch(self, draws: Sequence[random.Random]) -> DetectorBatch:
        """A crop from each generator, about half of them pasted."""
        parts = [self._pasted(draw) if self._cutouts and draw.random() < 0.6 else self._crop(draw) for draw in draws]
        where = np.concatenate([np.full(len(boxes), number) for number, (_, boxes, _) in enumerate(parts)])
        pixels = np.stack([_degraded(part, draw) for (part, _, _), draw in zip(parts, draws, strict=True)])
        boxes = np.concatenate([boxes for _, boxes, _ in parts]).astype(np.float32)
        return DetectorBatch(pixels, where.astype(np.int64), boxes, np.concatenate([kinds for _, _, kinds in parts]))

    def _crop(self, draw: random.Random) -> tuple[Values, Values, Indices]:
        one = draw.choice(self._annotated)
        height, width = one.pixels.shape[:2]
        x, y = draw.choice(one.centers.tolist()) if len(one.boxes) else (width / 2, height / 2)
        left, top = (int(place - SIDE * draw.uniform(0.1, 0.9)) for place in (x, y))
        crop = np.tile(self.background.astype(np.float32), (SIDE, SIDE, 1))
        from_x, from_y, to_x, to_y = max(0, left), max(0, top), min(width, left + SIDE), min(height, top + SIDE)
        crop[from_y - top : to_y - top, from_x - left : to_x - left] = one.pixels[from_y:to_y, from_x:to_x]
        moved = one.boxes - np.array([left, top, 0, 0], np.float32)
        inside = _inside(moved)
        return crop, moved[inside], one.kinds[inside]

    def _pasted(self, draw: random.Random) -> tuple[Values, Values, Indices]:
        crop = np.tile(self.background.astype(np.float32), (SIDE, SIDE, 1))
        owner = np.full((SIDE, SIDE), -1)
        chosen = [self._drawn(draw) for _ in range(draw.choice((1, 2, 3, 4, 5, 6, 8, 10)))]
        boxes, areas = [], []
        for number, one in enumerate(chosen):
            height, width = one.mask.shape
            left, top = draw.randint(-4, SIDE - width + 4), draw.randint(-4, SIDE - height + 4)
            areas.append(_paste(crop, owner, shaded(one, draw), one.mask, left, top, number))
            boxes.append((left, top, width, height))
        visible = np.bincount(owner[owner >= 0], minlength=len(chosen))
        shown = visible > (1 - _COVERED) * np.maximum(1, areas)
        placed = np.array(boxes, np.float32)
        kept = shown & _inside(placed)
        return crop, placed[kept], np.stack([one.kinds for one in chosen])[kept]

    def _drawn(self, draw: random.Random) -> Cutout:
        one = draw.choice(self._cutouts)
        return painted(one, draw.choice(self._cutouts)) if draw.random() < _PAINTED else one


def painted(one: Cutout, other: Cutout) -> Cutout:
    """The outline of one object in the colour of another."""
    color = np.median(other.pixels[other.mask], axis=0) if other.mask.any() else one.pixels
    kinds = one.kinds.copy()
    kinds[_COLOR] = other.kinds[_COLOR]
    return Cutout(np.broadcast_to(color, one.pixels.shape).astype(np.float32), one.mask, kinds)


def shaded(one: Cutout, draw: random.Random) -> Values:
    """The cut-out, a little darker or paler."""
    pixels = one.pixels * min(1.0, draw.gauss(1.0, 0.12))
    grey = pixels.max(axis=2, keepdims=True)
    return np.clip(grey + (pixels - grey) * min(1.0, draw.gauss(1.0, 0.12)), 0, 255).astype(np.float32)


def _paste(
    crop: Values,
    owner: npt.NDArray[np.int64],
    pixels: Values,
    mask: npt.NDArray[np.bool_],
    left: int,
    top: int,
    name: int,
) -> int:
    x, y = max(0, -left), max(0, -top)
    part = mask[y : SIDE - top, x : SIDE - left]
    place = np.s_[top + y : top + y + part.shape[0], left + x : left + x + part.shape[1]]
    crop[place][part] = pixels[y : SIDE - top, x : SIDE - left][part]
    owner[place][part] = name
    return int(mask.sum())


def _inside(boxes: Values) -> npt.NDArray[np.bool_]:
    middle = boxes[:, :2] + boxes[:, 2:] / 2
    within: npt.NDArray[np.bool_] = np.all((middle >= 0) & (middle < SIDE), axis=1)
    return within


def _degraded(crop: Values, draw: random.Random) -> Pixels:
    """In half of the cases with a little noise, so that the network does not need clean edges."""
    if draw.random() < 0.5:
        crop = crop * draw.uniform(0.85, 1.15) + draw.uniform(-10, 10)
        noise = np.random.Generator(np.random.PCG64(draw.getrandbits(64)))
        crop = crop + noise.normal(0, draw.uniform(0, 12), crop.shape).astype(np.float32)
    return np.clip(np.rint(crop), 0, 255).astype(np.uint8)
