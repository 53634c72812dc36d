"""Pictures: a training step of the KANDY cnn, and getting the pictures, each against the plain way.

Step: the convolutions computed in windows against the same network over every position of the pictures, both
channels-last with the same fused optimiser, on batches of all Easy tasks at 224 x 224. Pictures: batches from the
memory-mapped array against decoding the PNG files again. One thread; CPU time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.nn import functional

import hornbeam
from hornbeam.neural.processes import keep_freed_memory
from hornbeam.neural.trainer import TrainingOptions, make_optimizer
from hornbeam.neural.vision.data import Pictures
from hornbeam.neural.vision.domain import KANDY, Vision
from hornbeam.neural.vision.learner import VisionLearner
from hornbeam.neural.vision.models import Cnn, Request
from tests.neural.plain_cnn import plain_cnn

ROUNDS = 3


def best(work: Callable[[], object]) -> float:
    """CPU seconds, the best of some rounds after one that does not count."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def steps(pictures: Pictures, size: int) -> tuple[float, float, float]:
    """CPU ms a picture of a training step: in windows, in windows with a plain optimiser, over every position."""
    torch.manual_seed(0)
    learner = VisionLearner(pictures, lambda: Vision().build("cnn", Request(len(pictures.tasks), 224, 224)), KANDY)
    cnn = learner.module
    assert isinstance(cnn, Cnn)
    rows = np.random.default_rng(0).choice(pictures.rows("train"), size, replace=False)
    labels = torch.from_numpy(pictures.labels[rows].astype(np.float32))
    heads = torch.from_numpy(pictures.task[rows])[:, None]

    def step(forward: Callable, optimizer: torch.optim.Optimizer) -> Callable[[], None]:
        def work() -> None:
            optimizer.zero_grad()
            outputs = forward(learner.batch(rows)).gather(1, heads).squeeze(1)
            functional.binary_cross_entropy_with_logits(outputs, labels).backward()
            optimizer.step()

        return work

    fused = make_optimizer(TrainingOptions(lr=1e-4), learner)
    usual = torch.optim.Adam(cnn.parameters(), lr=1e-4, foreach=False, fused=False)
    times = [best(step(cnn, fused)), best(step(cnn, usual)), best(step(partial(plain_cnn, cnn), fused))]
    windows, unfused, plain = (1000 * seconds / size for seconds in times)
    return windows, unfused, plain


def reading(pictures: Pictures) -> tuple[float, float]:
    """CPU ms a picture: from the array, and decoded from its file."""
    rows = np.random.default_rng(1).permutation(len(pictures.labels))[:320]
    files = [pictures.dataset.path / pictures.dataset.samples[int(row)].input["image"] for row in rows]

    def decoded() -> None:
        for file in files:
            with Image.open(file) as picture:
                np.asarray(picture.convert("RGB"))

    mapped = best(lambda: [np.array(pictures.pixels[rows[start : start + 16]]) for start in range(0, len(rows), 16)])
    return 1000 * mapped / len(rows), 1000 * best(decoded) / len(rows)


def line(what: str, ours: float, base: float) -> None:
    print(f"  {what:<44}{ours:>10.3f}{base:>12.3f}{base / ours:>9.1f}x")


def run() -> None:
    torch.set_num_threads(1)
    keep_freed_memory()
    with tempfile.TemporaryDirectory() as folder:
        pictures = Pictures(hornbeam.generate("kandy", "easy", out=Path(folder) / "easy", seed=0))
        print(f"ms of CPU a picture{'ours':>37}{'plain':>12}{'ratio':>10}")
        for size in (1, 16):
            windows, unfused, plain = steps(pictures, size)
            line(f"cnn step, batch {size}, every position", windows, plain)
            line(f"cnn step, batch {size}, optimiser not fused", windows, unfused)
        line("a batch of 16 pictures, decoded from files", *reading(pictures))


if __name__ == "__main__":
    run()
