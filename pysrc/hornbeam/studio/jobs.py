"""What runs in the background: generating, importing, auditing, learning, training; each in a process of its own.

The work of a job is a function of a module. It gets a :class:`Report` to tell how far it is:

    def count(report: Report, upto: int) -> int:
        for done in range(upto):
            report.progress(done, upto)
        return upto

    job = jobs.start(Order("count", "Count to ten", count, (10,)))
    job.state, job.told().done, job.result

The process has limits, ends with the server, and is ended with all that it started when the job is cancelled.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from hornbeam import processes
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.processes import Bounds
from hornbeam.wall.trust import note_made

State = Literal["waiting", "running", "done", "failed", "cancelled"]

_TOLD = "told.json"
_EVENTS = "told.jsonl"
_STOP = "stop"
_OFTEN = 0.1  # seconds between two reports on disk
_KEPT = 100  # jobs that are remembered
# A safety net: a job that is meant to be long is cancelled by its visitor.
_BOUNDS = Bounds(cpu=7 * 86400.0, wall=30 * 86400.0, memory=16 << 30)


@dataclass(frozen=True, slots=True)
class Told:
    """How far a job is.

    Attributes:
        done: How many steps are finished.
        total: Of how many; 0 if unknown.
        line: What it does now, in words.
        theory: The best theory so far, if it learns one.
        events: What it reported one after the other, e.g. the points of a curve.
    """

    done: int = 0
    total: int = 0
    line: str = ""
    theory: str = ""
    events: tuple[dict[str, Any], ...] = ()

    @property
    def share(self) -> float | None:
        """The finished share; None if unknown."""
        return min(1.0, self.done / self.total) if self.total > 0 else None


class Report:
    """In the process of a job: tells how far it is, by files in the job's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: dict[str, Any] = {"done": 0, "total": 0, "line": "", "theory": ""}
        self._last = 0.0

    def progress(self, done: int, total: int) -> None:
        """So many steps are finished, of so many."""
        self._tell(done == total, done=done, total=total)

    def line(self, text: str) -> None:
        """What is done now."""
        self._tell(True, line=text)

    def theory(self, text: str) -> None:
        """The best theory so far."""
        self._tell(True, theory=text)

    def event(self, **figures: Any) -> None:
        """A point of a curve, or another thing to list."""
        with (self._folder / _EVENTS).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(figures) + "\n")

    @property
    def asked_to_stop(self) -> bool:
        """Whether the visitor wants the result now; see :meth:`Job.stop`."""
        return (self._folder / _STOP).exists()

    def _tell(self, now: bool, **changed: Any) -> None:
        self._now |= changed
        if now or time.monotonic() - self._last >= _OFTEN:
            self._last = time.monotonic()
            beside = self._folder / f"{_TOLD}.new"
            beside.write_text(json.dumps(self._now), encoding="utf-8")
            beside.replace(self._folder / _TOLD)


