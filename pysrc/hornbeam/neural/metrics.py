"""What a run measured (`Outcome`), and continual learning in figures.

The figures come from the matrix A[i, j]: the accuracy on task j after experience i. Tasks stand in the order in which
they were learned, so that A[j, j] is the accuracy on a task right after it was learned. All figures are asked for a
moment z (the last one, if none is named) and look at rows and columns 0..z only.
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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


def _block(matrix: Matrix, z: int | None, definition: str) -> tuple[Matrix, int]:
    """Rows and columns 0..z, and z."""
    if definition not in DEFINITIONS:
        raise unknown_name("definition", definition, DEFINITIONS)
    last = len(matrix) - 1 if z is None else z
    return np.asarray(matrix, dtype=np.float64)[: last + 1, : last + 1], last


def _ratio(total: float, count: float) -> float:
    """A mean, or 0 if there is nothing to average."""
    return float(total / count) if count > 0 else 0.0


def average_accuracy(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """The mean accuracy on the tasks learned so far. The printed formula divides z+1 terms by z."""
    block, last = _block(matrix, z, definition)
    return _ratio(block[last].sum(), last if definition == "kandy-paper" else last + 1)


def forgetting(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """How much worse the earlier tasks are now than at their best before."""
    block, last = _block(matrix, z, definition)
    printed = definition == "kandy-paper"
    before = block[1:last] if printed else block[:last]
    if not len(before):
        return 0.0
    lost = before[:, :last].max(axis=0) - block[last, :last]
    return _ratio(lost.sum(), last - 1 if printed else last)


def backward_transfer(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """How later learning changed the accuracy on earlier tasks."""
    block, last = _block(matrix, z, definition)
    if definition == "standard":
        return _ratio((block[last, :last] - np.diag(block)[:last]).sum(), last)
    if definition == "kandy-paper":
        return max(_ratio(np.triu(block - np.diag(block)[None, :], 1).sum(), last * (last - 1) / 2), 0.0)
    return max(_ratio(np.tril(block - np.diag(block)[None, :], -1).sum(), last * (last + 1) / 2), 0.0)


def forward_transfer(matrix: Matrix, z: int | None = None, definition: str = "standard") -> float:
    """How good tasks are before they were learned, against a guess."""
    block, last = _block(matrix, z, definition)
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


@dataclass(frozen=True)
class Outcome:
    """The evaluations of one run, in the order of training."""

    experiences: tuple[str, ...]
    learned: tuple[tuple[str, ...], ...]  # the tasks of each experience
    accuracy: tuple[Mapping[str, Mapping[str, float]], ...]  # after each: split -> task -> accuracy

    @classmethod
    def of(cls, results: Sequence[Mapping[str, Any]]) -> Outcome:
        """From the lines of results.jsonl."""
        lines = [line for line in results if line["kind"] == "evaluation"]
        return cls(
            tuple(line["name"] for line in lines),
            tuple(tuple(line["tasks"]) for line in lines),
            tuple(line["accuracy"] for line in lines),
        )

    def splits(self) -> list[str]:
        return list(dict.fromkeys(split for row in self.accuracy for split in row))

    def final(self, split: str = "test") -> dict[str, float]:
        """The last measured accuracy of each task."""
        known: dict[str, float] = {}
        for row in self.accuracy:
            known.update(row.get(split, {}))
        return known

    def mean(self, split: str = "test") -> float:
        """The average accuracy at the end of learning."""
        values = list(self.final(split).values())
        return float(np.mean(values)) if values else float("nan")

    def matrix(self, split: str = "test") -> Matrix | None:
        """A[i, j] with the tasks in the order of learning; None if experiences are not one new task each."""
        tasks = [names[0] for names in self.learned if len(names) == 1]
        if len(tasks) < 2 or len(tasks) != len(self.learned) or len(set(tasks)) != len(tasks):
            return None
        if any(task not in row.get(split, {}) for row in self.accuracy for task in tasks):
            return None
        return np.array([[row[split][task] for task in tasks] for row in self.accuracy])

    def figures(self, split: str = "test") -> dict[str, Any]:
        """Average accuracy, and if there is a matrix the continual-learning metrics by every definition."""
        matrix = self.matrix(split)
        if matrix is None:
            return {"average_accuracy": self.mean(split)}
        definitions = {name: all_metrics(matrix, name) for name in DEFINITIONS}
        return {**all_metrics(matrix), "definitions": definitions}
