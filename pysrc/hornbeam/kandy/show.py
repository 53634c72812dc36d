"""The contact sheets of a dataset: for each task its rule, its statistics, positives and negatives."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import NAME as MANIFEST
from hornbeam.data.sample import Sample
from hornbeam.data.shape import as_kind
from hornbeam.errors import HornbeamError
from hornbeam.kandy.cropping import cropped, png
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.pictures import picture_of
from hornbeam.kandy.proving import rule_key
from hornbeam.report.page import Macros, Section

_HTML = Macros(__file__, "show.html.j2")
_SHOWN = 12  # pictures of each label


class _Side(msgspec.Struct):
    """How the positive or the negative pictures of a task were drawn."""

    tried: int
    taken: int
    repeated: int
    twins: int
    refused: int


class _TaskReport(msgspec.Struct):
    """What the manifest reports of a task."""

    positive: _Side
    negative: _Side
    distinct: int
    exhausted: dict[str, bool]
    positives: dict[str, int]
    rows: dict[str, int]
    missing: int
    repeats: int


class _TaskReports(msgspec.Struct):
    """What the manifest reports of all tasks."""

    tasks: dict[str, _TaskReport]


def sections(dataset: Dataset) -> list[Section]:
    """An overview, and a contact sheet for each task."""
    tasks: Sequence[Task] = dataset.config.tasks
    stated = {"tasks": dataset.manifest.report.get("tasks", {})}
    reports: dict[str, _TaskReport] = as_kind(stated, _TaskReports, file=str(dataset.path / MANIFEST)).tasks
    with KandyLogic(dataset.config.domain) as logic:
        titles = {info.rule: info.title for info in logic.task_table()}
        sheets = [_sheet(dataset, task, reports.get(task.id), logic, titles) for task in tasks]
    rows = [(task.id, *_figures(reports[task.id])) for task in tasks if task.id in reports]
    return [Section("How the samples were found", _HTML.overview(rows)), *sheets]


def picture(dataset: Dataset, sample: Sample) -> Markup:
    """The picture of a sample."""
    return _HTML.one_picture(sample, _pictures(dataset, [sample]))


def typical(dataset: Dataset) -> list[Sample]:
    """A valid and an invalid picture, as far as there are, of the task with the longest rule."""
    ruled = [task for task in dataset.config.tasks if task.rule and task.id in dataset.tasks]
    with KandyLogic(dataset.config.domain) as logic:
        known = {task.id: logic.rule_text(rule_key(task.rule, logic)) for task in ruled if task.rule}
    task = max(known, key=lambda name: len(known[name]), default=dataset.tasks[0])
    samples = dataset.task(task)
    pair = [next((one for one in samples if one.label is wanted), None) for wanted in (True, False)]
    return [sample for sample in pair if sample is not None] or list(samples[:1])


def _figures(report: _TaskReport) -> tuple[object, ...]:
    sides = report.positive, report.negative
    count = sum(report.rows.values())
    positive = sum(report.positives.values())
    exhausted = [side for side, over in report.exhausted.items() if over]
    return (
        count,
        report.distinct,
        f"{positive / count:.0%}" if count else "-",
        *(sum(getattr(side, key) for side in sides) for key in ("tried", "repeated", "twins", "refused")),
        ", ".join(exhausted) or "no",
    )


def _sheet(
    dataset: Dataset, task: Task, report: _TaskReport | None, logic: KandyLogic, titles: dict[str, str]
) -> Section:
    samples = list(dataset.task(task.id)) if task.id in dataset.tasks else []
    positive = [sample for sample in samples if sample.label]
    negative = [sample for sample in samples if sample.label is False]
    counts: dict[str, list[int]] = {}
    for sample in samples:
        row = counts.setdefault(sample.split, [0, 0, 0])
        row[:] = row[0] + 1, row[1] + bool(sample.label), row[2] + sample.supervised
    title = titles.get(getattr(task.rule, "name", ""), "")
    about = task.about or (f"Positive: {title}." if title else "This task has no description.")
    sheet = _HTML.sheet(
        about,
        report,
        {"positive": len(positive), "negative": len(negative)},
        [(split, *row) for split, row in counts.items()],
        {"positive": _pictures(dataset, positive), "negative": _pictures(dataset, negative)},
        _rule(task, logic),
    )
    return Section(f"Task {task.index}: {task.name}", sheet)


def _pictures(dataset: Dataset, samples: Sequence[Sample]) -> list[tuple[Sample, str]]:
    """Some of the samples that have a picture, each with the picture's bytes in base 64."""
    having = [one for one in samples if picture_of(dataset, one) is not None]
    chosen = [having[index * len(having) // _SHOWN] for index in range(_SHOWN)] if len(having) > _SHOWN else having
    parts = [(sample, cropped(dataset, sample)) for sample in chosen]
    return [(sample, base64.b64encode(png(part[0])).decode()) for sample, part in parts if part is not None]


def _rule(task: Task, logic: KandyLogic) -> str:
    try:
        return logic.rule_text(rule_key(task.rule, logic)) if task.rule is not None else ""
    except HornbeamError as error:
        return str(error)
