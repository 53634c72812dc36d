"""Draws a parse again and compares it with the picture: which object lies on each spot, and how well it explains it.

A parse says where objects lie, in which order they are drawn, and which canvas cuts each off. So the pixels that an
object would show are known for every shape and size: those of its outline without what later objects cover. A pixel
that differs from the picture counts against the parse.
"""

from __future__ import annotations

import colorsys
import heapq
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hornbeam.kandy.curriculum import RGB, CurriculumConfig
from hornbeam.kandy.geometry import Box, Spot
from hornbeam.perception.pictures.segments import Patch
from hornbeam.perception.pictures.templates import Template, Templates

_WRONG_PIXEL = -1.5  # log-probability of a pixel that differs
_MOST_WRONG = 0.34  # of an object's pixels may differ
_LEAST_SIGMA = 0.02  # of noise in colour, where a configuration has less
_UNLIKELY = -9.0  # a name that is less probable than the best by this much is none


@dataclass(frozen=True, slots=True)
class Named:
    """A name for what lies on a spot, with its log-likelihood, its box and the share of it that is visible."""

    name: str
    score: float
    box: Box
    visible: float
    wrong: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """The names of all objects of a parse, from left to right in the tree, and their log-likelihood."""

    objects: tuple[Named, ...]
    score: float


class ColorNamer:
    """The names of colours under the noise of a configuration."""

    def __init__(self, config: CurriculumConfig) -> None:
        self._bases = [(name, colorsys.rgb_to_hsv(*(part / 255 for part in rgb))) for name, rgb in config.colors]
        self._sigmas = [max(_LEAST_SIGMA, sigma) for sigma in (config.h_sigma, config.s_sigma, config.v_sigma)]
        self.names = lru_cache(maxsize=1 << 14)(self._names)

    def _names(self, color: RGB) -> tuple[tuple[str, float], ...]:
        """The names that a colour can have, the likeliest first, with normalised log-probabilities."""
        hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in color))
        # Channels are whole numbers: the hue of a dark or pale colour is known less well.
        blur = 1 / (6 * 255 * max(saturation * value, 1 / 255))
        hue_sigma, saturation_sigma, value_sigma = self._sigmas
        hue_sigma = math.hypot(hue_sigma, blur)
        scores = {}
        for name, (base_hue, base_saturation, base_value) in self._bases:
            turn = abs(hue - base_hue) % 1.0
            parts = (
                min(turn, 1 - turn) / hue_sigma,
                (saturation - base_saturation) / saturation_sigma,
                (value - base_value) / value_sigma,
            )
            scores[name] = -0.5 * sum(part * part for part in parts)
        return _normalised(scores)


def _normalised(scores: dict[str, float]) -> tuple[tuple[str, float], ...]:
    """The names by falling log-probability, without those that are out of the question."""
    top = max(scores.values())
    total = top + math.log(sum(math.exp(score - top) for score in scores.values()))
    ranked = sorted(((name, score - total) for name, score in scores.items()), key=lambda pair: -pair[1])
    return tuple((name, score) for name, score in ranked if score >= _UNLIKELY)


