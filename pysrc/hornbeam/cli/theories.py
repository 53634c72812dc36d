"""Commands on theories: diff, score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.report.terminal import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from hornbeam.theory import Diff

JSON = typer.Option(False, "--json", help="Print one JSON object.")
DIALECT = typer.Option(
    "auto", "--dialect", help="What printed LEARNED: prolog, aleph, popper, foil, amie, anyburl, neural-lp, ntp."
)
RENAME = typer.Option(
    [], "--rename", metavar="OLD=NEW", help="Give a learned predicate another name first: old=new or old/2=new."
)
TRUE = typer.Argument(..., metavar="TRUE.pl", help="The true theory.", show_default=False)
FRESH = typer.Option(
    2000, "--fresh", min=1, help="Fresh samples to draw from the dataset's generator where nothing can be proven."
)
SECONDS = typer.Option(60.0, "--timeout", min=0.001, help="CPU seconds for the Herbrand models at the most.")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(diff)
    app.command()(score)


def diff(
    files: list[Path] = typer.Argument(
        ..., metavar="[TRUE.pl] LEARNED.pl", help="The learned theory, alone with --dataset.", show_default=False
    ),
    dataset: Path | None = typer.Option(None, "--dataset", help="The dataset's folder: it knows the true theory."),
    task: str | None = typer.Option(None, "--task", help="The task; by default the one of LEARNED.pl's header."),
    encoding: str | None = typer.Option(None, "--encoding", help="The encoding of LEARNED.pl, if it has no header."),
    option: list[str] = typer.Option([], "--option", metavar="KEY=VALUE", help="A further option of the task."),
    fresh: int = FRESH,
    seed: int | None = typer.Option(None, "--seed", help="Of the fresh samples.", show_default=False),
    facts: Path | None = typer.Option(None, "--facts", help="A Prolog file of facts to compare two theories on."),
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
    """Show how a learned theory differs from the true one: the verdict, the rules side by side, and what differs.

    With --dataset the true theory is the dataset's own, in the language that the theory was learned in. Without it,
    name both theories, and facts or examples to compare them on.

    Example: hornbeam diff learned.pl --dataset data/easy

    Example: hornbeam diff true.pl learned.pl --facts facts.pl
    """
    from hornbeam import theory
    from hornbeam.errors import UsageError

    budget = theory.Budget(seconds=seconds)
    if dataset is not None:
        if len(files) != 1:
            raise UsageError("a dataset has its own true theory: with --dataset give the learned theory only")
        if any(given is not None for given in (facts, examples, background, target)):
            raise UsageError("--facts, --examples, --background and --target go without --dataset")
        options = _task_options(encoding, option)
        made = _diff_on(
            dataset,
            files[0],
            task,
            options,
            fresh,
            seed,
            rename=rename,
            dialect=dialect,
            samples=samples,
            budget=budget,
        )
    else:
        if len(files) != 2:
            raise UsageError("expected TRUE.pl LEARNED.pl, or LEARNED.pl --dataset DIR")
        if background is not None and not background.is_file():
            raise UsageError("there is no such file", file=str(background))
        made = theory.diff(
            theory.read(files[0], dialect="prolog"),
            theory.read(files[1], dialect=dialect),
            facts=facts,
            examples=list(theory.as_facts(examples)) if examples is not None else None,
            background=background,
            rename=rename,
            target=target,
            samples=samples,
            budget=budget,
        )
    if html is not None:
        from hornbeam.report.diff_page import diff_page

        html.write_text(diff_page(made), encoding="utf-8")
    if as_json:
        print_json(made.to_json())
    elif as_text or not sys.stdout.isatty():
        print(made.text(every=every))
    else:
        from rich.console import Console

        Console().print(made.rich(every=every))
    if html is not None and not as_json:
        print(html, file=sys.stderr)


def _task_options(encoding: str | None, more: list[str]) -> dict[str, str] | None:
    """Options of the family's tasks that were given; None where those of the theory's header count."""
    from hornbeam.cli.learning import family_options

    return family_options(encoding, None, more) or None


def _diff_on(
    dataset: Path,
    learned: Path,
    task: str | None,
    options: dict[str, str] | None,
    fresh: int,
    seed: int | None,
    **more: Any,
) -> Diff:
    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks import verdicts

    with progress_bar(f"judging {learned.name} on {dataset.name}"):
        return verdicts.diff_on(Dataset(dataset), learned, task=task, options=options, fresh=fresh, seed=seed, **more)


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
