"""The tour itself: stop after stop, told as it goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from hornbeam import family as families
from hornbeam.demo.lessons import Lesson, lessons
from hornbeam.demo.models import Model, train_one
from hornbeam.demo.report import write
from hornbeam.demo.stops import Stop, visit
from hornbeam.family import Family
from hornbeam.theory.verdict import AGREES, EQUAL, INCOMPARABLE, REFUTED

# Nothing but a proof is green.
_STYLES = {EQUAL: "green", REFUTED: "red", AGREES: "", INCOMPARABLE: "dim"}


@dataclass(frozen=True)
class Visit:
    """A stop with what was learned there."""

    stop: Stop
    lessons: tuple[Lesson, ...]
    model: Model | None


def tour(out: Path, seed: int) -> Path:
    """Visit all families and write the report; what an earlier tour made in `out` is taken. Returns the report."""
    out.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    places = list(_places())
    start = time.monotonic()
    visits = []
    for number, (family, preset) in enumerate(places, start=1):
        console.print(
            f"\n[bold]{number} of {len(places)}: {family.title}, {preset}[/bold]  [dim]{family.question}[/dim]"
        )
        visits.append(_visit(console, family, preset, out, seed))
    report = out / "report.html"
    write(report, visits, seed)
    console.print(f"\nDone in {time.monotonic() - start:.0f} s. The report: [bold]{report}[/bold]")
    return report


def _places() -> Iterator[tuple[Family, str]]:
    for family in families.loaded().values():
        for preset in family.demo_presets:
            yield family, preset


def _visit(console: Console, family: Family, preset: str, out: Path, seed: int) -> Visit:
    with console.status("making and checking a dataset"):
        stop = visit(family, preset, out, seed)
    for line in stop.commands()[:3]:
        console.print(f"$ {line}", markup=False, soft_wrap=True)
    console.print(
        f"  {len(stop.dataset.samples)} samples; {stop.check.confirmed} labels confirmed by {stop.check.reasoner}"
    )
    for answer in stop.answers:
        console.print(f"  {answer}", markup=False, soft_wrap=True)
    found = []
    with console.status("learning its theory"):
        for lesson in lessons(stop.dataset):
            console.print(f"$ {lesson.command}", markup=False, soft_wrap=True)
            console.print(f"  {_verdict(lesson)}", markup=False, style=_STYLES[lesson.verdict.kind])
            if lesson.is_impostor:
                console.print("  Right on every test sample, and wrong: see the report.", style="bold yellow")
            found.append(lesson)
    with console.status("training a model"):
        model = train_one(stop.dataset, out / "runs")
    if model is not None:
        console.print(f"$ {model.command}", markup=False, soft_wrap=True)
        console.print(f"  test accuracy {model.accuracy:.2f}")
    return Visit(stop, tuple(found), model)


def _verdict(lesson: Lesson) -> str:
    learned = lesson.learned
    scores = f"{learned.test.headline:.2f} on the test split" if learned.test else "not judged"
    return f"{len(learned.theory)} clauses in {learned.seconds:.1f} s, {scores}; {lesson.verdict}"
