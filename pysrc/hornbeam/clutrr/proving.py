"""SWI-Prolog derives the answer of every sample of a shard, by the files that its dataset ships."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.clutrr.prolog_side import PREDICATES, side
from hornbeam.clutrr.theory import Packs
from hornbeam.data.prolog_files import Unproven, in_process
from hornbeam.data.sample import Sample
from hornbeam.logic import Prolog

# Id, the two of the question, then two flat lists: word, person and other of each fact; name and gender of each person.
Story = list[Any]


def prove(packs: Packs, samples: Sequence[Sample]) -> int:
    """The number of labels that are proven, which is all of them; Unproven for the first that is not."""
    for sample, derived in zip(samples, derive(packs, [_story(sample) for sample in samples]), strict=True):
        if derived != sample.label:
            raise Unproven(sample.id, str(sample.label), derived)
    return len(samples)


def derive(packs: Packs, stories: Sequence[Story]) -> list[str | list[str]]:
    """The one word that follows from each story, or all that do where there are several or none. One call for all."""
    given: dict[str, Any] = {"D": _dataset(packs), "_Stories": list(stories)}
    answer = _engine().once("proven_answers(D, _Stories, Answers)", given=given, module="clutrr_proving")
    assert answer is not None
    answers: Any = answer["Answers"]
    return list(answers)


@cache
def _engine() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.prolog("clutrr", "proving.pl"))
    return prolog


@cache
def _dataset(packs: Packs) -> str:
    return in_process(side(packs), PREDICATES)


def _story(sample: Sample) -> Story:
    """What a sample says. Atoms cross to Prolog several times faster than text."""
    seen: Any = sample.input
    names = seen["names"]
    facts: list[str] = []
    for person, word, other in seen["edges"]:
        facts += (word, names[person], names[other])
    persons: list[str] = []
    for name, gender in zip(names, seen["genders"], strict=True):
        persons += (name, gender)
    return [sample.id, *(names[person] for person in seen["query"]), facts, persons]
