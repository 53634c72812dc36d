"""Commands on theories and predictions: diff, score, judge."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.cli.options import DIALECT, DIR, FRESH, JSON, OPTION, THEORY_ENCODING, task_options
from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar, say
from hornbeam.writing import check_writable, write_atomic

if TYPE_CHECKING:
    from hornbeam.tasks.scoring import Figures, Judged

app = typer.Typer()
RENAME = typer.Option([], "--rename", metavar="OLD=NEW", help="Rename a learned predicate first: old=new or old/2=new.")
SECONDS = typer.Option(60.0, "--timeout", min=0.001, help="The maximum of CPU seconds for the Herbrand models.")
_COLUMNS = ["split", "of", "", "samples", "right", "accuracy", "95 % interval", "balanced", "log loss", "AUC"]


@app.command()
def diff(
    files: list[Path] = typer.Argument(
        ...,
        metavar="[TRUE.pl] LEARNED.pl",
        help="The theories; with --dataset only LEARNED.pl.",
        show_default=False,
    ),
    dataset: Path | None = typer.Option(None, "--dataset", help="The dataset's folder, which has the true theory."),
    task: str | None = typer.Option(None, "--task", help="The task; by default the one in the header of LEARNED.pl."),
    encoding: str | None = THEORY_ENCODING,
    option: list[str] = OPTION,
    fresh: int = FRESH,
    seed: int | None = typer.Option(None, "--seed", help="The seed of the fresh samples.", show_default=False),
    facts: Path | None = typer.Option(None, "--facts", help="A Prolog file of facts to compare two theories on."),
    examples: Path | None = typer.Option(None, "--examples", help="A Prolog file of goals to ask both theories."),
    background: Path | None = typer.Option(None, "--background", help="A Prolog file of background knowledge."),
    rename: list[str] = RENAME,
    target: str | None = typer.Option(None, "--target", help="Compare only this predicate and what it depends on."),
    dialect: str = DIALECT,
    samples: int = typer.Option(20, "--samples", min=0, help="How many facts or samples of each kind are shown."),
    seconds: float = SECONDS,
    as_json: bool = JSON,
    as_text: bool = typer.Option(False, "--text", help="Print text in the form of a unified diff, even on a terminal."),
    every: bool = typer.Option(False, "--all", help="Also show the rules that are the same."),
    html: Path | None = typer.Option(None, "--html", help="Write a self-contained page to this file."),
) -> None:
    """Show how a learned theory differs from the true one: the verdict, the rules side by side, and what differs.

    With --dataset the true theory is the dataset's own, in the encoding that the theory was learned in. Without it,
    give both theories, and facts or examples to compare them on.

    Example: hornbeam diff learned.pl --dataset data/easy

    Example: hornbeam diff true.pl learned.pl --facts facts.pl
    """
    from hornbeam import theory
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.tasks.verdicts import diff_on

    if html is not None:
        check_writable(html)
    common: dict[str, Any] = {"rename": rename, "samples": samples, "budget": theory.Budget(seconds=seconds)}
    if dataset is not None:
        if len(files) != 1:
            raise UsageError("a dataset has its own true theory: with --dataset give only the learned theory")
        if any(value is not None for value in (facts, examples, background, target)):
            raise UsageError("--facts, --examples, --background and --target cannot be used with --dataset")
        options = task_options(encoding, None, option) or None  # None: those of the theory's header
        common |= {"task": task, "options": options, "dialect": dialect, "fresh": fresh, "seed": seed}
        with progress_bar(f"judging {files[0].name} on {dataset.name}"):
            difference = diff_on(Dataset(dataset), files[0], **common)
    else:
        if len(files) != 2:
            raise UsageError("expected TRUE.pl LEARNED.pl, or LEARNED.pl --dataset DIR")
        if background is not None and not background.is_file():
            raise UsageError("there is no such file", file=str(background))
        difference = theory.diff(
            theory.read(files[0], dialect="prolog"),
            theory.read(files[1], dialect=dialect),
            facts=facts,
            examples=list(theory.as_facts(examples)) if examples is not None else None,
            background=background,
            target=target,
            **common,
        )
    if html is not None:
        from hornbeam.report.diff_page import diff_page

        write_atomic(html, diff_page(difference).encode())
    if as_json:
        print_json(difference.to_json())
    elif as_text or not sys.stdout.isatty():
        say(difference.text(every=every))
    else:
        from rich.console import Console

        Console().print(difference.rich(every=every))
    if html is not None and not as_json:
        say(html, file=sys.stderr)


@app.command()
def score(
    true: Path = typer.Argument(..., metavar="TRUE.pl", help="The true theory.", show_default=False),
    learned: list[Path] = typer.Argument(..., metavar="LEARNED...", help="Learned theories.", show_default=False),
    facts: Path = typer.Option(..., "--facts", help="A Prolog file of facts to evaluate them on.", show_default=False),
    dialect: str = DIALECT,
    compat: bool = typer.Option(False, "--compat", help="Count as the evaluator of RuDaS does."),
    seconds: float = SECONDS,
    as_json: bool = JSON,
) -> None:
    """Score learned theories. A theory that cannot be read or evaluated keeps its row, with the reason.

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


