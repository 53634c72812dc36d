"""A network on pictures with a head a task: the paper's loss, replay, and balanced accuracy with its thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.learner import Evaluation, Learner, Part
from hornbeam.neural.metrics import balanced_accuracy
from hornbeam.neural.stream import Experience, Rows
from hornbeam.neural.vision.images import PictureBatch, Pictures, Scale
from hornbeam.neural.vision.models import Body
from hornbeam.neural.vision.replay import Reservoir
from hornbeam.neural.world import World

THRESHOLDS = (0.5, 0.4, 0.6, 0.3, 0.7)
"""The paper's program tries these on the valid split; the first of the best is taken."""
_BATCH = 64


class VisionLearner(Learner):
    """A network, the pictures, and what a strategy keeps.

    `make` gives a network with new weights. With `shared` false (independent) there is one head, for whatever task is
    learned, and only that task is judged. The valid split of all tasks is judged after the experience named `last`;
    after the others only that of their own tasks.
    """

    def __init__(
        self,
        pictures: Pictures,
        make: Callable[[], nn.Module],
        scale: Scale,
        *,
        shared: bool = True,
        tune: bool = False,
        last: str | None = None,
        buffer: Reservoir | None = None,
        replay_weight: float = 1.0,
        world: World | None = None,
    ) -> None:
        self.pictures = pictures
        self.make = make
        self.shared = shared
        self.tune = tune
        self.last = last
        self.buffer = buffer
        self.replay_weight = replay_weight
        self.world = world or World()
        self.module = make()
        body = getattr(self.module, "body", None)
        self.scale = body.scale if isinstance(body, Body) else scale
        self._features = _features(pictures, body) if isinstance(body, Body) else None
        self.thresholds: dict[str, float] = {}
        self._offered: set[int] = set()

    # Learning ---------------------------------------------------------------------------------------------------------

    def begin(self, experience: Experience) -> None:
        if experience.fresh:
            self.module.load_state_dict(self.make().state_dict())

    def parts(self, rows: Rows) -> list[Part]:
        if self.buffer is None or not self.buffer.rows:
            return [Part(rows)]
        return [Part(rows), Part(self.buffer.draw(len(rows)), self.replay_weight)]

    def counted(self, rows: Rows) -> npt.NDArray[np.bool_]:
        known: npt.NDArray[np.bool_] = self.pictures.supervised[rows]
        return known

    def losses(self, rows: Rows) -> Tensor:
        labels = torch.from_numpy(self.pictures.labels[rows].astype(np.float32))
        return functional.binary_cross_entropy_with_logits(self.logits(rows), labels, reduction="none")

    def stepped(self, rows: Rows) -> None:
        if self.buffer is None:
            return
        for row in rows[self.counted(rows)].tolist():
            if row not in self._offered:  # the buffer's stream has every row once, whatever the epochs
                self._offered.add(row)
                self.buffer.add(row, int(2 * self.pictures.task[row] + self.pictures.labels[row]))

    # Predicting -------------------------------------------------------------------------------------------------------

    def logits(self, rows: Rows) -> Tensor:
        """The output of each row's own head."""
        outputs: Tensor = self.module(self.batch(rows))
        heads = torch.from_numpy(self.pictures.task[rows]) if self.shared else torch.zeros(len(rows), dtype=torch.long)
        return outputs.gather(1, heads[:, None]).squeeze(1)

    def batch(self, rows: Rows) -> PictureBatch:
        """These rows as a network's input."""
        pictures = self.pictures
        features = torch.from_numpy(np.array(self._features[rows])) if self._features is not None else None
        pixels = pictures.pixels[rows[:0]] if features is not None else pictures.pixels[rows]
        found = torch.from_numpy(np.array(pixels))
        return PictureBatch(found, pictures.boxes[rows], pictures.background, self.scale, features)

    def predict(self, rows: Rows) -> npt.NDArray[np.float64]:
        """The probability that each row is positive, by its own head."""
        mine = self.world.share(rows)
        boxes = self.pictures.boxes[mine]
        sizes = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
        order = np.argsort(sizes, kind="stable")  # pictures of a size go together
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        was_training = self.module.training
        self.module.eval()
        with torch.inference_mode():
            parts = [
                torch.sigmoid(self.logits(mine[order[start : start + _BATCH]])).double().numpy()
                for start in range(0, len(mine), _BATCH)
            ]
        self.module.train(was_training)
        return self.world.join_rows(np.concatenate(parts)[back] if parts else np.zeros(0), len(rows))

    # Judging ----------------------------------------------------------------------------------------------------------

    def evaluate(self, experience: Experience) -> Evaluation:
        tasks = self.pictures.tasks if self.shared else list(experience.tasks)
        pictures = self.pictures
        own = tasks if experience.name == self.last else experience.tasks
        valid = {task: pictures.rows("valid", task) for task in own}
        valid = {task: rows[pictures.supervised[rows]] for task, rows in valid.items()}  # hidden labels stay hidden
        test = {task: pictures.rows("test", task) for task in tasks}
        outputs = self.predict(np.concatenate([*valid.values(), *test.values()]))
        places = np.cumsum([len(rows) for rows in (*valid.values(), *test.values())])[:-1]
        parts = np.split(outputs, places)
        on_valid, on_test = dict(zip(valid, parts, strict=False)), dict(zip(test, parts[len(valid) :], strict=True))
        if self.tune:
            for task in experience.tasks:
                self.thresholds[task] = best_threshold(on_valid[task], pictures.labels[valid[task]])
        accuracy = {
            "valid": self._accuracies(valid, on_valid),
            "test": self._accuracies(test, on_test),
        }
        return Evaluation(accuracy, {"thresholds": dict(self.thresholds)} if self.tune else {})

    def validate(self, experience: Experience) -> float:
        rows = {task: self.pictures.rows("valid", task) for task in experience.tasks}
        rows = {task: some[self.pictures.supervised[some]] for task, some in rows.items()}
        found = self._accuracies(rows, {task: self.predict(some) for task, some in rows.items()})
        return float(np.mean(list(found.values())))

    def _accuracies(self, rows: Mapping[str, Rows], outputs: Mapping[str, npt.NDArray[np.float64]]) -> dict[str, float]:
        """Balanced accuracy on each task that has rows."""
        predicted = {task: values > self.thresholds.get(task, THRESHOLDS[0]) for task, values in outputs.items()}
        labels = {task: self.pictures.labels[some] for task, some in rows.items() if len(some)}
        return {task: balanced_accuracy(predicted[task], true) for task, true in labels.items()}

    # Going on ---------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "thresholds": dict(self.thresholds),
            "offered": sorted(self._offered),
            "buffer": self.buffer.state() if self.buffer is not None else None,
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        self.thresholds = dict(state["thresholds"])
        self._offered = set(state["offered"])
        if self.buffer is not None:
            self.buffer.load_state(state["buffer"])


def best_threshold(outputs: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_]) -> float:
    """The first of `THRESHOLDS` with the best balanced accuracy; the first of all where there is nothing to judge by.

    >>> best_threshold(np.array([0.35, 0.45, 0.2]), np.array([True, True, False]))
    0.3
    """
    if not len(labels):
        return THRESHOLDS[0]
    figures = [balanced_accuracy(outputs > threshold, labels) for threshold in THRESHOLDS]
    return THRESHOLDS[int(np.argmax(figures))]


def _features(pictures: Pictures, body: Body) -> npt.NDArray[np.float32]:
    """What a frozen network makes of every picture, computed once a dataset."""
    from hashlib import sha256

    def fill(into: npt.NDArray[Any]) -> None:
        for start in range(0, len(into), 16):
            pixels = torch.from_numpy(np.array(pictures.pixels[start : start + 16]))
            into[start : start + 16] = body.extract(body.scale(pixels)).numpy()

    name = f"features-{sha256(body.name.encode()).hexdigest()[:12]}"
    return pictures.cached(name, (len(pictures.labels), body.width), np.dtype(np.float32), fill)
