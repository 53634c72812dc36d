"""`hornbeam graphlog ...`: figures beside the paper's, and how alike worlds are."""

from __future__ import annotations

from pathlib import Path

import typer


def app() -> typer.Typer:
    """The commands."""
    made = typer.Typer(help="GraphLog: figures beside the paper's tables, similarity of worlds.", no_args_is_help=True)
    made.command()(statistics)
    made.command()(similarity)
    return made


def statistics(
    path: Path = typer.Argument(..., help="The dataset's folder.", show_default=False),  # noqa: B008
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Print the figures of a dataset beside Tables 3 and 6 of the paper.

    Example: hornbeam graphlog statistics data/suite
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.graphlog.figures import comparison
    from hornbeam.report.terminal import print_json

    found = comparison(Dataset(path))
    print_json(found.to_json()) if as_json else print(found.text())


def similarity(
    path: Path = typer.Argument(..., help="The dataset's folder.", show_default=False),  # noqa: B008
    jaccard: bool = typer.Option(False, "--jaccard", help="Shared rules as a share of the rules of both."),
) -> None:
    """Print which share of a world's rules each other world has, as CSV.

    Example: hornbeam graphlog similarity data/suite > similarity.csv
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.graphlog import figures
    from hornbeam.graphlog import world as worlds

    measure = worlds.jaccard if jaccard else worlds.similarity
    known = {name: found.world for name, found in figures.worlds(Dataset(path)).items()}
    print(",".join(["world", *known]))
    for name, one in known.items():
        print(",".join([name, *(f"{measure(one, other):g}" for other in known.values())]))