@app.command()
def judge(
    folder: Path = DIR,
    file: Path = typer.Argument(..., metavar="FILE", help="Predictions, or a theory.", show_default=False),
    form: str = typer.Option("auto", "--as", help="What FILE is: predictions, theory, or auto to look at its content."),
    task: str | None = typer.Option(None, "--task", help="Only this task; for a theory, the task that it is about."),
    split: str | None = typer.Option(None, "--split", help="Only this split, e.g. test."),
    dialect: str = DIALECT,
    encoding: str | None = THEORY_ENCODING,
    option: list[str] = OPTION,
    fresh: int = FRESH,
    as_json: bool = JSON,
) -> None:
    """Score predictions or a theory: accuracy by split, task and group, with 95 % confidence intervals.

    Predictions are CSV with the columns id and label, or JSON lines with these keys; a column or key `scores` may
    hold a JSON object with a probability for each label. Each sample needs one prediction; --split and --task restrict
    which samples. A theory is run on every sample in SWI-Prolog, and gets a verdict.

    Example: hornbeam judge data/rcc8 predictions.csv --split test

    Example: hornbeam judge data/easy learned.pl --task t03_red
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks import scoring

    options = task_options(encoding, None, option) or None
    with progress_bar(f"judging {file.name} on {folder.name}"):
        judged = scoring.judge(
            Dataset(folder), file, task=task, split=split, form=form, dialect=dialect, options=options, fresh=fresh
        )
    if as_json:
        print_json(judged.to_json())
        return
    _print_judged(judged)


def _print_judged(judged: Judged) -> None:
    overall = judged.overall
    shown: dict[str, object] = {"verdict": judged.verdict} if judged.verdict else {}
    shown["accuracy"] = f"{overall} on {overall.count:,} samples"
    shown["balanced accuracy"] = f"{overall.balanced:.4f}"
    if overall.log_loss is not None:
        shown["log loss"] = f"{overall.log_loss:.4f}"
    if overall.auc is not None:
        shown["AUC"] = f"{overall.auc:.4f}"
    if judged.strange:
        some = ", ".join(f"{label} ({count})" for label, count in list(judged.strange.items())[:5])
        shown["labels that the dataset does not have"] = some
    print_figures(shown)
    print_table("By split, task and group", _COLUMNS, list(_rows(judged)))


def _rows(judged: Judged) -> Iterator[list[str]]:
    for split, scores in judged.splits.items():
        yield [split, "all", "", *_cells(scores.overall)]
        if len(scores.tasks) > 1:
            for task, cell in scores.tasks.items():
                yield [split, "task", task, *_cells(cell)]
        for name, cells in scores.groups.items():
            for value, cell in cells.items():
                yield [split, name, value, *_cells(cell)]


def _cells(cell: Figures) -> list[str]:
    interval = f"{cell.low:.4f} to {cell.high:.4f}"
    rest = ["" if value is None else f"{value:.4f}" for value in (cell.log_loss, cell.auc)]
    return [f"{cell.count:,}", f"{cell.correct:,}", f"{cell.accuracy:.4f}", interval, f"{cell.balanced:.4f}", *rest]
