"""A story in passages: sentences that can be read by themselves, with their persons in order of mention.

A sentence that refers back, by a pronoun before any name, or that names nobody, belongs to the passage of the sentence
before it. Names stand in brackets, or are placeholders such as @ent4. Of a name nothing is kept but who it is.

>>> one, two = passages_of("[Ann] met [Bob]. He is her son. [Bob] is tall.")
>>> one.text, one.persons
('[Ann] met [Bob]. He is her son.', ('Ann', 'Bob'))
>>> [token.text for token in one.tokens], [token.person for token in one.tokens][:3]
(['', 'met', '', '.', 'he', 'is', 'her', 'son', '.'], [0, None, 1])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from hornbeam.clutrr.story import pronouns
from hornbeam.errors import UsageError

_TOKEN = re.compile(r"\[([^\[\]]+)\]|(@ent\d+)|('s\b|[^\W_]+(?:-[^\W_]+)*|[^\w\s])")
_ENDS = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class Token:
    """A word in small letters, or a person: their number in the passage. `start` and `end` are places in the story."""

    text: str
    person: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences that belong together; persons are numbered in order of mention."""

    text: str
    start: int
    tokens: tuple[Token, ...]
    persons: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class _Mention:
    word: str
    name: str
    start: int
    end: int


def passages_of(story: str) -> list[Passage]:
    """The passages of a story.

    Raises:
        UsageError: if no person is marked.
    """
    mentions = [
        _Mention(match[3].lower() if match[3] else "", match[1] or match[2] or "", match.start(), match.end())
        for match in _TOKEN.finditer(story)
    ]
    if not any(one.name for one in mentions):
        raise UsageError(f"no person is marked: expected names as [Ann] or @ent4 in: {story[:60]}")
    groups: list[list[_Mention]] = []
    for sentence in _sentences(mentions):
        if groups and _refers_back(sentence):
            groups[-1] += sentence
        else:
            groups.append(sentence)
    return [_passage(story, group) for group in groups]


def _sentences(mentions: Iterable[_Mention]) -> Iterator[list[_Mention]]:
    sentence: list[_Mention] = []
    for one in mentions:
        sentence.append(one)
        if one.word in _ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _refers_back(sentence: Iterable[_Mention]) -> bool:
    for one in sentence:
        if one.name:
            return False
        if one.word in personal_pronouns():
            return True
    return True


@cache
def personal_pronouns() -> frozenset[str]:
    """The pronouns of men and women, in small letters."""
    return frozenset(word.lower() for pair in pronouns().values() for word in pair)


def _passage(story: str, mentions: list[_Mention]) -> Passage:
    persons: dict[str, int] = {}
    tokens = [
        Token(one.word, persons.setdefault(one.name, len(persons)) if one.name else None, one.start, one.end)
        for one in mentions
    ]
    start, end = mentions[0].start, mentions[-1].end
    return Passage(story[start:end], start, tuple(tokens), tuple(persons))
