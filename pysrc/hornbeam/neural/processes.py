"""The processes that train: how several share the work, their random generators, memory, and signals to stop.

Several are started with torch's own launcher: ``torchrun --nproc-per-node 2 -m hornbeam train ...``. Every process
goes through the same stream with the same batches and replays the same rows; of each step's rows process r of n
takes every n-th, and the gradients are added up. Losses are weighted by the whole batch beforehand, so that a step has
the gradient that one process would have computed (up to rounding, and up to dropout and batch statistics, which each
process draws for its own rows). Process 0 writes; the others only compute.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from hornbeam.errors import Terminated
from hornbeam.neural.learner import Rows
from hornbeam.seeds import derive


@dataclass(frozen=True)
class ProcessGroup:
    """This process among those that train together."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes and speaks."""
        return self.rank == 0

    def share(self, rows: Rows) -> Rows:
        """The rows of this process: every n-th."""
        return rows[self.rank :: self.size]

    def sum_gradients(self, parameters: Sequence[torch.nn.Parameter]) -> None:
        """Add up the gradients of all processes, in one exchange."""
        if self.size == 1:
            return
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = parameters_to_vector(gradients)
        dist.all_reduce(flat)
        vector_to_parameters(flat, gradients)

    def copy_from_leader(self, module: torch.nn.Module) -> None:
        """Give every process the leader's weights and buffers."""
        if self.size > 1:
            for tensor in (*module.parameters(), *module.buffers()):
                dist.broadcast(tensor.data, 0)

    def total(self, value: float) -> float:
        """The sum of a number over all processes."""
        if self.size == 1:
            return value
        tensor = torch.tensor(value, dtype=torch.float64, device="cpu")
        dist.all_reduce(tensor)
        return float(tensor)

    def any(self, flag: bool) -> bool:
        """Whether any process says so."""
        return self.total(float(flag)) > 0

    def collect(self, value: Any) -> list[Any]:
        """A value of every process, by rank."""
        if self.size == 1:
            return [value]
        values: list[Any] = [None] * self.size
        dist.all_gather_object(values, value)
        return values

    def join_rows(self, mine: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
        """The results for all rows, in order, from the results of each process for its share of them."""
        if self.size == 1:
            return mine
        whole = np.empty((count, *mine.shape[1:]), dtype=mine.dtype)
        for rank, part in enumerate(self.collect(mine)):
            whole[rank :: self.size] = part
        return whole


@contextmanager
def joined() -> Iterator[ProcessGroup]:
    """The world that the launcher has set up, or this process alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or dist.is_initialized():
        yield ProcessGroup(dist.get_rank(), dist.get_world_size()) if size > 1 else ProcessGroup()
        return
    dist.init_process_group("gloo")
    try:
        yield ProcessGroup(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()


def seed_all(seed: int, *names: str | int) -> None:
    """Seed torch, numpy and Python for the thing that `names` name."""
    value = derive(seed, *names)
    random.seed(value)
    np.random.seed(value % 2**32)
    torch.manual_seed(value % 2**63)


def random_state() -> dict[str, Any]:
    """The state of all three, as tensors and plain values."""
    kind, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, internal, gauss_next = random.getstate()
    return {
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        "numpy": [kind, keys.tolist(), int(position), int(has_gauss), float(gauss)],  # type: ignore[union-attr]
        "python": [version, list(internal), gauss_next],
    }


def restore_random_state(state: dict[str, Any]) -> None:
    """Take back what `random_state` gave."""
    torch.set_rng_state(state["torch"])
    if state.get("cuda") and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"])
    kind, keys, position, has_gauss, gauss = state["numpy"]
    np.random.set_state((kind, np.array(keys, dtype=np.uint32), position, has_gauss, gauss))
    version, internal, gauss_next = state["python"]
    random.setstate((version, tuple(internal), gauss_next))


_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # names of glibc's mallopt(3)


def keep_freed_memory() -> bool:
    """Ask the C library to keep what is freed, where it is glibc; gives whether it agreed.

    By default every large array is newly mapped and its pages are filled by the kernel one by one, which for the
    gradient of a wide layer takes as long as computing it.
    """
    if not sys.platform.startswith("linux"):
        return False
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL("libc.so.6")
        return bool(library.mallopt(_MMAP_MAX, 0)) and bool(library.mallopt(_TRIM_THRESHOLD, 2**31 - 1))
    return False


class Stopped(Terminated):
    """A run was asked to stop by SIGTERM, and has saved where it stands."""


class StopSignal:
    """Catches both signals while a run is on; a second Ctrl-C stops at once."""

    def __init__(self) -> None:
        self.caught: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> StopSignal:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._catch)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _catch(self, number: int, frame: FrameType | None) -> None:
        if self.caught == number == signal.SIGINT:
            raise KeyboardInterrupt
        self.caught = number

    def obey(self, step: int) -> None:
        """Raise the exception for the signal."""
        if self.caught == signal.SIGINT:
            raise KeyboardInterrupt
        raise Stopped(f"stopped at step {step}; run the same command to resume")


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Set the number of torch's threads, and restore it afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
