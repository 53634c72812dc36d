"""Training on several processes with torch's own launcher: ``torchrun --nproc-per-node 2 -m hornbeam train ...``.

Every process walks the same stream with the same batches and replays the same rows; of each step's rows process r of n
takes every n-th, and the gradients are added up. Losses are weighted by the whole batch beforehand, so that a step has
the gradient that one process would have computed (up to rounding, and up to dropout and batch statistics, which each
process draws for its own rows). Process 0 writes; the others only compute.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.distributed as dist

from hornbeam.neural.stream import Rows


@dataclass(frozen=True)
class World:
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
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        dist.all_reduce(flat)
        start = 0
        for gradient in gradients:
            gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient))
            start += gradient.numel()

    def copy_from_leader(self, module: torch.nn.Module) -> None:
        """Give every process the leader's weights and buffers."""
        if self.size > 1:
            for tensor in (*module.parameters(), *module.buffers()):
                dist.broadcast(tensor.data, 0)

    def total(self, value: float) -> float:
        """The sum of a number over all processes."""
        if self.size == 1:
            return value
        tensor = torch.tensor(value, dtype=torch.float64)
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
def joined() -> Iterator[World]:
    """The world that the launcher has set up, or this process alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or dist.is_initialized():
        yield World(dist.get_rank(), dist.get_world_size()) if size > 1 else World()
        return
    dist.init_process_group("gloo")
    try:
        yield World(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()
