"""What the trainer trains: a network, the loss of each row, and how it is judged. All else is the learner's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from hornbeam.data.sample import Json
from hornbeam.neural.stream import Experience, Rows


@dataclass(frozen=True)
class Part:
    """Rows whose mean loss enters the step's loss with a weight; a batch is one part, what is replayed is another."""

    rows: Rows
    weight: float = 1.0


@dataclass(frozen=True)
class Evaluation:
    """How good a learner is at one moment: for each split the accuracy on each task, and what else is worth noting."""

    accuracy: Mapping[str, Mapping[str, float]]  # split -> task -> accuracy
    notes: Mapping[str, Json] = field(default_factory=dict)


class Learner(ABC):
    """A network with its data. The trainer owns the optimiser, the order of rows, and what is written to disk.

    All that changes while training is in `module`, in torch's random generator, or in `state`: then a run that was
    killed goes on to the same result. Everything random must come from torch's generator or from a derived seed.
    """

    module: nn.Module

    def begin(self, experience: Experience) -> None:  # noqa: B027 - a hook
        """Called before an experience's first step. One that is `fresh` wants new weights here."""

    def parts(self, rows: Rows) -> list[Part]:
        """What a step learns from: the batch, and what a strategy adds to it."""
        return [Part(rows)]

    def counted(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which rows have a label that may be learned from; the others never reach the network."""
        return np.ones(len(rows), dtype=np.bool_)

    @abstractmethod
    def losses(self, rows: Rows) -> Tensor:
        """The loss of each row, not reduced; `rows` are counted ones, parts one after the other."""

    def penalty(self) -> Tensor | None:
        """A term of the loss that is of no row, such as a regulariser."""
        return None

    def stepped(self, rows: Rows) -> None:  # noqa: B027 - a hook
        """Called after each step with the whole batch: the place to fill a replay buffer."""

    def validate(self, experience: Experience) -> float:
        """A figure on held-out rows, higher is better; asked after each epoch of an experience with patience."""
        raise TypeError(f"{type(self).__name__} cannot validate, but {experience.name} has patience")

    @abstractmethod
    def evaluate(self, experience: Experience) -> Evaluation:
        """How good it is, after an experience. The network is in evaluation mode and no gradients are kept."""

    def groups(self) -> Sequence[Mapping[str, Any]] | None:
        """Parameter groups for the optimiser; None means all parameters that want gradients."""
        return None

    def state(self) -> dict[str, Any]:
        """What changes while training besides `module`: tensors, numbers, texts, lists and dicts of them."""
        return {}

    def load_state(self, state: Mapping[str, Any]) -> None:  # noqa: B027 - a hook
        """Take back what `state` gave."""
