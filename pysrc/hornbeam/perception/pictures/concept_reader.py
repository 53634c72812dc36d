"""Reads pictures with concepts that were found without annotation.

The i-th concept of an attribute takes the i-th name of the language, and the i-th concept of arrangements the i-th
operator. The names carry no meaning: a rule over them fits the labels as well as one over the right names, but it is
another rule until its names are translated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt

from hornbeam.data.sample import Json
from hornbeam.kandy.tree import Domain, Tree, as_json, operators, prolog_text
from hornbeam.perception.perceiver import Alternative, Part, Picture, Reader, Reading
from hornbeam.perception.pictures.arrangements import Nested, direction, nested
from hornbeam.perception.pictures.concepts import (
    DESCRIPTIONS,
    WIDTHS,
    ConceptModel,
    NotFlat,
    Segment,
    best_clusters,
    drawn_segments,
    find_concepts,
    segments,
)

Values = npt.NDArray[np.float64]
_CHANGES = 4  # single names that alternatives change
_MOST_ARRANGEMENTS = 6
_DIRECTION = 3  # numbers that describe how the members of a group lie


@dataclass(frozen=True, eq=False)
class Choice:
    """For each object and attribute the nearest and the second-nearest concept, and how sure the nearest is."""

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    sure: Values


_Shade = Annotated[int, msgspec.Meta(ge=0, le=255)]


class _Clusters(msgspec.Struct):
    """What a reader keeps."""

    background: tuple[_Shade, _Shade, _Shade]
    centers: list[list[list[float]]]
    arrangements: list[list[float]]


def _table(rows: list[list[float]], width: int, most: int) -> Values:
    """Rows of finite numbers; ValueError for another width, or for more rows than there are names."""
    table = np.array(rows, float)
    if table.ndim != 2 or table.shape[1] != width or not 0 < len(table) <= most or not np.isfinite(table).all():
        raise ValueError(f"expected 1 to {most} rows of {width} numbers")
    return table


class ConceptReader(Reader):
    """A reader whose concepts were found in pictures without annotation."""

    def __init__(self, model: ConceptModel, arrangements: Values, domain: Domain) -> None:
        self.model = model
        self._arrangements = arrangements
        self._domain = domain

    def to_json(self) -> dict[str, Any]:
        """The clusters, for :meth:`from_json`."""
        return {
            "background": self.model.background.tolist(),
            "centers": [centers.tolist() for centers in self.model.centers],
            "arrangements": self._arrangements.tolist(),
        }

    @classmethod
    def from_json(cls, value: object, domain: Domain) -> ConceptReader:
        """A reader with the clusters that :meth:`to_json` gave; ValueError for anything else."""
        stored = msgspec.convert(value, _Clusters)
        limits = [len(values) for values in domain.values]
        centers = tuple(_table(*one) for one in zip(stored.centers, WIDTHS, limits, strict=True))
        arrangements = _table(stored.arrangements, _DIRECTION, len(operators()))
        return cls(ConceptModel(np.array(stored.background, np.uint8), centers), arrangements, domain)

    def perceive(self, inputs: Sequence[Picture]) -> list[Reading]:
        return [self._read(one) for one in inputs]

    def _read(self, picture: Picture) -> Reading:
        try:
            found = segments(picture.pixels, self.model.background)
        except NotFlat as error:
            return Reading(picture.id, unread=str(error))
        if not found:
            return Reading(picture.id, unread="nothing but background")
        centers = np.array([one.center for one in found])
        groups = nested(centers)
        choice = self._choice(found)
        base = float(np.log(choice.sure).sum())
        alternatives = [self._alternative(groups, found, centers, choice.first, base)]
        unsure = np.argsort(choice.sure, axis=None)[:_CHANGES]
        for thing, kind in zip(*np.unravel_index(unsure, choice.sure.shape), strict=True):
            changed = choice.first.copy()
            changed[thing, kind] = choice.second[thing, kind]
            sure = float(choice.sure[thing, kind])
            if changed[thing, kind] != choice.first[thing, kind] and sure < 0.99:
                other = base + math.log((1 - sure) / sure)
                alternatives.append(self._alternative(groups, found, centers, changed, other))
        return Reading(picture.id, tuple(alternatives))

    def _choice(self, found: Sequence[Segment]) -> Choice:
        ranked = [
            _ranked(np.stack([describe(one) for one in found]), centers)
            for describe, centers in zip(DESCRIPTIONS, self.model.centers, strict=True)
        ]
        first, second, sure = (np.stack(parts, axis=1) for parts in zip(*ranked, strict=True))
        return Choice(first, second, sure)

    def _alternative(
        self, groups: Nested, found: Sequence[Segment], centers: Values, kinds: npt.NDArray[np.int64], log: float
    ) -> Alternative:
        values = self._domain.values
        names = [
            self._domain.name(*(values[kind][concept] for kind, concept in enumerate(row))) for row in kinds.tolist()
        ]
        tree = self._tree(groups, names, centers)
        if isinstance(tree, str):
            tree, groups = (operators()[0], [tree]), [groups]
        parts = tuple(
            Part(names[thing], path, (int(one.left), int(one.top), int(one.right), int(one.bottom)))
            for path, thing in _paths(groups)
            for one in [found[thing]]
        )
        symbolic: dict[str, Json] = {"tree": as_json(tree, self._domain), "prolog": prolog_text(tree)}
        return Alternative(symbolic, min(0.0, log), parts)

    def _tree(self, groups: Nested, names: Sequence[str], centers: Values) -> Tree:
        if isinstance(groups, int):
            return names[groups]
        middles = np.stack([centers[list(_members(part))].mean(0) for part in groups])
        first, _, _ = _ranked(direction(middles)[None], self._arrangements)
        return operators()[int(first[0])], [self._tree(part, names, centers) for part in groups]


def concept_reader(pictures: Sequence[Picture], domain: Domain, seed: int) -> ConceptReader:
    """Finds concepts in pictures: of objects, and of how objects of a group lie."""
    pixels = [one.pixels for one in pictures]
    model = find_concepts(pixels, [len(values) for values in domain.values], seed)
    directions = []
    for one in pixels:
        found = drawn_segments(one, model.background)
        if len(found) > 1:
            centers = np.array([segment.center for segment in found])
            directions += [direction(middles) for middles in _group_middles(nested(centers), centers)]
    arrangements = (
        best_clusters(np.stack(directions), _MOST_ARRANGEMENTS, seed) if directions else np.zeros((1, _DIRECTION))
    )
    return ConceptReader(model, arrangements, domain)


def _group_middles(groups: Nested, centers: Values) -> Iterator[Values]:
    if not isinstance(groups, int):
        yield np.stack([centers[list(_members(part))].mean(0) for part in groups])
        for part in groups:
            yield from _group_middles(part, centers)


def _members(groups: Nested) -> Iterator[int]:
    if isinstance(groups, int):
        yield groups
    else:
        for part in groups:
            yield from _members(part)


def _paths(groups: Nested, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], int]]:
    if isinstance(groups, int):
        yield path, groups
    else:
        for index, part in enumerate(groups):
            yield from _paths(part, (*path, index))


def _ranked(points: Values, centers: Values) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Values]:
    """The nearest and the second-nearest centre of each point, and how sure the nearest is: 1/2 halfway between."""
    distance = ((points[:, None] - centers[None]) ** 2).sum(-1)
    ranks = np.argsort(distance, axis=1, kind="stable")
    first, second = ranks[:, 0], ranks[:, min(1, ranks.shape[1] - 1)]
    if len(centers) == 1:
        return first, second, np.ones(len(points))
    rows = np.arange(len(points))
    far, near = distance[rows, second] + 1e-9, distance[rows, first]
    return first, second, far / (far + near)
