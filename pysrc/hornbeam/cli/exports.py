"""The command that writes a dataset for other systems: export."""

from __future__ import annotations

from pathlib import Path

import typer

from hornbeam.cli.learning import BACKGROUND, DIR, ENCODING, JSON, OPTION, TASK, family_options
from hornbeam.report.terminal import print_json


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(export)


def export(
    dataset: Path = DIR,
    out: Path = typer.Argument(..., metavar="OUT", help="A new or empty folder.", show_default=False),
    to: str = typer.Option(
        ...,
        "--to",
        help="popper (exs.pl, bk.pl, bias.pl) or aleph (.b, .f, .n): training tasks of learners. csv, huggingface "
        "(Parquet, for load_dataset) or pyg (PyTorch Geometric): samples, a file a split.",
        show_default=False,
    ),
    task: str = TASK,
    encoding: str = ENCODING,
    background: str = BACKGROUND,
    option: list[str] = OPTION,
    as_json: bool = JSON,
) -> None:
    """Write a dataset for another system. Without --task it is all tasks; for learners each in a folder of its own.

    Example: hornbeam export data/easy out --to popper --task t00_triangle --encoding folded
    """
    import hornbeam
    from hornbeam.export import export as write

    made = write(hornbeam.load(dataset), to, out, task=task, options=family_options(encoding, background, option))
    if as_json:
        folders, files = ([str(path) for path in made if path.is_dir() is wanted] for wanted in (True, False))
        print_json({"format": to, "folders": folders, "files": files})
    else:
        for path in made:
            print(path)
