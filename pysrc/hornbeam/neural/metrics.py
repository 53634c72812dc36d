"""Continual learning in figures, from the matrix A[i, j]: the accuracy on task j after experience i.

Tasks stand in the order in which they were learned, so that A[j, j] is the accuracy on a task right after it was
learned. All figures are asked for a moment z (the last one, if none is named) and look at rows and columns 0..z only.
Four definitions are in use; `DEFINITIONS` names them:

standard     forgetting of Chaudhry et al. (2018); transfer of Lopez-Paz and Ranzato (2017), forward against chance
pairs        transfer as means over all pairs of tasks, of Diaz-Rodriguez et al. (2018), which Mai et al. (2022) use;
             backward transfer is its positive part
kandy-code   what the KANDY authors' program computes: pairs, and 0.5 is not subtracted in forward transfer
kandy-paper  the formulas as the KANDY supplement prints them: other denominators, the first row left out of the best
             accuracy, and task and time exchanged in both transfers

The paper's text says it subtracted 0.5 from forward transfer: that is `pairs`.

>>> matrix = np.array([[0.9, 0.5], [0.7, 0.8]])
>>> round(average_accuracy(matrix), 3), round(forgetting(matrix), 3)
(0.75, 0.2)
>>> round(backward_transfer(matrix), 3), round(forward_transfer(matrix), 3)
(-0.2, 0.0)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hornbeam.errors import unknown_name

Matrix = npt.NDArray[np.float64]

DEFINITIONS = ("standard", "pairs", "kandy-code", "kandy-paper")
CHANCE = 0.5
"""The balanced accuracy of a guess."""


def balanced_accuracy(predicted: npt.NDArray[np.bool_], true: npt.NDArray[np.bool_]) -> float:
    """The mean of the accuracies on each class; of the one class where there is no other.

    >>> balanced_accuracy(np.array([True, True, False, False]), np.array([True, True, True, False]))
    0.8333333333333333
    """
    right = predicted == true
    parts = [right[true == kind].mean() for kind in (True, False) if (true == kind).any()]
    return float(np.mean(parts)) if parts else float("nan")


def _check(definition: str) -> None:
    if definition not in DEFINITIONS:
        raise unknown_name("definition", definition, DEFINITIONS)


def _block(matrix: Matrix, z: int | None) -> tuple[Matrix, int]:
    last = len(matrix) - 1 if z is None else z
    return np.asarray(matrix, dtype=np.float64)[: last + 1, : last + 1], last


def _ratio(total: float, count: float) -> float:
    """A mean, or 0 where there is nothing to average."""
    return float(total / count) if count > 0 else 0.0


def average_accuracy(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """The mean accuracy on the tasks learned so far. The printed formula divides z+1 terms by z."""
    _check(definition)
    block, last = _block(matrix, z)
    return _ratio(block[last].sum(), last if definition == "kandy-paper" else last + 1)


def forgetting(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """How much worse the earlier tasks are now than at their best before."""
    _check(definition)
    block, last = _block(matrix, z)
    printed = definition == "kandy-paper"
    before = block[1:last] if printed else block[:last]
    if not len(before):
        return 0.0
    lost = before[:, :last].max(axis=0) - block[last, :last]
    return _ratio(lost.sum(), last - 1 if printed else last)


def backward_transfer(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """How later learning changed the accuracy on earlier tasks."""
    _check(definition)
    block, last = _block(matrix, z)
    if definition == "standard":
        return _ratio((block[last, :last] - np.diag(block)[:last]).sum(), last)
    if definition == "kandy-paper":
        return max(_ratio(np.triu(block - np.diag(block)[None, :], 1).sum(), last * (last - 1) / 2), 0.0)
    return max(_ratio(np.tril(block - np.diag(block)[None, :], -1).sum(), last * (last + 1) / 2), 0.0)


def forward_transfer(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """How good tasks are before they were learned, against a guess."""
    _check(definition)
    block, last = _block(matrix, z)
    if definition == "standard":
        return _ratio((np.diag(block, 1) - CHANCE).sum(), last)
    if definition == "kandy-paper":
        return _ratio(np.tril(block - CHANCE, -1).sum(), last * (last - 1) / 2)
    chance = 0.0 if definition == "kandy-code" else CHANCE
    return _ratio(np.triu(block - chance, 1).sum(), last * (last + 1) / 2)


METRICS: dict[str, Callable[[Matrix, int | None, str], float]] = {
    "average_accuracy": average_accuracy,
    "forgetting": forgetting,
    "backward_transfer": backward_transfer,
    "forward_transfer": forward_transfer,
}


def all_metrics(matrix: Matrix, definition: str = "standard") -> dict[str, float]:
    """The four figures at the end."""
    return {name: metric(matrix, None, definition) for name, metric in METRICS.items()}


def curve(matrix: Matrix, metric: str, definition: str = "standard") -> Matrix:
    """A figure after each experience."""
    return np.array([METRICS[metric](matrix, z, definition) for z in range(len(matrix))])
