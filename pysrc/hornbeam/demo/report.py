"""The report of the tour: one self-contained page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from hornbeam.data.dataset import Dataset
from hornbeam.demo.tour import Lesson, Stop
from hornbeam.errors import HornbeamError
from hornbeam.networks.table import Table
from hornbeam.perception.pictures.explaining import explained_sections
from hornbeam.report import plots
from hornbeam.report.diff_page import clauses
from hornbeam.report.page import Macros, Section, page
from hornbeam.tasks.problem import NETWORKS
from hornbeam.theory import Theory, diff
from hornbeam.writing import write_atomic

_HTML = Macros(__file__, "report.html.j2")
_AT_ONCE = 0.2  # seconds


def write(path: Path, stops: Sequence[Stop], seed: int) -> None:
    """Write the page, whole or not at all."""
    rows = [
        (
            stop.name,
            len(stop.dataset.samples),
            f"{stop.check.confirmed} of {stop.check.samples}",
            _scores(stop.lessons),
            _verdicts(stop.lessons),
            f"{stop.seconds + sum(lesson.learned.wall for lesson in stop.lessons):.0f} s",
        )
        for stop in stops
    ]
    impostors = [(stop, lesson) for stop in stops for lesson in stop.lessons if lesson.is_impostor]
    impostors.sort(key=lambda one: one[1].learned.theory.literals)  # short theories first
    exhibit = [Section("Right on every test sample, and wrong", _HTML.exhibit(impostors))] if impostors else []
    sections = [*exhibit, *(Section(stop.name, _stop(stop)) for stop in stops)]
    write_atomic(path, page("Hornbeam: a tour", _HTML.lead(seed, rows), sections, contents=True).encode())


def _scores(lessons: Sequence[Lesson]) -> str:
    scores = [lesson.learned.test.headline for lesson in lessons if lesson.learned.test]
    return f"{lessons[0].plan.learner}: {sum(scores) / len(scores):.2f}" if scores else "-"


def _verdicts(lessons: Sequence[Lesson]) -> str:
    counts = Counter(lesson.verdict.short for lesson in lessons)
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "-"


def _stop(stop: Stop) -> Markup:
    family, dataset = stop.family, stop.dataset
    samples = [(family.picture(dataset, sample), family.explain(dataset, sample).strip()) for sample in stop.samples]
    lessons = [(lesson, difference(dataset, lesson)) for lesson in stop.lessons]
    explained = explained_sections(dataset)
    return _HTML.stop(stop, samples, explained, lessons, _over_time(stop), _model(stop), family.show(dataset))


def _over_time(stop: Stop) -> Markup | None:
    """How good the best theory so far was, against the learner's CPU time; None if it was found at once."""
    curves = {lesson.task or "all tasks": lesson.learned.curve for lesson in stop.lessons}
    if max((curve[-1][0] for curve in curves.values() if curve), default=0.0) < _AT_ONCE:
        return None
    return plots.inline(plots.steps(curves, up="on test samples"), stop.name)


def _model(stop: Stop) -> Markup:
    """The model beside the first theory: accuracy on each group of test samples."""
    if stop.model is None:
        return Markup()
    series = {stop.model.name: stop.model.groups}
    test = stop.lessons[0].learned.test if stop.lessons else None
    groups: Any = test.details.get("by_group", {}) if test else {}
    if groups:
        learner = stop.lessons[0].plan.learner
        series[learner] = {name.replace(", ", " "): group["accuracy"] for name, group in groups.items()}
    names = list(stop.model.groups)
    values = {label: np.array([[own.get(name, np.nan) for name in names]]) for label, own in series.items()}
    panel = plots.Lines("", values, "", "accuracy", limits=(-0.02, 1.04), names=names)
    rows = [(name, *(f"{own[name]:.2f}" if name in own else "-" for own in series.values())) for name in names]
    drawing = plots.inline(plots.lines([[panel]], wide=6.0), f"{stop.name} groups")
    return _HTML.model(stop.model, drawing, ["group of test samples", *series], rows)


# How a learned theory differs -----------------------------------------------------------------------------------------


def difference(dataset: Dataset, lesson: Lesson) -> Markup:
    """Rules side by side, or a composition table cell by cell."""
    learned, true = lesson.learned.theory, lesson.truth
    if true is None:  # two languages: there are no rules to align
        texts = [str(theory).strip() for theory in (Theory.of(dataset.truth_of(lesson.task).clauses), learned)]
        return _HTML.beside(*texts)
    if lesson.learned.view == NETWORKS:
        return _cells(Table.of(true), Table.of(learned))
    try:
        return clauses(diff(true, learned))
    except HornbeamError:
        return _HTML.rules(str(learned).strip())


def _cells(true: Table, learned: Table) -> Markup:
    """A square for each pair of relations: right, wrong, in part, or not seen in training."""
    counts: Counter[str] = Counter()
    rows = []
    for first in true.relations:
        cells = []
        for second in true.relations:
            expected, answered = _composed(true, first, second), _composed(learned, first, second)
            kind = _kind(expected, answered)
            counts[kind] += 1
            words = [" or ".join(sorted(names)) or "nothing" for names in (expected, answered)]
            cells.append((kind, f"{first} then {second}: {words[0]}; learned: {words[1]}"))
        rows.append((first, cells))
    return _HTML.cells(true.relations, rows, counts)


def _composed(table: Table, first: str, second: str) -> frozenset[str]:
    if first not in table.place or second not in table.place:
        return frozenset()
    return frozenset(table.names(table.cells[table.place[first]][table.place[second]]))


def _kind(expected: frozenset[str], answered: frozenset[str]) -> str:
    """The class of a cell; "" where the true table is empty."""
    if not expected or not answered:
        return "unseen" if expected else ""
    return "right" if expected == answered else "partly" if expected & answered else "wrong"
