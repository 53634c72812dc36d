"""An explanation drawn onto its picture: a numbered box around each node that a literal speaks of.

>>> lines = [ExplanationLine("+ house(A)", ((0,),)), ExplanationLine("  + same(B, A)", ((0,), (1,)))]
>>> numbers = place_numbers(lines)
>>> [numbered_text(line, numbers) for line in lines]
['+ house(A)  [1]', '  + same(B, A)  [1 2]']
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from hornbeam.kandy.cropping import Place, around, node_box
from hornbeam.kandy.geometry import Box
from hornbeam.kandy.knowledge import ExplanationLine

_Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

# Colours that no object of the default domain has, light enough for a dark background.
_COLOURS = ("#ff8c00", "#b388ff", "#7fffd4", "#f48fb1", "#c0ca33", "#bcaaa4", "#90caf9", "#ffffff")
_LONGEST_SIDE = 640  # pixels of the enlarged picture
_MARGIN = 16
_FONT = 15
_LINE = 21
_FAILS = "#ff6e6e"
_MOST_LINES = 36
_WIDEST = 90  # characters of a line


def place_numbers(lines: Sequence[ExplanationLine]) -> dict[Place, int]:
    """The places that the lines speak of, numbered from 1 in the order of their first mention."""
    places = dict.fromkeys(place for line in lines for place in line.places)
    return {place: number for number, place in enumerate(places, 1)}


def numbered_text(line: ExplanationLine, numbers: Mapping[Place, int]) -> str:
    """A line with the numbers of the boxes that it speaks of."""
    if not line.places:
        return line.text
    return f"{line.text}  [{' '.join(str(numbers[place]) for place in line.places)}]"


def drawn(picture: Image.Image, lines: Sequence[ExplanationLine], boxes: Mapping[Place, Box]) -> Image.Image:
    """The explanation beside the picture, of which the part with objects is shown, enlarged, with numbered boxes.

    Args:
        picture: The picture.
        lines: The explanation, see :meth:`KandyLogic.explain_marked`; only its first lines are drawn.
        boxes: The box (left, top, right, bottom) of each object by its place in the tree.

    Returns:
        A new picture.
    """
    lines = _shortened(lines)
    numbers = place_numbers(lines)
    rows = [row for line in lines for row in _rows(line)]
    font = ImageFont.load_default(_FONT)
    view = View.of(picture, boxes)
    large = view.enlarged(picture)
    for place, number in numbers.items():
        box = node_box(place, boxes)
        if box is not None:
            _draw_box(ImageDraw.Draw(large), view.scaled(box), number, outer=place not in boxes, font=font)
    wide = max((row.width(numbers, font) for row in rows), default=0.0)
    height = max(large.height, len(rows) * _LINE) + 2 * _MARGIN
    sheet = Image.new("RGB", (large.width + int(wide) + 3 * _MARGIN, height), "#1b1b1f")
    sheet.paste(large, (_MARGIN, _MARGIN))
    _draw_rows(ImageDraw.Draw(sheet), (large.width + 2 * _MARGIN, _MARGIN), rows, numbers, font)
    return sheet


def _shortened(lines: Sequence[ExplanationLine]) -> Sequence[ExplanationLine]:
    """So many lines that a person reads them beside a picture."""
    if len(lines) <= _MOST_LINES:
        return lines
    left_out = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], ExplanationLine(f"... and {left_out} more lines", ())]


def _colour(number: int) -> str:
    return _COLOURS[(number - 1) % len(_COLOURS)]


class _Row(NamedTuple):
    """A row of text: a line, or a part of a long one; the numbers of its places follow the last part."""

    indent: float
    text: str
    fails: bool
    places: Sequence[Place]

    def width(self, numbers: Mapping[Place, int], font: _Font) -> float:
        return self.indent + font.getlength("  ".join([self.text, *(str(numbers[place]) for place in self.places)]))


def _rows(line: ExplanationLine) -> Iterator[_Row]:
    text = line.text.strip()
    parts = textwrap.wrap(text, _WIDEST, break_long_words=False, break_on_hyphens=False) or [""]
    indent = (len(line.text) - len(line.text.lstrip())) * _FONT / 2
    for number, part in enumerate(parts, 1):
        places = line.places if number == len(parts) else ()
        yield _Row(indent + (2 * _FONT if number > 1 else 0), part, text.startswith("- "), places)


class View(NamedTuple):
    """The part of a picture that is shown, and how much larger."""

    crop: Box
    scale: int

    @classmethod
    def of(cls, picture: Image.Image, boxes: Mapping[Place, Box]) -> View:
        """The part that has all objects, as large as fits."""
        crop = around(picture.size, boxes)
        return cls(crop, max(1, _LONGEST_SIDE // max(crop[2] - crop[0], crop[3] - crop[1])))

    def enlarged(self, picture: Image.Image) -> Image.Image:
        part = picture.convert("RGB").crop(self.crop)
        return part.resize((part.width * self.scale, part.height * self.scale), Image.Resampling.NEAREST)

    def scaled(self, box: Box) -> Box:
        left, top = self.crop[:2]
        return (
            (box[0] - left) * self.scale,
            (box[1] - top) * self.scale,
            (box[2] - left) * self.scale,
            (box[3] - top) * self.scale,
        )


def _draw_box(canvas: ImageDraw.ImageDraw, box: Box, number: int, *, outer: bool, font: _Font) -> None:
    """A composition's box lies further out and has its number on the right, so that an object's does not hide it."""
    room = 10 if outer else 3
    left, top, right, bottom = box[0] - room, box[1] - room, box[2] + room, box[3] + room
    canvas.rectangle((left, top, right, bottom), outline=_colour(number), width=2)
    wide = font.getlength(str(number)) + 6
    start = right - wide if outer else left
    canvas.rectangle((start, top - _FONT - 3, start + wide, top), fill=_colour(number))
    canvas.text((start + 3, top - _FONT - 4), str(number), fill="#000000", font=font)


def _draw_rows(
    canvas: ImageDraw.ImageDraw,
    corner: tuple[int, int],
    rows: Sequence[_Row],
    numbers: Mapping[Place, int],
    font: _Font,
) -> None:
    left, top = corner
    for row in rows:
        x = left + row.indent
        canvas.text((x, top), row.text, fill=_FAILS if row.fails else "#e8e8ea", font=font)
        x += font.getlength(row.text + "  ")
        for place in row.places:
            canvas.text((x, top), str(numbers[place]), fill=_colour(numbers[place]), font=font)
            x += font.getlength(f"{numbers[place]} ")
        top += _LINE
