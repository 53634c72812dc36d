"""What a learner of theories is, and how one is found by its name.

Built-in learners are modules of this package; another package adds one through the entry point group
``hornbeam.learners``, whose value is a subclass of :class:`Learner`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from hornbeam.ilp.space import Space
from hornbeam.ilp.watch import Watch
from hornbeam.registry import Registry
from hornbeam.tasks.bias import Bias
from hornbeam.theory import Theory

# Where each built-in learner is: a name, and the module whose LEARNER it is.
BUILT_IN = {
    "mdie": "hornbeam.ilp.mdie.learner",
    "lff": "hornbeam.ilp.lff.learner",
    "foil": "hornbeam.ilp.foil.learner",
    "amie": "hornbeam.ilp.amie.learner",
    "algebra": "hornbeam.ilp.algebra.learner",
    "aleph": "hornbeam.ilp.aleph.learner",
    "popper": "hornbeam.ilp.popper.learner",
}


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
    {name: f"{module}:LEARNER" for name, module in BUILT_IN.items()},
    base=Learner,
    needs=("name", "title", "views"),
)
names, get = LEARNERS.names, LEARNERS.get
