"""A network on pictures with a head a task: the paper's loss, balanced accuracy with its thresholds, and replay.

What is replayed is a buffer of rows, filled from a stream that is seen once. `Reservoir` keeps every row of the stream
with the same probability (Vitter, 1985). `BalancedReservoir` keeps the classes as even as the stream allows, and each
row of a class with the same probability as the others of its class (class-balancing reservoir sampling; Chrysakis and
Moens, 2020). A class here is a label of a task. Each decision draws from its own derived seed, so that a buffer is its
contents and its counters, nothing more.

>>> buffer = Reservoir(size=3, seed=7)
>>> for row in range(100):
...     buffer.add(row, 0)
>>> len(buffer.rows)
3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.devices import device_of, onto
from hornbeam.neural.learner import (
    Experience,
    HeldAnswer,
    ModelEvaluation,
    ModelLearner,
    Rows,
    WeightedRows,
    split_rows,
)
from hornbeam.neural.metrics import balanced_accuracy
from hornbeam.neural.processes import ProcessGroup
from hornbeam.neural.vision.data import PictureBatch, Pictures, Scale
from hornbeam.neural.vision.models import FrozenBody
from hornbeam.seeds import fast_rng

THRESHOLDS = (0.5, 0.4, 0.6, 0.3, 0.7)
"""The paper's program tries these on the valid split; the first of the best is taken."""
VALIDITY = {True: "valid", False: "not valid"}
_BATCH = 64


