"""`hornbeam graphlog ...`: statistics compared with the paper's, and the similarity of worlds."""

from __future__ import annotations

from pathlib import Path

import typer


def app() -> typer.Typer:
    """The commands."""
    group = typer.Typer(help="GraphLog: statistics and the paper's tables, similarity of worlds.", no_args_is_help=True)
    group.command()(statistics)
    group.command()(similarity)
    return group


def statistics(
    path: Path = typer.Argument(..., help="The dataset's folder.", show_default=False),  # noqa: B008
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Print the statistics of a dataset and Tables 3 and 6 of the paper.

    Example: hornbeam graphlog statistics data/suite
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.graphlog.figures import comparison
    from hornbeam.report.terminal import print_json, say

    tables = comparison(Dataset(path))
    print_json(tables.to_json()) if as_json else say(tables.text())


def similarity(
    path: Path = typer.Argument(..., help="The dataset's folder.", show_default=False),  # noqa: B008
    jaccard: bool = typer.Option(False, "--jaccard", help="Shared rules as a share of the rules of both."),
) -> None:
    """Print which share of a world's rules each other world has, as CSV.

    Example: hornbeam graphlog similarity data/suite > similarity.csv
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.graphlog import figures, world
    from hornbeam.report.terminal import say

    measure = world.jaccard if jaccard else world.similarity
    worlds = {name: known.world for name, known in figures.worlds(Dataset(path)).items()}
    say(",".join(["world", *worlds]))
    for name, one in worlds.items():
        say(",".join([name, *(f"{measure(one, other):g}" for other in worlds.values())]))
