"""Options and arguments that several commands share, and how they are parsed."""

from __future__ import annotations

import typer

from hornbeam.cli import completing

DIR = typer.Argument(..., metavar="DIR", help="The dataset's folder.", show_default=False)
JSON = typer.Option(False, "--json", help="Print one JSON object.")
TASK = typer.Option(
    None, "--task", help="The task, if the dataset has several.", show_default=False, autocompletion=completing.tasks
)
ENCODING = typer.Option(None, "--encoding", help="How samples become terms, if the family has several encodings.")
BACKGROUND = typer.Option(None, "--background", help="How much background knowledge, e.g. minimal, mid, large.")
OPTION = typer.Option([], "--option", metavar="KEY=VALUE", help="A further option of the family's tasks.")
FRESH = typer.Option(2000, "--fresh", min=1, help="Fresh samples that the verdict draws if nothing can be proven.")
DIALECT = typer.Option(
    "auto",
    "--dialect",
    help="The format of a learned theory: auto, prolog, aleph, popper, foil, amie, anyburl, neural-lp or ntp.",
)
THEORY_ENCODING = typer.Option(None, "--encoding", help="The encoding of a theory that has no header.")


def task_options(encoding: str | None, background: str | None, more: list[str]) -> dict[str, str]:
    """The options of a family's tasks that were given."""
    from hornbeam.config import key_values

    named = {"encoding": encoding, "background": background}
    return {**{name: value for name, value in named.items() if value is not None}, **key_values(more, "--option")}
