"""Learners that choose one of several relations for a row: what graph and story models share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from hornbeam.neural.learner import Evaluation, Learner
from hornbeam.neural.stream import Experience, Rows

# Rows of one forward pass in evaluation.
_EVALUATED_TOGETHER = 256

# Split, then task, then the groups that a task's results are told apart by.
Parts = Mapping[str, Mapping[str, Mapping[str, Rows]]]


class Classifier(Learner):
    """`parts` holds the held-out rows; a task with one group is reported under the task's name."""

    def __init__(self, labels: Tensor, parts: Parts) -> None:
        self.labels = labels
        self.parts_of = parts

    @abstractmethod
    def scores(self, rows: Rows) -> Tensor:
        """A score of each relation for each row."""

    def losses(self, rows: Rows) -> Tensor:
        return functional.cross_entropy(self.scores(rows), self.labels[torch.from_numpy(rows)], reduction="none")

    def predictions(self, rows: Rows) -> Tensor:
        """The number of the best relation of each row."""
        pieces = [rows[at : at + _EVALUATED_TOGETHER] for at in range(0, len(rows), _EVALUATED_TOGETHER)]
        best = [self.scores(piece).argmax(1) for piece in pieces]
        return torch.cat(best) if best else torch.zeros(0, dtype=torch.long)

    def accuracy(self, rows: Rows) -> float:
        if not len(rows):
            return float("nan")
        return float((self.predictions(rows) == self.labels[torch.from_numpy(rows)]).float().mean())

    def judged(self, experience: Experience) -> tuple[str, ...]:
        """The tasks to judge after an experience: its own."""
        return experience.tasks

    def validate(self, experience: Experience) -> float:
        """Accuracy on the validation rows of the experience's tasks."""
        rows = [rows for task in experience.tasks for rows in self.parts_of["valid"].get(task, {}).values()]
        return self.accuracy(np.concatenate(rows)) if rows else 0.0

    def evaluate(self, experience: Experience) -> Evaluation:
        tasks = self.judged(experience)
        return Evaluation({split: self._accuracies(split, tasks) for split in self.parts_of})

    def _accuracies(self, split: str, tasks: tuple[str, ...]) -> dict[str, float]:
        found = {}
        for task in tasks:
            for group, rows in self.parts_of[split].get(task, {}).items():
                found[group or task] = self.accuracy(rows)
        return found
