"""The perceiver `inverse`: analysis by synthesis of KANDY's pictures. There is nothing to train.

Patches of one colour are compared with the pixels that the renderer draws; the geometry of compositions, run backwards,
gives the trees that put objects there; each is drawn again and compared with the picture, which ranks them.

Trees that look exactly alike cannot be told apart. Of such a class one tree is read: compositions of a single child are
left out, except for a quadrant and for `in` of one object, and `stack` and `side_by_side` stand for their reduced
twins. In the original's geometry quadrant_ur stands for quadrant_ll, which is drawn in the same place. `in` of a whole
composition looks like the composition itself: both are alternatives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.curriculum import CHOICES, CurriculumConfig
from hornbeam.kandy.geometry import Spot, layout
from hornbeam.kandy.tree import Tree, as_json, nodes, operator, prolog_text
from hornbeam.perception.perceiver import Alternative, Part, Perceiver, Picture, Preparation, Reader, Reading
from hornbeam.perception.pictures.concepts import NotFlat, flattened, is_uneven
from hornbeam.perception.pictures.fitting import Fitted, Fitter
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.perception.pictures.parsing import GRAMMARS, Parser
from hornbeam.perception.pictures.segments import NoSegments, Patch, Segmenter
from hornbeam.perception.pictures.templates import Templates

_PARSES = 8  # of a picture
_NAMINGS = 4  # of a parse
_MOST = 6  # alternatives of a reading
_COMPOSITION = -2.0  # log-probability of one more composition that shows
_TWIN = -0.2  # of one that does not: the pixels cannot tell, so the simpler tree only comes first
_WRONG_SHARE = 0.08  # of the pixels of all objects; a parse with more is none
_SCATTERED = -1.0  # log-probability that objects that only `random` explains were placed by it
_DOUBT = -0.02  # log-probability of a reading for each pixel that differs
_LEAST = -12.0  # log-probability of an alternative that is still told
_TRIED = 60  # pictures on which geometries are tried
_TRIED_IN = 6  # parts, each spread over all tasks
_CLEAR = 3.0  # a lead in plausibility that ends the trial
_ORIGINAL = "compat"  # the geometry of the original's pictures


class InversePerceiver(Perceiver):
    """Analysis by synthesis."""

    name = "inverse"
    title = "analysis by synthesis: the renderer's geometry, run backwards"

    def prepare(self, preparation: Preparation) -> Reader:
        return InverseReader(drawing_of(preparation.dataset))


def drawing_of(dataset: Dataset) -> CurriculumConfig:
    """How the pictures of a dataset are drawn; the geometry of an imported one is found by reading some of them.

    Raises:
        UsageError: if it has no pictures of KANDY, or was imported and its names are not those of the benchmark.
    """
    config: Any = dataset.config
    if not isinstance(config, KandyConfig):
        raise UsageError(f"the perceiver inverse reads pictures of kandy, not of {dataset.family.name}")
    if dataset.manifest.seed is not None:
        return config.curriculum.config
    # Samples of all tasks: pictures of some compositions look the same in every geometry.
    tried = pictures_of(dataset, dataset.samples[:: max(1, len(dataset.samples) // _TRIED)])
    return _best_geometry(_imported(config), tried).config


def _imported(config: KandyConfig) -> CurriculumConfig:
    """How the pictures of an imported dataset are drawn: as the released benchmark, if its names are the same."""
    default = CurriculumConfig()
    if config.domain != default.domain:
        raise UsageError(
            "the pictures of an imported dataset can be read only if its shapes, colours and sizes are known"
        )
    return default


def _best_geometry(config: CurriculumConfig, pictures: Sequence[Picture]) -> InverseReader:
    """The reader whose geometry explains some pictures best; of equals that of the original, which drew them."""
    geometries = sorted(CHOICES["geometry"], key=lambda geometry: geometry != _ORIGINAL)
    readers = [InverseReader(replace(config, geometry=geometry)) for geometry in geometries]
    reached = [0.0 for _ in readers]
    # A wrong geometry reads slowly, so a clear lead ends the trial.
    for start in range(_TRIED_IN):
        for number, reader in enumerate(readers):
            reached[number] += reader.plausibility(pictures[start::_TRIED_IN])
        first, second = sorted(reached, reverse=True)[:2]
        if first - second >= _CLEAR:
            break
    return readers[max(range(len(readers)), key=lambda number: round(reached[number], 6))]


@dataclass(frozen=True, slots=True)
class _Explanation:
    """A tree that explains a picture: its objects are fitted, `score` is its log-likelihood with its prior."""

    tree: Tree
    fitted: Fitted
    score: float
    paths: Sequence[tuple[int, ...]]

    @property
    def wrong(self) -> int:
        return sum(one.wrong for one in self.fitted.objects)


class InverseReader(Reader):
    """Reads pictures that are drawn under one configuration."""

    def __init__(self, config: CurriculumConfig) -> None:
        self.config = config

    @cached_property
    def _templates(self) -> Templates:
        return Templates(self.config)

    @cached_property
    def _segmenter(self) -> Segmenter:
        return Segmenter(self._templates, self.config.bg_color)

    @cached_property
    def _parser(self) -> Parser:
        return Parser(self.config)

    @cached_property
    def _fitter(self) -> Fitter:
        return Fitter(self.config, self._templates)

    def plausibility(self, pictures: Sequence[Picture]) -> float:
        """How well the geometry explains some pictures: all alternatives of each, for several may look alike."""
        readings = self.perceive(pictures)
        explained = sum(one.probability for reading in readings for one in reading.alternatives)
        return sum(not reading.unread for reading in readings) + explained

    def perceive(self, inputs: Sequence[Picture]) -> list[Reading]:
        seen: dict[int, list[Patch]] = {}
        readings: dict[int, Reading] = {}
        for number, picture in enumerate(inputs):
            try:
                seen[number] = self._patches(picture)
            except NoSegments as error:
                readings[number] = Reading(picture.id, unread=str(error))
        self._parse(inputs, seen, readings)
        rest = [number for number in seen if number not in readings]
        self._parse(inputs, {number: self._segmenter.loosened(seen[number]) for number in rest}, readings)
        for number in rest:
            if number not in readings:
                readings[number] = self._scattered(inputs[number].id, seen[number])
        return [readings[number] for number in range(len(inputs))]

    def _parse(
        self, inputs: Sequence[Picture], seen: Mapping[int, Sequence[Patch]], readings: dict[int, Reading]
    ) -> None:
        """Add the readings of pictures that a grammar explains, the narrowest grammar first."""
        for grammar in GRAMMARS:
            rest = [number for number in seen if number not in readings]
            parses = self._parser.parses([seen[number] for number in rest], grammar, _PARSES) if rest else []
            for number, parsed in zip(rest, parses, strict=True):
                trees = self._different(parsed)
                explanations = [one for tree in trees for one in self._explained(tree, seen[number])]
                if explanations:
                    readings[number] = self._reading(inputs[number].id, explanations)

    def _different(self, trees: Sequence[Tree]) -> list[Tree]:
        """One of the trees that look alike because the original draws two quadrants in the same place."""
        if self.config.geometry != _ORIGINAL:
            return list(trees)
        return list({repr(tree): tree for tree in map(_without_lower_left, trees)}.values())

    def _patches(self, picture: Picture) -> list[Patch]:
        height, width = picture.pixels.shape[:2]
        if (width, height) != self.config.canvas_size:
            expected = "{} x {}".format(*self.config.canvas_size)
            raise NoSegments(f"the picture has {width} x {height} pixels, expected {expected}")
        # Noise, which the renderer does not make, is taken away first: one colour for each segment.
        if is_uneven(picture.pixels, self.config.bg_color):
            return self._flat(picture)
        try:
            return self._known(picture.pixels)
        except NoSegments as error:
            # Perhaps the background has another colour.
            with suppress(NoSegments):
                return self._flat(picture)
            raise error from None

    def _flat(self, picture: Picture) -> list[Patch]:
        try:
            return self._known(flattened(picture.pixels, self.config.bg_color))
        except (NotFlat, NoSegments) as error:
            raise NoSegments(f"its colours are uneven; with one colour for each segment: {error}") from None

    def _known(self, pixels: npt.NDArray[np.uint8]) -> list[Patch]:
        """The patches of a picture, all of known shapes."""
        patches = self._segmenter.patches(pixels)
        unknown = [patch for patch in patches if not patch.middles]
        if unknown:
            first = unknown[0]
            raise NoSegments(f"no known shape at ({first.left}, {first.top}), {first.width} x {first.height} pixels")
        return patches

    # Explanations -----------------------------------------------------------------------------------------------------

    def _explained(self, tree: Tree, patches: Sequence[Patch]) -> list[_Explanation]:
        """A tree over numbers of patches as trees over objects."""
        laid = layout(tree, self.config, _no_draw)
        order = [patches[int(spot.name)] for spot in laid.spots]
        return self._fitted(tree, laid.spots, laid.paths, order)

    def _fitted(
        self, tree: Tree, spots: Sequence[Spot], paths: Sequence[tuple[int, ...]], order: Sequence[Patch]
    ) -> list[_Explanation]:
        prior = _COMPOSITION * sum(1 for node in nodes(tree) if not isinstance(node, str))
        pixels = sum(patch.bits.bit_count() for patch in order)
        explanations = [
            _Explanation(_with_names(tree, iter(fitted.objects)), fitted, fitted.score + prior, paths)
            for fitted in self._fitter.fitted(spots, order, _NAMINGS)
        ]
        return [one for one in explanations if one.wrong <= _WRONG_SHARE * pixels]

    def _reading(self, name: str, explanations: Sequence[_Explanation]) -> Reading:
        every = [*explanations, *(self._wrapped(one) for one in explanations if _may_be_wrapped(one.tree))]
        top = max(one.score for one in every)
        total = top + math.log(sum(math.exp(one.score - top) for one in every))
        ranked = sorted(every, key=lambda one: -one.score)[:_MOST]
        alternatives = [
            Alternative(
                {"prolog": prolog_text(one.tree), "tree": as_json(one.tree, self.config.domain)},
                min(0.0, one.score - total) + _DOUBT * one.wrong,
                tuple(
                    Part(thing.name, path, thing.box, round(min(1.0, thing.visible), 4))
                    for thing, path in zip(one.fitted.objects, one.paths, strict=True)
                ),
            )
            for one in ranked
            if one is ranked[0] or one.score - total >= _LEAST
        ]
        return Reading(name, tuple(alternatives))

    def _wrapped(self, one: _Explanation) -> _Explanation:
        """The same picture as `in` of what it shows."""
        paths = [(0, *path) for path in one.paths]
        return _Explanation(("in", [one.tree]), one.fitted, one.score + _TWIN, paths)

    def _scattered(self, name: str, patches: Sequence[Patch]) -> Reading:
        """Objects that lie where no other composition puts them: `random`, if all of them show whole."""
        if not all(patch.whole for patch in patches):
            return Reading(name, unread=f"no composition explains the places of its {len(patches)} objects")
        box = (0, 0, *self.config.canvas_size)
        order = sorted(patches, key=lambda patch: (patch.top, patch.left))
        tree: Tree = ("random", [str(number) for number in range(len(order))])
        spots = [
            max((Spot("", x / 2, y / 2, box) for x, y in patch.middles), key=lambda spot: self._score(spot, patch))
            for patch in order
        ]
        explanations = self._fitted(tree, spots, [(number,) for number in range(len(order))], order)
        if not explanations:
            return Reading(name, unread="its objects are no known shapes")
        reading = self._reading(name, explanations)
        doubtful = [replace(one, log_probability=one.log_probability + _SCATTERED) for one in reading.alternatives]
        return replace(reading, alternatives=tuple(doubtful))

    def _score(self, spot: Spot, patch: Patch) -> float:
        fitted = self._fitter.fitted([spot], [patch], 1)
        return fitted[0].score if fitted else -math.inf


def _without_lower_left(tree: Tree) -> Tree:
    """The tree with quadrant_ur in the place of quadrant_ll."""
    if isinstance(tree, str):
        return tree
    name, children = tree
    return "quadrant_ur" if name == "quadrant_ll" else name, [_without_lower_left(child) for child in children]


def _may_be_wrapped(tree: Tree) -> bool:
    name = operator(tree)
    return name is not None and name != "in" and not name.startswith("quadrant")


def _with_names(tree: Tree, names: Any) -> Tree:
    if isinstance(tree, str):
        return str(next(names).name)
    return tree[0], [_with_names(child, names) for child in tree[1]]


def _no_draw(n: int) -> int:
    raise AssertionError("a parse has no random positions")
