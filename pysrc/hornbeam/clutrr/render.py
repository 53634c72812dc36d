"""Stories: a puzzle as a learner sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from hornbeam.clutrr.phrasing import LONGEST, Book, Phrasing
from hornbeam.clutrr.puzzle import Fact, Puzzle
from hornbeam.clutrr.theory import Theory


@dataclass(frozen=True, slots=True)
class Told:
    """A story, its parts in the order of the facts without noise, and the phrasings that were used."""

    story: str
    clean: str
    phrasings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells puzzles with the phrasings of a book, at most `join` facts at once."""

    theory: Theory
    book: Book
    join: int
    shuffle: bool

    def tell(self, puzzle: Puzzle, name: Callable[[int], str], rng: Random) -> Told | None:
        """The story of a puzzle; None where the book has no words for it."""
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
                said = self.book.choices(relations[start:end], words[start:end], genders[start : end + 1])
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
