"""Tasks of a dataset as files for other systems.

>>> sorted(FORMATS)
['aleph', 'popper']
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError, unknown_name
from hornbeam.ilp.task import EXAMPLES, ExampleTask

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

Writer = Callable[[ExampleTask, Path], None]


def _popper(task: ExampleTask, folder: Path) -> None:
    from hornbeam.ilp.popper.writer import write_task

    write_task(task, folder)


def _aleph(task: ExampleTask, folder: Path) -> None:
    from hornbeam.ilp.aleph.files import write_task

    write_task(task, folder, stem=task.name)


FORMATS: Mapping[str, Writer] = {"popper": _popper, "aleph": _aleph}


def export(
    dataset: Dataset, to: str, out: str | Path, *, task: str | None = None, options: Mapping[str, str] | None = None
) -> list[Path]:
    """Write the training part of a task, or of every task in a folder each; returns the folders.

    `out` must be new or empty, and is complete or not there at all.
    """
    if to not in FORMATS:
        raise unknown_name("format", to, FORMATS)
    if EXAMPLES not in dataset.family.learning_views:
        raise UsageError(f"the family {dataset.family.name} has no tasks of examples, which {to} wants")
    out = Path(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("expected a new or empty folder", file=str(out))
    names = [dataset.one_task(task)] if task is not None or len(dataset.tasks) == 1 else dataset.tasks
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as made:
        whole = Path(made) / "whole"
        _write(dataset, FORMATS[to], whole, names, options or {}, several=task is None and len(names) > 1)
        if out.exists():
            out.rmdir()
        shutil.move(whole, out)
    return [out / name for name in names] if len(names) > 1 else [out]


def _write(
    dataset: Dataset, writer: Writer, out: Path, names: Sequence[str], options: Mapping[str, str], *, several: bool
) -> None:
    for name in names:
        problem = dataset.family.learning_problem(dataset, EXAMPLES, name, options)
        assert isinstance(problem.task, ExampleTask)
        writer(problem.task, out / name if several else out)
