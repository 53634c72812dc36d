"""The four learning settings of KANDY, as streams of experiences.

independent        a network and an optimiser for each task
joint              one network with a head a task, the rows of all tasks together
task-incremental   the same network, task after task, some epochs each
continual-online   the same, every row once, in the order of the dataset

Rows of the rarer label of a task are repeated (`balance`) but for continual-online, where a row is seen once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hornbeam.neural.stream import Experience, Rows, balanced
from hornbeam.neural.vision.images import Pictures
from hornbeam.neural.vision.options import VisionOptions
from hornbeam.seeds import rng

ABOUT = {
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


def training_rows(pictures: Pictures, task: str, options: VisionOptions, *, repeat: bool) -> Rows:
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
    tasks = task_order(pictures.tasks, options, seed)

    def rows(task: str, repeat: bool = True) -> Rows:
        return training_rows(pictures, task, options, repeat=repeat)

    streams: dict[str, Callable[[], list[Experience]]] = {
        "independent": lambda: [
            Experience(task, rows(task), (task,), epochs=options.epochs, fresh=True) for task in tasks
        ],
        "joint": lambda: [
            Experience("all", np.concatenate([rows(task) for task in tasks]), tuple(tasks), epochs=options.epochs)
        ],
        "task-incremental": lambda: [Experience(task, rows(task), (task,), epochs=options.epochs) for task in tasks],
        "continual-online": lambda: [
            Experience(task, rows(task, repeat=False), (task,), epochs=1, shuffle=False) for task in tasks
        ],
    }
    return streams[setting]()
