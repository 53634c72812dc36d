"""Clues: a word that names a relation in a passage, and between which two of its persons it may hold.

A clue hides the word itself, so that what is learned of one relation holds for all; names are hidden by the passage.

>>> from hornbeam.perception.stories.passages import passages_of
>>> [passage] = passages_of("[Ann] met her son [Bob].")
>>> [clue] = clues_of(passage, Lexicon.of_names(["son"]))
>>> clue.marks, clue.relation
((0, 'met', 'her', '*', 1, '.'), 'son')
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hornbeam.neural.reader.lexicon import Lexicon
from hornbeam.perception.stories.passages import Passage

ASKED, OTHER = "*", "+"  # stand for the word of the clue, and for other words that name relations
MOST_PERSONS = 8
Mark = int | str  # a person by number, or a word
Marks = tuple[Mark, ...]
Couple = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clue:
    """A passage seen from one word of it: `at` is the word's place among the tokens."""

    marks: Marks
    persons: int
    at: int
    relation: str
    sure: float

    def couples(self) -> list[Couple]:
        """All pairs of two persons of the passage."""
        return [(one, two) for one in range(self.persons) for two in range(self.persons) if one != two]


def clues_of(passage: Passage, lexicon: Lexicon) -> list[Clue]:
    """The clues of a passage, in order."""
    known = lexicon.words
    marks: list[Mark] = [
        token.person if token.person is not None else OTHER if token.text in known else token.text
        for token in passage.tokens
    ]
    clues = []
    for at, token in enumerate(passage.tokens):
        if token.person is None and token.text in known:
            relation, sure = known[token.text]
            seen = (*marks[:at], ASKED, *marks[at + 1 :])
            clues.append(Clue(seen, len(passage.persons), at, relation, sure))
    return clues


@dataclass(frozen=True, slots=True)
class Lesson:
    """A clue's marks with the probability of each pair of persons: what is learned from."""

    marks: Marks
    targets: tuple[tuple[Couple, float], ...]


_DROPPED = 0.5
UNKNOWN = "?"


def varied(lesson: Lesson, other: Lesson, rng: Random) -> Lesson:
    """The lesson told in another way: words are lost, parts change places, another passage stands beside it.

    Nothing is known of how a story may be told but what training stories do: all material comes from two lessons.
    """
    marks, targets = lesson.marks, lesson.targets
    if rng.random() < 0.25:
        marks = _turned(marks, rng)
    if rng.random() < 0.25:
        marks = _beside(marks, other.marks, rng)
    rate = _DROPPED * rng.random()
    marks = tuple(
        UNKNOWN if isinstance(mark, str) and mark.isalpha() and rng.random() < rate else mark for mark in marks
    )
    return _renumbered(marks, targets)


def _turned(marks: Marks, rng: Random) -> Marks:
    """Two parts of the passage that a comma or a full stop separates change places."""
    cuts = [at for at, mark in enumerate(marks[:-1]) if mark in (",", ".", ";")]
    if not cuts:
        return marks
    cut = rng.choice(cuts)
    end = marks[-1:] if marks[-1] == "." else ()
    return (*marks[cut + 1 : len(marks) - len(end)], marks[cut], *marks[:cut], *end)


def _beside(marks: Marks, other: Marks, rng: Random) -> Marks:
    """Another passage before or after this one; now and then they share a person."""
    count = _persons(marks)
    if count + _persons(other) > MOST_PERSONS:
        return marks
    shared = {rng.randrange(_persons(other)): rng.randrange(count)} if rng.random() < 0.5 else {}
    moved = tuple(
        shared.get(mark, mark + count) if isinstance(mark, int) else OTHER if mark == ASKED else mark for mark in other
    )
    return (*moved, *marks) if rng.random() < 0.5 else (*marks, *moved)


def _persons(marks: Marks) -> int:
    return 1 + max(mark for mark in marks if isinstance(mark, int))


def _renumbered(marks: Marks, targets: tuple[tuple[Couple, float], ...]) -> Lesson:
    """Persons numbered in order of mention."""
    number: dict[int, int] = {}
    for mark in marks:
        if isinstance(mark, int):
            number.setdefault(mark, len(number))
    marks = tuple(number[mark] if isinstance(mark, int) else mark for mark in marks)
    return Lesson(marks, tuple(((number[one], number[two]), share) for (one, two), share in targets))
