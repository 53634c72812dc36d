"""The random generators of a process: seeded for a run, saved in its checkpoints."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from hornbeam.seeds import derive


def seed_all(seed: int, *names: str | int) -> None:
    """Seed torch, numpy and Python for the thing that `names` name."""
    value = derive(seed, *names)
    random.seed(value)
    np.random.seed(value % 2**32)
    torch.manual_seed(value % 2**63)


def saved() -> dict[str, Any]:
    """The state of all three, as tensors and plain values."""
    kind, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, internal, gauss_next = random.getstate()
    return {
        "torch": torch.get_rng_state(),
        "numpy": [kind, keys.tolist(), int(position), int(has_gauss), float(gauss)],  # type: ignore[union-attr]
        "python": [version, list(internal), gauss_next],
    }


def restore(state: dict[str, Any]) -> None:
    """Take back what `saved` gave."""
    torch.set_rng_state(state["torch"])
    kind, keys, position, has_gauss, gauss = state["numpy"]
    np.random.set_state((kind, np.array(keys, dtype=np.uint32), position, has_gauss, gauss))
    version, internal, gauss_next = state["python"]
    random.setstate((version, tuple(internal), gauss_next))
