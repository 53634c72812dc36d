"""Predictions of a trained network for pictures that are not those of its dataset."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from hornbeam.errors import UsageError
from hornbeam.neural.vision.data import PictureBatch, Pixels, box_of
from hornbeam.neural.vision.learner import THRESHOLDS, VisionLearner

_BATCH = 16


def predictions(learner: VisionLearner, pictures: Pixels, tasks: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Whether each picture (pictures, height, width, 3) is positive, by the head of its task.

    Raises:
        UsageError: if the network has no head for a task.
    """
    known = learner.pictures.tasks
    if not learner.shared or not set(tasks) <= set(known):
        raise UsageError("the network has no head for each of the tasks: train it in the setting joint")
    heads = torch.tensor([known.index(task) for task in tasks])
    limits = np.array([learner.thresholds.get(task, THRESHOLDS[0]) for task in tasks])
    learner.module.eval()
    parts = []
    with torch.inference_mode():
        for start in range(0, len(pictures), _BATCH):
            outputs = learner.module(_whole(learner, pictures[start : start + _BATCH]))
            chosen = outputs.gather(1, heads[start : start + _BATCH, None]).squeeze(1)
            parts.append(torch.sigmoid(chosen).cpu().double().numpy())
    positive: npt.NDArray[np.bool_] = np.concatenate(parts) > limits
    return positive


def _whole(learner: VisionLearner, pictures: Pixels) -> PictureBatch:
    """Pictures as a batch."""
    background = learner.pictures.background
    boxes = np.array([box_of(picture, background) for picture in pictures])
    return PictureBatch(torch.from_numpy(np.array(pictures)), boxes, background, learner.scale)
