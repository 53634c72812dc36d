"""The most probable readings of networks: one alternative for each edge, many networks at a time.

>>> chances = np.array([[[0.9, 0.1], [0.6, 0.4]]])
>>> choices, weights = best_readings(chances, most=3)
>>> choices[0].tolist(), weights[0].round(2).tolist()
([[0, 0], [0, 1], [1, 0]], [0.54, 0.36, 0.06])
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Chances = npt.NDArray[np.float64]
Choices = npt.NDArray[np.int16]

# A reading that is so much less probable than the best one is not looked at.
FLOOR = 1e-7


def best_readings(chances: Chances, most: int, floor: float = FLOOR) -> tuple[Choices, Chances]:
    """The `most` best readings of each network: its choices (networks, readings, edges), and its probability.

    Edges are independent, so the best readings of all edges begin with best readings of the first ones: none of the
    `most` best is missed but those below the floor. Places that a network does not need have probability 0.

    Args:
        chances: The probability of each alternative: networks, edges, alternatives.
        most: How many readings of a network at most.
        floor: Relative to the best reading.
    """
    count = len(chances)
    order = np.argsort(-chances, axis=2, kind="stable")
    falling = np.take_along_axis(chances, order, axis=2)
    weights = np.ones((count, 1))
    choices = np.zeros((count, 1, 0), np.int16)
    for edge in range(chances.shape[1]):
        here = _above(falling[:, edge], floor)
        width = here.shape[1]
        product = (weights[:, :, None] * here[:, None, :]).reshape(count, -1)
        picked = _largest(product, most)
        weights = _above(np.take_along_axis(product, picked, axis=1), floor)
        picked = picked[:, : weights.shape[1]]
        before = np.take_along_axis(choices, (picked // width)[:, :, None], axis=1)
        chosen = np.take_along_axis(order[:, edge], picked % width, axis=1).astype(np.int16)
        choices = np.concatenate([before, chosen[:, :, None]], axis=2)
    return choices, weights


def _above(falling: Chances, floor: float) -> Chances:
    """Rows of falling numbers with those far below their first set to 0, and without columns that are 0 all over."""
    kept = np.where(falling >= floor * falling[:, :1], falling, 0.0)
    return kept[:, : max(int((kept > 0).sum(axis=1).max(initial=0)), 1)]


def _largest(rows: Chances, most: int) -> npt.NDArray[np.intp]:
    """The places of the `most` largest numbers of each row, the largest first, equal ones in order."""
    if rows.shape[1] <= most:
        return np.argsort(-rows, axis=1, kind="stable")
    places = np.sort(np.argpartition(-rows, most - 1, axis=1)[:, :most], axis=1)
    falling = np.argsort(-np.take_along_axis(rows, places, axis=1), axis=1, kind="stable")
    return np.take_along_axis(places, falling, axis=1)
