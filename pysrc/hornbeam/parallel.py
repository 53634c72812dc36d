"""Shards of work over this process, this machine's cores, or a Dask cluster: the same results in the same order.

Each worker is a spawned process, never a forked one: a forked SWI-Prolog hangs. A worker that dies costs
its shard a retry, not the run. The function and the shards must pickle, so the function is one of a module.

>>> from operator import neg
>>> list(map_shards(neg, [1, 2, 3]))
[-1, -2, -3]

With ``workers=2`` two processes do it, with ``scheduler="tcp://host:8786"`` the workers of that Dask cluster.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future
from concurrent.futures import wait as wait_futures
from typing import Any, Generic, Protocol, TypeVar

from hornbeam.errors import EngineUnavailable, UsageError, WorkerDied
from hornbeam.workers import Done, LocalPool

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
