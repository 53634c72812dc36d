"""The family's part of `hornbeam show`: stories with their proofs and families drawn, and statistics."""

from __future__ import annotations

import html
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hornbeam.clutrr.check import generations
from hornbeam.clutrr.kin import NOBODY
from hornbeam.clutrr.record import Member, Record
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.report.page import Section, table

WIDTH, HEIGHT, GAP_X, GAP_Y = 74, 22, 8, 46
_TEXT = 'font-size="11" font-family="sans-serif"'
_LINE = 'stroke="#5b6b63" fill="none"'


def sections(dataset: Dataset) -> list[Section]:
    """Stories, then figures."""
    return [Section("Stories", "\n".join(map(_story, _chosen(dataset)))), Section("Statistics", _statistics(dataset))]


def picture(dataset: Dataset, sample: Sample) -> str:
    """The story, its question, and the family drawn."""
    return _story(sample)


def typical(dataset: Dataset) -> list[Sample]:
    """The longest chain of the test split, and of these the story with most noise."""
    return [max(dataset.test if len(dataset.test) else dataset.samples, key=_facts_told)]


def _facts_told(sample: Sample) -> tuple[int, int]:
    given: Any = sample.input
    return Record.of(sample).length, len(given["edges"])


def _chosen(dataset: Dataset) -> Iterator[Sample]:
    """The first sample of each task in each split."""
    for split in dataset.splits:
        for task in dataset.tasks:
            yield from dataset.split(split).task(task)[:1]


def _story(sample: Sample) -> str:
    record = Record.of(sample)
    seen: Any = sample.input
    person, other = map(html.escape, record.query)
    steps = "\n".join(f"<li>{_step(step)}</li>" for step in record.proof)
    noise = ", ".join(f"{size} {kind}" for kind, size in record.noise.items()) or "none"
    caption = "The part of the family that the story is about; in colour who is in it."
    drawing = f"<figure>{family_svg(record)}<figcaption>{caption}</figcaption></figure>"
    question = html.escape(seen["question"]) or f"What is {other} to {person}?"
    return (
        f"<h3>{html.escape(sample.id)}: {record.length} facts, noise: {html.escape(noise)}</h3>\n"
        f"<p>{html.escape(seen['story'])}</p>\n<p><b>{question}</b> "
        f"{other} is the <b>{html.escape(str(sample.label))}</b> of {person}.</p>\n"
        f"<details><summary>proof</summary><ol>{steps}</ol></details>\n{drawing if record.family else ''}"
    )


def _step(step: Sequence[tuple[str, str, str]]) -> str:
    said = [html.escape(f"{other} is the {word} of {person}") for word, person, other in step]
    return f"{said[0]}, since {said[1]} and {said[2]}."


# A family as a drawing ----------------------------------------------------------------------------------------------


def family_svg(record: Record) -> str:
    """The story's part of the family, a generation a row, children below their parents; who is asked for is ringed."""
    family = _linked(record.family, set(record.names))
    if not family:
        return ""
    place = _layout(family)
    width = max(x for x, _ in place) + WIDTH + GAP_X
    height = max(y for _, y in place) + HEIGHT + GAP_X
    parts = [_svg(width, height, f"family of {record.sample.id}")]
    parts += _lines(family, place)
    named, asked = set(record.names), set(record.query)
    for member, spot in zip(family, place, strict=True):
        parts.append(_box(member, *spot, member.name in named, member.name in asked))
    return "".join([*parts, "</svg>"])


def _linked(family: Sequence[Member], names: Collection[str]) -> list[Member]:
    """The members with these names and their forebears, who link them: a drawing of all would not fit a page."""
    waiting = [place for place, member in enumerate(family) if member.name in names]
    kept: set[int] = set()
    while waiting:
        place = waiting.pop()
        if place not in kept:
            kept.add(place)
            waiting += [parent for parent in (family[place].father, family[place].mother) if parent != NOBODY]
    number = {place: at for at, place in enumerate(sorted(kept))} | {NOBODY: NOBODY}
    return [
        replace(
            family[place],
            father=number[family[place].father],
            mother=number[family[place].mother],
            spouse=number.get(family[place].spouse, NOBODY),
        )
        for place in sorted(kept)
    ]


def _svg(width: float, height: float, title: str) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{html.escape(title)}</title>'


