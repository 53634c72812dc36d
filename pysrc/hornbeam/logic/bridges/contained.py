"""SWI-Prolog in a process of its own, for programs and goals that come from outside.

The sandbox alone lets through sleeping, loading of libraries and gigabytes in one built-in, so the process also runs
under limits of the operating system, and its parent ends it by its id when a goal outlives its time.
"""

from __future__ import annotations

import contextlib
import selectors
import signal
import subprocess
import tempfile
import threading
import time

from hornbeam import resources
from hornbeam.errors import PrologError, StackLimit, TimeLimit, UsageError
from hornbeam.logic import swipl
from hornbeam.logic.wire import Wire, dumps, loads

# A goal without a time limit of its own, and what is added for starting, loading and crossing.
_DEFAULT_SECONDS = 60.0
_LONGEST_WAIT = 2_000_000.0  # seconds: the operating system counts milliseconds in 31 bits
_GRACE = 5.0
# Address space that swipl needs before it does anything.
_BASE_MEMORY = 256 << 20


class ContainedBridge:
    """A `swipl` process that is started at the first call, and again after it was ended."""

    name = "contained"
    safety = "sandboxed"

    def __init__(self, *, memory: int, cpu_seconds: int) -> None:
        self._memory = memory
        self._cpu_seconds = cpu_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._loads: list[Wire] = []
        self._lock = threading.RLock()

    def call(self, operation: str, request: Wire, seconds: float | None) -> Wire:
        """A process that ended is started anew and loads again what was loaded."""
        with self._lock:
            if self._process is None:
                self._start()
                for load in self._loads:
                    self._exchange("load", load, _DEFAULT_SECONDS)
            reply = self._exchange(operation, request, seconds or _DEFAULT_SECONDS)
            self._remember(operation, request, reply)
            return reply

    def close(self) -> None:
        """End the process; it may be used again."""
        with self._lock:
            self._end()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    @property
    def pid(self) -> int | None:
        """The process' id while it runs."""
        return self._process.pid if self._process else None

    def _remember(self, operation: str, request: Wire, reply: Wire) -> None:
        if reply[0] != "ok":
            return
        if operation == "load":
            self._loads = [load for load in self._loads if load[:2] != request[:2]] + [request]
        elif operation == "unload":
            self._loads = [load for load in self._loads if load[0] != request]

    def _start(self) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="hornbeam-")
        # The shell sets the limits and becomes swipl: same process id, and no code between fork and exec.
        kilobytes = (self._memory + _BASE_MEMORY) // 1024
        limits = f"ulimit -t {self._cpu_seconds}; ulimit -v {kilobytes}; ulimit -f 0; ulimit -c 0"
        stack = f"--stack-limit={max(1, self._memory >> 20)}m"
        command = [swipl.find().executable, "-f", "none", "--no-packs", "-q", stack]
        program = str(resources.prolog("contained.pl"))
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", f'{limits}; exec "$@"', "swipl", *command, program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self._folder.name},
        )

    def _exchange(self, operation: str, request: Wire, seconds: float) -> Wire:
        process = self._process
        assert process is not None and process.stdin is not None
        try:
            data = dumps([operation, request]).encode() + b"\n"
        except UnicodeEncodeError as error:
            raise UsageError(f"not text that can be sent: {error.object[error.start : error.end]!a}") from None
        try:
            process.stdin.write(data)
            process.stdin.flush()
            line = self._read_line(seconds + _GRACE)
        except TimeoutError:
            self._end()
            raise TimeLimit(f"the goal was ended after {seconds:g} s") from None
        except BrokenPipeError:
            line = b""
        except KeyboardInterrupt:
            self._end()
            raise
        if not line.endswith(b"\n"):
            raise self._died()
        return loads(line.decode())

    def _read_line(self, seconds: float) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        stream, deadline = self._process.stdout, time.monotonic() + seconds
        parts: list[bytes] = []
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            while not (parts and parts[-1].endswith(b"\n")):
                if not selector.select(timeout=min(_LONGEST_WAIT, max(0.0, deadline - time.monotonic()))):
                    raise TimeoutError
                part = stream.read1(1 << 16)  # type: ignore[attr-defined]
                if not part:
                    break
                parts.append(part)
        return b"".join(parts)

    def _died(self) -> Exception:
        assert self._process is not None
        status = self._process.wait()
        self._end()
        if -status in (signal.SIGXCPU, signal.SIGKILL):
            return TimeLimit(f"the process used up its {self._cpu_seconds} s of CPU time")
        if -status in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS) or status > 0:
            return StackLimit(f"the process ended (status {status}) for want of memory ({self._memory >> 20} MB)")
        return PrologError(f"the process ended by itself (status {status})")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
