"""The family's part of `hornbeam show`: stories, proofs, drawn families, and statistics."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from statistics import mean
from typing import Any

from markupsafe import Markup

from hornbeam.clutrr.forest import generations, kin_of
from hornbeam.clutrr.kin import NOBODY
from hornbeam.clutrr.record import Member, Record
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.report import svg
from hornbeam.report.page import Macros, Section

_HTML = Macros(__file__, "show.html.j2")
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y = 74, 22, 8, 46


def sections(dataset: Dataset) -> list[Section]:
    """Stories, the first of each task in each split; then figures."""
    chosen = [
        sample for split in dataset.splits for task in dataset.tasks for sample in dataset.split(split).task(task)[:1]
    ]
    stories = Markup().join(picture(dataset, sample) for sample in chosen)
    return [Section("Stories", stories), Section("Statistics", _statistics(dataset))]


def picture(dataset: Dataset, sample: Sample) -> Markup:
    """The story, its question, and the family drawn."""
    record = Record.of(sample)
    return _HTML.story(sample, record, family_svg(record))


def typical(dataset: Dataset) -> list[Sample]:
    """The longest chain of the test split, and of these the story with most noise."""
    return [max(dataset.test if len(dataset.test) else dataset.samples, key=_facts_told)]


def _facts_told(sample: Sample) -> tuple[int, int]:
    given: Any = sample.input
    return Record.of(sample).length, len(given["edges"])


def _statistics(dataset: Dataset) -> Markup:
    labels = Counter(str(sample.label) for sample in dataset.samples)
    groups: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
    for sample in dataset.samples:
        seen: Any = sample.input
        known: Any = sample.symbolic
        groups[sample.split, sample.task].append((len(seen["story"].split()), len(seen["names"]), known["pattern"]))
    rows = []
    for (split, task), group in groups.items():
        words, persons, patterns = zip(*group, strict=True)
        rows.append((split, task, len(group), len(set(patterns)), f"{mean(words):.1f}", f"{mean(persons):.1f}"))
    return _HTML.statistics(rows, svg.bars(dict(sorted(labels.items())), "answers"))


# A family as a drawing ------------------------------------------------------------------------------------------------


def family_svg(record: Record) -> Markup:
    """The story's part of the family, a generation a row, children below their parents; who is asked for is ringed."""
    family = _linked(record.family, set(record.names))
    if not family:
        return Markup()
    place = _layout(family)
    boxes = [_box(member, *spot, record) for member, spot in zip(family, place, strict=True)]
    width, height = max(x for x, _ in place) + _WIDTH + _GAP_X, max(y for _, y in place) + _HEIGHT + _GAP_X
    return svg.drawing(width, height, [*_lines(family, place), *boxes], f"family of {record.sample.id}")


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
        family[place]._replace(
            father=number[family[place].father],
            mother=number[family[place].mother],
            spouse=number.get(family[place].spouse, NOBODY),
        )
        for place in sorted(kept)
    ]


def _layout(family: Sequence[Member]) -> list[tuple[float, float]]:
    """Where each box stands: leaves from left to right, couples side by side above the middle of their children."""
    level = generations(kin_of(family))
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
        (_GAP_X + column[person] * (_WIDTH + _GAP_X), _GAP_X + (top - level[person]) * (_HEIGHT + _GAP_Y))
        for person in range(len(family))
    ]


def _lines(family: Sequence[Member], place: Sequence[svg.Point]) -> Iterator[Markup]:
    middle = _HEIGHT / 2
    for person, member in enumerate(family):
        x, y = place[person]
        if member.spouse > person:
            left, right = sorted((x, place[member.spouse][0]))
            yield svg.path(f"M{left + _WIDTH:.0f} {y + middle:.0f}H{right:.0f}", width=2)
        if member.father != NOBODY and member.mother != NOBODY:
            above = (place[member.father][0] + place[member.mother][0] + _WIDTH) / 2
            start, bend = place[member.father][1] + middle, y - _GAP_Y / 2
            yield svg.path(f"M{above:.0f} {start:.0f}V{bend:.0f}H{x + _WIDTH / 2:.0f}V{y:.0f}")


def _box(member: Member, x: float, y: float, record: Record) -> Markup:
    fill = "#cfe6d8" if member.name in record.names else "#fff"
    border = (svg.BAD, 2.5) if member.name in record.query else (svg.SOFT, None)
    corner = 3 if member.gender == 0 else _HEIGHT // 2
    return svg.box(x, y, _WIDTH, _HEIGHT, member.name, rx=corner, fill=fill, stroke=border[0], stroke_width=border[1])
