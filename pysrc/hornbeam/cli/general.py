"""Commands that need no dataset: doctor, list, demo."""

from __future__ import annotations

from pathlib import Path

import typer

from hornbeam.report.terminal import print_figures, print_json, print_table


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(doctor)
    app.command("list")(list_families)
    app.command()(demo)


def doctor(
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    brief: bool = typer.Option(False, "--brief", help="Only what is missing and needed, and one line."),
) -> None:
    """Show what is installed, what is missing, and the command that installs it.

    Example: hornbeam doctor
    """
    from hornbeam import doctor as examination

    if as_json:
        report = examination.report()
        print_json(report)
        raise typer.Exit(0 if report["ok"] else 1)
    parts = examination.examine()
    if brief:
        found = [f"{part.name} {part.version}" for part in parts if part.needed and part.found]
        print("ready:" if all(part.ok for part in parts) else "not ready:", ", ".join(found))
        parts = [part for part in parts if not part.ok]
    rows = [
        (part.name, "found" if part.found else "missing", part.version or "", part.note or part.fix) for part in parts
    ]
    if rows:
        print_table("hornbeam doctor", ("part", "", "version", "where, or how to get it"), rows)
    raise typer.Exit(0 if all(part.ok for part in parts) else 1)


def list_families(
    family: str | None = typer.Argument(None, help="Show this family's presets."),
) -> None:
    """List the families and their presets.

    Example: hornbeam list
    """
    from hornbeam import config
    from hornbeam import family as families

    if family is None:
        rows = [(name, found.title, ", ".join(config.presets(name))) for name, found in families.loaded().items()]
        print_table("families", ("family", "what a sample is", "presets"), rows)
        return
    found = families.get(family)
    print_figures({"family": found.name, "title": found.title, "paper": found.paper})
    print_table(
        "presets", ("preset", "about"), [(name, config.description(family, name)) for name in config.presets(family)]
    )


def demo(
    out: Path = typer.Option(Path("demo"), "--out", help="Where the datasets and the report go."),
    seed: int = typer.Option(7, "--seed", help="The seed of all that is drawn."),
) -> None:
    """A tour of the families: generate, check with the other reasoner, ask, and one HTML report.

    Example: hornbeam demo --out demo
    """
    from hornbeam.demo import tour

    tour(out, seed)
