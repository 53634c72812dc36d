"""What a learner of theories is, and how one is found by its name.

Built-in learners are modules of this package; another package adds one through the entry point group
``hornbeam.learners``, whose value is a subclass of :class:`Learner`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from hornbeam.ilp.watch import Watch
from hornbeam.registry import Registry
from hornbeam.tasks.bias import Bias
from hornbeam.theory import Theory


@dataclass(frozen=True, slots=True)
class Space:
    """The bias as the learner searches it, with sizes of its own settings put in, and what it cannot write at all."""

    bias: Bias
    constants: bool = True  # in # places
    counted_constants: bool = False  # whether each constant is a body literal and a variable more
    negation: bool = True
    recursion: bool = True
    invention: bool = True
    repeated_variables: bool = True  # the same variable twice in one literal
    repeated_head_variables: bool = True  # and in the head
    unused_head_variables: bool = True  # head variables that no body literal has
    unconnected: bool = True  # body literals that share no variable, by any way, with the head
    note: str = ""  # what else a person should know of it


BUILT_IN = ("mdie", "lff", "foil", "amie", "algebra", "aleph", "popper")


class Settings(BaseModel):
    """Settings of a learner: unknown names and values out of range are refused with what was expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0


class Learner(ABC):
    """A learner. Stateless: a task and settings come in, a theory goes out, and `watch` hears what happens between.

    `fit` runs in a process of its own that is ended at the limits of time and memory; what it told `watch` last is
    then its result. It should stop by itself when `watch.time_is_up()`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    views: ClassVar[tuple[str, ...]]  # which views of a dataset it takes, the best for it first
    settings_type: ClassVar[type[Settings]] = Settings

    @abstractmethod
    def fit(self, task: Any, settings: Any, watch: Watch) -> Theory:
        """A theory for the task: whole, or the best that was found in time."""

    def space(self, bias: Bias, settings: Any) -> Space:
        """What of the bias it can express with these settings; see hornbeam.ilp.diagnosis."""
        return Space(bias)

    def available(self) -> str | None:
        """None if it can run here, else what is missing and how to get it."""
        return None


LEARNERS = Registry(
    "learner",
    "hornbeam.learners",
    {name: f"hornbeam.ilp.{name}.learner:LEARNER" for name in BUILT_IN},
    base=Learner,
    needs=("name", "title", "views"),
)
names, get = LEARNERS.names, LEARNERS.get
