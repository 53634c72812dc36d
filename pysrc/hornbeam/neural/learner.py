"""What the trainer trains: a stream of experiences, and a learner with its network, losses and evaluation.

A row is a number that the learner understands (the position of a sample in its source), so that streams, batches and
replay buffers are plain arrays, whatever a sample is: a picture, a graph, a story.

>>> first = Experience("colours", np.arange(6), tasks=("red", "blue"), epochs=2, shuffle=False)
>>> [batch.tolist() for batch in first.batches(seed=0, index=0, epoch=0, size=4)]
[[0, 1, 2, 3], [4, 5]]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.data.sample import Json
from hornbeam.neural.devices import onto
from hornbeam.seeds import rng

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Experience:
    """Rows that arrive together; after them the learner is evaluated.

    The order of an epoch depends on the seed, the experience's place in the stream and the epoch only: a run that was
    interrupted finds its place again without replaying what came before. Override `batches` for other batches.
    """

    name: str
    rows: Rows
    tasks: tuple[str, ...] = ()
    epochs: int = 1
    shuffle: bool = True
    fresh: bool = False  # the learner starts again: `ModelLearner.begin` gives it new weights, the optimiser forgets
    patience: int | None = None  # stop after so many epochs without a better `ModelLearner.validate`, and keep the best

    def batches(self, *, seed: int, index: int, epoch: int, size: int) -> list[Rows]:
        """The batches of an epoch, in order."""
        return split_rows(self.ordered(seed, index, epoch), size)

    def ordered(self, seed: int, series: int | str, epoch: int) -> Rows:
        """The rows of an epoch in their order; `series` names the order, by default by the place in the stream."""
        if not self.shuffle:
            return self.rows
        return self.rows[rng(seed, "order", series, epoch).permutation(len(self.rows))]

    def steps(self, size: int) -> int:
        """The steps of all epochs; fewer are made where patience ends it early."""
        return self.epochs * -(-len(self.rows) // size)


def split_rows(rows: Rows, size: int) -> list[Rows]:
    """The rows in order, so many together; the last ones may be fewer."""
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def balanced(rows: Rows, classes: Sequence[object] | npt.NDArray[np.generic]) -> Rows:
    """The rows, with those of smaller classes repeated in turn until all classes are as large as the largest.

    >>> balanced(np.array([10, 11, 12, 13, 14]), [1, 0, 0, 0, 1]).tolist()
    [10, 11, 12, 13, 14, 10]
    """
    kinds = np.unique(np.asarray(classes), return_inverse=True)[1]
    counts = np.bincount(kinds) if len(rows) else np.zeros(0, dtype=np.int64)
    more = [np.resize(rows[kinds == kind], counts.max() - count) for kind, count in enumerate(counts)]
    return np.concatenate([rows, *more]).astype(np.int64)


def set_aside(rows: Rows) -> tuple[Rows, dict[str, Rows]]:
    """Rows to learn from and every tenth to validate on, for a dataset without a validation split."""
    tenth = np.arange(len(rows)) % 10 == 9
    return rows[~tenth], {"": rows[tenth]}


@dataclass(frozen=True)
class WeightedRows:
    """Rows whose mean loss enters the step's loss with a weight; a batch is one part, what is replayed is another."""

    rows: Rows
    weight: float = 1.0


@dataclass(frozen=True)
class ModelEvaluation:
    """How good a learner is at one moment: for each split the accuracy on each task, and what else is worth noting."""

    accuracy: Mapping[str, Mapping[str, float]]  # split -> task -> accuracy
    notes: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HeldAnswer:
    """What a model says of a held-out sample: the sample's id, its split, its task or group, its label, the answer."""

    sample: str
    split: str
    group: str
    label: str
    said: str


