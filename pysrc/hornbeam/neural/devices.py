"""Where a model computes, and how precisely: the processor, CUDA or Apple's GPU; 32-bit or 16-bit floating point.

Rows and stores of samples stay in the memory of the processor. What a network is given moves to the device of its
weights (`onto`), and what a network makes itself is made there (`Compute.active`).

>>> compute = choose("cpu")
>>> compute.name, compute.precision
('cpu', 'float32')
>>> choose("auto").device == torch.device("cpu") or torch.cuda.is_available() or torch.backends.mps.is_available()
True
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from hornbeam.errors import UsageError

DEVICES = ("auto", "cpu", "cuda", "mps")
PRECISIONS = ("float32", "bfloat16")
Moved = TypeVar("Moved")
_CPU = torch.device("cpu")


@dataclass(frozen=True, slots=True)
class Compute:
    """A device and a precision."""

    device: torch.device = _CPU
    precision: str = "float32"

    @property
    def name(self) -> str:
        """The device in words, with the name of a GPU."""
        kind = self.device.type
        return f"cuda ({torch.cuda.get_device_name(self.device)})" if kind == "cuda" else kind

    @contextmanager
    def active(self) -> Iterator[None]:
        """New tensors are made on the device."""
        with nullcontext() if self.device == _CPU else self.device:
            yield

    def autocast(self) -> AbstractContextManager[Any]:
        """Forward passes in this precision; weights and losses stay at 32 bits."""
        if self.precision == "float32":
            return nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    @property
    def decides(self) -> dict[str, str]:
        """What decides the result of a run beyond the processor's 32 bits, which runs without a word of it had."""
        different = {"device": self.device.type, "precision": self.precision}
        return {name: value for name, value in different.items() if value not in ("cpu", "float32")}


def choose(device: str = "auto", precision: str = "float32") -> Compute:
    """A device by name; `auto` takes a GPU where there is one.

    Raises:
        UsageError: if the name is unknown, or there is no such device here.
    """
    if device not in DEVICES:
        raise UsageError(f"unknown device '{device}'; expected one of {', '.join(DEVICES)}")
    if precision not in PRECISIONS:
        raise UsageError(f"unknown precision '{precision}'; expected one of {', '.join(PRECISIONS)}")
    here = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if device == "auto":
        device = next(name for name in ("cuda", "mps", "cpu") if here[name])
    if not here[device]:
        found = ", ".join(name for name, there in here.items() if there)
        raise UsageError(f"there is no device '{device}' for torch {torch.__version__} here; there is {found}")
    return Compute(torch.device(device), precision)


def device_of(module: nn.Module) -> torch.device:
    """The device of a network's weights; the processor for one without weights."""
    return next((tensor.device for tensor in (*module.parameters(), *module.buffers())), _CPU)


def onto(value: Moved, device: torch.device) -> Moved:
    """A tensor, or a dataclass of tensors, on a device."""
    moved: Any = value
    if isinstance(value, Tensor):
        moved = value if value.device == device else value.to(device)
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
        moved = replace(value, **{name: onto(part, device) for name, part in parts.items()})
    same: Moved = moved
    return same


def on_processor() -> AbstractContextManager[Any]:
    """Where rows become batches: what is made here stays in the memory of the processor."""
    return nullcontext() if torch.get_default_device() == _CPU else _CPU