class Reservoir:
    """Plain reservoir sampling."""

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.seed = size, seed
        self.rows: list[int] = []
        self.classes: list[int] = []
        self.seen: Counter[int] = Counter()  # rows of the stream so far, by class
        self.draws = 0

    def add(self, row: int, kind: int) -> None:
        """A row of the stream, which is kept or not."""
        self.seen[kind] += 1
        if len(self.rows) < self.size:
            self.rows.append(row)
            self.classes.append(kind)
            self._changed()
            return
        place = self._place(kind, fast_rng(self.seed, "replay", "keep", self.seen.total()))
        if place is not None:
            self.rows[place], self.classes[place] = row, kind
            self._changed()

    def _place(self, kind: int, random: Random) -> int | None:
        """Where a new row goes in a full buffer, if it is kept."""
        place = random.randrange(self.seen.total())
        return place if place < self.size else None

    def _changed(self) -> None:
        """The contents have changed."""

    def draw(self, count: int) -> Rows:
        """Some of the kept rows, each at most once."""
        self.draws += 1
        random = fast_rng(self.seed, "replay", "draw", self.draws)
        return np.array(random.sample(self.rows, min(count, len(self.rows))), dtype=np.int64)

    def state(self) -> dict[str, Any]:
        """Contents and counters, for a checkpoint."""
        seen = [[kind, count] for kind, count in sorted(self.seen.items())]
        return {"rows": list(self.rows), "classes": list(self.classes), "seen": seen, "draws": self.draws}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Take back what `state` gave."""
        self.rows, self.classes = list(state["rows"]), list(state["classes"])
        self.seen = Counter(dict(map(tuple, state["seen"])))
        self.draws = state["draws"]


class BalancedReservoir(Reservoir):
    """Class-balancing reservoir sampling: once a class has been the largest it is full, and changes only in itself."""

    def __init__(self, size: int, seed: int) -> None:
        super().__init__(size, seed)
        self.full: set[int] = set()

    def _place(self, kind: int, random: Random) -> int | None:
        if kind not in self.full:
            return self._one_of(random.choice(self._largest()), random)
        kept = self.classes.count(kind)
        return self._one_of(kind, random) if random.random() <= kept / self.seen[kind] else None

    def _one_of(self, kind: int, random: Random) -> int:
        return random.choice([place for place, other in enumerate(self.classes) if other == kind])

    def _largest(self) -> list[int]:
        """The classes with the most rows in the buffer."""
        held = Counter(self.classes)
        most = max(held.values())
        return sorted(kind for kind, count in held.items() if count == most)

    def _changed(self) -> None:
        # A class counts as full when it is the largest of a full buffer.
        if len(self.rows) == self.size:
            self.full.update(self._largest())

    def state(self) -> dict[str, Any]:
        return {**super().state(), "full": sorted(self.full)}

    def load_state(self, state: Mapping[str, Any]) -> None:
        super().load_state(state)
        self.full = set(state["full"])


BUFFERS: dict[str, type[Reservoir]] = {"balanced": BalancedReservoir, "plain": Reservoir}


@dataclass(eq=False)
class VisionLearner(ModelLearner):
    """A network, the pictures, and what a strategy keeps.

    `make` gives a network with new weights. With `shared` false (independent) there is one head, for whatever task is
    learned, and only that task is judged. The valid split of all tasks is judged after the experience named `last`;
    after the others only that of their own tasks.
    """

    pictures: Pictures
    make: Callable[[], nn.Module]
    scale: Scale
    _: KW_ONLY
    shared: bool = True
    tune: bool = False
    last: str | None = None
    buffer: Reservoir | None = None
    replay_weight: float = 1.0
    processes: ProcessGroup = field(default_factory=ProcessGroup)

    def __post_init__(self) -> None:
        self.module = self.make()
        body = getattr(self.module, "body", None)
        self._features = None
        if isinstance(body, FrozenBody):
            self.scale, self._features = body.scale, _features(self.pictures, body)
        self.thresholds: dict[str, float] = {}
        self._offered: set[int] = set()
        self._learned: tuple[str, ...] = ()

    # Learning ---------------------------------------------------------------------------------------------------------

    def begin(self, experience: Experience) -> None:
        self._learned = experience.tasks
        if experience.fresh:
            self.module.load_state_dict(self.make().state_dict())

    def parts(self, rows: Rows) -> list[WeightedRows]:
        if self.buffer is None or not self.buffer.rows:
            return [WeightedRows(rows)]
        return [WeightedRows(rows), WeightedRows(self.buffer.draw(len(rows)), self.replay_weight)]

    def counted(self, rows: Rows) -> npt.NDArray[np.bool_]:
        known: npt.NDArray[np.bool_] = self.pictures.supervised[rows]
        return known

    def losses(self, rows: Rows) -> Tensor:
        labels = onto(torch.from_numpy(self.pictures.labels[rows].astype(np.float32)), self._device)
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
        outputs: Tensor = self.module(onto(self.batch(rows), self._device))
        heads = torch.from_numpy(self.pictures.task[rows] if self.shared else np.zeros(len(rows), dtype=np.int64))
        heads = onto(heads, self._device)
        return outputs.gather(1, heads[:, None]).squeeze(1)

    @property
    def _device(self) -> torch.device:
        return device_of(self.module)

    def batch(self, rows: Rows) -> PictureBatch:
        """These rows as a network's input."""
        pictures = self.pictures
        features = torch.from_numpy(np.array(self._features[rows])) if self._features is not None else None
        pixels = torch.from_numpy(np.array(pictures.pixels[rows[:0] if features is not None else rows]))
        return PictureBatch(pixels, pictures.boxes[rows], pictures.background, self.scale, features)

    def predict(self, rows: Rows) -> npt.NDArray[np.float64]:
        """The probability that each row is positive, by its own head."""
        mine = self.processes.share(rows)
        boxes = self.pictures.boxes[mine]
        sizes = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
        order = np.argsort(sizes, kind="stable")  # pictures of a size go together
        was_training = self.module.training
        self.module.eval()
        with torch.inference_mode():
            parts = [
                torch.sigmoid(self.logits(some).float()).cpu().double().numpy()
                for some in split_rows(mine[order], _BATCH)
            ]
        self.module.train(was_training)
        return self.processes.join_rows(np.concatenate(parts)[np.argsort(order)] if parts else np.zeros(0), len(rows))

    # Judging ----------------------------------------------------------------------------------------------------------

    def evaluate(self, experience: Experience) -> ModelEvaluation:
        tasks = self.pictures.tasks if self.shared else list(experience.tasks)
        valid = self._valid_rows(tasks if experience.name == self.last else experience.tasks)
        test = {task: self.pictures.rows("test", task) for task in tasks}
        every = [*valid.values(), *test.values()]
        parts = np.split(self.predict(np.concatenate(every)), np.cumsum([len(rows) for rows in every])[:-1])
        on_valid, on_test = dict(zip(valid, parts, strict=False)), dict(zip(test, parts[len(valid) :], strict=True))
        if self.tune:
            for task in experience.tasks:
                self.thresholds[task] = best_threshold(on_valid[task], self.pictures.labels[valid[task]])
        accuracy = {"valid": self._accuracies(valid, on_valid), "test": self._accuracies(test, on_test)}
        return ModelEvaluation(accuracy, {"thresholds": dict(self.thresholds)} if self.tune else {})

    def validate(self, experience: Experience) -> float:
        rows = self._valid_rows(experience.tasks)
        accuracy = self._accuracies(rows, {task: self.predict(some) for task, some in rows.items()})
        return float(np.mean(list(accuracy.values()))) if accuracy else 0.0

    def answers(self) -> Iterator[HeldAnswer]:
        """With a head for all tasks in turn (independent), of the task that was learned last."""
        for split in ("valid", "test"):
            for task in self.pictures.tasks if self.shared else self._learned:
                rows = self.pictures.rows(split, task)
                said = self.predict(rows) > self.thresholds.get(task, THRESHOLDS[0])
                for row, one in zip(rows.tolist(), said.tolist(), strict=True):
                    label = bool(self.pictures.labels[row])
                    yield HeldAnswer(self.pictures.names[row], split, task, VALIDITY[label], VALIDITY[one])

    def _valid_rows(self, tasks: Iterable[str]) -> dict[str, Rows]:
        """The rows of the valid split by task; hidden labels stay hidden."""
        rows = {task: self.pictures.rows("valid", task) for task in tasks}
        return {task: some[self.pictures.supervised[some]] for task, some in rows.items()}

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


def _features(pictures: Pictures, body: FrozenBody) -> npt.NDArray[np.float32]:
    """What a frozen network makes of every picture, computed once a dataset."""

    def fill(into: npt.NDArray[Any]) -> None:
        for start in range(0, len(into), 16):
            pixels = torch.from_numpy(np.array(pictures.pixels[start : start + 16]))
            into[start : start + 16] = body.extract(body.scale(pixels)).cpu().numpy()

    name = f"features-{sha256(body.name.encode()).hexdigest()[:12]}"
    return pictures.cached(name, (len(pictures.labels), body.width), np.dtype(np.float32), fill)
