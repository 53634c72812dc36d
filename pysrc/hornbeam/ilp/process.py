"""A command in a process of its own, with limits on the time and memory of all that it starts. Made for Linux.

Time is CPU time of the whole tree of processes, so that a loaded machine gives the same result; the clock on the wall
is a net below it. Memory is what the tree has resident: virtual memory would count what engines only reserve. The tree
is ended by the id of its process group, and by the ids of children that left the group.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hornbeam.errors import UsageError

Reason = Literal["ended", "cpu", "wall", "memory", "stopped", "interrupted"]

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")
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


@dataclass(slots=True)
class Use:
    """What a tree of processes has used so far."""

    cpu: float = 0.0
    memory: int = 0
    known: frozenset[tuple[int, int]] = frozenset()  # process ids with their start times


def run(command: Sequence[str], bounds: Bounds, *, folder: Path, stop: threading.Event | None = None) -> Ended:
    """Run `command` in `folder` until it ends, meets a limit, or `stop` is set. Nothing of it is left afterwards.

    Ctrl-C ends it as a limit does: what it wrote until then may be worth keeping. The caller decides.
    """
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    watched = _Watched(process)
    try:
        reason = watched.wait(bounds, start, stop)
    except KeyboardInterrupt:
        reason = "interrupted"
    finally:
        watched.end()
    if reason == "ended" and process.returncode == -signal.SIGXCPU:
        reason = "cpu"
    return Ended(
        reason=reason,
        code=process.returncode,
        cpu=watched.use.cpu,
        wall=time.monotonic() - start,
        memory=watched.use.memory,
        printed=bytes(watched.printed).decode(errors="replace"),
    )


def _environment() -> dict[str, str]:
    path = os.pathsep.join(str(Path(part).absolute()) for part in sys.path if part)
    # Results may not hang on the order of sets, and one thread makes CPU time and time the same.
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}


class _Watched:
    """A running process: what it prints, and what its tree uses."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self.process = process
        self.use = Use()
        self.printed = bytearray()
        self._pipe = process.stdout.fileno()
        os.set_blocking(self._pipe, False)

    def wait(self, bounds: Bounds, start: float, stop: threading.Event | None) -> Reason:
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            look = 0.0
            while True:
                # After the end of the pipe only the clock is left to wait for.
                if selector.get_map() and selector.select(_LOOK_EVERY) and not self._drain():
                    selector.unregister(self._pipe)
                elif not selector.get_map():
                    time.sleep(_LOOK_EVERY / 10)
                if self._has_ended():
                    self._drain()
                    return "ended"
                now = time.monotonic()
                if now - look < _LOOK_EVERY:
                    continue
                look = now
                self.use = measure(self.process.pid, self.use)
                if stop is not None and stop.is_set():
                    return "stopped"
                if self.use.memory > bounds.memory:
                    return "memory"
                if self.use.cpu > bounds.cpu:
                    return "cpu"
                if now - start > bounds.wall:
                    return "wall"

    def _drain(self) -> bool:
        """Read what was printed, at most a pipe's fill; False at its end."""
        try:
            part = os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return True
        self.printed += part
        del self.printed[:-_TAIL]
        return bool(part)

    def _has_ended(self) -> bool:
        if self.process.returncode is not None:
            return True
        pid, status, used = os.wait4(self.process.pid, os.WNOHANG)
        if pid == 0:
            return False
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.use.cpu = max(self.use.cpu, used.ru_utime + used.ru_stime)
        return True

    def end(self) -> None:
        """End the group and whoever left it, by their ids."""
        if self.process.returncode is None:
            self.use = measure(self.process.pid, self.use)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid, began in self.use.known:
            if pid != self.process.pid and _start_time(pid) == began:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        while not self._has_ended():
            time.sleep(0.002)
        assert self.process.stdout is not None
        self.process.stdout.close()


# What a tree uses -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Process:
    """A line of the process table."""

    pid: int
    began: int
    cpu: float


def measure(leader: int, before: Use) -> Use:
    """What `leader` and all its descendants use now; CPU time and the peak of memory only grow.

    Who was seen once stays known, whoever its parent is now.
    """
    tree: dict[int, _Process] = {}
    todo = [leader, *(pid for pid, began in before.known if _start_time(pid) == began)]
    while todo:
        pid = todo.pop()
        process = _process(pid) if pid not in tree else None
        if process is not None:
            tree[pid] = process
            todo += _children(pid)
    return Use(
        cpu=max(before.cpu, sum(process.cpu for process in tree.values())),
        memory=max(before.memory, sum(map(_resident, tree))),
        known=frozenset((pid, process.began) for pid, process in tree.items()),
    )


def _children(pid: int) -> list[int]:
    """The children of all its threads."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in (_PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_bytes().split())
    return found


def _process(pid: int) -> _Process | None:
    """From /proc/PID/stat, in which the name in parentheses may hold anything."""
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    fields = stat[stat.rindex(b")") + 2 :].split()
    # Own time and that of children that were waited for, both in user and system mode.
    return _Process(pid, int(fields[19]), sum(map(int, fields[11:15])) / _TICK)


def _start_time(pid: int) -> int | None:
    process = _process(pid)
    return process.began if process is not None else None


def _resident(pid: int) -> int:
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("VmRSS:", "VmSwap:")))


# In the process itself ------------------------------------------------------------------------------------------------

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def settle(bounds: Bounds) -> None:
    """Called in the new process: backstops of the operating system, and no survivors if the parent is killed."""
    # It counts time that a virtual machine was not given, too, and so runs ahead of what is measured.
    seconds = round(1.5 * bounds.cpu) + 10
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (bounds.memory + _RESERVED,) * 2)
    if sys.platform == "linux":
        parent = os.getppid()
        control = ctypes.CDLL(None).prctl
        control(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # Orphans of the tree stay in it, where they are counted and ended.
        control(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
