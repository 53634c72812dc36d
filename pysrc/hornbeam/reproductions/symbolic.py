"""The learner `algebra` on the same data as the models. What it found is kept, so that it is run once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256, write_atomic
from hornbeam.errors import HornbeamError
from hornbeam.ilp import fit
from hornbeam.neural.runs import as_text
from hornbeam.reproductions.results import Cell, cell_of

ALGEBRA = "algebra"


def accuracies(dataset: Dataset, task: str | None, folder: Path, timeout: float) -> tuple[dict[Cell, float], float]:
    """Test accuracy by group, or of a world as a whole; and the CPU seconds of learning."""
    figures = _kept(folder / f"{task or 'all'}.json", sha256(dataset.path / "manifest.json"))
    if figures is None:
        figures = _learned(dataset, task, folder, timeout)
    test: Mapping[str, Any] = figures["test"]
    if task is not None:
        return {cell_of(task): test["accuracy"]}, figures["seconds"]
    groups = {cell_of(group): found["accuracy"] for group, found in test["by_group"].items()}
    return groups, figures["seconds"]


def _kept(file: Path, manifest: str) -> dict[str, Any] | None:
    if not file.is_file():
        return None
    figures: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return figures if figures.pop("dataset") == manifest else None


def _learned(dataset: Dataset, task: str | None, folder: Path, timeout: float) -> dict[str, Any]:
    found = fit(dataset, ALGEBRA, task=task, timeout=timeout)
    figures: dict[str, Any] = found.to_json()
    if found.test is None:
        raise HornbeamError(f"{ALGEBRA} found nothing that can be judged: {found.status}, {found.message}")
    folder.mkdir(parents=True, exist_ok=True)
    name = task or "all"
    write_atomic(folder / f"{name}.pl", f"{str(found.theory).rstrip()}\n".encode())
    kept = {**figures, "dataset": sha256(dataset.path / "manifest.json")}
    write_atomic(folder / f"{name}.json", as_text(kept).encode())
    return figures
