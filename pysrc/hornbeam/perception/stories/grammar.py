"""Reading by grammar: the phrasings by which stories are told, run backwards (prolog/clutrr/reading.pl).

It is exact, and it refuses a story of which it cannot read a sentence, and names the sentence. It is the upper bound of
other readers, and a check of the data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from hornbeam import resources
from hornbeam.errors import UsageError
from hornbeam.logic import Compound, Prolog
from hornbeam.perception.perceiver import STORIES, Alternative, Part, Perceiver, Preparation, Reader, Reading, Story

# As prolog/clutrr/reading.pl cuts a text: names, placeholders, 's, words, marks.
_TOKEN = re.compile(r"\[[^\]]*\]|@[^\W_-]+|'s|(?:[^\W_]|-)+|\S")
_SHOWN = 80  # letters of a sentence that an error shows


class GrammarReader(Perceiver):
    """Reads stories that were told by our phrasings."""

    name: ClassVar[str] = "grammar"
    title: ClassVar[str] = (
        "the grammar of our phrasings, run backwards: exact, or it says which sentence it cannot read"
    )
    source: ClassVar[str] = STORIES

    def prepare(self, preparation: Preparation) -> Reader:
        dataset = preparation.dataset
        if dataset.family.name != "clutrr":
            raise UsageError(f"samples of {dataset.family.name} have no stories", file=str(dataset.path))
        return _Grammar(tuple(dataset.config.packs))


@cache
def _engine() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.prolog("clutrr", "reading.pl"))
    return prolog


@dataclass(frozen=True, slots=True)
class _Grammar(Reader):
    packs: tuple[str, ...]

    def perceive(self, inputs: Sequence[Story]) -> list[Reading]:
        given: dict[str, Any] = {"T": list(self.packs), "S": [one.text for one in inputs]}
        answer = _engine().once("stories_parts(T, S, R)", given=given, module="clutrr_reading")
        assert answer is not None
        found: Any = answer["R"]
        return [_reading(story, parts) for story, parts in zip(inputs, found, strict=True)]


def _reading(story: Story, parts: Any) -> Reading:
    tokens = [(match.start(), match.end()) for match in _TOKEN.finditer(story.text)]
    if isinstance(parts, Compound):
        at = int(str(parts.args[0]))
        rest = story.text[tokens[at][0] :] if at < len(tokens) else ""
        sentence = re.split(r"(?<=[.!?])\s", rest)[0][:_SHOWN]
        return Reading(story.id, unread=f"no phrasing is known for: {sentence or 'a story that ends here'}")
    if not isinstance(parts, list):
        return Reading(story.id, unread="the story can be read in two ways")
    node = {name: number for number, name in enumerate(story.names)}
    edges: list[Any] = []
    told: list[Part] = []
    before = 0
    for length, facts in parts:
        start, end = tokens[before][0], tokens[before + length - 1][1]
        before += length
        for word, one, two in facts:
            if str(one) not in node or str(two) not in node:
                return Reading(story.id, unread=f"{one} or {two} is not among the persons of the story")
            couple = (node[str(one)], node[str(two)])
            edges.append([couple[0], str(word), couple[1]])
            told.append(Part(str(word), couple, (start, 0, end, 1)))
    if not edges:
        return Reading(story.id, unread="the story tells no fact")
    return Reading(story.id, (Alternative({"edges": edges}, 0.0, tuple(told)),))