class Fitter:
    """Names what lies on the spots of a parse."""

    def __init__(self, config: CurriculumConfig, templates: Templates) -> None:
        self._domain = config.domain
        self._templates = templates
        self._colors = ColorNamer(config)
        self._column = sum(1 << row * templates.stride for row in range(templates.stride))

    def fitted(self, spots: Sequence[Spot], patches: Sequence[Patch], most: int) -> list[Fitted]:
        """At most `most` ways to name the objects, the likeliest first; none if a spot explains its patch badly.

        Args:
            spots: The places, in the order in which they are drawn.
            patches: What is seen of each.
            most: How many.
        """
        choices = []
        for index, (spot, patch) in enumerate(zip(spots, patches, strict=True)):
            names = self._names(spot, patch, patches[index + 1 :])
            if not names:
                return []
            choices.append(names)
        return _best(choices, most)

    def _names(self, spot: Spot, patch: Patch, later: Sequence[Patch]) -> list[Named]:
        x, y = math.floor(spot.x), math.floor(spot.y)
        covered = self._covered(patch, later)
        by_kind: defaultdict[tuple[str, str], list[tuple[float, Box, float, int]]] = defaultdict(list)
        for template in self._templates.at(round(2 * spot.x), round(2 * spot.y)):
            wrong, visible = self._differing(template, x, y, spot.clip, patch, covered)
            if wrong <= _MOST_WRONG * template.bits.bit_count():
                left, top = x + template.left, y + template.top
                box = (left, top, left + template.width, top + template.height)
                score = math.log(template.share) + wrong * _WRONG_PIXEL
                by_kind[template.shape, template.size].append((score, box, visible, wrong))
        return self._ranked(patch, by_kind)

    def _ranked(self, patch: Patch, by_kind: dict[tuple[str, str], list[tuple[float, Box, float, int]]]) -> list[Named]:
        named = []
        for (shape, size), fits in by_kind.items():
            total = _log_sum([fit[0] for fit in fits])
            _, box, visible, wrong = max(fits)
            for color, score in self._colors.names(patch.color):
                named.append(Named(self._domain.name(shape, color, size), total + score, box, visible, wrong))
        named.sort(key=lambda one: -one.score)
        return [one for one in named if one.score >= named[0].score + _UNLIKELY]

    def _covered(self, patch: Patch, later: Sequence[Patch]) -> int:
        """The pixels of the patch's window that later patches cover."""
        covered, margin = 0, self._templates.least
        for other in later:
            dx, dy = other.left - patch.left + margin, other.top - patch.top + margin
            if -other.width < dx < patch.width + 2 * margin and -other.height < dy < patch.height + 2 * margin:
                covered |= self._moved(other.bits, other.width, dx, dy)
        return covered

    def _moved(self, bits: int, width: int, dx: int, dy: int) -> int:
        stride = self._templates.stride
        if dx < 0:
            bits &= self._column * ((1 << width) - 1 >> -dx << -dx)
        if dy < 0:
            bits = bits >> -dy * stride << -dy * stride
        shift = dy * stride + dx
        return bits << shift if shift >= 0 else bits >> -shift

    def _differing(
        self, template: Template, x: int, y: int, clip: Box, patch: Patch, covered: int
    ) -> tuple[int, float]:
        """How many pixels differ if the template is drawn at (x, y), and the share of it that is visible."""
        stride, margin = self._templates.stride, self._templates.least
        left, top = x + template.left, y + template.top
        dx, dy = left - patch.left + margin, top - patch.top + margin
        if dx < 0 or dy < 0 or dx > 2 * margin or dy > 2 * margin:
            return template.width * template.height, 0.0
        bits = template.bits
        if left < clip[0] or top < clip[1] or left + template.width > clip[2] or top + template.height > clip[3]:
            bits = self._clipped(template, clip[0] - left, clip[1] - top, clip[2] - left, clip[3] - top)
        drawn = bits << dy * stride + dx & ~covered
        own = patch.bits << margin * stride + margin
        return (drawn ^ own).bit_count(), own.bit_count() / template.bits.bit_count()

    def _clipped(self, template: Template, left: int, top: int, right: int, bottom: int) -> int:
        left, top = max(0, left), max(0, top)
        right, bottom = min(template.width, right), min(template.height, bottom)
        if left >= right or top >= bottom:
            return 0
        stride = self._templates.stride
        rows = (1 << bottom * stride) - (1 << top * stride)
        return template.bits & rows & self._column * ((1 << right) - (1 << left))


def _log_sum(scores: Sequence[float]) -> float:
    top = max(scores)
    return top + math.log(sum(math.exp(score - top) for score in scores))


def _best(choices: Sequence[Sequence[Named]], most: int) -> list[Fitted]:
    """The best combinations of one choice each."""
    open_choices = [index for index, names in enumerate(choices) if len(names) > 1]
    start = tuple(0 for _ in open_choices)
    first = sum(names[0].score for names in choices)
    heap, seen = [(-first, start)], {start}
    combinations: list[Fitted] = []
    while heap and len(combinations) < most:
        score, picked = heapq.heappop(heap)
        at = dict(zip(open_choices, picked, strict=True))
        objects = tuple(names[at.get(index, 0)] for index, names in enumerate(choices))
        combinations.append(Fitted(objects, -score))
        for place, index in enumerate(open_choices):
            following = (*picked[:place], picked[place] + 1, *picked[place + 1 :])
            if following[place] < len(choices[index]) and following not in seen:
                seen.add(following)
                step = choices[index][picked[place]].score - choices[index][following[place]].score
                heapq.heappush(heap, (score + step, following))
    return combinations
