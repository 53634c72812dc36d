"""Options of training on pictures, and the four learning settings of KANDY as streams of experiences.

independent        a network and an optimiser for each task
joint              one network with a head a task, the rows of all tasks together
task-incremental   the same network, task after task, some epochs each
continual-online   the same, every row once, in the order of the dataset

Rows of the rarer label of a task are repeated (`balance`) but for continual-online, where a row is seen once.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from hornbeam.neural.learner import Experience, Rows, balanced
from hornbeam.neural.trainer import TrainingOptions
from hornbeam.neural.vision.data import Pictures
from hornbeam.seeds import rng


class VisionOptions(TrainingOptions):
    """How to train on pictures; the defaults are the paper's where it has one value for all."""

    order: Literal["curriculum", "random"] = Field(default="curriculum", description="the order of tasks in a stream")
    balance: bool = Field(default=True, description="repeat rows of a task's rarer label (never online)")
    unlabelled: Literal["keep", "drop"] = Field(
        default="keep", description="rows without a label: keep their place in batches, unused, or leave them out"
    )
    replay: int = Field(default=0, ge=0, description="rows in the replay buffer of continual settings")
    replay_weight: float = Field(default=1.0, ge=0, description="weight of the replayed rows' loss")
    replay_kind: Literal["balanced", "plain"] = Field(default="balanced", description="how the buffer is filled")
    threshold: Literal["fixed", "valid"] = Field(
        default="fixed", description="0.5, or the best on the valid split right after a task was learned"
    )
    scale: Literal["kandy", "data"] = Field(
        default="kandy", description="mean and deviation of pixels: the paper's, or measured on the training pictures"
    )
    weights: str | None = Field(default=None, description="pretrained weights: a folder, or a hub id")
    architecture: str | None = Field(default=None, description="a folder or hub id to take the configuration of")


SETTINGS = {
    "independent": "a network for each task",
    "joint": "one network, all tasks at once",
    "task-incremental": "one network, task after task, some epochs each",
    "continual-online": "one network, task after task, every row once",
}
CONTINUAL = ("task-incremental", "continual-online")


def task_order(tasks: list[str], options: VisionOptions, seed: int) -> list[str]:
    """The tasks as they come."""
    if options.order == "curriculum":
        return list(tasks)
    return [tasks[place] for place in rng(seed, "task order").permutation(len(tasks))]


def _training_rows(pictures: Pictures, task: str, options: VisionOptions, *, repeat: bool) -> Rows:
    """The training rows of a task; those that are repeated come last."""
    rows = pictures.rows("train", task)
    labelled = pictures.supervised[rows]
    if options.unlabelled == "drop":
        rows, labelled = rows[labelled], labelled[labelled]
    if not (repeat and options.balance):
        return rows
    known = rows[labelled]
    return np.concatenate([rows, balanced(known, pictures.labels[known])[len(known) :]])


def stream_of(setting: str, pictures: Pictures, options: VisionOptions, seed: int) -> list[Experience]:
    """The experiences of a setting."""
    online = setting == "continual-online"
    tasks = task_order(pictures.tasks, options, seed)
    rows = {task: _training_rows(pictures, task, options, repeat=not online) for task in tasks}
    if setting == "joint":
        return [Experience("all", np.concatenate(list(rows.values())), tuple(tasks), epochs=options.epochs)]
    epochs, fresh = (1 if online else options.epochs), setting == "independent"
    return [Experience(task, rows[task], (task,), epochs=epochs, shuffle=not online, fresh=fresh) for task in tasks]
