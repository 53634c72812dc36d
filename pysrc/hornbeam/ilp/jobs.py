"""Jobs for a process of their own: a learner's or a judge's. A job lies in a folder, and so does what comes of it."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError, StackLimit, TimeLimit
from hornbeam.ilp.process import Bounds, Ended, run, settle
from hornbeam.ilp.watch import Watch
from hornbeam.theory import Theory

JOB, EVENTS, OUTCOME = "job.pickle", "events.jsonl", "outcome.pickle"


@dataclass(frozen=True, slots=True)
class ApartJob:
    """A function at the top of a module, called in the folder with its arguments."""

    bounds: Bounds
    work: Callable[..., Any]
    arguments: tuple[Any, ...]


def start(job: ApartJob, folder: Path, stop: threading.Event | None = None) -> Ended:
    """Do the job in a process of its own; its outcome is then in the folder."""
    (folder / JOB).write_bytes(pickle.dumps(job))
    command = [sys.executable, "-c", "from hornbeam.ilp.jobs import main; main()"]
    return run(command, job.bounds, folder=folder, stop=stop)


def apart(bounds: Bounds, work: Callable[..., Any], *arguments: Any, stop: threading.Event | None = None) -> Any:
    """The result of `work(*arguments)`, worked out in a process of its own; its errors are raised here."""
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as name:
        folder = Path(name)
        ended = start(ApartJob(bounds, work, arguments), folder, stop)
        if ended.reason in ("stopped", "interrupted"):
            raise KeyboardInterrupt
        if ended.reason in ("cpu", "wall"):
            raise TimeLimit(f"not done within {bounds.cpu:g} s of CPU time")
        if ended.reason == "memory":
            raise StackLimit(f"more than {bounds.memory >> 20} MB were needed")
        if not (folder / OUTCOME).is_file():
            raise HornbeamError(f"the process ended with status {ended.code}: {last_lines(ended.printed)}")
        kind, value = pickle.loads((folder / OUTCOME).read_bytes())
    if kind == "error":
        raise value
    return value


def last_lines(printed: str, count: int = 3) -> str:
    """The last lines that say something."""
    lines = [line.strip()[:300] for line in printed.splitlines() if line.strip()]
    return " | ".join(lines[-count:]) or "it printed nothing"


def fit_here(learner: Any, task: Any, settings: Any, seconds: float, trace: bool) -> None:
    """Let a learner learn, its events going to a file of the working directory as they come."""
    with Path(EVENTS).open("w", encoding="utf-8") as stream:
        watch = Watch(seconds, stream, all_events=trace)
        watch.tell("started", cpu=time.process_time())
        theory = learner.fit(task, settings, watch)
        if not isinstance(theory, Theory):
            raise TypeError(f"the learner gave {str(theory)[:200]!r}, which is no Theory but a {type(theory).__name__}")
        watch.tell("result", theory=str(theory).strip())


def main() -> None:
    """Do the job of the working directory and write its outcome beside it; runs in the new process.

    What the job prints goes to standard error, so that it garbles nothing.
    """
    os.dup2(2, 1)
    job: ApartJob = pickle.loads(Path(JOB).read_bytes())
    settle(job.bounds)
    try:
        outcome: tuple[str, Any] = ("ok", job.work(*job.arguments))
    except HornbeamError as error:
        outcome = ("error", error)
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    Path(OUTCOME).write_bytes(pickle.dumps(outcome))
    # Engines with threads of their own need not be asked to leave.
    sys.stderr.flush()
    os._exit(0 if outcome[0] == "ok" else 1)
