"""A learned theory as a file: its rules and definitions, and at the top where it comes from and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.ilp.evaluation import Scores
from hornbeam.theory.files import save_theory
from hornbeam.version import __version__

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp.runner import Learned


def save_learned(learned: Learned, dataset: Dataset, path: Path, options: Mapping[str, str] | None = None) -> None:
    """Write a learned theory so that plain `swipl` loads it behind the dataset, and `hornbeam diff` knows its task.

    Args:
        learned: What a learner gave.
        dataset: What it was learned from.
        path: The file to write, whole or not at all.
        options: Those of the family's tasks that the learner was given.
    """
    save_theory(learned.theory, path, header(learned, dataset, options or {}))


def header(learned: Learned, dataset: Dataset, options: Mapping[str, str]) -> dict[str, str]:
    """What stands at the top of the file; :func:`hornbeam.theory.files.read_header` reads it back."""
    manifest = dataset.manifest
    drawn = "imported" if manifest.seed is None else f"seed {manifest.seed}"
    lines = {
        "learner": learned.learner,
        "hornbeam": __version__,
        "settings": _pairs({name: str(value) for name, value in learned.settings.items()}),
        "dataset": f"{dataset.path.name} ({manifest.family} {manifest.preset}, {drawn})",
        "task": learned.task,
        "view": learned.view,
        "encoding": learned.encoding,
        "options": _pairs(options),
        "status": f"{learned.status}: {learned.message}" if learned.message else learned.status,
        "seconds": f"{learned.seconds:.2f}",
        "train": _scores(learned.train),
        **{split: _scores(found) for split, found in (learned.evaluation.held.items() if learned.evaluation else ())},
        "verdict": str(learned.verdict) if learned.verdict else "",
    }
    return {name: value for name, value in lines.items() if value}


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _scores(scores: Scores | None) -> str:
    if scores is None:
        return ""
    return ", ".join(f"{name} {value:.4f}" for name, value in scores.to_json().items() if isinstance(value, float))
