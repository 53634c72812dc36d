"""Turns a puzzle into a story: the names of the persons, and the phrasings of the facts.

No two puzzles of a dataset name their first three persons alike: the number of a puzzle decides these names through a
one-to-one map, without a memory of the puzzles made before. The other names are drawn. Our own phrasings come from
kb/clutrr/phrasings.pl; files in the original's format load too.

>>> Phrasing.parse("{0} asked {his0} {r1} {1}.").say(["Ann", "Bob"], [1, 0], ["father"])
'Ann asked her father Bob.'
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd, prod
from pathlib import Path
from random import Random
from typing import Any

from hornbeam import resources, seeds
from hornbeam.clutrr.knowledge import KinTheory
from hornbeam.clutrr.puzzle import Fact, Puzzle
from hornbeam.errors import UsageError
from hornbeam.logic import Prolog

_SLOT = re.compile(r"\{([A-Za-z]*)(\d)\}")
_ENTITY = re.compile(r"ENT_(\d+)_(male|female)")
LONGEST = 3  # facts that one phrasing may say

# Names --------------------------------------------------------------------------------------------------------------


@cache
def pools() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names for men and for women, from kb/clutrr/names.pl."""
    prolog = Prolog()
    prolog.load(resources.kb("clutrr", "names.pl"), "user")
    rows = prolog.all("name(Gender, Name)", module="clutrr_names")
    men, women = (tuple(str(row["Name"]) for row in rows if row["Gender"] == g) for g in ("male", "female"))
    return men, women


@dataclass(frozen=True, slots=True)
class Register:
    """Names for men and for women; where both draw from one pool, a name tells nothing of gender."""

    men: tuple[str, ...]
    women: tuple[str, ...]

    def pool(self, gender: int) -> tuple[str, ...]:
        return self.women if gender else self.men

    def sizes(self, genders: Sequence[int]) -> list[int]:
        """How many names are left for each of some persons, one after the other."""
        shared = self.men is self.women
        before = [place if shared else list(genders[:place]).count(gender) for place, gender in enumerate(genders)]
        return [len(self.pool(gender)) - used for gender, used in zip(genders, before, strict=True)]

    def capacity(self) -> int:
        """How many puzzles can name their first three persons differently, whatever their genders."""
        return min(prod(self.sizes(genders)) for genders in product((0, 1), repeat=3))


def first_names() -> Register:
    """The names of kb/clutrr/names.pl."""
    return Register(*pools())


@cache
def placeholders(number: int) -> Register:
    """@ent0, @ent1, ... for everybody."""
    pool = tuple(f"@ent{place}" for place in range(number))
    return Register(pool, pool)


def assign(
    register: Register, number: int, seed: int, persons: Sequence[int], genders: Sequence[int], rng: Random
) -> dict[int, str]:
    """Names for `persons`, the first three by the puzzle's number; `genders` are those of all persons."""
    sizes = register.sizes([genders[person] for person in persons])
    if min(sizes) < 1:
        advice = "raise story.pool" if register.men is register.women else "make the families smaller"
        raise UsageError(f"{len(persons)} persons need more names than there are: {advice}")
    names: dict[int, str] = {}
    for person, choice in zip(persons[:3], _spread(number, seed, sizes[:3]), strict=True):
        names[person] = _left(register.pool(genders[person]), names.values(), choice)
    for gender in (0, 1):
        others = [person for person in persons[3:] if genders[person] == gender]
        if others:
            used = set(names.values())
            # Enough for all, whichever of them are used: cheaper than a pool without those.
            pool = register.pool(gender)
            drawn = rng.sample(pool, min(len(others) + len(used), len(pool)))
            names.update(zip(others, (name for name in drawn if name not in used), strict=False))
    return names


def _left(pool: Sequence[str], used: Iterable[str], choice: int) -> str:
    """The name of number `choice` among those of the pool that are not used."""
    for place in sorted(pool.index(name) for name in used if name in pool):
        choice += choice >= place
    return pool[choice]


def _spread(number: int, seed: int, sizes: Sequence[int]) -> list[int]:
    """A choice for each of some sizes: other numbers give other choices, as long as there are any."""
    factor, offset = _affine(seed, prod(sizes))
    value = (number * factor + offset) % prod(sizes)
    digits = []
    for size in sizes:
        value, digit = divmod(value, size)
        digits.append(digit)
    return digits


