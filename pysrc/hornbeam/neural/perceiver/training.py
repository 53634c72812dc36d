"""How the two networks learn: each is a learner of the trainer, whose rows are numbers of drawn examples.

An example is drawn from a seed derived from its row, so that an interrupted run resumes and gives the same weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor, nn

from hornbeam.neural.learner import Experience, ModelEvaluation, ModelLearner, Rows
from hornbeam.neural.perceiver.annotated import Annotation
from hornbeam.neural.perceiver.detector import Detector, calibrate, detector_loss
from hornbeam.neural.perceiver.grouping import Grouper, SceneExample, example, grouping_loss, stacked, targets
from hornbeam.neural.perceiver.pasting import CropMaker
from hornbeam.neural.perceiver.recombining import Recombiner
from hornbeam.neural.processes import keep_freed_memory, seed_all
from hornbeam.neural.runs import WEIGHTS, RunFolder
from hornbeam.neural.trainer import Trainer, TrainingOptions
from hornbeam.progress import Progress, no_progress
from hornbeam.seeds import fast_rng

_CALIBRATING = 200
"""Annotated pictures on which scores are calibrated, at most."""
_JITTER = 0.008
"""How far places move in training, in units of half a picture."""


class DrawnLearner(ModelLearner):
    """A learner on drawn examples: nothing is held out, the perceiver is judged by what it reads."""

    def __init__(self, module: nn.Module, seed: int) -> None:
        self.module = module
        self.seed = seed

    def rate(self, done: float) -> float:
        """A short rise, then half a wave of the cosine down to zero."""
        return min(1.0, 0.05 + done / 0.1) * (1 + math.cos(math.pi * done)) / 2

    def evaluate(self, experience: Experience) -> ModelEvaluation:
        return ModelEvaluation({})


class ObjectLearner(DrawnLearner):
    """The detector on drawn crops."""

    def __init__(self, module: Detector, annotated: Sequence[Annotation], seed: int) -> None:
        super().__init__(module, seed)
        self._annotated = annotated[:_CALIBRATING]
        self._maker = CropMaker(annotated)

    def losses(self, rows: Rows) -> Tensor:
        batch = self._maker.batch([fast_rng(self.seed, "crop", row) for row in rows.tolist()])
        network: Any = self.module
        return detector_loss(network, batch).expand(len(rows))

    def evaluate(self, experience: Experience) -> ModelEvaluation:
        network: Any = self.module
        calibrate(network, [one.pixels for one in self._annotated], [one.boxes for one in self._annotated])
        return super().evaluate(experience)


class GroupLearner(DrawnLearner):
    """The grouping network on recombined scenes."""

    def __init__(self, module: Grouper, examples: Sequence[SceneExample], seed: int) -> None:
        super().__init__(module, seed)
        self._recombiner = Recombiner(examples, _JITTER)

    def losses(self, rows: Rows) -> Tensor:
        drawn = [self._recombiner.draw(fast_rng(self.seed, "scene", row)) for row in rows.tolist()]
        scenes = stacked([one.features for one in drawn], [one.places for one in drawn])
        network: Any = self.module
        right = targets([one.root for one in drawn], scenes.present.shape[1], network.vocabulary)
        return grouping_loss(network, scenes, right).expand(len(rows))


@dataclass(frozen=True)
class TrainingPlan:
    """What a network is trained with: the steps, the batch, the rate, and what else decides the result."""

    folder: Path
    identity: Mapping[str, Any]
    seed: int
    steps: int
    batch: int = 16
    lr: float = 3e-3
    weight_decay: float = 1e-3
    progress: Progress = no_progress


def train_network(learner: ModelLearner, plan: TrainingPlan) -> None:
    """Train, or take the weights of the finished run in the plan's folder; an unfinished run resumes."""
    options = TrainingOptions(
        optimizer="adamw", lr=plan.lr, weight_decay=plan.weight_decay, batch=plan.batch, epochs=1, clip=5.0
    )
    config = {**plan.identity, "options": options.model_dump(), "seed": plan.seed, "steps": plan.steps}
    folder = RunFolder(plan.folder, config)
    with folder.locked():
        if folder.figures is None:
            rows = np.arange(plan.steps * plan.batch, dtype=np.int64)
            stream = [Experience("annotated", rows, shuffle=False)]
            keep_freed_memory()
            Trainer(learner, stream, options, folder, seed=plan.seed, progress=plan.progress).run()
            folder.finish({"steps": plan.steps}, learner.module.state_dict())
        weights = folder.load(WEIGHTS)
    assert weights is not None
    learner.module.load_state_dict(weights)
    learner.module.eval()


def seeded(seed: int, *names: str) -> None:
    """Seed the weights that are made next."""
    seed_all(seed, "weights", *names)


def examples_of(annotated: Sequence[Annotation], counts: Sequence[int]) -> list[SceneExample]:
    """The annotated pictures as examples of grouping."""
    return [example(one, counts) for one in annotated]
