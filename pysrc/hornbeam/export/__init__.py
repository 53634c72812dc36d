"""A dataset in the formats of other systems: `hornbeam export DIR OUT --to FORMAT`.

>>> sorted(FORMATS)
['aleph', 'csv', 'huggingface', 'lm-eval', 'popper', 'pyg']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.data.workshop import Workshop
from hornbeam.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FORMATS = {
    "aleph": "hornbeam.export.tasks:aleph",
    "csv": "hornbeam.export.tables:csv_files",
    "huggingface": "hornbeam.export.tables:huggingface",
    "lm-eval": "hornbeam.export.harness:lm_eval",
    "popper": "hornbeam.export.tasks:popper",
    "pyg": "hornbeam.export.tasks:pyg",
}
"""Where each format's writer is. It takes an `ExportRequest` and a folder, and returns what it wrote."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What is to be written: all of a dataset, or one of its tasks."""

    dataset: Dataset
    task: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)  # of the family's tasks: encoding, background

    def refuse_options(self, to: str) -> None:
        """For a format that has samples as they are."""
        for name in self.options:
            raise UsageError(f"--{name} is for learners of theories (popper, aleph), not for {to}")


def export(
    dataset: Dataset, to: str, out: str | Path, *, task: str | None = None, options: Mapping[str, str] | None = None
) -> list[Path]:
    """Write a dataset, or one of its tasks, in the format of another system.

    Args:
        dataset: The dataset.
        to: The format, one of `FORMATS`.
        out: A new or empty folder. It is written whole or not at all.
        task: The task; all of them if None.
        options: Options of the family's tasks, such as `encoding`; for learners of theories only.

    Returns:
        The files or folders that were written.

    Raises:
        UsageError: The format is unknown, the folder is not empty, or the family has nothing for this format.
    """
    if to not in FORMATS:
        raise unknown_name("format", to, FORMATS)
    out = Path(out)
    workshop, recipe = Workshop(out), f"export to {to}"
    if out.exists():
        workshop.sweep(recipe)
    _refuse_full(out)
    request = ExportRequest(dataset, None if task is None else dataset.one_task(task), options or {})
    module, _, name = FORMATS[to].partition(":")
    with workshop.opened(recipe):
        written: list[Path] = getattr(import_module(module), name)(request, workshop.whole)
        _describe(request, to, workshop.whole)
        _refuse_full(out)  # another run may have finished meanwhile
        workshop.finish()
    return [out / path.relative_to(workshop.whole) for path in written]


def _refuse_full(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("expected a new or empty folder", file=str(out))


_CARD = """\
---
pretty_name: {title}, {preset}
tags:
- hornbeam
- {family}
---

{title}: {question}

Made by Hornbeam: family {family}, preset {preset}, seed {seed}; {samples:,} samples{of}. Exported to {to}.

| split | samples |
|---|---|
{splits}

{paper}
"""


def _describe(request: ExportRequest, to: str, folder: Path) -> None:
    """Write the card of an export, README.md with the header of Hugging Face, where its format has none of its own."""
    file = folder / "README.md"
    if file.exists():
        return
    dataset = request.dataset
    family, told = dataset.family, dataset.manifest
    samples = dataset.samples if request.task is None else dataset.task(request.task)
    counts = {split: len(samples.split(split)) for split in dataset.splits}
    values = {
        "title": family.title,
        "preset": told.preset,
        "family": family.name,
        "question": family.question,
        "seed": told.seed,
        "samples": len(samples),
        "of": "" if request.task is None else f" of the task {family.shown_task(dataset, request.task)}",
        "to": to,
        "splits": "\n".join(f"| {split} | {count:,} |" for split, count in counts.items() if count),
        "paper": family.paper,
    }
    file.write_text(_CARD.format(**values), encoding="utf-8")
