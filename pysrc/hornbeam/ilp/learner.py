"""The interface of learners of theories, and the registry of learners.

Built-in learners are modules of this package. Other packages add learners through the entry point group
``hornbeam.learners``; its values are subclasses of :class:`Learner`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from hornbeam.ilp.watch import Watch
from hornbeam.registry import Registry
from hornbeam.tasks.bias import Bias
from hornbeam.theory import Theory


@dataclass(frozen=True, slots=True)
class Space:
    """The search space of a learner: the bias with the sizes of its settings, and what it can express."""

    bias: Bias
    constants: bool = True  # in # arguments
    counted_constants: bool = False  # whether each constant counts as a further body literal and variable
    negation: bool = True
    recursion: bool = True
    invention: bool = True
    repeated_variables: bool = True  # the same variable twice in one literal
    repeated_head_variables: bool = True  # and in the head
    unused_head_variables: bool = True  # head variables that do not occur in the body
    unconnected: bool = True  # body literals that are not connected to the head by variables
    note: str = ""  # further restrictions, in words


# Learners that share a package with another are named by their class.
_SHARED = {
    "neural-lp": "hornbeam.ilp.chains.learner:NeuralLp",
    "drum": "hornbeam.ilp.chains.learner:Drum",
    "ctp": "hornbeam.ilp.unification.ctp:Ctp",
    "ntp": "hornbeam.ilp.unification.learner:Ntp",
}
BUILT_IN = ("mdie", "lff", "foil", "amie", "algebra", "r5", *_SHARED, "aleph", "popper")


class Settings(BaseModel):
    """Settings of a learner. Unknown names and values out of range are errors that say what was expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = Field(default=0, description="the seed of all random choices")


class Learner(ABC):
    """A learner of theories. Subclasses have no state.

    `fit` runs in its own process, which is ended at the limits of time and memory; the last theory that it reported to
    `watch` is then the result. The process is behind a wall, because a dataset's background knowledge may be anybody's:
    `fit` can read what is installed, write into its working directory, and start no program.

    Attributes:
        name: The name in commands.
        title: A description in a few words.
        views: The views of a dataset that it supports (:mod:`hornbeam.tasks.problem`), the preferred one first.
        settings_type: The type of its settings.
        starts_programs: Whether `fit` starts other programs. It then runs without a wall, must not load what comes from
            the task itself, and starts the programs behind a wall, as :class:`hornbeam.ilp.child.Child` does.

    >>> class MostGeneral(Learner):
    ...     name, title, views = "most-general", "covers every example", ("examples",)
    ...     def fit(self, task, settings, watch):
    ...         return Theory.parse("p(X).")
    >>> MostGeneral().available() is None
    True
    """

    name: ClassVar[str]
    title: ClassVar[str]
    views: ClassVar[tuple[str, ...]]
    settings_type: ClassVar[type[Settings]] = Settings
    starts_programs: ClassVar[bool] = False

    @abstractmethod
    def fit(self, task: Any, settings: Any, watch: Watch) -> Theory:
        """Learn a theory.

        Args:
            task: An ExampleTask, FactTask or NetworkTask, of one of `views`.
            settings: The settings, as `settings_type`.
            watch: Takes the best theory so far. The learner should stop when ``watch.time_is_up()``.

        Returns:
            The theory; the best one so far if the time is up.

        Raises:
            UsageError: if the learner cannot handle the task.
        """

    def space(self, bias: Bias, settings: Any) -> Space:
        """The part of the bias that the learner can express with these settings; see hornbeam.ilp.diagnosis."""
        return Space(bias)

    def tolerance(self, wrong: int) -> dict[str, Any]:
        """The settings with which it tolerates so many wrong examples; none if it has no such settings."""
        return {}

    def available(self) -> str | None:
        """None if the learner can run here, else what is missing and how to install it."""
        return None


LEARNERS = Registry(
    "learner",
    "hornbeam.learners",
    {name: _SHARED.get(name, f"hornbeam.ilp.{name}.learner:LEARNER") for name in BUILT_IN},
    base=Learner,
    needs=("name", "title", "views"),
)
names, get = LEARNERS.names, LEARNERS.get
