"""Phrasings: how facts become text. Our own come from kb/clutrr/phrasings.pl; files in the original's format load too.

>>> book = own_book("train", 0.2)
>>> Phrasing.parse("{0} asked {his0} {r1} {1}.").say(["Ann", "Bob"], [1, 0], ["father"])
'Ann asked her father Bob.'
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hornbeam import resources
from hornbeam.errors import UsageError
from hornbeam.logic import Prolog

_SLOT = re.compile(r"\{([A-Za-z]*)(\d)\}")
_ENTITY = re.compile(r"ENT_(\d+)_(male|female)")
LONGEST = 3  # facts that one phrasing may say


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Text with slots; a piece is text, or a slot's kind with the number of its person or fact."""

    text: str
    pieces: tuple[str | tuple[str, int], ...]

    @classmethod
    def parse(cls, text: str) -> Phrasing:
        pieces: list[str | tuple[str, int]] = []
        end = 0
        for slot in _SLOT.finditer(text):
            pieces += [text[end : slot.start()], (slot[1], int(slot[2]))]
            end = slot.end()
        pieces.append(text[end:])
        return cls(text, tuple(piece for piece in pieces if piece != ""))

    def say(self, names: Sequence[str], genders: Sequence[int], words: Sequence[str]) -> str:
        """The text for persons of these names and genders, linked by `words`."""
        said = []
        for piece in self.pieces:
            if isinstance(piece, str):
                said.append(piece)
                continue
            kind, place = piece
            if kind == "":
                said.append(names[place])
            elif kind == "r":
                said.append(words[place - 1])
            elif kind == "a":
                said.append("an" if words[place - 1][0] in "aeiou" else "a")
            else:
                said.append(pronouns()[kind][genders[place]])
        return "".join(said)


@cache
def pronouns() -> dict[str, tuple[str, str]]:
    """For each kind of slot the pronoun of a man and of a woman."""
    rows = _knowledge().all("pronouns(Slot, _Case, Male, Female)", module="clutrr_phrasings")
    return {str(row["Slot"]): (_plain(row["Male"]), _plain(row["Female"])) for row in rows}


@cache
def _knowledge() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.kb("clutrr", "phrasings.pl"))
    return prolog


def _plain(value: Any) -> str:
    return str(getattr(value, "value", value))


@cache
def kinds() -> dict[str, tuple[Phrasing, ...]]:
    """All our phrasings by kind: a relation, any, chain(2), chain(3)."""
    rows = _knowledge().all("phrasing(Kind, Text), term_to_atom(Kind, Name)", module="clutrr_phrasings")
    found: dict[str, list[Phrasing]] = {}
    for row in rows:
        found.setdefault(str(row["Name"]), []).append(Phrasing.parse(_plain(row["Text"])))
    return {kind: tuple(phrasings) for kind, phrasings in found.items()}


@cache
def questions() -> tuple[Phrasing, ...]:
    """The forms of the question what person 1 is to person 0."""
    rows = _knowledge().all("question(Text)", module="clutrr_phrasings")
    return tuple(Phrasing.parse(_plain(row["Text"])) for row in rows)


class Book(ABC):
    """The phrasings that a split may use."""

    @abstractmethod
    def choices(self, relations: Sequence[str], words: Sequence[str], genders: Sequence[int]) -> Sequence[Phrasing]:
        """The phrasings of a chain of facts; none where it cannot be said at once."""


@dataclass(frozen=True)
class OwnBook(Book):
    """Our phrasings, or a part of them."""

    by_kind: Mapping[str, tuple[Phrasing, ...]]

    def choices(self, relations: Sequence[str], words: Sequence[str], genders: Sequence[int]) -> Sequence[Phrasing]:
        if len(relations) > 1:
            return self.by_kind.get(f"chain({len(relations)})", ())
        return self.by_kind.get(relations[0]) or self.by_kind["any"]


@cache
def own_book(split: str, held_out: float) -> OwnBook:
    """Our phrasings for a split: of each kind the last `held_out` are for the split test, the others for the rest."""
    parts = {}
    for kind, phrasings in kinds().items():
        cut = len(phrasings) - round(held_out * len(phrasings))
        if cut == len(phrasings):
            parts[kind] = phrasings
        else:
            parts[kind] = phrasings[cut:] if split == "test" else phrasings[:cut]
    return OwnBook(parts)


@dataclass(frozen=True)
class PlaceholderBook(Book):
    """Phrasings in the original's format, by the words of the facts and the genders of the persons."""

    cells: Mapping[tuple[tuple[str, ...], tuple[int, ...]], tuple[Phrasing, ...]]

    def choices(self, relations: Sequence[str], words: Sequence[str], genders: Sequence[int]) -> Sequence[Phrasing]:
        return self.cells.get((tuple(words), tuple(genders)), ())


def placeholder_book(path: Path, words: Sequence[str]) -> PlaceholderBook:
    """Read {clause: {genders: [text]}}, where a text has ENT_0_male for the first person of the clause."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None
    except json.JSONDecodeError as error:
        raise UsageError(f"not JSON: {error.msg}", file=str(path), line=error.lineno, column=error.colno) from None
    if not isinstance(content, dict):
        raise UsageError("expected an object {clause: {genders: [phrasings]}}", file=str(path))
    cells = {}
    for clause, by_genders in content.items():
        if not isinstance(by_genders, dict):
            raise UsageError(f"'{clause}': expected an object {{genders: [phrasings]}}", file=str(path))
        body = split_words(clause, words, str(path))
        for genders, texts in by_genders.items():
            key, phrasings = _cell(body, clause, genders, texts, str(path))
            cells[key] = phrasings
    return PlaceholderBook(cells)


def split_words(clause: str, words: Sequence[str], file: str | None = None) -> tuple[str, ...]:
    """The words of a clause that are joined by '-', which words have inside too.

    >>> split_words("son-mother-in-law-niece", ["son", "mother", "mother-in-law", "niece"])
    ('son', 'mother-in-law', 'niece')
    """
    found, rest = [], clause.replace("neice", "niece")
    by_length = sorted(words, key=len, reverse=True)
    while rest:
        word = next((w for w in by_length if rest == w or rest.startswith(w + "-")), None)
        if word is None:
            raise UsageError(f"'{clause}' is not a chain of kinship words: '{rest}' is none", file=file)
        found.append(word)
        rest = rest[len(word) + 1 :]
    return tuple(found)


def _cell(
    body: tuple[str, ...], clause: str, genders: str, texts: Any, file: str
) -> tuple[tuple[tuple[str, ...], tuple[int, ...]], tuple[Phrasing, ...]]:
    said = genders.split("-")
    if len(said) != len(body) + 1 or not set(said) <= {"male", "female"}:
        raise UsageError(f"'{clause}': '{genders}' should be {len(body) + 1} of male and female joined by -", file=file)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"'{clause}', '{genders}': expected a list of texts", file=file)
    for text in texts:
        mentioned = {(int(number), gender) for number, gender in _ENTITY.findall(text)}
        if mentioned != set(enumerate(said)):
            raise UsageError(f"'{clause}', '{genders}': not each person has a placeholder in: {text}", file=file)
    phrasings = tuple(Phrasing.parse(_ENTITY.sub(lambda match: f"{{{match[1]}}}", text)) for text in texts)
    return (body, tuple(int(gender == "female") for gender in said)), phrasings
