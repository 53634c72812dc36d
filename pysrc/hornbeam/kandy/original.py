"""Writes files in the format of the original: its layout and columns."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.record import ORIGINAL_SPLIT

COLUMNS = ("filename", "task_id", "label", "supervised", "symbol")


def original_files(config: KandyConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
    """The annotations of each split, row by row, and stats.txt at the end."""
    indices = {task.id: task.index for task in config.tasks}
    counts: dict[tuple[int, str], Counter[bool]] = defaultdict(Counter)
    for split in ORIGINAL_SPLIT.values():
        yield f"sets/{split}/annotations.csv", _line(COLUMNS)
    for sample in samples:
        split, task = ORIGINAL_SPLIT[sample.split], indices[sample.task]
        symbolic: Any = sample.symbolic
        filename = f"{task}/{counts[task, split].total():04d}.png"
        counts[task, split][bool(sample.label)] += 1
        row = (filename, task, int(bool(sample.label)), int(sample.supervised), str(symbolic["tree"]))
        yield f"sets/{split}/annotations.csv", _line(row)
    yield "sets/stats.txt", _stats(config, counts)


def _line(row: Iterable[str | int]) -> str:
    """A row as the original's writer quotes it: text in quotes, numbers bare."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerow(row)
    return text.getvalue()


def _stats(config: KandyConfig, counts: dict[tuple[int, str], Counter[bool]]) -> str:
    """Parameters and counts, in the two parts of the original's file."""
    look = config.curriculum.config
    lines = ["General parameters:"]
    lines += [f"\t{name}: {value}" for name, value in _parameters(look)]
    lines += ["", "Task specific parameters:"]
    for task in config.tasks:
        lines.append(f"\tTask {task.index}: {task.name}")
        lines += [f"\t\tgamma: {task.gamma}", f"\t\tbeta: {task.beta}"]
        lines += [f"\t\tnoisy color: {task.noisy_color}", f"\t\tnoisy size: {task.noisy_size}"]
        for split in ORIGINAL_SPLIT.values():
            labels = counts[task.index, split]
            lines.append(f"\t\t{split}: {labels.total()} samples, {labels[True]} positive, {labels[False]} negative")
    return "\n".join(lines) + "\n"


def _parameters(look: Any) -> Iterator[tuple[str, object]]:
    yield "canvas size", f"{look.canvas_size[0]} x {look.canvas_size[1]}"
    yield "padding", look.padding
    yield "background color", _hex(look.bg_color)
    yield "colors", ", ".join(f"{name} {_hex(rgb)}" for name, rgb in look.colors)
    yield "sizes", ", ".join(f"{name} {pixels}" for name, pixels in look.sizes)
    yield "size noise", look.size_noise
    yield "hue, saturation and value sigma", f"{look.h_sigma}, {look.s_sigma}, {look.v_sigma}"


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in rgb)
