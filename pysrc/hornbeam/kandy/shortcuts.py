"""Can a task be solved without its rule? A stump and a small tree over cheap features, fitted on train, scored on test.

>>> import numpy as np
>>> table = FeatureTable(("a", "b"), np.array([[0, 1], [1, 1], [2, 0], [3, 0]]), np.array([False, False, True, True]))
>>> stump = fit(table, depth=1)
>>> stump.text(table.names), balanced_accuracy(stump.predict(table.values), table.labels)
('a > 1.5', 1.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.int64]
Labels = npt.NDArray[np.bool_]

# A split that leaves fewer rows than this on one side says nothing.
_FEWEST = 2


@dataclass(frozen=True)
class FeatureTable:
    """A row of features for each sample, and its label."""

    names: tuple[str, ...]
    values: Values
    labels: Labels


@dataclass(frozen=True)
class DecisionTree:
    """A decision tree: a leaf with its answer, or a question `feature > threshold`."""

    answer: bool
    feature: int = -1
    threshold: float = 0.0
    low: DecisionTree | None = None
    high: DecisionTree | None = None

    def predict(self, values: Values) -> Labels:
        if self.low is None or self.high is None:
            return np.full(len(values), self.answer)
        above = values[:, self.feature] > self.threshold
        return np.where(above, self.high.predict(values), self.low.predict(values))

    def text(self, names: tuple[str, ...]) -> str | None:
        """The first question; None where there is none."""
        return f"{names[self.feature]} > {self.threshold:g}" if self.low is not None else None


def fit(table: FeatureTable, depth: int) -> DecisionTree:
    """The tree of at most this depth that greedy splits by weighted impurity give; classes count the same."""
    weights = _class_weights(table.labels)
    return _grow(table.values, table.labels, weights, depth)


def balanced_accuracy(predicted: Labels, labels: Labels) -> float | None:
    """The mean share of right answers over the classes that occur; None without rows."""
    shares = [float(np.mean(predicted[labels == value] == value)) for value in (False, True) if np.any(labels == value)]
    return sum(shares) / len(shares) if shares else None


def _class_weights(labels: Labels) -> npt.NDArray[np.float64]:
    positive, negative = max(1, int(labels.sum())), max(1, int((~labels).sum()))
    return np.where(labels, 0.5 / positive, 0.5 / negative)


def _grow(values: Values, labels: Labels, weights: npt.NDArray[np.float64], depth: int) -> DecisionTree:
    answer = bool(weights[labels].sum() > weights[~labels].sum())
    best = _best_split(values, labels, weights) if depth and labels.any() and not labels.all() else None
    if best is None:
        return DecisionTree(answer)
    feature, threshold = best
    above = values[:, feature] > threshold
    low = _grow(values[~above], labels[~above], weights[~above], depth - 1)
    high = _grow(values[above], labels[above], weights[above], depth - 1)
    return DecisionTree(answer, feature, threshold, low, high)


def _best_split(values: Values, labels: Labels, weights: npt.NDArray[np.float64]) -> tuple[int, float] | None:
    """The question that leaves the least impurity; the first of several, so that the outcome never varies."""
    best: tuple[float, int, float] | None = None
    least = _impurity(weights[labels].sum(), weights[~labels].sum()) - 1e-12
    for feature in range(values.shape[1]):
        column = values[:, feature]
        steps = np.unique(column)
        for low, high in pairwise(steps):
            threshold = (low + high) / 2
            above = column > threshold
            if not _FEWEST <= above.sum() <= len(column) - _FEWEST:
                continue
            left = _impurity(weights[above & labels].sum(), weights[above & ~labels].sum())
            left += _impurity(weights[~above & labels].sum(), weights[~above & ~labels].sum())
            if left < (best[0] - 1e-12 if best else least):
                best = (left, feature, float(threshold))
    return best[1:] if best else None


def _impurity(positive: float, negative: float) -> float:
    """Gini impurity times the weight of the node."""
    total = positive + negative
    return float(2 * positive * negative / total) if total else 0.0
