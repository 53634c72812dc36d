"""Figures of answers against labels: accuracy with its confidence interval, balanced accuracy, log loss, AUC.

>>> cell = figures([Answered("a", "a"), Answered("a", "b"), Answered("b", "b"), Answered("b", "b")])
>>> cell.accuracy, cell.balanced, cell.count
(0.75, 0.75, 4)
>>> f"{cell.low:.3f} to {cell.high:.3f}"
'0.301 to 0.954'
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

_Z = 1.959963984540054  # of 95 % confidence
_LEAST = 1e-15  # a probability of 0 for the right label would cost everything


@dataclass(frozen=True, slots=True)
class Answered:
    """A sample's label, what was answered, and the probabilities that were given."""

    expected: str
    answer: str
    scores: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """Figures of some samples.

    Attributes:
        count: How many samples.
        correct: How many were answered right.
        accuracy: Their share.
        low: The lower end of its 95 % confidence interval (Wilson).
        high: The upper end.
        balanced: The mean of the accuracies of the labels.
        log_loss: Of the probabilities; None where there are none.
        auc: The area under the ROC curve; of more than two labels the mean of one against the rest.
    """

    count: int
    correct: int
    accuracy: float
    low: float
    high: float
    balanced: float
    log_loss: float | None = None
    auc: float | None = None

    def to_json(self) -> dict[str, Any]:
        values = asdict(self)
        low, high, balanced = values.pop("low"), values.pop("high"), values.pop("balanced")
        return {**values, "interval": [low, high], "balanced_accuracy": balanced}

    def __str__(self) -> str:
        return f"{self.accuracy:.4f} [{self.low:.4f}, {self.high:.4f}]"


def figures(rows: Sequence[Answered]) -> Cell:
    """The figures of at least one sample."""
    by_label: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_label[row.expected].append(row.answer == row.expected)
    correct = sum(map(sum, by_label.values()))
    low, high = wilson(correct, len(rows))
    return Cell(
        count=len(rows),
        correct=correct,
        accuracy=correct / len(rows),
        low=low,
        high=high,
        balanced=sum(sum(right) / len(right) for right in by_label.values()) / len(by_label),
        log_loss=_log_loss(rows),
        auc=_auc(rows),
    )


def wilson(correct: int, count: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson's, which is right for shares near 0 and 1, too).

    >>> [round(end, 4) for end in wilson(10, 10)]
    [0.7225, 1.0]
    """
    share, square = correct / count, _Z * _Z
    middle = share + square / (2 * count)
    margin = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    below = 1 + square / count
    return max(0.0, (middle - margin) / below), min(1.0, (middle + margin) / below)


def _log_loss(rows: Sequence[Answered]) -> float | None:
    if any(row.scores is None for row in rows):
        return None
    return -sum(math.log(max(_LEAST, (row.scores or {}).get(row.expected, 0.0))) for row in rows) / len(rows)


def _auc(rows: Sequence[Answered]) -> float | None:
    labels = sorted({row.expected for row in rows})
    if len(labels) < 2 or any(row.scores is None for row in rows):
        return None
    # Of two labels either gives the same figure.
    chosen = labels[-1:] if len(labels) == 2 else labels
    return sum(_one_against_rest(rows, label) for label in chosen) / len(chosen)


def _one_against_rest(rows: Sequence[Answered], label: str) -> float:
    """How often a sample of the label gets a higher probability for it than another sample; ties count half."""
    ranked = sorted(((row.scores or {}).get(label, 0.0), row.expected == label) for row in rows)
    ranks, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        ranks += sum(positive for _, positive in ranked[at:end]) * (at + 1 + end) / 2
        at = end
    positives = sum(positive for _, positive in ranked)
    return (ranks - positives * (positives + 1) / 2) / (positives * (len(ranked) - positives))
