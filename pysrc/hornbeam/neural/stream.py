"""The stream of experiences: what a learner sees, stretch after stretch.

A row is a number that the learner understands (the position of a sample in its source), so that streams, batches and
replay buffers are plain arrays, whatever a sample is: a picture, a graph, a story.

>>> first = Experience("colours", np.arange(6), tasks=("red", "blue"), epochs=2, shuffle=False)
>>> [batch.tolist() for batch in first.batches(seed=0, index=0, epoch=0, size=4)]
[[0, 1, 2, 3], [4, 5]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.seeds import rng

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Experience:
    """Rows that arrive together; after them the learner is evaluated.

    The order of an epoch depends on the seed, the experience's place in the stream and the epoch only: a run that was
    interrupted finds its place again without replaying what came before. Override `batches` for other batches.
    """

    name: str
    rows: Rows
    tasks: tuple[str, ...] = ()
    epochs: int = 1
    shuffle: bool = True
    fresh: bool = False  # the learner begins anew: `Learner.begin` gives it new weights, the optimiser forgets
    patience: int | None = None  # stop after so many epochs without a better `Learner.validate`, and keep the best

    def batches(self, *, seed: int, index: int, epoch: int, size: int) -> list[Rows]:
        """The batches of an epoch, in order."""
        rows = self.ordered(seed, index, epoch)
        return [rows[start : start + size] for start in range(0, len(rows), size)]

    def ordered(self, seed: int, series: int | str, epoch: int) -> Rows:
        """The rows of an epoch in their order; `series` names the order, by default by the place in the stream."""
        if not self.shuffle:
            return self.rows
        return self.rows[rng(seed, "order", series, epoch).permutation(len(self.rows))]

    def steps(self, size: int) -> int:
        """The steps of all epochs; fewer are made where patience ends it early."""
        return self.epochs * -(-len(self.rows) // size)


def balanced(rows: Rows, classes: Sequence[object] | npt.NDArray[np.generic]) -> Rows:
    """The rows, with those of smaller classes repeated in turn until all classes are as large as the largest.

    >>> balanced(np.array([10, 11, 12, 13, 14]), [1, 0, 0, 0, 1]).tolist()
    [10, 11, 12, 13, 14, 10]
    """
    kinds = np.unique(np.asarray(classes), return_inverse=True)[1]
    counts = np.bincount(kinds) if len(rows) else np.zeros(0, dtype=np.int64)
    more = [np.resize(rows[kinds == kind], counts.max() - count) for kind, count in enumerate(counts)]
    return np.concatenate([rows, *more]).astype(np.int64)


def set_aside(rows: Rows) -> tuple[Rows, dict[str, Rows]]:
    """Rows to learn from and every tenth to validate on, for a dataset without a validation split."""
    tenth = np.arange(len(rows)) % 10 == 9
    return rows[~tenth], {"": rows[tenth]}
