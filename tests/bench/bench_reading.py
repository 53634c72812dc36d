"""Reading samples.jsonl: every sample checked against its family's shape, with msgspec, and the ways not taken.

The baseline is how samples were read before they were checked: a line by its place in the index, and `json.loads`.
The same shape as a model of pydantic shows what that would cost. CPU microseconds a sample, the best of several passes
over a small dataset of each family.
"""

from __future__ import annotations

import json
import tempfile
import time
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model

import hornbeam
from hornbeam.data.sample import KEYS, Sample

PRESETS = {"clutrr": "tiny", "graphlog": "tiny", "kandy": "tour", "rudas": "demo", "star": "rcc8-small"}
PASSES = 5


def run() -> None:
    """Print a table."""
    print(f"{'family':<10}{'samples':>9}{'read and checked':>20}{'json.loads, no check':>24}{'pydantic':>14}")
    with tempfile.TemporaryDirectory() as folder:
        for family, preset in PRESETS.items():
            dataset = hornbeam.generate(family, preset, out=Path(folder, family), seed=7)
            ours, plain, other = _costs(dataset)
            figures = f"{ours:>17.1f} us{plain:>14.1f} us ({plain / ours:.1f}x){other:>8.1f} us ({other / ours:.1f}x)"
            print(f"{family:<10}{len(dataset.samples):>9}{figures}")


def _costs(dataset: Any) -> tuple[float, float, float]:
    """Microseconds a sample: ours, json.loads, pydantic and then json.loads for the values."""
    index, text = np.load(dataset.file("samples.index.npy"), mmap_mode="r"), dataset.file("samples.jsonl").read_bytes()
    model = TypeAdapter(_as_pydantic(dataset.family.sample_shape()))
    dataset.samples[0]  # what else the check needs is loaded once

    def line(row: int) -> bytes:
        entry = index[row]
        start = int(entry["offset"])
        return text[start : start + int(entry["length"])]

    def checked(data: bytes) -> Sample:
        model.validate_json(data)
        return _plain(data)

    rows = range(len(index))
    passes: list[Callable[[], Any]] = [
        lambda: list(dataset.samples),
        lambda: [_plain(line(row)) for row in rows],
        lambda: [checked(line(row)) for row in rows],
    ]
    ours, plain, other = (_best(work) / len(index) * 1e6 for work in passes)
    return ours, plain, other


def _plain(line: bytes) -> Sample:
    value = json.loads(line)
    return Sample(**{key: value[key] for key in KEYS})


def _best(work: Callable[[], Any]) -> float:
    times = []
    for _ in range(PASSES):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _as_pydantic(kind: Any) -> Any:
    """The same shape for pydantic, types only: models for structures, strict, no other keys."""
    if kind is msgspec.Raw:
        return Any
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = typing.get_type_hints(kind)
        required = {field.name for field in msgspec.structs.fields(kind) if field.required}
        fields = {name: (_as_pydantic(hint), ... if name in required else None) for name, hint in hints.items()}
        config = ConfigDict(extra="forbid", strict=True)
        model: type[BaseModel] = create_model(kind.__name__, __config__=config, **fields)  # type: ignore[call-overload]
        return model
    arguments = typing.get_args(kind)
    if not arguments or typing.get_origin(kind) is typing.Literal:
        return kind
    changed = tuple(map(_as_pydantic, arguments))
    origin = typing.get_origin(kind)
    return typing.Union[changed] if origin not in (list, dict, tuple) else origin[changed]  # noqa: UP007
