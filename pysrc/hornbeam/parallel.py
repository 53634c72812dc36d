"""Shards of work over this process, this machine's cores, or a Dask cluster: the same results in the same order.

Each worker is a spawned process, never a forked one: a forked SWI-Prolog hangs. A worker that dies costs
its shard a retry, not the run. The function and the shards must pickle, so the function is one of a module.

>>> from operator import neg
>>> list(map_shards(neg, [1, 2, 3]))
[-1, -2, -3]

With ``workers=2`` two processes do it, with ``scheduler="tcp://host:8786"`` the workers of that Dask cluster.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future
from concurrent.futures import wait as wait_futures
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar

from hornbeam.errors import EngineUnavailable, UsageError, WorkerDied

Shard = TypeVar("Shard")
ShardIn = TypeVar("ShardIn", contravariant=True)
Result = TypeVar("Result")

# Finished results that wait for a slower one before them: enough to keep workers busy, few enough to hold.
_WINDOW = 4
_CONNECT_SECONDS = 10


def map_shards(
    function: Callable[[Shard], Result],
    shards: Iterable[Shard],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    retries: int = 2,
    on_done: Callable[[int, Result], None] | None = None,
) -> Iterator[Result]:
    """Yield ``function(shard)`` for each shard, in the order of the shards.

    `shards` is read only a few shards ahead of what was yielded, so that a stream of any length runs in constant
    memory. `on_done` is told the number and the result of each shard as it is finished, which may be out of order. An
    exception of the function is raised here at once, with the worker's traceback, and the rest is cancelled. A shard
    whose worker died more than `retries` times raises :class:`~hornbeam.errors.WorkerDied`.
    """
    if workers < 1:
        raise UsageError(f"workers must be 1 or more, not {workers}")
    if retries < 0:
        raise UsageError(f"retries must be 0 or more, not {retries}")
    if scheduler is not None:
        return _in_order(lambda: _DaskPool(function, scheduler), shards, retries, on_done)
    if workers > 1:
        return _in_order(lambda: LocalPool(function, workers), shards, retries, on_done)
    return _here(function, shards, on_done)


@dataclass(frozen=True)
class Done(Generic[Result]):
    """A shard that came to an end: a result, an exception of the function, or `deaths` of its worker."""

    index: int
    result: Result | None = None
    error: BaseException | None = None
    deaths: int = 0


class _Pool(Protocol[ShardIn, Result]):
    """What the ordered loop needs of a place to run shards in."""

    def capacity(self) -> int:
        """How many shards can run at once."""

    def submit(self, index: int, shard: ShardIn) -> None:
        """Start a shard; there must be room."""

    def finished(self) -> list[Done[Result]]:
        """Wait until a shard comes to an end; return all that did."""

    def close(self) -> None:
        """End what is still running and let go of everything."""


def _here(
    function: Callable[[Shard], Result], shards: Iterable[Shard], on_done: Callable[[int, Result], None] | None
) -> Iterator[Result]:
    for index, shard in enumerate(shards):
        try:
            result = function(shard)
        except Exception as error:
            error.add_note(f"in shard {index}")
            raise
        if on_done is not None:
            on_done(index, result)
        yield result


def _in_order(
    start: Callable[[], _Pool[Shard, Result]],
    shards: Iterable[Shard],
    retries: int,
    on_done: Callable[[int, Result], None] | None,
) -> Iterator[Result]:
    """Run the pool until the stream of shards is dry; `finally` also covers Ctrl-C and a caller who stops early."""
    pool = start()
    try:
        yield from _Run(pool, iter(shards), retries, on_done).results()
    finally:
        pool.close()


class _Run(Generic[Shard, Result]):
    """The state of one ordered run: what runs, what is finished but not yet due, and how often workers died."""

    def __init__(
        self,
        pool: _Pool[Shard, Result],
        shards: Iterator[Shard],
        retries: int,
        on_done: Callable[[int, Result], None] | None,
    ) -> None:
        self.pool = pool
        self.shards = shards
        self.retries = retries
        self.on_done = on_done
        self.running: dict[int, Shard] = {}
        self.ready: dict[int, Result] = {}
        self.deaths: dict[int, int] = {}
        self.taken = 0
        self.dry = False

    def results(self) -> Iterator[Result]:
        due = 0
        while True:
            self._fill(due)
            if due in self.ready:
                yield self.ready.pop(due)
                due += 1
            elif self.running:
                for done in self.pool.finished():
                    self._settle(done)
            else:
                return

    def _fill(self, due: int) -> None:
        """Give each free worker a shard, as long as not too many results wait for the one that is due."""
        capacity = self.pool.capacity()
        while not self.dry and len(self.running) < capacity and self.taken - due < capacity * _WINDOW:
            try:
                shard = next(self.shards)
            except StopIteration:
                self.dry = True
                return
            self.running[self.taken] = shard
            self.pool.submit(self.taken, shard)
            self.taken += 1

    def _settle(self, done: Done[Result]) -> None:
        if done.error is not None:
            done.error.add_note(f"in shard {done.index}")
            raise done.error
        if done.deaths:
            self._retry(done.index, done.deaths)
            return
        del self.running[done.index]
        self.deaths.pop(done.index, None)
        result: Result = done.result  # type: ignore[assignment]  # no error, so it is a result
        self.ready[done.index] = result
        if self.on_done is not None:
            self.on_done(done.index, result)

    def _retry(self, index: int, deaths: int) -> None:
        self.deaths[index] = self.deaths.get(index, 0) + deaths
        if self.deaths[index] > self.retries:
            shard = f"{self.running[index]!r}"[:200]
            raise WorkerDied(f"the worker of shard {index} died {self.deaths[index]} times; the shard is {shard}")
        self.pool.submit(index, self.running[index])


# This machine: each process has a pipe of its own, so who dies takes one shard along, and we know which --------------


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


# A cluster --------------------------------------------------------------------------------------------------------


class _DaskPool(Generic[Shard, Result]):
    """The workers of a running Dask cluster; its scheduler hands a shard on by itself when a worker dies."""

    def __init__(self, function: Callable[[Shard], Result], address: str) -> None:
        try:
            self.distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            raise EngineUnavailable("a scheduler needs Dask; install it with: pip install 'hornbeam[scale]'") from error
        self.function = function
        self.address = address
        self.indices: dict[Future[Result], int] = {}
        # Of a lost scheduler it logs pages; our error is one line.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            self.client = self.distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise EngineUnavailable(f"no Dask scheduler answers at {address}: {error}") from error
        # pure=False: equal shards are still different shards, and a retry is a new task.
        self.executor: Executor = self.client.get_executor(pure=False)

    def capacity(self) -> int:
        """All threads of the cluster now, for workers come and go; one at least, to wait for the first to come."""
        try:
            threads: dict[str, int] = self.client.nthreads()
        except OSError:
            raise self._lost() from None
        return max(1, sum(threads.values()))

    def submit(self, index: int, shard: Shard) -> None:
        self.indices[self.executor.submit(self.function, shard)] = index

    def finished(self) -> list[Done[Result]]:
        done = wait_futures(self.indices, return_when=FIRST_COMPLETED).done
        ordered = sorted(done, key=self.indices.__getitem__)
        return [self._outcome(self.indices.pop(future), future) for future in ordered]

    def _outcome(self, index: int, future: Future[Result]) -> Done[Result]:
        try:
            return Done(index, future.result())
        except self.distributed.scheduler.KilledWorker as error:
            return Done(index, deaths=error.allowed_failures + 1)
        except CancelledError:
            return Done(index, error=self._lost())
        except Exception as error:
            return Done(index, error=error)

    def _lost(self) -> EngineUnavailable:
        return EngineUnavailable(f"the Dask scheduler at {self.address} is gone; what was finished is kept")

    def close(self) -> None:
        for future in self.indices:
            future.cancel()
        self.executor.shutdown(wait=False)
        self.client.close()
