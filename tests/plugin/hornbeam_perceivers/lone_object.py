"""A whole perceiver in one page: it reads KANDY's pictures of one object, and says of all others that it cannot."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydantic import Field

from hornbeam.kandy.tree import Domain, as_json, prolog_text
from hornbeam.perception.perceiver import (
    Alternative,
    Part,
    Perceiver,
    PerceiverSettings,
    Picture,
    Preparation,
    Reader,
    Reading,
)

HUES = {"red": 0.0, "yellow": 1 / 6, "green": 2 / 6, "cyan": 3 / 6, "blue": 4 / 6, "magenta": 5 / 6}
FILLED = {"square": 1.0, "circle": math.pi / 4, "triangle": 0.55}
"""The share of its box that a shape fills."""


class LoneObjectSettings(PerceiverSettings):
    large: int = Field(11, ge=1, description="pixels from which on an object is large")


class LoneObject(Perceiver):
    name = "lone-object"
    title = "pictures of one object"
    settings_type = LoneObjectSettings

    def prepare(self, preparation: Preparation) -> LoneObjectReader:
        return LoneObjectReader(preparation.dataset.config.domain, preparation.settings)


class LoneObjectReader(Reader):
    def __init__(self, domain: Domain, settings: LoneObjectSettings) -> None:
        self._domain = domain
        self._settings = settings

    def perceive(self, inputs: Sequence[Picture]) -> list[Reading]:
        return [self._read(one.id, one.pixels.astype(int)) for one in inputs]

    def _read(self, name: str, pixels: npt.NDArray[np.int_]) -> Reading:
        drawn = np.abs(pixels - pixels[0, 0]).max(axis=2) > 8
        if not drawn.any():
            return Reading(name, unread="nothing but background")
        down, across = (np.flatnonzero(drawn.any(axis=axis)) for axis in (1, 0))
        box = int(across[0]), int(down[0]), int(across[-1]) + 1, int(down[-1]) + 1
        width, height = box[2] - box[0], box[3] - box[1]
        if max(width, height) > 20 or drawn.sum() < 0.4 * width * height:
            return Reading(name, unread="more than one object")
        shape = min(FILLED, key=lambda one: abs(FILLED[one] - drawn.sum() / (width * height)))
        size = self._domain.sizes[int(max(width, height) >= self._settings.large)]
        hue = colorsys.rgb_to_hsv(*(np.median(pixels[drawn], axis=0) / 255))[0]
        color = min(HUES, key=lambda one: abs((hue - HUES[one] + 0.5) % 1 - 0.5))
        thing = self._domain.name(shape, color, size)
        symbolic = {"tree": as_json(("in", [thing]), self._domain), "prolog": prolog_text(("in", [thing]))}
        return Reading(name, (Alternative(symbolic, math.log(0.99), (Part(thing, (0,), box),)),))
