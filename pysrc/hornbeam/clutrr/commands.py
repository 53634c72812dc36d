"""`hornbeam clutrr ...`: commands of this family."""

from __future__ import annotations

import csv
import io
from dataclasses import fields, replace
from pathlib import Path

import typer


def app() -> typer.Typer:
    """The commands."""
    commands = typer.Typer(help="CLUTRR: stories of families.", no_args_is_help=True)
    commands.command()(rows)
    return commands


def rows(
    path: Path = typer.Argument(..., help="The dataset's folder.", show_default=False),  # noqa: B008
    out: Path = typer.Option(..., "--out", "-o", help="The CSV file to write.", show_default=False),  # noqa: B008
) -> None:
    """Grade every story of a dataset, a line each: derivable, entailed, true in its family, hops, leaked.

    Example: hornbeam clutrr rows data/published --out rows.csv
    """
    from hornbeam.clutrr.audit import StoryGrades, audit_rows, leaked_ids
    from hornbeam.clutrr.knowledge import load
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.report.terminal import progress_bar, say
    from hornbeam.writing import write_atomic

    dataset = Dataset(path)
    if dataset.manifest.family != "clutrr":
        raise UsageError(f"expected a dataset of clutrr, this is one of {dataset.manifest.family}", file=str(path))
    if not out.parent.is_dir():
        raise UsageError("there is no such folder to write to", file=str(out.parent))
    dataset.verify()
    leaked = leaked_ids(dataset)
    columns = [field.name for field in fields(StoryGrades)]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    with progress_bar(f"audit {path}") as progress:
        for row in audit_rows(load(tuple(dataset.config.packs)), dataset, progress):
            told = replace(row, leaked=row.id in leaked)
            writer.writerow([getattr(told, column) for column in columns])
    try:
        write_atomic(out, text.getvalue().encode())
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", file=str(out)) from None
    say(out)
