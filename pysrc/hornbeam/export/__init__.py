"""A dataset in the formats of other systems: `hornbeam export DIR OUT --to FORMAT`.

>>> sorted(FORMATS)
['aleph', 'csv', 'huggingface', 'popper', 'pyg']
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FORMATS = {
    "aleph": "hornbeam.export.tasks:aleph",
    "csv": "hornbeam.export.tables:csv_files",
    "huggingface": "hornbeam.export.tables:huggingface",
    "popper": "hornbeam.export.tasks:popper",
    "pyg": "hornbeam.export.graphs:pyg",
}
"""Where each format's writer is: it takes an `Order` and a folder, and gives the folders or files that it made."""


@dataclass(frozen=True, slots=True)
class Order:
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
    """Write a dataset, or one of its tasks; returns what was written.

    `out` must be new or empty, and is complete or not there at all.
    """
    if to not in FORMATS:
        raise unknown_name("format", to, FORMATS)
    out = Path(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("expected a new or empty folder", file=str(out))
    order = Order(dataset, None if task is None else dataset.one_task(task), options or {})
    module, _, name = FORMATS[to].partition(":")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as made:
        whole = Path(made) / "whole"
        whole.mkdir()
        written: list[Path] = getattr(import_module(module), name)(order, whole)
        if out.exists():
            out.rmdir()
        shutil.move(whole, out)
    return [out / path.relative_to(whole) for path in written]
