"""The contact sheets of a dataset: for each task its rule, its statistics, positives and negatives."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.proving import rule_key
from hornbeam.report.page import Section, table

SHOWN = 12
"""Pictures of each label."""

_STYLE = """<style>
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); gap: .5rem; margin: .3rem 0; }
.sheet img { width: 100%; height: auto; display: block; border: 2px solid var(--leaf); border-radius: 6px; }
.sheet.one { display: block; width: 14rem; }
.sheet.negative img { border-color: var(--bad); }
.sheet img.unlabelled { border-style: dashed; }
.share { display: flex; height: .6rem; max-width: 30rem; border-radius: 3px; overflow: hidden; background: var(--bad); }
.share span { background: var(--leaf); }
@media (max-width: 30rem) { .sheet { grid-template-columns: repeat(4, 1fr); gap: .25rem; } }
</style>"""


def sections(dataset: Dataset) -> list[Section]:
    """An overview, and a contact sheet for each task."""
    tasks: Sequence[Task] = dataset.config.tasks
    reports: Any = dataset.manifest.report.get("tasks", {})
    with KandyLogic(dataset.config.domain) as logic:
        titles = {info.rule: info.title for info in logic.task_table()}
        sheets = [_sheet(dataset, task, reports.get(task.id, {}), logic, titles) for task in tasks]
    return [_overview(dataset, tasks, reports), *sheets]


def picture(dataset: Dataset, sample: Sample) -> str:
    """The picture of a sample."""
    kind, said = ("positive", "valid") if sample.label else ("negative", "not valid")
    said = "without a label" if sample.label is None else said
    shown = _pictures(dataset, [sample], f"{kind} one")
    return f"{_STYLE}<figure>{shown}<figcaption>{html.escape(sample.id)}: {said}</figcaption></figure>"


def typical(dataset: Dataset) -> list[Sample]:
    """A valid and an invalid picture, as far as there are, of the task with the longest rule."""
    ruled = [task for task in dataset.config.tasks if task.rule and task.id in dataset.tasks]
    with KandyLogic(dataset.config.domain) as logic:
        known = {task.id: logic.rule_text(rule_key(task.rule, logic)) for task in ruled if task.rule}
    task = max(known, key=lambda name: len(known[name]), default=dataset.tasks[0])
    samples = dataset.task(task)
    found = [next((one for one in samples if one.label is wanted), None) for wanted in (True, False)]
    return [sample for sample in found if sample is not None] or list(samples[:1])


def _overview(dataset: Dataset, tasks: Sequence[Task], reports: dict[str, Any]) -> Section:
    header = ("task", "samples", "distinct", "positive", "tried", "repeated", "twins", "refused by rule", "exhausted")
    rows = [(task.id, *_figures(reports[task.id])) for task in tasks if task.id in reports]
    text = "<p>What it took to find the samples. Twins are symbols that look like one that was there already.</p>"
    return Section("How the samples were found", _STYLE + (text + table(header, rows) if rows else ""))


def _figures(report: dict[str, Any]) -> tuple[object, ...]:
    sides = report["positive"], report["negative"]
    count = sum(report["rows"].values())
    positive = sum(report["positives"].values())
    exhausted = [side for side, over in report["exhausted"].items() if over]
    return (
        count,
        report["distinct"],
        f"{positive / count:.0%}" if count else "-",
        *(sum(side[key] for side in sides) for key in ("tried", "repeated", "twins", "refused")),
        ", ".join(exhausted) or "no",
    )


def _sheet(dataset: Dataset, task: Task, report: dict[str, Any], logic: KandyLogic, titles: dict[str, str]) -> Section:
    samples = list(dataset.task(task.id)) if task.id in dataset.tasks else []
    positive = [sample for sample in samples if sample.label]
    negative = [sample for sample in samples if sample.label is False]
    parts = [
        f"<p>{html.escape(_about(task, titles))}</p>",
        _share(len(positive), len(negative)),
        _splits(samples, report),
        "<h3>Positive</h3>",
        _pictures(dataset, positive, "positive"),
        "<h3>Negative</h3>",
        _pictures(dataset, negative, "negative"),
        _rule(task, logic),
    ]
    return Section(f"Task {task.index}: {task.name}", "\n".join(part for part in parts if part))


def _about(task: Task, titles: dict[str, str]) -> str:
    known = titles.get(getattr(task.rule, "name", ""), "")
    said = task.about or (f"Positive: {known}." if known else "")
    return said or "This task has no description."


def _share(positive: int, negative: int) -> str:
    count = positive + negative
    share = 100 * positive / count if count else 0
    return (
        f'<div class="share" role="img" aria-label="{positive} positive, {negative} negative">'
        f'<span style="width:{share:.1f}%"></span></div>'
        f'<p class="soft">{positive} positive, {negative} negative</p>'
    )


def _splits(samples: Iterable[Sample], report: dict[str, Any]) -> str:
    counts: dict[str, list[int]] = {}
    for sample in samples:
        row = counts.setdefault(sample.split, [0, 0, 0])
        row[0] += 1
        row[1] += bool(sample.label)
        row[2] += sample.supervised
    rows: list[Sequence[object]] = [(split, *row) for split, row in counts.items()]
    note = ""
    if report.get("missing"):
        note = f'<p class="bad">{report["missing"]} samples short: too few distinct symbols for a split.</p>'
    elif report.get("repeats"):
        note = f'<p class="soft">{report["repeats"]} samples repeat a symbol of their own split.</p>'
    return table(("split", "samples", "positive", "supervised"), rows) + note


def _pictures(dataset: Dataset, samples: Sequence[Sample], kind: str) -> str:
    samples = [sample for sample in samples if _has_picture(sample)]
    if not samples:
        return '<p class="soft">no pictures</p>'
    chosen = [samples[index * len(samples) // SHOWN] for index in range(SHOWN)] if len(samples) > SHOWN else samples
    return f'<div class="sheet {kind}">{"".join(_picture(dataset, sample) for sample in chosen)}</div>'


def _picture(dataset: Dataset, sample: Sample) -> str:
    picture: Any = sample.input
    symbolic: Any = sample.symbolic
    data = base64.b64encode(dataset.file(picture["image"]).read_bytes()).decode()
    text = html.escape(f"{sample.id}: {symbolic['prolog']}", quote=True)
    kind = "" if sample.supervised else ' class="unlabelled"'
    return f'<img{kind} loading="lazy" alt="{text}" title="{text}" src="data:image/png;base64,{data}">'


def _has_picture(sample: Sample) -> bool:
    return isinstance(sample.input, dict) and isinstance(sample.input.get("image"), str)


def _rule(task: Task, logic: KandyLogic) -> str:
    if task.rule is None:
        return ""
    try:
        text = logic.rule_text(rule_key(task.rule, logic))
    except HornbeamError as error:
        text = str(error)
    return f"<details><summary>The rule</summary><pre>{html.escape(text)}</pre></details>"