def _layout(family: Sequence[Member]) -> list[tuple[float, float]]:
    """Where each box stands: leaves from left to right, couples side by side above the middle of their children."""
    level = generations(family)
    top = max(level)
    column: dict[int, float] = {}
    free: dict[int, float] = defaultdict(float)  # by generation, the first column that is not taken

    def put(person: int) -> None:
        if person in column:
            return
        spouse = family[person].spouse
        pair = [person] if spouse == NOBODY or spouse in column else [person, spouse]
        children = [c for c, child in enumerate(family) if set(pair) & {child.father, child.mother}]
        for child in children:
            put(child)
        spots = [column[child] for child in children]
        wanted = (min(spots) + max(spots)) / 2 - (len(pair) - 1) / 2 if spots else 0.0
        start = max(wanted, free[level[person]])
        for offset, one in enumerate(pair):
            column[one] = start + offset
        free[level[person]] = start + len(pair)

    for person, member in enumerate(family):
        if member.father == NOBODY and (member.spouse == NOBODY or family[member.spouse].father == NOBODY):
            put(person)
    for person in range(len(family)):
        put(person)
    return [
        (GAP_X + column[person] * (WIDTH + GAP_X), GAP_X + (top - level[person]) * (HEIGHT + GAP_Y))
        for person in range(len(family))
    ]


def _lines(family: Sequence[Member], place: Sequence[tuple[float, float]]) -> Iterator[str]:
    middle = HEIGHT / 2
    for person, member in enumerate(family):
        x, y = place[person]
        if member.spouse > person:
            left, right = sorted((x, place[member.spouse][0]))
            yield f'<path d="M{left + WIDTH:.0f} {y + middle:.0f}H{right:.0f}" {_LINE} stroke-width="2"/>'
        if member.father != NOBODY and member.mother != NOBODY:
            above = (place[member.father][0] + place[member.mother][0] + WIDTH) / 2
            start = place[member.father][1] + middle
            bend = y - GAP_Y / 2
            yield f'<path d="M{above:.0f} {start:.0f}V{bend:.0f}H{x + WIDTH / 2:.0f}V{y:.0f}" {_LINE}/>'


def _box(member: Member, x: float, y: float, named: bool, asked: bool) -> str:
    fill = "#cfe6d8" if named else "#ffffff"
    edge = ' stroke="#a33a2c" stroke-width="2.5"' if asked else ' stroke="#5b6b63"'
    corner = 3 if member.gender == 0 else HEIGHT / 2
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="{corner:.0f}" fill="{fill}"{edge}/>'
        f'<text x="{x + WIDTH / 2:.0f}" y="{y + 15:.0f}" {_TEXT} text-anchor="middle">'
        f"{html.escape(member.name)}</text>"
    )


# Figures --------------------------------------------------------------------------------------------------------------


def _statistics(dataset: Dataset) -> str:
    labels: Counter[str] = Counter()
    groups: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
    for sample in dataset.samples:
        seen: Any = sample.input
        known: Any = sample.symbolic
        labels[str(sample.label)] += 1
        groups[sample.split, sample.task].append((len(seen["story"].split()), len(seen["names"]), known["pattern"]))
    rows = []
    for (split, task), group in groups.items():
        words, persons, patterns = zip(*group, strict=True)
        rows.append((split, task, len(group), len(set(patterns)), _mean(words), _mean(persons)))
    header = ("split", "task", "stories", "clauses", "mean words", "mean persons")
    return table(header, rows) + "<h3>Answers</h3>\n" + _bars(labels)


def _mean(values: Sequence[int]) -> str:
    return f"{sum(values) / len(values):.1f}"


def _bars(counts: Counter[str]) -> str:
    most = max(counts.values())
    rows = []
    for place, (label, count) in enumerate(sorted(counts.items())):
        y, length = 18 * place, 300 * count / most
        rows.append(f'<text x="128" y="{y + 13}" {_TEXT} text-anchor="end">{html.escape(label)}</text>')
        rows.append(f'<rect x="134" y="{y + 3}" width="{length:.0f}" height="12" fill="#2f6b4a"/>')
        rows.append(f'<text x="{140 + length:.0f}" y="{y + 13}" {_TEXT}>{count}</text>')
    return "".join([_svg(500, 18 * len(counts) + 4, "answers"), *rows, "</svg>"])
