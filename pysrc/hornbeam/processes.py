"""Runs other processes within limits on CPU time, wall time and memory, and cleans up after them.

    run(command, bounds)      a command, with limits on the tree of all that it starts
    apart(bounds, work, ...)  a Python function in its own process
    Started                   a command whose output is read as it comes
    printed_by(command)       what a short command prints

CPU time is that of the whole tree of processes, so that a loaded machine gives the same result; wall time is a safety
net behind it. Memory is what the tree has resident: virtual memory would count what engines only reserve. A tree is
ended by the id of its process group, and by the ids of children that left the group.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import psutil

from hornbeam.errors import HornbeamError, StackLimit, TimeLimit, UsageError
from hornbeam.wall import Wall
from hornbeam.wall.interpreter import walled_environment
from hornbeam.wall.trust import for_children
from hornbeam.writing import naming

Reason = Literal["ended", "cpu", "wall", "memory", "stopped", "interrupted"]

_LOOK_EVERY = 0.05  # seconds between looks at the tree
_TAIL = 1 << 16  # bytes of what was printed that are kept
# Address space beyond the memory limit: engines and libraries reserve more than they use.
_RESERVED = 2 << 30
_LARGEST_FILE = 1 << 30


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a tree of processes may use: CPU seconds, seconds on the wall, bytes."""

    cpu: float
    wall: float
    memory: int

    def __post_init__(self) -> None:
        if min(self.cpu, self.wall, self.memory) <= 0:
            raise UsageError("limits of time and memory must be above 0")


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: by itself ("ended", with its exit code or minus a signal's number), or at which limit."""

    reason: Reason
    code: int
    cpu: float
    wall: float
    memory: int  # the most that was seen
    printed: str  # the last of what it printed


def run(
    command: Sequence[str],
    bounds: Bounds,
    *,
    folder: Path,
    wall: Wall | None = None,
    stop: threading.Event | None = None,
) -> Ended:
    """Run `command` in `folder` until it ends, reaches a limit, or `stop` is set. No child process is left afterwards.

    Behind a wall it may write in `folder`. Ctrl-C ends it as a limit does: what it wrote until then may be worth
    keeping. The caller decides.
    """
    start = time.monotonic()
    printed = bytearray()
    reason: Reason = "ended"
    if wall is not None:
        command = replace(wall, writable=(*wall.writable, folder)).around(command)
    environment = dict(os.environ) if wall is None else walled_environment(folder)
    environment |= _for_python() | for_children()
    process = Started(command, folder=folder, environment=environment, own_session=True)
    try:
        for part in process.output():
            printed += part
            del printed[:-_TAIL]
            limit = _limit_met(process.use, bounds, time.monotonic() - start, stop)
            if limit is not None:
                reason = limit
                break
    except KeyboardInterrupt:
        reason = "interrupted"
    finally:
        code = process.end()
    if reason == "ended" and code == -signal.SIGXCPU:
        reason = "cpu"
    use = process.use
    return Ended(reason, code, use.cpu, time.monotonic() - start, use.memory, printed.decode(errors="replace"))


def _limit_met(use: Use, bounds: Bounds, wall: float, stop: threading.Event | None) -> Reason | None:
    if stop is not None and stop.is_set():
        return "stopped"
    if use.memory > bounds.memory:
        return "memory"
    if use.cpu > bounds.cpu:
        return "cpu"
    return "wall" if wall > bounds.wall else None


def _for_python() -> dict[str, str]:
    path = os.pathsep.join(str(Path(part).absolute()) for part in sys.path if part)
    # Results may not hang on the order of sets, and one thread makes CPU time and time the same.
    return {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}


@dataclass(slots=True)
class Use:
    """What a tree of processes has used so far; a process that was seen once stays known, even with another parent."""

    cpu: float = 0.0
    memory: int = 0
    known: frozenset[psutil.Process] = frozenset()


def measure(leader: int, before: Use) -> Use:
    """What `leader` and all its descendants use now; CPU time and the peak of memory only grow."""
    cpu, memory = 0.0, 0
    tree = set(before.known)
    with contextlib.suppress(psutil.Error):
        tree.add(psutil.Process(leader))
    for process in list(tree):
        with contextlib.suppress(psutil.Error):
            tree.update(process.children(recursive=True))
    alive = set()
    for process in tree:
        with contextlib.suppress(psutil.Error), process.oneshot():
            if process.is_running():
                alive.add(process)
                # Own time and that of children that were waited for, both in user and system mode.
                cpu += sum(process.cpu_times()[:4])
                memory += process.memory_info().rss
    return Use(max(before.cpu, cpu), max(before.memory, memory), frozenset(alive))


class Started:
    """A command that runs in `folder`: what it prints as it comes, what its tree uses, and its end.

    With `own_session` Ctrl-C at the terminal does not reach it, and its process group ends with it.
    """

    def __init__(
        self, command: Sequence[str], *, folder: Path, environment: Mapping[str, str], own_session: bool = False
    ) -> None:
        self.use = Use()
        self._own_session = own_session
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=own_session,
        )
        assert self._process.stdout is not None
        self._pipe = self._process.stdout.fileno()
        os.set_blocking(self._pipe, False)

    @property
    def status(self) -> int | None:
        """Its exit code, or minus a signal's number; None while it runs."""
        if self._process.returncode is None:
            pid, status, used = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self.use.cpu = max(self.use.cpu, used.ru_utime + used.ru_stime)
        return self._process.returncode

    def output(self) -> Iterator[bytes]:
        """What it prints, errors among it, until it ends; an empty piece after each look at what its tree uses."""
        look = 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while True:
                if not selector.get_map():
                    # After the end of the pipe only the clock is left to wait for.
                    time.sleep(_LOOK_EVERY / 10)
                elif selector.select(_LOOK_EVERY):
                    part = self._read()
                    if part:
                        yield part
                    elif part is not None:
                        selector.unregister(self._pipe)
                if self.status is not None:
                    while part := self._read():
                        yield part
                    return
                now = time.monotonic()
                if now - look >= _LOOK_EVERY:
                    look = now
                    self.use = measure(self._process.pid, self.use)
                    yield b""

    def _read(self) -> bytes | None:
        """At most a pipe's fill; nothing at its end, None if there is nothing yet."""
        try:
            return os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self.status is None:
            self._process.send_signal(number)

    def end(self) -> int:
        """End it and all that it started, by their ids; its exit code."""
        if self.status is None:
            self.use = measure(self._process.pid, self.use)
            self._process.kill()
        if self._own_session:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        for process in self.use.known:
            if process.pid != self._process.pid:
                with contextlib.suppress(psutil.Error):
                    process.kill()
        while self.status is None:
            time.sleep(0.002)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return self._process.returncode


