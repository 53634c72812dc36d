"""The family that a story tells of, drawn from the facts that were read: older generations above, arrows in colours."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from hornbeam.clutrr.knowledge import KinTheory
from hornbeam.perception.perceiver import Part
from hornbeam.report import svg

COLOURS = ("#2f6b4a", "#b0562a", "#3c5fa8", "#8a3f8f", "#8a7a16", "#1d7f86", "#a33a5c", "#5a4fb0")
"""Of sentences, one after the other."""
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 78, 24, 46, 62, 12


def kinship_svg(
    kin: KinTheory,
    names: Sequence[str],
    facts: Sequence[Part],
    passages: Sequence[tuple[int, int]],
    query: Sequence[int],
) -> Markup:
    """The persons by generation, and an arrow for each fact in the colour of its passage.

    Args:
        kin: It knows how many generations a relation goes up or down.
        names: The persons.
        facts: What was read.
        passages: The places of the story that facts were read from.
        query: The two persons asked about.
    """
    level = _levels(kin, len(names), facts)
    rows: dict[int, list[int]] = {}
    for person in _order(len(names), facts, query[0]):
        rows.setdefault(level[person], []).append(person)
    place = {
        person: (_MARGIN + column * (_WIDTH + _GAP_X), _MARGIN + row * (_HEIGHT + _GAP_Y))
        for row, number in enumerate(sorted(rows, reverse=True))
        for column, person in enumerate(rows[number])
    }
    colour = {start: COLOURS[number % len(COLOURS)] for number, (start, _) in enumerate(passages)}
    lines = [_arrow(place[one], place[two], fact, colour[fact.box[0]]) for fact in facts for one, two in [fact.path]]
    boxes = [
        svg.box(x, y, _WIDTH, _HEIGHT, names[person], stroke=svg.BAD if person in query else svg.LINE)
        for person, (x, y) in place.items()
    ]
    width = max(x for x, _ in place.values()) + _WIDTH + _MARGIN + 40
    height = max(y for _, y in place.values()) + _HEIGHT + _MARGIN
    return svg.drawing(width, height, [*lines, *boxes], "the family by what was read")


def _levels(kin: KinTheory, count: int, facts: Sequence[Part]) -> list[int]:
    """The generation of each person, as far as facts tell; of a contradiction the first fact counts."""
    level: dict[int, int] = {}
    for start in range(count):
        waiting = [] if start in level else [start]
        level.setdefault(start, 0)
        while waiting:
            person = waiting.pop()
            for fact in facts:
                one, two = fact.path
                up = kin.generations[kin.of_word(fact.name)[0]]
                for known, other, rise in ((one, two, up), (two, one, -up)):
                    if known == person and other not in level:
                        level[other] = level[person] + rise
                        waiting.append(other)
    return [level[person] for person in range(count)]


def _order(count: int, facts: Sequence[Part], first: int) -> list[int]:
    """The persons along the facts, from the first person asked about."""
    seen, waiting = [first], [first]
    while waiting:
        person = waiting.pop(0)
        for fact in facts:
            for other in fact.path:
                if person in fact.path and other not in seen:
                    seen.append(other)
                    waiting.append(other)
    return [*seen, *(person for person in range(count) if person not in seen)]


def _arrow(start: svg.Point, end: svg.Point, fact: Part, colour: str) -> Markup:
    """A bent arrow, so that those of neighbours in a row are seen, with the relation on it."""
    (x1, y1), (x2, y2) = ((x + _WIDTH / 2, y + _HEIGHT / 2) for x, y in (start, end))
    if abs(y1 - y2) < 1:
        far = abs(x1 - x2) > _WIDTH + _GAP_X + 1
        rise = 38.0 if far else 0.0
        sign = 1 if x2 > x1 else -1
        x1, x2 = (x1, x2) if far else (x1 + sign * _WIDTH / 2, x2 - sign * _WIDTH / 2)
        y1, y2 = (y1 + _HEIGHT / 2, y2 + _HEIGHT / 2) if far else (y1, y2)
    else:
        rise = 0.0
        sign = 1 if y2 > y1 else -1
        y1, y2 = y1 + sign * _HEIGHT / 2, y2 - sign * _HEIGHT / 2
    middle = ((x1 + x2) / 2, (y1 + y2) / 2 + rise)
    bend = (middle[0], middle[1] + (rise and rise / 2))
    line = svg.path(f"M {x1:.1f} {y1:.1f} Q {bend[0]:.1f} {bend[1]:.1f} {x2:.1f} {y2:.1f}", colour, 1.6)
    head = svg.element("circle", cx=x2, cy=y2, r=3.5, fill=colour)
    label = svg.text((middle[0], middle[1] - 3), fact.name, fill=colour, font_size=9, **svg.OUTLINE)
    return svg.element("g", line, head, label)