def _work(work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """In the process of a job, in its folder."""
    return work(Report(Path.cwd()), *arguments)


@dataclass(frozen=True, slots=True)
class Order:
    """What a job is to do.

    Attributes:
        kind: In a word, e.g. `generate`.
        title: In a line.
        work: The function, which gets a :class:`Report` and the arguments.
        arguments: They must pickle.
        after: Where to go from a finished job: a URL, from its result.
        undo: Called when the job did not finish: removes what it left half-written.
        back: Where its form is, with what was entered: for a job that failed.
        about: What it belongs to, e.g. the name of a dataset; screens find their jobs by it.
        makes: The folder that it makes, which then needs no wall.
        bounds: Its limits.
    """

    kind: str
    title: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    after: Callable[[Any], str] | None = None
    undo: Callable[[], None] | None = None
    back: str = ""
    about: str = ""
    makes: Path | None = None
    bounds: Bounds = _BOUNDS


@dataclass(slots=True)
class Job:
    """A job: waiting, running, or ended in one of three ways.

    Attributes:
        id: Its name in URLs.
        order: What it is to do.
        state: Where it is.
        result: What the work returned, once it is done.
        error: Why it failed, in words.
    """

    id: str
    order: Order
    state: State = "waiting"
    result: Any = None
    error: str = ""
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    _last: Told = Told()
    _folder: Path | None = None
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def over(self) -> bool:
        return self.state in ("done", "failed", "cancelled")

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return (self.ended or time.monotonic()) - self.began

    @property
    def link(self) -> str | None:
        """Where to go from a finished job."""
        return self.order.after(self.result) if self.state == "done" and self.order.after is not None else None

    def told(self) -> Told:
        """How far it is."""
        folder = self._folder
        return self._last if folder is None else _read(folder, self._last)

    def stop(self) -> None:
        """Ask it to come to an end with what it has; work that cannot goes on."""
        folder = self._folder
        if folder is not None:
            with contextlib.suppress(OSError):
                (folder / _STOP).touch()

    def cancel(self) -> None:
        """End it, and all that it started. Does nothing to a job that is over."""
        self._stop.set()


def _read(folder: Path, before: Told) -> Told:
    now, events = asdict(before), before.events
    with contextlib.suppress(OSError, ValueError):
        now |= json.loads((folder / _TOLD).read_text(encoding="utf-8"))
    with contextlib.suppress(OSError):
        lines = (folder / _EVENTS).read_text(encoding="utf-8").splitlines(keepends=True)
        events = tuple(json.loads(line) for line in lines if line.endswith("\n"))
    return Told(**{**now, "events": events})


class Jobs:
    """All jobs of a studio.

    Args:
        at_once: How many run at the same time; more wait. By default one per core.
    """

    def __init__(self, at_once: int | None = None) -> None:
        self._jobs: dict[str, Job] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()
        self._places = threading.Semaphore(at_once or os.cpu_count() or 1)
        self._closed = False

    def start(self, order: Order) -> Job:
        """Start a job. It waits if as many as may are running."""
        job = Job(secrets.token_hex(4), order)
        thread = threading.Thread(target=self._run, args=(job,), name=f"job {job.id}", daemon=True)
        with self._lock:
            if self._closed:
                raise UsageError("the studio is being closed")
            self._jobs[job.id], self._threads[job.id] = job, thread
            for old in [one for one in self._jobs.values() if one.over][: max(0, len(self._jobs) - _KEPT)]:
                del self._jobs[old.id]
        thread.start()
        return job

    def get(self, name: str) -> Job | None:
        """The job of this id."""
        return self._jobs.get(name)

    def all(self, *, kind: str | None = None, about: str | None = None) -> list[Job]:
        """All jobs, the latest first; those of a kind, or about something."""
        with self._lock:
            jobs = reversed(self._jobs.values())
            return [
                job
                for job in jobs
                if (kind is None or job.order.kind == kind) and (about is None or job.order.about == about)
            ]

    def close(self) -> None:
        """Cancel all jobs and wait until their processes have ended."""
        with self._lock:
            self._closed = True
            threads = list(self._threads.values())
        for job in self.all():
            job.cancel()
        for thread in threads:
            thread.join()

    # The thread of a job ----------------------------------------------------------------------------------------------

    def _run(self, job: Job) -> None:
        try:
            if self._has_place(job):
                try:
                    self._do(job)
                finally:
                    self._places.release()
            else:
                job.state = "cancelled"
        except Exception as error:  # a job must not end without a state
            job.error, job.state = f"{type(error).__name__}: {error}", "failed"
        finally:
            job.ended = time.monotonic()
            self._threads.pop(job.id, None)

    def _has_place(self, job: Job) -> bool:
        while not job._stop.is_set():
            if self._places.acquire(timeout=0.1):
                return True
        return False

    def _do(self, job: Job) -> None:
        order = job.order
        job.state, job.began = "running", time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hornbeam-") as name:
            job._folder = folder = Path(name)
            # The thread lives as long as its process, which would end with it.
            call = processes.Job(order.bounds, _work, (order.work, order.arguments))
            ended = processes.start(call, folder, job._stop)
            job._last = _read(folder, job._last)
            job._folder = None
            outcome = processes.outcome_in(folder)
        if outcome is not None and outcome[0] == "ok":
            if order.makes is not None:
                note_made(order.makes)
            job.result, job.state = outcome[1], "done"
            return
        if order.undo is not None:
            with contextlib.suppress(OSError, HornbeamError):
                order.undo()
        if ended.reason in ("stopped", "interrupted"):
            job.state = "cancelled"
            return
        job.error = _failure(ended, outcome)
        job.state = "failed"


def _failure(ended: processes.Ended, outcome: tuple[str, Any] | None) -> str:
    if outcome is not None:
        return str(outcome[1])
    if ended.reason == "ended":
        return f"the process ended with status {ended.code}: {processes.last_lines(ended.printed)}"
    return {"memory": "it needed too much memory", "cpu": "its CPU time was up"}.get(ended.reason, "its time was up")
