"""A command that is killed loses nothing that was finished, and the same command again gives the same result."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.faults.conftest import Uninterrupted
from tests.faults.frame import Running, hornbeam, names
from tests.faults.scenarios import SCENARIOS, Inputs, Scenario

SEED = int(os.environ.get("HORNBEAM_KILLS", "24"))
_EARLIER = 0.8  # a kill that came too late is moved to this share of the time

# Ten kills. The trainer's and the comparison's own tests kill them, too, so that here they are among the hundred.
QUICK = [
    *(("generate star", number) for number in range(2)),
    *((name, 0) for name in ("generate ancestors", "generate kandy", "generate rudas")),
    *((name, 0) for name in ("export", "import", "judge", "learn", "show")),
]
SLOW = 100 - len(QUICK)


@pytest.mark.parametrize(("name", "number"), QUICK)
def test_a_killed_command_resumes(
    name: str, number: int, inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    scenario, rng = SCENARIOS[name], random.Random(f"{SEED} {name} {number}")
    kill_and_resume(scenario, inputs, uninterrupted(scenario), rng, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SLOW))
def test_a_killed_command_resumes_from_any_point(
    number: int, inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    scenario = list(SCENARIOS.values())[number % len(SCENARIOS)]
    kill_and_resume(scenario, inputs, uninterrupted(scenario), random.Random(f"{SEED} {number}"), tmp_path)


def kill_and_resume(
    scenario: Scenario, inputs: Inputs, expected: Uninterrupted, rng: random.Random, folder: Path
) -> None:
    """Kill it at a random point of its CPU time, look at what is there, and run the same command again."""
    parent = folder / "target"
    parent.mkdir()
    out = parent / "out"
    arguments = [str(argument) for argument in scenario.arguments(inputs, out)]
    _kill(arguments, expected.cpu, rng, folder, parent)
    complete, left = out.exists(), names(parent)
    assert left <= {"out", ".out.partial"}, left
    finished = scenario.work.finished(out) if scenario.work else 0
    done = hornbeam(*arguments, temporary=folder / "again")
    if scenario.once and complete:
        assert done.code == 2 and done.says(out), done.err
        assert scenario.result(out, "") == expected.result
    else:
        assert done.code == 0, done.err
        assert scenario.result(out, done.out) == expected.result
    if scenario.work is not None:
        assert scenario.work.made(done.json) == scenario.work.pieces - finished
    assert names(parent) <= {"out"}, "the second run left something behind"


def _kill(arguments: list[str], cpu: float, rng: random.Random, folder: Path, target: Path) -> None:
    """Kill the command at a random share of its CPU time; if it is done by then, again and earlier."""
    share = rng.uniform(0.2, 1.0)
    for attempt in range(10):
        shutil.rmtree(target)
        target.mkdir()
        running = Running(arguments, folder / f"killed-{attempt}")
        due = share * _EARLIER**attempt * cpu
        if not running.until(partial(_reached, running, due)):
            running.finish()
        elif running.signal(signal.SIGKILL).code == -signal.SIGKILL:
            return
    raise AssertionError("the command ended ten times before it could be killed")


def _reached(running: Running, cpu: float) -> bool:
    return running.cpu() >= cpu