@cache
def _affine(seed: int, total: int) -> tuple[int, int]:
    rng = seeds.fast_rng(seed, "clutrr", "names", total)
    factor = rng.randrange(total // 3, total)
    while gcd(factor, total) != 1:
        factor += 1
    return factor, rng.randrange(total)


# Phrasings ----------------------------------------------------------------------------------------------------------


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
    phrasings: dict[str, list[Phrasing]] = defaultdict(list)
    for row in rows:
        phrasings[str(row["Name"])].append(Phrasing.parse(_plain(row["Text"])))
    return {kind: tuple(texts) for kind, texts in phrasings.items()}


@cache
def questions() -> tuple[Phrasing, ...]:
    """The forms of the question what person 1 is to person 0."""
    rows = _knowledge().all("question(Text)", module="clutrr_phrasings")
    return tuple(Phrasing.parse(_plain(row["Text"])) for row in rows)


# The phrasings that a split may use: by relations, words and genders of a chain of facts the phrasings that say it at
# once; none if there are none.
Book = Callable[[Sequence[str], Sequence[str], Sequence[int]], Sequence[Phrasing]]


@cache
def own_phrasings(split: str, held_out: float) -> dict[str, tuple[Phrasing, ...]]:
    """Our phrasings for a split: of each kind the last `held_out` are for the split test, the others for the rest."""
    parts = {}
    for kind, phrasings in kinds().items():
        cut = len(phrasings) - round(held_out * len(phrasings))
        parts[kind] = phrasings if cut == len(phrasings) else phrasings[cut:] if split == "test" else phrasings[:cut]
    return parts


def own_book(split: str, held_out: float) -> Book:
    """The book of our phrasings for a split."""
    by_kind = own_phrasings(split, held_out)

    def choices(relations: Sequence[str], words: Sequence[str], genders: Sequence[int]) -> Sequence[Phrasing]:
        if len(relations) > 1:
            return by_kind.get(f"chain({len(relations)})", ())
        return by_kind.get(relations[0]) or by_kind["any"]

    return choices


@cache
def placeholder_book(path: Path, words: tuple[str, ...]) -> Book:
    """Read {clause: {genders: [text]}}, where a text has ENT_0_male for the first person of the clause."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None
    except json.JSONDecodeError as error:
        raise UsageError(f"not JSON: {error.msg}", file=str(path), line=error.lineno, column=error.colno) from None
    if not isinstance(content, dict):
        raise UsageError("expected an object {clause: {genders: [phrasings]}}", file=str(path))
    cells: dict[tuple[tuple[str, ...], tuple[int, ...]], tuple[Phrasing, ...]] = {}
    for clause, by_genders in content.items():
        if not isinstance(by_genders, dict):
            raise UsageError(f"'{clause}': expected an object {{genders: [phrasings]}}", file=str(path))
        body = split_words(clause, words, str(path))
        for genders, texts in by_genders.items():
            key, phrasings = _cell(body, clause, genders, texts, str(path))
            cells[key] = phrasings
    return lambda relations, words, genders: cells.get((tuple(words), tuple(genders)), ())


def split_words(clause: str, words: Sequence[str], file: str | None = None) -> tuple[str, ...]:
    """The words of a clause that are joined by '-', which words have inside too.

    >>> split_words("son-mother-in-law-niece", ["son", "mother", "mother-in-law", "niece"])
    ('son', 'mother-in-law', 'niece')
    """
    chain, rest = [], clause.replace("neice", "niece")
    by_length = sorted(words, key=len, reverse=True)
    while rest:
        word = next((w for w in by_length if rest == w or rest.startswith(w + "-")), None)
        if word is None:
            raise UsageError(f"'{clause}' is not a chain of kinship words: '{rest}' is not a kinship word", file=file)
        chain.append(word)
        rest = rest[len(word) + 1 :]
    return tuple(chain)


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


# Stories ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """A story, its parts in the order of the facts without noise, and the phrasings that were used."""

    story: str
    clean: str
    phrasings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells puzzles with the phrasings of a book, at most `join` facts at once."""

    theory: KinTheory
    book: Book
    join: int
    shuffle: bool

    def tell(self, puzzle: Puzzle, name: Callable[[int], str], rng: Random) -> Told | None:
        """The story of a puzzle; None if the book has no words for it."""
        parts = self._say(puzzle.facts, puzzle.tree.gender, name, rng)
        if parts is None:
            return None
        clean = " ".join(text for text, _ in parts)
        for noise in puzzle.noise:
            said = self._say(noise.facts, puzzle.tree.gender, name, rng)
            if said is None:
                return None
            parts += said
        used = tuple(phrasing.text for _, phrasing in parts)
        if self.shuffle:
            rng.shuffle(parts)
        return Told(" ".join(text for text, _ in parts), clean, used)

    def _say(
        self, facts: Sequence[Fact], genders: Sequence[int], name: Callable[[int], str], rng: Random
    ) -> list[tuple[str, Phrasing]] | None:
        persons = [facts[0].person, *(fact.other for fact in facts)]
        of_person = [genders[person] for person in persons]
        relations = [self.theory.names[fact.relation] for fact in facts]
        words = [self.theory.words[fact.relation][genders[fact.other]] for fact in facts]
        names = [name(person) for person in persons]
        parts = []
        for start, end, choices in self._cuts(relations, words, of_person, rng) or ():
            phrasing = choices[int(rng.random() * len(choices))]
            text = phrasing.say(names[start : end + 1], of_person[start : end + 1], words[start:end])
            parts.append((text, phrasing))
        return parts or None

    def _cuts(
        self, relations: Sequence[str], words: Sequence[str], genders: Sequence[int], rng: Random
    ) -> list[tuple[int, int, Sequence[Phrasing]]] | None:
        """A way to cut the chain into parts that the book can say, each way with the same chance."""
        size, longest = len(words), min(self.join, LONGEST)
        ways = [0] * size + [1]
        choices: dict[tuple[int, int], Sequence[Phrasing]] = {}
        for start in range(size - 1, -1, -1):
            for end in range(start + 1, min(start + longest, size) + 1):
                said = self.book(relations[start:end], words[start:end], genders[start : end + 1])
                if said:
                    choices[start, end] = said
                    ways[start] += ways[end]
        if not ways[0]:
            return None
        cuts, start = [], 0
        while start < size:
            point = int(rng.random() * ways[start])
            end = start
            while point >= 0:
                end += 1
                if (start, end) in choices:
                    point -= ways[end]
            cuts.append((start, end, choices[start, end]))
            start = end
        return cuts
