"""Puts hostile text into a copy of a dataset, with a manifest that agrees."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hornbeam.data import manifest
from hornbeam.data.index import IndexWriter


def planted(dataset: Path, copy: Path, changes: dict[str, str | bytes], *, replaced: bool = False) -> Path:
    """A copy of a dataset with text put before that of some of its files (or instead of it)."""
    shutil.copytree(dataset, copy)
    for name, change in changes.items():
        data = change.encode("utf-8", "surrogatepass") if isinstance(change, str) else change
        path = copy / name
        path.write_bytes(data if replaced or not path.exists() else _put_in(path.read_bytes(), data))
    agree(copy)
    return copy


def _put_in(before: bytes, data: bytes) -> bytes:
    """Behind a module header, so that it is part of the module; else at the start."""
    if before.startswith(b":- module("):
        end = before.index(b").\n") + 3
        return before[:end] + data + b"\n" + before[end:]
    return data + b"\n" + before


def with_samples(dataset: Path, copy: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a dataset in which `change` was done to each sample; index, counts and manifest agree."""
    shutil.copytree(dataset, copy)
    index = IndexWriter()
    lines = []
    for line in (copy / "samples.jsonl").read_text(encoding="utf-8").splitlines():
        sample = json.loads(line)
        change(sample)
        text = (json.dumps(sample, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "surrogatepass")
        lines.append(text)
        index.add(text, str(sample["task"]), str(sample["split"]))
    (copy / "samples.jsonl").write_bytes(b"".join(lines))
    index.save(copy)
    agree(copy)
    path = copy / manifest.NAME
    value = json.loads(path.read_text(encoding="utf-8"))
    value["counts"]["tasks"] = index.counts()
    value["counts"]["splits"] = {split: sum(row[split] for row in index.counts().values()) for split in index.splits}
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return copy


def agree(dataset: Path) -> None:
    """Write the sizes and digests of all files into the manifest, as somebody who made the dataset would."""
    path = dataset / manifest.NAME
    value = json.loads(path.read_text(encoding="utf-8"))
    value["files"] = {name: dataclasses.asdict(entry) for name, entry in manifest.entries(dataset).items()}
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