# A function of this program in its own process -------------------------------------------------------------------

_JOB, _OUTCOME = "job.pickle", "outcome.pickle"


@dataclass(frozen=True, slots=True)
class Job:
    """A function at the top of a module, called in a folder with its arguments.

    Behind a wall it has no outcome: what it writes into the folder may be another's work, and is read as data only.
    """

    bounds: Bounds
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    wall: Wall | None = None


def start(job: Job, folder: Path, stop: threading.Event | None = None) -> Ended:
    """Do the job in its own process, in `folder`; see :func:`outcome_in`."""
    with naming(folder / _JOB):
        (folder / _JOB).write_bytes(pickle.dumps(job))
    command = [sys.executable, "-c", f"from hornbeam.processes import _do; _do({os.getpid()})"]
    return run(command, job.bounds, folder=folder, wall=job.wall, stop=stop)


def outcome_in(folder: Path) -> tuple[str, Any] | None:
    """What came of the job in `folder`: ("ok", result), ("error", exception), or None if it did not finish."""
    file = folder / _OUTCOME
    outcome: tuple[str, Any] | None = pickle.loads(file.read_bytes()) if file.is_file() else None
    return outcome


def apart(bounds: Bounds, work: Callable[..., Any], *arguments: Any, stop: threading.Event | None = None) -> Any:
    """The result of `work(*arguments)`, computed in its own process; its errors are raised here.

    Raises:
        TimeLimit: if it is not done within its CPU or wall time.
        StackLimit: if it needs more memory.
        HornbeamError: if the process ended without an outcome.
    """
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as folder:
        ended = start(Job(bounds, work, arguments), Path(folder), stop)
        if ended.reason in ("stopped", "interrupted"):
            raise KeyboardInterrupt
        if ended.reason in ("cpu", "wall"):
            raise TimeLimit(f"not done within {bounds.cpu:g} s of CPU time")
        if ended.reason == "memory":
            raise StackLimit(f"more than {bounds.memory >> 20} MB were needed")
        outcome = outcome_in(Path(folder))
    if outcome is None:
        raise HornbeamError(f"the process ended with status {ended.code}: {last_lines(ended.printed)}")
    if outcome[0] == "error":
        raise outcome[1]
    return outcome[1]


def last_lines(printed: str, count: int = 3) -> str:
    """The last lines that say something."""
    lines = [line.strip()[:300] for line in printed.splitlines() if line.strip()]
    return " | ".join(lines[-count:]) or "it printed nothing"


def _do(parent: int) -> None:
    """In the new process: do the job of the working directory."""
    # First of all: what the job imports takes a second, in which the parent may be killed.
    _die_with(parent)
    # What a library prints must not garble anything.
    os.dup2(2, 1)
    job: Job = pickle.loads(Path(_JOB).read_bytes())
    _settle(job.bounds)
    try:
        outcome: tuple[str, Any] = ("ok", job.work(*job.arguments))
    except HornbeamError as error:
        outcome = ("error", error)
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    if job.wall is None:
        Path(_OUTCOME).write_bytes(pickle.dumps(outcome))
    # Engines with threads of their own need not be asked to leave.
    sys.stderr.flush()
    os._exit(0 if outcome[0] == "ok" else 1)


_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def _settle(bounds: Bounds) -> None:
    """In the new process: backstops of the operating system."""
    # It counts time that a virtual machine was not given, too, and so runs ahead of what is measured.
    seconds = round(1.5 * bounds.cpu) + 10
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (bounds.memory + _RESERVED,) * 2)


def _die_with(parent: int) -> None:
    """No survivors if the parent is killed."""
    if sys.platform == "linux":
        control = ctypes.CDLL(None).prctl
        control(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # Orphans of the tree stay in it, where they are counted and ended.
        control(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)


def printed_by(command: Sequence[str], seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
    """A short command, run to its end. OSError if it cannot be started, or takes longer than `seconds`.

    >>> printed_by(["echo", "yes"]).stdout
    'yes\\n'
    """
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"{command[0]} did not end within {seconds:g} s") from error
