"""The worker processes of one run on this machine.

Each process has a pipe of its own: one that dies takes a single shard along, and it is known which.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from hornbeam.errors import EngineUnavailable

Shard = TypeVar("Shard")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Done(Generic[Result]):
    """A shard that came to an end: a result, an exception of the function, or `deaths` of its worker."""

    index: int
    result: Result | None = None
    error: BaseException | None = None
    deaths: int = 0


class LocalPool(Generic[Shard, Result]):
    """The processes of one run; one that dies is replaced when its shard is tried again."""

    def __init__(self, function: Callable[[Shard], Result], workers: int) -> None:
        self.function = _pickled(function)
        self.workers = workers
        self.idle: list[_Worker] = []
        self.busy: dict[Connection, _Worker] = {}

    def capacity(self) -> int:
        return self.workers

    def submit(self, index: int, shard: Shard) -> None:
        worker = self.idle.pop() if self.idle else _Worker(self.function)
        self.busy[worker.connection] = worker
        worker.give(index, shard)

    def finished(self) -> list[Done[Result]]:
        done: list[Done[Result]] = []
        while not done:
            for connection in wait(list(self.busy)):
                assert isinstance(connection, Connection)
                worker = self.busy[connection]
                message = worker.take()
                if message is _READY:
                    continue
                del self.busy[connection]
                if message is None:
                    worker.end()
                    done.append(Done(worker.index, deaths=1))
                else:
                    self.idle.append(worker)
                    done.append(_unpacked(worker.index, message))
        return done

    def close(self) -> None:
        for worker in [*self.busy.values(), *self.idle]:
            worker.end()
        self.busy.clear()
        self.idle.clear()


_READY = "ready"


class _Worker:
    """One spawned process and the shard that it has."""

    def __init__(self, function: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, function))
        self.process.start()
        theirs.close()
        self.index = -1
        self.started = False

    def give(self, index: int, shard: object) -> None:
        self.index = index
        packed = _pickled(shard)
        try:
            self.connection.send_bytes(packed)
        except OSError:
            return  # it is dead; reading from it says so

    def take(self) -> Any:
        """What the worker said: that it is ready, an outcome, or None when it died."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            if not self.started:
                raise EngineUnavailable(self._stillborn()) from None
            return None
        if message == _READY:
            self.started = True
            return _READY
        return message

    def _stillborn(self) -> str:
        self.process.join(timeout=5)
        return (
            f"a worker process ended before its first shard (exit code {self.process.exitcode}). A script that uses "
            "more than one worker must start its work under: if __name__ == '__main__':"
        )

    def end(self) -> None:
        """Kill rather than ask: a worker inside a long Prolog or clingo call hears nothing."""
        if self.started and self.process.pid is not None:
            _kill_session(self.process.pid)
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, packed: bytes) -> None:
    """The life of a worker: take a shard, answer, until the parent closes the pipe or is gone."""
    # A session of its own: Ctrl-C reaches only the parent, which decides; and what the worker starts ends with it.
    if sys.platform != "win32":
        os.setsid()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    function = pickle.loads(packed)
    connection.send(_READY)
    while True:
        try:
            shard = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send_bytes(_answer(function, shard))


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    _kill_session(os.getpid())
    os._exit(1)


def _kill_session(leader: int) -> None:
    """End a worker and all processes that it started, e.g. a contained swipl."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)


def _answer(function: Callable[[Any], Any], packed: bytes) -> bytes:
    """The outcome of one shard, pickled: ``(result, None, "")`` or ``(None, exception, traceback)``."""
    try:
        return pickle.dumps((function(pickle.loads(packed)), None, ""))
    except Exception as error:
        text = traceback.format_exc()
        try:
            answer = pickle.dumps((None, error, text))
            pickle.loads(answer)  # some exceptions pickle and then do not come back
        except Exception:
            answer = pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}"), text))
        return answer


def _unpacked(index: int, message: tuple[Any, BaseException | None, str]) -> Done[Any]:
    result, error, text = message
    if error is not None:
        error.__cause__ = RemoteTraceback(text)
    return Done(index, result, error)


class RemoteTraceback(Exception):
    """The traceback of a worker as text: the cause of the exception that is raised here."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _pickled(value: object) -> bytes:
    try:
        return pickle.dumps(value)
    except Exception as error:
        raise TypeError(f"{value!r} cannot be sent to a worker process: {error}") from error
