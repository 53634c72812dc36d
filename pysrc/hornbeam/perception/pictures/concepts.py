"""Concepts without annotation: objects by unsupervised segmentation, names by clustering what was found.

A segment is a connected set of pixels that differ from the background and little from each other. Three descriptions of
segments are clustered (k-means, the number of clusters by the silhouette, at most as many as the language has names):
the outline scaled to a square, the direction of the color away from grey, and the side of the box. The clusters are the
concepts. Their names are invented: concept i of an attribute takes the i-th name of the language, whatever it looks
like. What a concept means is measured afterwards (:mod:`hornbeam.perception.pictures.concept_scores`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from hornbeam.seeds import rng

Pixels = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
_FOREGROUND = 40.0  # a pixel differs by more than this from the background, in one channel
_SAME = 40.0  # neighbours of one segment differ by less than this, in every channel
_NOISY = 4.0, 5.0  # both are at least so many deviations of the noise
_MOST_SEGMENTS = 150
_FEW_PIXELS = 5
_FEW_COLORS = 3
_LEAST_AREA = 12
_GRID = 8
_RESTARTS = 4
_ROUNDS = 40
_JUDGED = 300  # points on which the silhouette is computed


class NotFlat(Exception):
    """A picture is no drawing of a few objects of one color each; the message says why."""


class Segment(NamedTuple):
    """A segment: left, top, right, bottom (exclusive), its color, and its pixels in the box."""

    left: int
    top: int
    right: int
    bottom: int
    color: Values
    mask: npt.NDArray[np.bool_]

    @property
    def center(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def background_color(pictures: Sequence[Pixels]) -> Pixels:
    """The most frequent color of the pictures."""
    colors = np.concatenate([one[::8, ::8].reshape(-1, 3) for one in pictures])
    different, counts = np.unique(colors, axis=0, return_counts=True)
    common: Pixels = different[np.argmax(counts)]
    return common


def segments(pixels: Pixels, background: Pixels) -> list[Segment]:
    """The segments of a picture from top to bottom.

    Raises:
        NotFlat: if there are too many.
    """
    values = pixels.astype(np.int16)
    noise = noise_of(values)
    least, most = max(_FOREGROUND, _NOISY[0] * noise), max(_SAME, _NOISY[1] * noise)
    marked = np.abs(values - background.astype(np.int16)).max(axis=2) > least
    rows, columns = np.nonzero(marked)
    if not len(rows):
        return []
    top, left = rows.min(), columns.min()
    window = np.s_[top : rows.max() + 1, left : columns.max() + 1]
    labels = _components(values[window], marked[window], most)
    numbers, areas = np.unique(labels[labels > 0], return_counts=True)
    large = numbers[areas >= _LEAST_AREA]
    if len(large) > _MOST_SEGMENTS:
        raise NotFlat(f"{len(large)} segments: not a drawing of a few objects")
    labels = _with_leftovers(np.where(np.isin(labels, large), labels, 0), marked[window])
    return [_segment(labels == number, values[window], int(left), int(top)) for number in large]


def drawn_segments(pixels: Pixels, background: Pixels) -> list[Segment]:
    """The segments of a picture; none if it is no drawing of a few objects."""
    try:
        return segments(pixels, background)
    except NotFlat:
        return []


def _with_leftovers(labels: Labels, marked: npt.NDArray[np.bool_]) -> Labels:
    """The labels with pixels of no segment given to the segment that most of their neighbours belong to.

    Noise cuts single pixels out of a segment: they have two neighbours of it, at least.
    """
    padded = np.pad(labels, 1)
    around = np.stack([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
    best = np.zeros_like(labels)
    for one, other in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        best = np.where((around[one] == around[other]) & (best == 0), around[one], best)
    return np.where(marked & (labels == 0), best, labels)


def is_uneven(pixels: Pixels, paper: Sequence[int]) -> bool:
    """Whether a picture has another background, or colors of few pixels, which drawings of even objects do not have."""
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    ground = int(np.array(paper, np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32))
    covered = packed[packed != ground]
    if len(covered) > packed.size / 2:
        return True
    _, counts = np.unique(covered, return_counts=True)
    return int((counts < _FEW_PIXELS).sum()) > _FEW_COLORS


def flattened(pixels: Pixels, paper: Sequence[int]) -> Pixels:
    """The picture without noise in its colors: each segment in one color, on the background `paper`.

    Raises:
        NotFlat: if there are too many segments.
    """
    flat = np.empty_like(pixels)
    flat[:] = np.array(paper, np.uint8)
    # The median, for under noise no color is frequent.
    background = np.median(pixels.reshape(-1, 3), axis=0).astype(np.uint8)
    for one in segments(pixels, background):
        area = flat[one.top : one.bottom, one.left : one.right]
        area[one.mask] = np.rint(one.color).astype(np.uint8)
    return flat


def _segment(mask: npt.NDArray[np.bool_], values: npt.NDArray[np.int16], left: int, top: int) -> Segment:
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    y, x = np.s_[down[0] : down[-1] + 1], np.s_[across[0] : across[-1] + 1]
    color = np.median(values[mask], axis=0)
    return Segment(left + across[0], top + down[0], left + across[-1] + 1, top + down[-1] + 1, color, mask[y, x])


def noise_of(values: npt.NDArray[np.int16]) -> float:
    """The deviation of the noise of pixels, from the median difference of neighbours; 0 for even areas."""
    across = np.abs(values[:, 1:] - values[:, :-1])
    return float(np.median(across)) * 1.4826 / 2**0.5


def _components(values: npt.NDArray[np.int16], marked: npt.NDArray[np.bool_], most: float) -> Labels:
    """Numbers of connected pixels, 0 for the background: the smallest number spreads until nothing changes.

    Neighbours are connected if they differ by less than `most`, in every channel.
    """
    labels = np.where(marked, np.arange(1, marked.size + 1).reshape(marked.shape), 0)
    far = marked.size + 1
    down = (np.abs(values[1:] - values[:-1]).max(axis=2) < most) & marked[1:] & marked[:-1]
    across = (np.abs(values[:, 1:] - values[:, :-1]).max(axis=2) < most) & marked[:, 1:] & marked[:, :-1]
    while True:
        before = labels.copy()
        for link, one, other in (
            (down, np.s_[1:, :], np.s_[:-1, :]),
            (across, np.s_[:, 1:], np.s_[:, :-1]),
        ):
            smaller = np.where(link, np.minimum(labels[one], labels[other]), far)
            labels[one] = np.where(link, smaller, labels[one])
            labels[other] = np.where(link, np.minimum(smaller, labels[other]), labels[other])
        if (labels == before).all():
            return labels


# Descriptions ---------------------------------------------------------------------------------------------------------


def outline_of(segment: Segment) -> Values:
    """The outline scaled to a square of 8 x 8."""
    picture = Image.fromarray(segment.mask.astype(np.uint8) * 255).resize((_GRID, _GRID), Image.Resampling.BOX)
    return np.asarray(picture, np.float64).reshape(-1) / 255


def color_of(segment: Segment) -> Values:
    """The direction of the color away from grey."""
    away = segment.color - segment.color.mean()
    unit: Values = away / max(1e-6, float(np.linalg.norm(away)))
    return unit


def side_of(segment: Segment) -> Values:
    """The longer side of the box, as a logarithm."""
    return np.array([np.log(max(segment.right - segment.left, segment.bottom - segment.top))])


DESCRIPTIONS = (outline_of, color_of, side_of)
"""In the order of the attributes: shape, color, size."""
WIDTHS = (_GRID * _GRID, 3, 1)
"""How many numbers each description has."""


@dataclass(frozen=True, eq=False)
class ConceptModel:
    """The background and the centres of the clusters of each attribute."""

    background: Pixels
    centers: tuple[Values, ...]

    def concepts(self, found: Sequence[Segment]) -> Labels:
        """The concept of each segment for each attribute: (segments, attributes)."""
        columns = [
            _nearest(np.stack([describe(one) for one in found]), centers)
            for describe, centers in zip(DESCRIPTIONS, self.centers, strict=True)
        ]
        return np.stack(columns, axis=1)


def find_concepts(pictures: Sequence[Pixels], most: Sequence[int], seed: int) -> ConceptModel:
    """Concepts of the objects of pictures; `most` are the largest numbers of shapes, colors and sizes."""
    background = background_color(pictures)
    found = [segment for one in pictures for segment in drawn_segments(one, background)]
    centers = []
    for describe, limit in zip(DESCRIPTIONS, most, strict=True):
        points = np.stack([describe(one) for one in found]) if found else np.zeros((0, 1))
        centers.append(best_clusters(points, limit, seed))
    return ConceptModel(background, tuple(centers))


# Clustering -----------------------------------------------------------------------------------------------------------


def best_clusters(points: Values, most: int, seed: int) -> Values:
    """The centres of 2 to `most` clusters, as many as have the largest silhouette; fewer if points do not differ.

    >>> points = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    >>> sorted(round(float(x), 2) for x in best_clusters(points, 4, 0)[:, 0])
    [0.05, 5.05, 9.05]
    """
    different = len(np.unique(points, axis=0))
    if different < 2 or most < 2:
        return points[:1]
    judged = points[rng(seed, "silhouette").permutation(len(points))[:_JUDGED]]
    options = [k_means(points, count, seed) for count in range(2, min(most, different) + 1)]
    figures = [silhouette(judged, _nearest(judged, centers)) for centers in options]
    return options[int(np.argmax(figures))]


def k_means(points: Values, count: int, seed: int) -> Values:
    """The centres of `count` clusters: the best of several starts (k-means++), sorted."""
    best, least = points[:count], np.inf
    for start in range(_RESTARTS):
        centers = _first_centers(points, count, rng(seed, "clusters", count, start))
        for _ in range(_ROUNDS):
            labels = _nearest(points, centers)
            moved = np.stack([points[labels == k].mean(0) if (labels == k).any() else centers[k] for k in range(count)])
            if np.allclose(moved, centers):
                break
            centers = moved
        error = float(((points - centers[_nearest(points, centers)]) ** 2).sum())
        if error < least:
            best, least = centers, error
    return best[np.lexsort(best.T[::-1])]


def _first_centers(points: Values, count: int, draw: np.random.Generator) -> Values:
    centers = [points[draw.integers(len(points))]]
    while len(centers) < count:
        distance = np.min([((points - center) ** 2).sum(1) for center in centers], axis=0)
        total = distance.sum()
        centers.append(
            points[draw.choice(len(points), p=distance / total) if total > 0 else draw.integers(len(points))]
        )
    return np.stack(centers)


def _nearest(points: Values, centers: Values) -> Labels:
    nearest: Labels = np.argmin(((points[:, None] - centers[None]) ** 2).sum(-1), axis=1)
    return nearest


def silhouette(points: Values, labels: Labels) -> float:
    """The mean over points of (b - a) / max(a, b): a is the mean distance in its cluster, b to the nearest other."""
    numbers = np.unique(labels)
    if len(numbers) < 2:
        return -1.0
    distance = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    total = 0.0
    for point, label in enumerate(labels):
        own = (labels == label) & (np.arange(len(points)) != point)
        if own.any():
            inside = distance[point, own].mean()
            outside = min(distance[point, labels == other].mean() for other in numbers if other != label)
            total += (outside - inside) / max(inside, outside, 1e-12)
    return total / len(points)
