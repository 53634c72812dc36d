"""Jobs for a process of their own: a learner's or a judge's. A job lies in a folder, and so does what comes of it."""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hornbeam.errors import HornbeamError, StackLimit, TimeLimit
from hornbeam.ilp.process import Bounds, Ended, run

JOB, EVENTS, OUTCOME = "job.pickle", "events.jsonl", "outcome.pickle"


@dataclass(frozen=True, slots=True)
class Job:
    """A function at the top of a module, called in the folder with its arguments."""

    bounds: Bounds
    work: Callable[..., Any]
    arguments: tuple[Any, ...]


def start(job: Job, folder: Path, stop: threading.Event | None = None) -> Ended:
    """Do the job in a process of its own; its outcome is then in the folder."""
    (folder / JOB).write_bytes(pickle.dumps(job))
    command = [sys.executable, "-m", "hornbeam.ilp.worker"]
    return run(command, job.bounds, folder=folder, stop=stop)


def apart(bounds: Bounds, work: Callable[..., Any], *arguments: Any, stop: threading.Event | None = None) -> Any:
    """The result of `work(*arguments)`, worked out in a process of its own; its errors are raised here."""
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as name:
        folder = Path(name)
        ended = start(Job(bounds, work, arguments), folder, stop)
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
    from hornbeam.ilp.watch import Watch
    from hornbeam.theory import Theory

    with Path(EVENTS).open("w", encoding="utf-8") as stream:
        _tell(stream, kind="started", cpu=time.process_time())
        watch = Watch(seconds, stream, all_events=trace)
        theory = learner.fit(task, settings, watch)
        if not isinstance(theory, Theory):
            raise TypeError(f"the learner gave {str(theory)[:200]!r}, which is no Theory but a {type(theory).__name__}")
        _tell(stream, kind="result", tried=watch.tried, seconds=watch.seconds(), theory=str(theory).strip())


def _tell(stream: IO[str], **event: Any) -> None:
    stream.write(json.dumps(event, ensure_ascii=False) + "\n")
    stream.flush()