class ModelLearner(ABC):
    """A network with its data. The trainer owns the optimiser, the order of rows, and what is written to disk.

    All that changes while training is in `module`, in torch's random generator, or in `state`: then a run that was
    killed resumes and gives the same result. Everything random must come from torch's generator or from a derived seed.
    """

    module: nn.Module

    def begin(self, experience: Experience) -> None:  # noqa: B027 - a hook
        """Called before an experience's first step. One that is `fresh` wants new weights here."""

    def parts(self, rows: Rows) -> list[WeightedRows]:
        """What a step learns from: the batch, and what a strategy adds to it."""
        return [WeightedRows(rows)]

    def counted(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which rows have a label that may be learned from; the others never reach the network."""
        return np.ones(len(rows), dtype=np.bool_)

    @abstractmethod
    def losses(self, rows: Rows) -> Tensor:
        """The loss of each row, not reduced; `rows` are counted ones, parts one after the other."""

    def rate(self, done: float) -> float:
        """The factor of the learning rate when this share of the steps is done; 1 means as it is."""
        return 1.0

    def penalty(self) -> Tensor | None:
        """A term of the loss that is of no row, such as a regulariser."""
        return None

    def stepped(self, rows: Rows) -> None:  # noqa: B027 - a hook
        """Called after each step with the whole batch: the place to fill a replay buffer."""

    def validate(self, experience: Experience) -> float:
        """A figure on held-out rows, higher is better; asked after each epoch of an experience with patience."""
        raise TypeError(f"{type(self).__name__} cannot validate, but {experience.name} has patience")

    @abstractmethod
    def evaluate(self, experience: Experience) -> ModelEvaluation:
        """How good it is, after an experience. The network is in evaluation mode and no gradients are kept."""

    def answers(self) -> Iterator[HeldAnswer]:
        """What it says of held-out samples at the end of training; nothing if it cannot tell."""
        return iter(())

    def groups(self) -> Sequence[Mapping[str, Any]] | None:
        """Parameter groups for the optimiser; None means all parameters that want gradients."""
        return None

    def state(self) -> dict[str, Any]:
        """What changes while training besides `module`: tensors, numbers, texts, lists and dicts of them."""
        return {}

    def load_state(self, state: Mapping[str, Any]) -> None:  # noqa: B027 - a hook
        """Take back what `state` gave."""


# Held-out rows by split, by task, and by the groups that a task's results are reported for.
HeldRows = Mapping[str, Mapping[str, Mapping[str, Rows]]]
_EVALUATED_TOGETHER = 256  # rows of one forward pass


class Classifier(ModelLearner):
    """Chooses one of several relations for a row: what graph and story models share.

    A task whose only group is "" is reported under the task's name. A network with a method `losses` has its own loss.
    """

    def __init__(
        self, labels: Tensor, held: HeldRows, *, names: Sequence[str] = (), relations: Sequence[str] = ()
    ) -> None:
        self.labels = labels
        self.held = held
        self.names, self.relations = names, relations  # of rows: the ids of samples; of labels

    @abstractmethod
    def scores(self, rows: Rows) -> Tensor:
        """A score of each relation for each row."""

    def losses(self, rows: Rows) -> Tensor:
        scores = self.scores(rows)
        labels = onto(self.labels[torch.from_numpy(rows)], scores.device)
        own: Any = getattr(self.module, "losses", None)
        losses: Tensor = own(scores, labels) if own else functional.cross_entropy(scores, labels, reduction="none")
        return losses

    def accuracy(self, rows: Rows) -> float:
        if not len(rows):
            return float("nan")
        return float((self.best(rows) == self.labels[torch.from_numpy(rows)]).float().mean())

    def best(self, rows: Rows) -> Tensor:
        """The number of the relation with the highest score, for each row."""
        return torch.cat([self.scores(some).argmax(1).cpu() for some in split_rows(rows, _EVALUATED_TOGETHER)])

    def answers(self) -> Iterator[HeldAnswer]:
        if not (self.names and self.relations):
            return
        for split, tasks in self.held.items():
            for task, groups in tasks.items():
                for group, rows in groups.items():
                    yield from self._answers(split, group or task, rows)

    def _answers(self, split: str, group: str, rows: Rows) -> Iterator[HeldAnswer]:
        said = self.best(rows).tolist() if len(rows) else []
        labels = self.labels[torch.from_numpy(rows)].tolist()
        for row, label, one in zip(rows.tolist(), labels, said, strict=True):
            yield HeldAnswer(self.names[row], split, group, self.relations[label], self.relations[one])

    def judged(self, experience: Experience) -> tuple[str, ...]:
        """The tasks to judge after an experience: its own."""
        return experience.tasks

    def validate(self, experience: Experience) -> float:
        """Accuracy on the validation rows of the experience's tasks."""
        rows = [rows for task in experience.tasks for rows in self.held["valid"].get(task, {}).values()]
        return self.accuracy(np.concatenate(rows)) if rows else 0.0

    def evaluate(self, experience: Experience) -> ModelEvaluation:
        accuracy: dict[str, dict[str, float]] = {split: {} for split in self.held}
        for split, held in self.held.items():
            for task in self.judged(experience):
                accuracy[split] |= {group or task: self.accuracy(rows) for group, rows in held.get(task, {}).items()}
        return ModelEvaluation(accuracy)
