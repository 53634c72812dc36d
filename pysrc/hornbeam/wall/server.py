"""A program behind a wall that answers each line with a line."""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psutil

from hornbeam.wall.walls import Quota, Wall

_LOOK_EVERY = 0.05  # seconds between looks at the memory of a program that works
# Linux counts in kilobytes, macOS in bytes.
_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class Death:
    """How a program ended by itself: its exit code or minus a signal's number, and the most that it used."""

    status: int
    cpu: float
    memory: int

    @property
    def cause(self) -> str:
        """In words.

        >>> Death(-11, 1.0, 0).cause, Death(3, 1.0, 0).cause
        ('killed by SIGSEGV', 'exit code 3')
        """
        if self.status >= 0:
            return f"exit code {self.status}"
        return f"killed by {signal.Signals(-self.status).name}"


class LineServer:
    """A program behind a wall that answers each line with a line.

    It runs in `folder` within `cpu` seconds and `memory` bytes of address space, sees these variables only, and may
    write no file.
    """

    def __init__(
        self, command: Sequence[str], *, wall: Wall, cpu: int, memory: int, folder: str, environment: Mapping[str, str]
    ) -> None:
        # A new process is told to have used at once what this one had in memory when it was started.
        self._inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
        self._seen = 0
        # The launcher sets the limits and becomes the program: same process id, and no code between fork and exec.
        self._process = subprocess.Popen(
            wall.around(command, Quota(cpu=cpu, memory=memory, file=0)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=dict(environment),
        )
        self.pid = self._process.pid

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The answer to a line; without a newline at its end where the program died. TimeoutError if it is late."""
        stdout = self._process.stdout
        assert stdout is not None
        deadline = time.monotonic() + seconds
        try:
            self._send(line, deadline)
        except BrokenPipeError:
            return b""
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            parts: list[bytes] = []
            while not (parts and parts[-1].endswith(b"\n")):
                self._wait(selector, deadline)
                part = stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not part:
                    break
                parts.append(part)
        return b"".join(parts)

    def _send(self, line: bytes, deadline: float) -> None:
        """A program that does not read would let a plain write wait without end."""
        assert self._process.stdin is not None
        pipe, rest = self._process.stdin.fileno(), memoryview(line)
        os.set_blocking(pipe, False)
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_WRITE)
            while rest:
                self._wait(selector, deadline)
                with contextlib.suppress(BlockingIOError):
                    rest = rest[os.write(pipe, rest) :]

    def wait(self) -> Death:
        """Wait until it ends by itself; how it did."""
        _, status, use = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        most = use.ru_maxrss * _UNIT
        own = most if most > self._inherited else 0
        return Death(self._process.returncode, use.ru_utime + use.ru_stime, max(own, self._seen))

    def end(self) -> None:
        """Kill it, by its id."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _wait(self, selector: selectors.BaseSelector, deadline: float) -> None:
        """Wait for the pipe, and look from time to time at how much memory the program has."""
        while True:
            left = deadline - time.monotonic()
            if selector.select(timeout=min(_LOOK_EVERY, max(0.0, left))):
                return
            if left <= 0:
                raise TimeoutError
            with contextlib.suppress(psutil.Error):
                self._seen = max(self._seen, psutil.Process(self.pid).memory_info().rss)
