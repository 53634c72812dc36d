"""The interface of perceivers, and the registry of perceivers.

A perceiver turns what a learner sees into the symbols of its family, with confidences. It never guesses in silence: an
input that it cannot read is `unread`, with the reason.

Built-in perceivers are modules of this package. Other packages add perceivers through the entry point group
``hornbeam.perceivers`` (pictures) and ``hornbeam.story_readers``; values are subclasses of :class:`Perceiver`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from hornbeam.data.sample import Json
from hornbeam.progress import Progress, no_progress
from hornbeam.registry import Registry

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

PICTURES, STORIES = "pictures", "stories"
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as pixels.

    Attributes:
        id: The sample that it belongs to.
        pixels: Height x width x 3 bytes: red, green, blue.
    """

    id: str
    pixels: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Story:
    """A story as text.

    Attributes:
        id: The sample that it belongs to.
        text: The story; names stand in brackets, or are placeholders such as @ent4.
        names: The persons, in the order of the sample's nodes.
        query: The two nodes that are asked about.
    """

    id: str
    text: str
    names: tuple[str, ...]
    query: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the input that a symbol speaks of, for explanations.

    Attributes:
        name: The symbol of the part, e.g. the object's name, or a relation.
        path: Where it is in the symbol: the number of the child on each level of a tree; the two nodes of a relation.
        box: Where it is in the picture: left, top, right, bottom (exclusive). Of a text, which is one line of
            letters: the first letter, 0, the letter after the last, 1.
        visible: The share of its pixels that can be seen.
        probability: How sure the perceiver is of this part by itself.
    """

    name: str
    path: tuple[int, ...]
    box: Box
    visible: float = 1.0
    probability: float = 1.0

    def to_json(self) -> dict[str, Json]:
        sure: dict[str, Json] = {} if self.probability == 1 else {"probability": self.probability}
        return {"name": self.name, "path": [*self.path], "box": [*self.box], "visible": self.visible, **sure}


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to read an input.

    Attributes:
        symbolic: The symbols, in the form in which a sample of the family has them in `symbolic`
            (KANDY: ``{"tree": ..., "prolog": ...}``; CLUTRR: ``{"edges": [[node, word, node], ...]}``).
        log_probability: The natural logarithm of the perceiver's confidence; at most 0.
        parts: The parts of the input that the symbols speak of; for a tree its objects from left to right, for a
            story its facts in the order of the edges.
    """

    symbolic: Mapping[str, Json]
    log_probability: float = 0.0
    parts: tuple[Part, ...] = ()

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)

    def to_json(self) -> dict[str, Json]:
        return {
            "symbolic": dict(self.symbolic),
            "log_probability": self.log_probability,
            "parts": [part.to_json() for part in self.parts],
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """What a perceiver made of one input: the alternatives, the most probable first, or why there are none.

    >>> reading = Reading("s1", (Alternative({"tree": {}}, -0.1), Alternative({"tree": {}}, -2.4)))
    >>> reading.best.log_probability, reading.unread
    (-0.1, '')
    >>> Reading.from_json(reading.to_json()) == reading
    True
    >>> Reading("s2", unread="nothing but background").best is None
    True
    """

    id: str
    alternatives: tuple[Alternative, ...] = ()
    unread: str = ""  # the reason, if there are no alternatives

    def __post_init__(self) -> None:
        if bool(self.alternatives) == bool(self.unread):
            raise ValueError("a reading has either alternatives or the reason why it has none")

    @property
    def best(self) -> Alternative | None:
        """The most probable alternative; None if the input is unread."""
        return self.alternatives[0] if self.alternatives else None

    def to_json(self) -> dict[str, Json]:
        return {"id": self.id, "alternatives": [one.to_json() for one in self.alternatives], "unread": self.unread}

    @classmethod
    def from_json(cls, value: object) -> Reading:
        """The reading that :meth:`to_json` wrote; ValueError for anything else."""
        return msgspec.convert(value, cls)


class PerceiverSettings(BaseModel):
    """Settings of a perceiver. Unknown names and values out of range are errors that say what was expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = Field(default=0, description="the seed of all random choices")


class Reader(ABC):
    """A perceiver that is ready to read the inputs of one dataset."""

    @abstractmethod
    def perceive(self, inputs: Sequence[Any]) -> list[Reading]:
        """Read a batch of inputs.

        Args:
            inputs: The inputs: a :class:`Picture` or a :class:`Story` each, as the perceiver's source is.

        Returns:
            A reading for each input, in order. Probabilities of the alternatives of one input sum to at most 1.
        """


@dataclass(frozen=True, slots=True)
class Preparation:
    """What a perceiver gets before it reads.

    Attributes:
        dataset: The dataset whose inputs it will read. A perceiver must not use the symbols of its samples, except
            for those that its settings call annotated.
        folder: Where it may keep what it trained, so that an interrupted run resumes.
        settings: The settings, as its `settings_type`.
        progress: Called with the number of finished steps and of all steps.
    """

    dataset: Dataset
    folder: Path
    settings: Any = field(default_factory=PerceiverSettings)
    progress: Progress = no_progress


class Perceiver(ABC):
    """A perceiver. Subclasses have no state: :meth:`prepare` makes the reader that does the work.

    Attributes:
        name: The name in commands.
        title: A description in a few words.
        source: What it reads, the value of `--from`.
        settings_type: The type of its settings.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str] = PICTURES
    settings_type: ClassVar[type[PerceiverSettings]] = PerceiverSettings

    @abstractmethod
    def prepare(self, preparation: Preparation) -> Reader:
        """Get ready to read the inputs of a dataset: train, if there is something to train.

        Raises:
            UsageError: if the perceiver cannot read datasets of this family.
        """

    def available(self) -> str | None:
        """None if the perceiver can run here, else what is missing and how to install it."""
        return None


def _registry(kind: str, group: str, built_in: Mapping[str, str]) -> Registry[Perceiver]:
    return Registry(kind, group, built_in, base=Perceiver, needs=("name", "title", "source"))


REGISTRIES: Mapping[str, Registry[Perceiver]] = {
    PICTURES: _registry(
        "perceiver",
        "hornbeam.perceivers",
        {
            "inverse": "hornbeam.perception.pictures.inverse:InversePerceiver",
            "neural": "hornbeam.neural.perceiver.perceiver:NeuralPerceiver",
        },
    ),
    STORIES: _registry(
        "reader of stories",
        "hornbeam.story_readers",
        {
            "grammar": "hornbeam.perception.stories.grammar:GrammarReader",
            "neural": "hornbeam.neural.reader.perceiver:NeuralStoryReader",
        },
    ),
}
"""The perceivers by what they read."""
DEFAULTS = {PICTURES: "inverse", STORIES: "grammar"}
