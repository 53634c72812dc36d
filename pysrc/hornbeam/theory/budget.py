"""Work that may explode, in a process of its own with limits on time and memory.

clingo cannot be stopped while it grounds, so a cross product of millions of atoms is worked out where it can be ended.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from hornbeam.errors import HornbeamError, StackLimit, TimeLimit, UsageError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# Instances of rules that take well under a second: below them a process of its own is not worth its start.
SMALL = 200_000
# Address space that Python and its libraries take before they do anything.
_BASE_MEMORY = 768 << 20


@dataclass(frozen=True, slots=True)
class Budget:
    """What an evaluation may use: seconds of CPU time, and bytes."""

    seconds: float = 60.0
    memory: int = 2 << 30

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.memory <= 0:
            raise UsageError("a budget's seconds and memory must be above 0")


# For the models that a person asked for, and for a question on the way.
AMPLE = Budget()
QUICK = Budget(seconds=10.0)


def within(
    budget: Budget,
    estimate: float,
    work: Callable[Parameters, Result],
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> Result:
    """`work(*args)`, here if the estimated number of rule instances is small, else in a limited process.

    `work` is a function at the top of a module. TimeLimit or StackLimit where the budget does not suffice.
    """
    if estimate <= SMALL:
        return work(*args, **kwargs)
    request = pickle.dumps((budget, work, args, kwargs))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "hornbeam.theory.budget"],
            input=request,
            capture_output=True,
            timeout=4 * budget.seconds + 10,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _out_of_time(budget) from None
    if done.returncode == 0:
        outcome, value = pickle.loads(done.stdout)
        if outcome == "error":
            raise value
        result: Result = value
        return result
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        raise _out_of_time(budget)
    raise StackLimit(f"the theory's model needs more than {budget.memory >> 20} MB")


def _out_of_time(budget: Budget) -> TimeLimit:
    return TimeLimit(f"the theory's model was not found within {budget.seconds:g} s")


def _serve() -> None:
    """The limited process: a request on standard input, an outcome on standard output."""
    reply = os.fdopen(os.dup(1), "wb")
    # What a library prints must not garble the reply.
    os.dup2(2, 1)
    budget, work, args, kwargs = pickle.load(sys.stdin.buffer)
    seconds = max(1, round(budget.seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    with contextlib.suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (budget.memory + _BASE_MEMORY,) * 2)
    outcome: tuple[str, object]
    try:
        outcome = ("ok", work(*args, **kwargs))
    except HornbeamError as error:
        if "bad_alloc" in str(error):
            raise
        outcome = ("error", error)
    pickle.dump(outcome, reply)
    reply.close()


if __name__ == "__main__":
    _serve()
