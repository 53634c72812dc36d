"""A small learner for the trainer's tests: a network with dropout on points of a plane, with replay."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from hornbeam.neural.learner import Experience, ModelEvaluation, ModelLearner, Rows, WeightedRows
from hornbeam.neural.processes import seed_all
from hornbeam.neural.runs import RunFolder
from hornbeam.neural.trainer import Habits, Trainer, TrainingOptions

POINTS = 60


class Toy(ModelLearner):
    """Is a point above the line? The rows of an unlabelled sample must never reach `losses`."""

    def __init__(self, unlabelled: frozenset[int] = frozenset(), dropout: float = 0.3) -> None:
        generator = torch.Generator().manual_seed(1)
        self.points = torch.randn(POINTS, 2, generator=generator)
        self.labels = (self.points[:, 0] > self.points[:, 1]).float()
        self.unlabelled = unlabelled
        self.module = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Dropout(dropout), nn.Linear(16, 1))
        self.buffer: list[int] = []
        self.seen: list[int] = []
        self.begun: list[str] = []

    def begin(self, experience: Experience) -> None:
        self.begun.append(experience.name)
        if experience.fresh:
            for layer in self.module:
                if isinstance(layer, nn.Linear):
                    layer.reset_parameters()

    def counted(self, rows: Rows) -> np.ndarray[Any, np.dtype[np.bool_]]:
        return np.array([row not in self.unlabelled for row in rows.tolist()], dtype=np.bool_)

    def parts(self, rows: Rows) -> list[WeightedRows]:
        if not self.buffer:
            return [WeightedRows(rows)]
        chosen = torch.randint(len(self.buffer), (2,))
        return [WeightedRows(rows), WeightedRows(np.array([self.buffer[int(place)] for place in chosen]), 0.5)]

    def losses(self, rows: Rows) -> Tensor:
        self.seen.extend(rows.tolist())
        outputs = self.module(self.points[rows]).squeeze(1)
        return nn.functional.binary_cross_entropy_with_logits(outputs, self.labels[rows], reduction="none")

    def stepped(self, rows: Rows) -> None:
        self.buffer = [*self.buffer, *rows.tolist()][-10:]

    def _accuracy(self, rows: Rows) -> float:
        return float(((self.module(self.points[rows]).squeeze(1) > 0) == (self.labels[rows] > 0)).float().mean())

    def validate(self, experience: Experience) -> float:
        return self._accuracy(np.arange(40, 50))

    def evaluate(self, experience: Experience) -> ModelEvaluation:
        halves = {"low": np.arange(50, 55), "high": np.arange(55, 60)}
        return ModelEvaluation({"test": {name: self._accuracy(rows) for name, rows in halves.items()}})

    def state(self) -> dict[str, Any]:
        return {"buffer": self.buffer}

    def load_state(self, state: Mapping[str, Any]) -> None:
        self.buffer = list(state["buffer"])


def toy_stream(fresh: bool = False, patience: int | None = None) -> list[Experience]:
    return [
        Experience("low", np.arange(0, 20), ("low",), epochs=3, fresh=fresh, patience=patience),
        Experience("high", np.arange(20, 40), ("high",), epochs=3, fresh=fresh, patience=patience),
    ]


def toy_trainer(
    path: Path, *, learner: Toy | None = None, stream: list[Experience] | None = None,
    options: TrainingOptions | None = None, habits: Habits | None = None, **more: Any,
) -> Trainer:  # fmt: skip
    seed_all(3, "weights")
    options = options or TrainingOptions(batch=4, lr=0.05)
    return Trainer(
        learner or Toy(), stream or toy_stream(), options, RunFolder(path, {"toy": 1}),
        seed=3, habits=habits or Habits(checkpoint_seconds=0, log_steps=3), **more,
    )  # fmt: skip
