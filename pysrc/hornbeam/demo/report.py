"""The report of the tour: one page that needs nothing else."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.files import write_atomic
from hornbeam.data.sample import Sample
from hornbeam.demo.differences import difference
from hornbeam.demo.exhibit import exhibit
from hornbeam.demo.lessons import Lesson
from hornbeam.demo.plots import by_group, over_time
from hornbeam.report.diff_page import verdict_html
from hornbeam.report.page import Section, page, table

if TYPE_CHECKING:
    from hornbeam.demo.tour import Visit


def write(path: Path, visits: Sequence[Visit], seed: int) -> None:
    """The page, written whole or not at all."""
    lead = _lead(visits, seed)
    sections = [*exhibit(visits), *(Section(visit.stop.name, _visit(visit)) for visit in visits)]
    write_atomic(path, page("Hornbeam: a tour", lead, sections, contents=True).encode())


def _lead(visits: Sequence[Visit], seed: int) -> str:
    rows = [
        (
            visit.stop.name,
            len(visit.stop.dataset.samples),
            f"{visit.stop.check.confirmed} of {visit.stop.check.samples}",
            _learned(visit.lessons),
            _verdicts(visit.lessons),
            f"{visit.stop.seconds + sum(lesson.learned.wall for lesson in visit.lessons):.0f} s",
        )
        for visit in visits
    ]
    return (
        "<p>Hornbeam makes puzzles whose answers follow from written rules, and checks what a learner made of them. "
        "Each dataset below was drawn from a theory in Prolog; each label was proven by SWI-Prolog and confirmed by a "
        "second reasoner; then a learner got the training part, and its theory was held against the true one. "
        f"All of it comes from the seed {seed}: made again, it is the same to the byte.</p>"
        + table(("dataset", "samples", "labels confirmed", "learned, on test samples", "verdicts", "time"), rows)
    )


def _learned(lessons: Sequence[Lesson]) -> str:
    if not lessons:
        return "-"
    scores = [lesson.learned.test.headline for lesson in lessons if lesson.learned.test]
    mean = f"{sum(scores) / len(scores):.2f}" if scores else "-"
    return f"{lessons[0].plan.learner}: {mean}"


def _verdicts(lessons: Sequence[Lesson]) -> str:
    counts = Counter(lesson.verdict.short for lesson in lessons)
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "-"


def _visit(visit: Visit) -> str:
    stop = visit.stop
    parts = [
        f'<p><b>{html.escape(stop.family.question)}</b> <span class="soft">{html.escape(stop.family.paper)}</span></p>',
        *(_sample(visit, sample) for sample in stop.samples),
        "<h3>Asked in Prolog</h3>",
        f"<p>{html.escape(stop.meaning[0].upper() + stop.meaning[1:])}:</p>",
        f"<pre>?- {html.escape(stop.goal)}.\n{html.escape(chr(10).join(stop.answers))}</pre>",
        *(_lesson(visit, lesson) for lesson in visit.lessons),
        over_time(visit.lessons, visit.stop.name),
        _model(visit),
        "<h3>Do it yourself</h3>",
        f"<pre>{html.escape(chr(10).join(_commands(visit)))}</pre>",
        _rest(visit),
    ]
    return "\n".join(part for part in parts if part)


def _sample(visit: Visit, sample: Sample) -> str:
    dataset, family = visit.stop.dataset, visit.stop.family
    why = html.escape(family.explain(dataset, sample).strip())
    return f"{family.picture(dataset, sample)}\n<details open><summary>why</summary><pre>{why}</pre></details>"


def _lesson(visit: Visit, lesson: Lesson) -> str:
    learned = lesson.learned
    title = f"Learned by {lesson.plan.learner}" + (f": {lesson.task}" if lesson.task else "")
    score = f"{learned.test.headline:.2f}" if learned.test else "-"
    return (
        f"<h3>{html.escape(title)}</h3><p>{len(learned.theory)} clauses in {learned.seconds:.1f} s of CPU time, "
        f"{learned.tried} hypotheses tried; {score} on test samples.</p>"
        + verdict_html(lesson.verdict)
        + difference(visit.stop.dataset, lesson)
    )


def _model(visit: Visit) -> str:
    if visit.model is None:
        return ""
    model, theory = visit.model, _by_group(visit)
    rows = [(group, f"{value:.2f}", _figure(theory.get(group))) for group, value in model.groups.items()]
    learner = visit.lessons[0].plan.learner if visit.lessons else ""
    series = {model.name: model.groups, learner: theory} if theory else {model.name: model.groups}
    return (
        f"<h3>A neural model beside it</h3><p>{html.escape(model.name)}, trained on the same samples: accuracy "
        f"{model.accuracy:.2f}.</p>"
        + by_group(series, visit.stop.name)
        + table(("group of test samples", model.name, learner), rows)
    )


def _by_group(visit: Visit) -> dict[str, float]:
    """The accuracy of the learned theory on each group of test samples, named as the model's are."""
    if not visit.lessons or visit.lessons[0].learned.test is None:
        return {}
    groups: Any = visit.lessons[0].learned.test.details.get("by_group", {})
    return {group.replace(", ", " "): found["accuracy"] for group, found in groups.items()}


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _commands(visit: Visit) -> list[str]:
    commands = [*visit.stop.commands(), *(lesson.command for lesson in visit.lessons)]
    return [*commands, visit.model.command] if visit.model else commands


def _rest(visit: Visit) -> str:
    """What `hornbeam show` has of the dataset, folded away."""
    sections = visit.stop.family.show(visit.stop.dataset)
    body = "\n".join(f"<h3>{html.escape(section.title)}</h3>{section.html}" for section in sections)
    return f"<details><summary>all of the dataset's page</summary>{body}</details>" if body else ""
