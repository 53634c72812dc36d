"""Commands on theories: diff, score."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from hornbeam.report.terminal import print_json, print_table

JSON = typer.Option(False, "--json", help="Print one JSON object.")
DIALECT = typer.Option(
    "auto", "--dialect", help="What printed LEARNED: prolog, aleph, popper, foil, amie, anyburl, neural-lp, ntp."
)
RENAME = typer.Option(
    [], "--rename", metavar="OLD=NEW", help="Give a learned predicate another name first: old=new or old/2=new."
)
TRUE = typer.Argument(..., metavar="TRUE.pl", help="The true theory.", show_default=False)
SECONDS = typer.Option(60.0, "--timeout", min=0.001, help="CPU seconds for the Herbrand models at the most.")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(diff)
    app.command()(score)


def diff(
    true: Path = TRUE,
    learned: Path = typer.Argument(..., metavar="LEARNED.pl", help="The learned theory.", show_default=False),
    facts: Path | None = typer.Option(None, "--facts", help="A Prolog file of facts to compare them on."),
    dataset: Path | None = typer.Option(None, "--dataset", help="A dataset's folder to compare them on."),
    task: str | None = typer.Option(None, "--task", help="The task of the dataset."),
    examples: Path | None = typer.Option(None, "--examples", help="A Prolog file of goals to ask both theories."),
    background: Path | None = typer.Option(None, "--background", help="A Prolog file that the theories stand on."),
    rename: list[str] = RENAME,
    target: str | None = typer.Option(None, "--target", help="Compare only this predicate and what it depends on."),
    dialect: str = DIALECT,
    samples: int = typer.Option(20, "--samples", min=0, help="Facts or samples to show of each kind."),
    seconds: float = SECONDS,
    as_json: bool = JSON,
    as_text: bool = typer.Option(False, "--text", help="Print text like a unified diff, also on a terminal."),
    every: bool = typer.Option(False, "--all", help="Show the rules that are the same, too."),
    html: Path | None = typer.Option(None, "--html", help="Write a self-contained page to this file."),
) -> None:
    """Show how a learned theory differs from the true one: rules, meaning, facts, and which rule is to blame.

    Example: hornbeam diff true.pl learned.pl --facts facts.pl
    """
    import hornbeam
    from hornbeam import theory
    from hornbeam.errors import UsageError

    if facts is not None and dataset is not None:
        raise UsageError("give --facts or --dataset, not both")
    if background is not None and not background.is_file():
        raise UsageError("there is no such file", file=str(background))
    made = theory.diff(
        theory.read(true, dialect="prolog"),
        theory.read(learned, dialect=dialect),
        hornbeam.load(dataset) if dataset is not None else None,
        facts=facts,
        examples=list(theory.as_facts(examples)) if examples is not None else None,
        background=background,
        task=task,
        rename=rename,
        target=target,
        samples=samples,
        budget=theory.Budget(seconds=seconds),
    )
    if html is not None:
        html.write_text(made.html(), encoding="utf-8")
    if as_json:
        print_json(made.to_json())
    elif as_text or not sys.stdout.isatty():
        print(made.text(every=every))
    else:
        from rich.console import Console

        Console().print(made.rich(every=every))
    if html is not None and not as_json:
        print(html, file=sys.stderr)


def score(
    true: Path = TRUE,
    learned: list[Path] = typer.Argument(..., metavar="LEARNED...", help="Learned theories.", show_default=False),
    facts: Path = typer.Option(..., "--facts", help="A Prolog file of facts to evaluate them on.", show_default=False),
    dialect: str = DIALECT,
    compat: bool = typer.Option(False, "--compat", help="Count as RuDaS' own evaluator does."),
    seconds: float = SECONDS,
    as_json: bool = JSON,
) -> None:
    """Score learned theories; one that cannot be read or evaluated keeps its row.

    Example: hornbeam score true.pl run1.pl run2.pl --facts eval-support.txt
    """
    from hornbeam import theory
    from hornbeam.errors import HornbeamError

    runs: dict[str, theory.Theory | HornbeamError] = {}
    for path in learned:
        try:
            runs[str(path)] = theory.read(path, dialect=dialect)
        except HornbeamError as error:
            runs[str(path)] = error
    truth = theory.read(true, dialect="prolog")
    budget = theory.Budget(seconds=seconds)
    rows = theory.score_runs(truth, runs, theory.as_facts(facts), budget=budget, compat=compat)
    if as_json:
        shown = [{"name": row.name, "status": row.status, **row.figures()} for row in rows]
        print_json({"rows": shown, "means": theory.means(rows)})
        return
    names = ["h_score", "precision", "recall", "f1", "r_score", "r_precision"]
    figures = [[row.name, *(f"{row.figures()[name] or 0:.4f}" for name in names), row.status] for row in rows]
    print_table("Scores", ["theory", *names, "status"], figures)
