"""The command judge: what was made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar

if TYPE_CHECKING:
    from hornbeam.tasks.scoring import Figures, Judged

_COLUMNS = ["split", "of", "", "samples", "right", "accuracy", "95 % interval", "balanced", "log loss", "AUC"]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(judge)


def judge(
    folder: Path = typer.Argument(..., metavar="DIR", help="The dataset's folder.", show_default=False),
    file: Path = typer.Argument(..., metavar="FILE", help="Predictions, or a theory.", show_default=False),
    form: str = typer.Option("auto", "--as", help="What FILE is: predictions or theory; auto looks at it."),
    task: str | None = typer.Option(None, "--task", help="Only this task; of a theory, the task that it is about."),
    split: str | None = typer.Option(None, "--split", help="Only this split, e.g. test."),
    dialect: str = typer.Option(
        "auto", "--dialect", help="What printed a theory: prolog, aleph, popper, foil, amie, anyburl, neural-lp, ntp."
    ),
    encoding: str | None = typer.Option(None, "--encoding", help="The encoding of a theory, if it has no header."),
    option: list[str] = typer.Option([], "--option", metavar="KEY=VALUE", help="A further option of the task."),
    fresh: int = typer.Option(2000, "--fresh", min=1, help="Fresh samples that the verdict on a theory may draw."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Score what was made elsewhere: accuracy by split, task and group with 95 % confidence intervals.

    Predictions are CSV with the columns id and label, or JSON lines with these keys; a column or key scores may hold a
    JSON object with a probability for each label. Each sample needs one prediction; --split and --task restrict which.
    A theory is asked every sample in SWI-Prolog, and gets a verdict.

    Example: hornbeam judge data/rcc8 predictions.csv --split test

    Example: hornbeam judge data/easy learned.pl --task t03_red
    """
    from hornbeam.cli.learning import family_options
    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks import scoring

    options = family_options(encoding, None, option) or None
    with progress_bar(f"judging {file.name} on {folder.name}"):
        judged = scoring.judge(
            Dataset(folder), file, task=task, split=split, form=form, dialect=dialect, options=options, fresh=fresh
        )
    if as_json:
        print_json(judged.to_json())
        return
    _print(judged)


def _print(judged: Judged) -> None:
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
