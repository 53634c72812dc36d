"""SWI-Prolog in its own process, for programs and goals that come from outside.

Library(sandbox) only inspects goals, and loading a program runs hooks that it never sees. So the process runs behind a
wall (:mod:`hornbeam.wall`): whatever Prolog does, it reads SWI-Prolog, kb/, prolog/ and what it was given, and touches
nothing else. It has limits of the operating system, and its parent ends it by its id when a goal outlives its time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hornbeam import resources
from hornbeam.errors import HornbeamError, PrologError, StackLimit, TimeLimit, UsageError
from hornbeam.logic import swipl
from hornbeam.logic.wire import Wire, dumps, loads
from hornbeam.processes import printed_by
from hornbeam.wall import Wall, support
from hornbeam.wall.launch import FAILED
from hornbeam.wall.server import LineServer

# A goal without a time limit of its own, and what is added for starting, loading and crossing.
_DEFAULT_SECONDS = 60.0
_GRACE = 5.0
# Address space that swipl needs before it does anything.
_BASE_MEMORY = 256 << 20
# A process that dies with so much of its memory in use has died of that: the next piece was too large.
_NEAR_LIMIT = 0.5


# The parts of a reply, by its kind.
_LENGTHS = {"ok": 2, "error": 7}

_QUIET = ("-f", "none", "--no-packs", "-q")


@cache
def _program() -> tuple[str, ...]:
    """What `swipl` starts with: prolog/contained.pl, compiled once for each version of it and of SWI-Prolog.

    Loading the source takes ten times as long. Where the user's cache cannot be written, the source is loaded.
    """
    source = str(resources.prolog("contained.pl"))
    engine = swipl.find()
    digest = hashlib.sha256(f"{engine.executable} {engine.home} {engine.version_text} {source}".encode())
    for file in sorted(resources.prolog().glob("*.pl")):
        digest.update(file.read_bytes())
    try:
        state = _cache() / f"contained-{digest.hexdigest()[:24]}.state"
        if state.is_file():
            return "-x", str(state)
        state.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=state.parent) as folder:
            compiled = Path(folder) / "state"
            done = printed_by([engine.executable, *_QUIET, "-o", str(compiled), "-c", source])
            if done.returncode or not compiled.is_file():
                return (source,)
            compiled.replace(state)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home
        return (source,)
    return "-x", str(state)


def _cache() -> Path:
    """The user's own folder for files that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hornbeam"


class ContainedBridge:
    """A `swipl` process that is started at the first call, and again after it was ended."""

    name = "contained"
    safety = "sandboxed"

    def __init__(
        self, *, memory: int, cpu_seconds: int, readable: Sequence[str | Path] = (), foreign: bool = True
    ) -> None:
        self._memory = memory
        self._readable = tuple(Path(path).resolve() for path in readable)
        self._foreign = foreign
        self._cpu_seconds = cpu_seconds
        self._process: LineServer | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._loads: list[Wire] = []
        self._lock = threading.RLock()

    def call(self, operation: str, request: Wire, seconds: float | None) -> Wire:
        """A process that ended is restarted and loads again what was loaded."""
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
        engine, program = swipl.find(), _program()
        ours = (resources.kb(), resources.prolog(), Path(program[-1]))
        self._process = LineServer(
            [engine.program, *program, *_QUIET, f"--stack-limit={max(1, self._memory >> 20)}m"],
            wall=Wall((*engine.parts, *ours, *self._readable), foreign=self._foreign),
            cpu=self._cpu_seconds,
            memory=self._memory + _BASE_MEMORY,
            folder=self._folder.name,
            environment=engine.environment(self._folder.name),
        )

    def _exchange(self, operation: str, request: Wire, seconds: float) -> Wire:
        assert self._process is not None
        try:
            data = dumps([operation, request]).encode() + b"\n"
        except UnicodeEncodeError as error:
            raise UsageError(f"not text that can be sent: {error.object[error.start : error.end]!a}") from None
        try:
            line = self._process.ask(data, seconds + _GRACE)
        except TimeoutError:
            self._end()
            raise TimeLimit(f"the goal was ended after {seconds:g} s") from None
        except KeyboardInterrupt:
            self._end()
            raise
        if not line.endswith(b"\n"):
            raise self._died()
        return self._read(line)

    def _read(self, line: bytes) -> Wire:
        """The reply in a line. What runs in the process may print there, too; then nothing it says can be believed."""
        try:
            reply = loads(line.decode())
            is_reply = isinstance(reply, tuple) and reply[0] in ("ok", "error") and len(reply) == _LENGTHS[reply[0]]
        except PrologError:
            self._end()
            raise
        except (ValueError, LookupError, TypeError):
            is_reply = False
        if is_reply:
            return reply
        self._end()
        raise PrologError("the process gave an answer that cannot be read, and was ended")

    def _died(self) -> Exception:
        """What ended the process, by what it had used: its exit code alone does not tell a limit from a crash."""
        assert self._process is not None
        death = self._process.wait()
        self._end()
        if death.status == FAILED:
            return HornbeamError(f"the wall around the process could not be built, although {support().text} are here")
        if death.cpu >= self._cpu_seconds - 1:
            return TimeLimit(f"the process used up its {self._cpu_seconds} s of CPU time")
        if death.memory >= self._memory * _NEAR_LIMIT:
            return StackLimit(f"the process needed more than its {self._memory >> 20} MB of memory")
        return PrologError(f"the process ended unexpectedly ({death.cause})")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()
