"""The command that writes tasks of a dataset for other systems: export."""

from __future__ import annotations

from pathlib import Path

import typer

from hornbeam.cli.learning import BACKGROUND, DIR, ENCODING, JSON, OPTION, TASK, family_options
from hornbeam.cli.output import print_json


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(export)


def export(
    dataset: Path = DIR,
    out: Path = typer.Argument(..., metavar="OUT", help="A new or empty folder.", show_default=False),
    to: str = typer.Option(
        ..., "--to", help="popper (exs.pl, bk.pl, bias.pl) or aleph (.b, .f, .n).", show_default=False
    ),
    task: str = TASK,
    encoding: str = ENCODING,
    background: str = BACKGROUND,
    option: list[str] = OPTION,
    as_json: bool = JSON,
) -> None:
    """Write the training part of a task for another learner; without --task every task in a folder of its own.

    Example: hornbeam export data/easy --to popper out --task t00_triangle --encoding folded
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp.export import export as write

    made = write(Dataset(dataset), to, out, task=task, options=family_options(encoding, background, option))
    if as_json:
        print_json({"format": to, "folders": [str(folder) for folder in made]})
    else:
        for folder in made:
            print(folder)
