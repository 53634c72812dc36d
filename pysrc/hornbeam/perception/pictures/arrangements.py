"""How objects without names lie: groups by the gaps between them, an order in each group, and its direction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Nested = int | list["Nested"]
_GAP = 1.45
"""Distances between groups are this many times as long as the distances inside, at least."""
_LINE = 0.6
"""Objects lie on a line from this anisotropy on."""


def nested(centers: Values) -> Nested:
    """The objects at these centres as nested groups, each in its order: along its line, or else row by row.

    >>> nested(np.array([[60.0, 10.0], [10.0, 10.0], [35.0, 10.0]]))
    [1, 2, 0]
    >>> nested(np.array([[0.0, 0.0], [10.0, 0.0], [50.0, 0.0], [60.0, 0.0]]))
    [[0, 1], [2, 3]]
    """
    return _nested(centers, list(range(len(centers))))


def _nested(centers: Values, rows: list[int]) -> Nested:
    if len(rows) == 1:
        return rows[0]
    parts = [[row] for row in rows]
    if len(rows) > 2:
        parts = _parts(centers, rows)
    middles = np.stack([centers[part].mean(0) for part in parts])
    return [_nested(centers, parts[number]) for number in order(middles)]


def _parts(centers: Values, rows: list[int]) -> list[list[int]]:
    """The groups that the largest relative gap leaves; every object alone if no gap is large."""
    edges = sorted(_spanning_tree(centers[rows]))
    lengths = np.array([max(length, 1.0) for length, _, _ in edges])
    ratios = lengths[1:] / lengths[:-1]
    if not len(ratios) or ratios.max() < _GAP:
        return [[row] for row in rows]
    joined = list(range(len(rows)))
    for _, one, other in edges[: int(np.argmax(ratios)) + 1]:
        old, new = joined[other], joined[one]
        joined = [new if number == old else number for number in joined]
    return [[rows[place] for place, own in enumerate(joined) if own == number] for number in dict.fromkeys(joined)]


def _spanning_tree(points: Values) -> list[tuple[float, int, int]]:
    """The edges of the shortest spanning tree: (length, one, other)."""
    distance = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    near, nearest = distance[0].copy(), np.zeros(len(points), int)
    left = set(range(1, len(points)))
    edges = []
    while left:
        chosen = min(left, key=lambda one: (near[one], one))
        left.remove(chosen)
        edges.append((float(near[chosen]), int(nearest[chosen]), chosen))
        closer = distance[chosen] < near
        near[closer], nearest[closer] = distance[chosen][closer], chosen
    return edges


def order(points: Values) -> list[int]:
    """Along the line from left to right (from top to bottom if it is upright), or row by row if there is no line."""
    axis, anisotropy = _axis(points)
    if anisotropy < _LINE:
        return sorted(range(len(points)), key=lambda one: (round(points[one, 1] / 12), points[one, 0]))
    return [int(one) for one in np.argsort(points @ axis, kind="stable")]


def direction(points: Values) -> Values:
    """A description of how points lie: the doubled angle of their line, shorter the less they lie on one."""
    axis, anisotropy = _axis(points)
    angle = 2 * np.arctan2(axis[1], axis[0])
    return np.array([np.cos(angle) * anisotropy, np.sin(angle) * anisotropy, 1 - anisotropy])


def _axis(points: Values) -> tuple[Values, float]:
    """The direction in which points are spread most, and how much more than across it (0 to 1)."""
    spread, axes = np.linalg.eigh(np.cov(points.T) if len(points) > 1 else np.eye(2))
    axis = axes[:, 1]
    leading = axis[0] if abs(axis[0]) > 0.2 else axis[1]
    total = float(spread.sum())
    return axis * (1.0 if leading >= 0 else -1.0), float(spread[1] - spread[0]) / total if total > 0 else 0.0
