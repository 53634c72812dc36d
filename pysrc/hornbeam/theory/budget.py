"""Work that may explode, in its own process with limits on time and memory.

clingo cannot be stopped while it grounds, so a cross product of millions of atoms is computed where it can be ended.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hornbeam.errors import StackLimit, TimeLimit, UsageError
from hornbeam.processes import Bounds, Job, outcome_in, start

Result = TypeVar("Result")

# Instances of rules that take well under a second: below them a process of its own is not worth its start.
SMALL = 200_000
# Memory that Python and its libraries take before they do anything.
_BASE_MEMORY = 192 << 20


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on an evaluation: seconds of CPU time, and bytes of memory."""

    seconds: float = 60.0
    memory: int = 2 << 30

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.memory <= 0:
            raise UsageError("a budget's seconds and memory must be above 0")


# For the models that a person asked for, and for a question on the way.
AMPLE = Budget()
QUICK = Budget(seconds=10.0)


def within(budget: Budget, estimate: float, work: Callable[..., Result], *args: Any) -> Result:
    """`work(*args)`, here if the estimated number of rule instances is small, else in a limited process.

    `work` is a function at the top of a module.

    Raises:
        TimeLimit: if the budget's seconds do not suffice.
        StackLimit: if its memory does not suffice.
    """
    if estimate <= SMALL:
        return work(*args)
    bounds = Bounds(cpu=budget.seconds, wall=4 * budget.seconds + 10, memory=budget.memory + _BASE_MEMORY)
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as folder:
        ended = start(Job(bounds, work, args), Path(folder))
        outcome = outcome_in(Path(folder)) if ended.reason == "ended" else None
    if ended.reason == "interrupted":
        raise KeyboardInterrupt
    if ended.reason in ("cpu", "wall"):
        raise TimeLimit(f"the theory's model was not found within {budget.seconds:g} s")
    if outcome is None or (outcome[0] == "error" and "bad_alloc" in str(outcome[1])):
        raise StackLimit(f"the theory's model needs more than {budget.memory >> 20} MB")
    kind, value = outcome
    if kind == "error":
        raise value
    result: Result = value
    return result
