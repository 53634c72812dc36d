"""What a run measured, read back from its results: accuracies by moment and task, and the figures made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbeam.neural.metrics import DEFINITIONS, Matrix, all_metrics


@dataclass(frozen=True)
class Outcome:
    """The evaluations of one run, in the order of its stream."""

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
        """For each task the accuracy that was measured last."""
        known: dict[str, float] = {}
        for row in self.accuracy:
            known.update(row.get(split, {}))
        return known

    def mean(self, split: str = "test") -> float:
        """The average accuracy at the end of learning."""
        values = list(self.final(split).values())
        return float(np.mean(values)) if values else float("nan")

    def matrix(self, split: str = "test") -> Matrix | None:
        """A[i, j] with the tasks in the order of learning; None where experiences are not one new task each."""
        tasks = [names[0] for names in self.learned if len(names) == 1]
        if len(tasks) < 2 or len(tasks) != len(self.learned) or len(set(tasks)) != len(tasks):
            return None
        if any(task not in row.get(split, {}) for row in self.accuracy for task in tasks):
            return None
        return np.array([[row[split][task] for task in tasks] for row in self.accuracy])

    def figures(self, split: str = "test") -> dict[str, Any]:
        """Average accuracy, and where there is a matrix the continual figures by every definition."""
        found: dict[str, Any] = {"average_accuracy": self.mean(split)}
        matrix = self.matrix(split)
        if matrix is not None:
            found.update(all_metrics(matrix))
            found["definitions"] = {name: all_metrics(matrix, name) for name in DEFINITIONS}
        return found
