"""Commands on language models: prompts, and the audit of other packages' tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.cli.options import JSON, TASK
from hornbeam.report.terminal import print_figures, print_json, progress_bar, say
from hornbeam.writing import check_writable, replacing

if TYPE_CHECKING:
    from hornbeam.language.item import Item
    from hornbeam.language.prompts import Asker

app = typer.Typer()


def levels_of(text: str | None) -> tuple[int, int] | None:
    """The lowest and the highest level of ``4`` or ``4-8``."""
    from hornbeam.errors import UsageError

    if text is None:
        return None
    low, _, high = text.partition("-")
    if not low.isdecimal() or not (high or low).isdecimal():
        raise UsageError(f"--level {text}: expected a level from 1 to 20, or two of them, e.g. 4-8")
    return int(low), int(high or low)


@app.command()
def prompts(
    path: Path | None = typer.Argument(None, metavar="[DIR]", help="The dataset's folder.", show_default=False),
    out: Path = typer.Option(None, "--out", "-o", help="The file to write, as JSON lines.", show_default=False),
    kind: str = typer.Option("answer", "--kind", help="answer: the label of each sample; induce: the rules of a task."),
    level: str = typer.Option(None, "--level", help="Only this level of difficulty, 1 to 20, or a range, e.g. 4-8."),
    shots: int = typer.Option(0, "--shots", help="Solved training samples in front of each question."),
    style: str = typer.Option("natural", "--style", help="natural, formal, or symbols: meaningless names."),
    names: str = typer.Option("own", "--names", help="Names: own, letters, or of a language: en, de, fr, es, it, tr."),
    answer_format: str = typer.Option("tags", "--answer-format", help="tags, boxed or json."),
    split: str = typer.Option(None, "--split", help="Only samples of this split."),
    task: str = TASK,
    rows: int = typer.Option(None, "--rows", min=1, help="The most prompts to write."),
    seed: int = typer.Option(0, "--seed", help="The seed of the order, the names and the shots."),
    templates: Path = typer.Option(None, "--templates", help="A folder with templates that replace the shipped ones."),
    settings: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="A further setting, e.g. picture=both."),
    template: str | None = typer.Option(None, "--show-template", help="Print a template, e.g. answer/star, and exit."),
    solutions: bool = typer.Option(
        False, "--with-solutions", help="Write chat messages with the proof in words, for fine-tuning."
    ),
    as_json: bool = JSON,
) -> None:
    """Write samples as prompts for language models.

    Example: hornbeam prompts data/rcc8 --split test --shots 3 --out prompts.jsonl

    Example: hornbeam prompts data/rcc8 --split train --with-solutions --out tuning.jsonl
    """
    import hornbeam
    from hornbeam.config import key_values
    from hornbeam.errors import UsageError
    from hornbeam.language.item import write_items

    if template is not None:
        _print_template(template)
        return
    if path is None or out is None:
        raise UsageError("expected a dataset and --out FILE")
    check_writable(out)
    more: dict[str, Any] = {"names": names, "answer_format": answer_format, **key_values(settings)}
    items = hornbeam.prompts(
        hornbeam.load(path),
        kind=kind,
        level=levels_of(level),
        shots=shots,
        style=style,
        split=split,
        task=task,
        seed=seed,
        templates=templates,
        **more,
    )
    count = min(len(items), rows or len(items))
    wanted = islice(items, count)
    lines = solution_lines(items, wanted) if solutions else write_items(wanted)
    written = 0
    with progress_bar("prompts") as progress, replacing(out) as partial, partial.open("w", encoding="utf-8") as stream:
        for line in lines:
            stream.write(line)
            written += 1
            progress(written, count)
    family = items.dataset.manifest.family
    figures = {"prompts": str(out), "rows": written, "kind": kind, "family": family, "seed": seed}
    if solutions:
        figures["without a stored proof"] = count - written
    print_json(figures) if as_json else print_figures(figures)


def solution_lines(asker: Asker, items: Iterable[Item]) -> Iterator[str]:
    """Chat messages of items and their solutions as JSON lines; items without a stored proof are left out."""
    import json

    from hornbeam.language.steps import checked_solutions

    for solved in checked_solutions(asker, items):
        row = {"uid": solved.item.uid, "level": solved.item.level, "messages": solved.messages()}
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _print_template(name: str) -> None:
    from hornbeam.errors import unknown_name
    from hornbeam.language.prompts.rendering import templates

    known = templates()
    if name not in known:
        raise unknown_name("template", name, list(known))
    say(known[name].rstrip())


def print_gym_audit(task: str, rows: int, seed: int, *, full: bool, as_json: bool) -> None:
    """Audit a task of reasoning-gym; the verdict comes first."""
    from hornbeam.language.audits import audit_gym
    from hornbeam.language.audits.report import ARGUABLE, WRONG

    with progress_bar(f"audit {task}") as progress:
        audited = audit_gym(task, rows=rows, seed=seed, progress=progress)
    if as_json:
        print_json(audited.to_json())
        return
    share, low, high = audited.share(WRONG)
    say(f"{100 * share:.1f} % of the answers are wrong ({100 * low:.1f} to {100 * high:.1f} % at 95 %).")
    figures = {"source": f"{audited.source}, version {audited.version}, seed {seed}", "rows": rows, **audited.counts}
    print_figures({**figures, "convention": audited.convention})
    for cause, count in audited.causes.items():
        say(f"{count:6}  {cause}")
    shown = audited.of(WRONG, ARGUABLE) if full else audited.of(WRONG)[:1]
    for row in shown:
        say(f"\nrow {row.index}: {row.verdict}, {row.cause}\n{row.text}\ngiven: {row.given}   derived: {row.derived}")
        for line in row.countermodel:
            say(f"  {line}")
    if not full and len(audited.of(WRONG, ARGUABLE)) > 1:
        say("\n--full shows all of them, --json too.")
