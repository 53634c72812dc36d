"""Why a story has its answer, by what was read of it: the sentences with their facts, the family, the proof, the fault.

A wrong answer has a fault: a sentence that was misread, or a cell of the theory that is wrong or missing.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.clutrr.knowledge import load
from hornbeam.clutrr.learning import truth
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.networks.proofs import Step
from hornbeam.networks.table import Table
from hornbeam.perception.perceiver import STORIES, Alternative, Part, Reading
from hornbeam.perception.readings import Perception
from hornbeam.perception.stories.answering import ToldAnswer, answer_told
from hornbeam.perception.stories.drawing import COLOURS, kinship_svg
from hornbeam.report.page import Macros, Section, page
from hornbeam.theory import Theory

_HTML = Macros(__file__, "explaining.html.j2")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A passage of the story, the facts read from it as text, and its colour; "" for one that tells nothing."""

    text: str
    facts: tuple[str, ...] = ()
    colour: str = ""


@dataclass(frozen=True, slots=True)
class StoryExplanation:
    """Why a theory answers a story as it does.

    Attributes:
        text: What was read, the answer with its probability, the proof, and the fault if the answer is wrong.
        html: The same as part of a page, with the family drawn from what was read.
        right: Whether the answer is the story's label.
        fault: What is to blame for a wrong answer; "" if it is right.
    """

    text: str
    html: str
    right: bool
    fault: str


def explain_from_story(
    dataset: Dataset, sample: Sample, perception: Perception, theory: Theory | None = None
) -> StoryExplanation:
    """Read a story and explain the answer to its question.

    Args:
        dataset: The dataset.
        sample: A sample of it.
        perception: Who reads, and where readings are kept.
        theory: A learned table; by default the true one.

    Raises:
        HornbeamError: if the story cannot be read; it says which sentence.
    """
    [explanation] = explain_stories(dataset, [sample], perception, theory)
    if isinstance(explanation, HornbeamError):
        raise explanation
    return explanation


def explain_stories(
    dataset: Dataset, samples: Sequence[Sample], perception: Perception, theory: Theory | None = None
) -> list[StoryExplanation | HornbeamError]:
    """As :func:`explain_from_story`, for many stories; one that cannot be read has the reason in its place."""
    true = Table.of(truth(load(tuple(dataset.config.packs)), dataset.config.family))
    table = true if theory is None else Table.of(theory)
    readings = perception.readings(dataset, samples)
    explanations: list[StoryExplanation | HornbeamError] = []
    for sample, answer in zip(samples, answer_told(table, samples, readings), strict=True):
        if answer is None:
            reason = readings[sample.id].unread
            explanations.append(HornbeamError(f"the story of {sample.id} could not be read: {reason}"))
        else:
            read = readings[sample.id].alternatives[answer.alternative]
            explanations.append(_Explainer(dataset, sample, read, answer, table, true).explanation())
    return explanations


def story_sections(dataset: Dataset) -> list[Section]:
    """The typical stories of a dataset, each explained by what the grammar reads of it; else nothing."""
    if dataset.family.name != "clutrr" or dataset.config.origin != "generated":
        return []
    samples = dataset.family.typical(dataset)
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as folder:
        explained = explain_stories(dataset, samples, Perception.of(STORIES, "grammar", {}, Path(folder)))
    shown = [str(one) if isinstance(one, HornbeamError) else one.html for one in explained]
    return [Section("Explained from the text", _HTML.several(shown))]


def explanation_page(sample: Sample, explanation: StoryExplanation) -> str:
    """A whole page with one explanation."""
    return page(f"The story {sample.id}", "", [Section("What was read, and what follows", explanation.html)])


@dataclass(frozen=True, slots=True)
class _Explainer:
    dataset: Dataset
    sample: Sample
    read: Alternative
    answer: ToldAnswer
    table: Table
    true: Table

    @property
    def _names(self) -> list[str]:
        given: Any = self.sample.input
        names: list[str] = given["names"]
        return names

    def explanation(self) -> StoryExplanation:
        given: Any = self.sample.input
        first, second = (self._names[node] for node in given["query"])
        right = self.answer.relation == self.sample.label
        fault = "" if right else self._fault()
        sentences = self._sentences()
        sure = self.answer.probabilities.get(self.answer.relation, 0.0)
        follows = f"with probability {sure:.2f}" if sure else "though it does not follow from what was read"
        result = f"{second} is the {self.answer.relation} of {first}, {follows}. "
        result += "This is right." if right else f"This is wrong: the answer is {self.sample.label}."
        steps = [self._said(step) for step in self.answer.by.steps]
        lines = [f"{self.sample.id}, by what was read from the story:", ""]
        for number, sentence in enumerate(sentences, start=1):
            lines.append(f"{number}. {sentence.text}")
            lines += [f"     {fact}" for fact in sentence.facts]
        lines += ["", result, *(f"  {step}" for step in steps), *([f"To blame: {fault}"] if fault else [])]
        drawing = kinship_svg(
            load(tuple(self.dataset.config.packs)), self._names, self.read.parts, self._passages(), given["query"]
        )
        html = _HTML.explained(self.sample.id, given.get("question", ""), sentences, drawing, result, steps, fault)
        return StoryExplanation("\n".join(lines) + "\n", html, right, fault)

    def _passages(self) -> list[tuple[int, int]]:
        """The places of the story that facts were read from, in order."""
        return sorted({(part.box[0], part.box[2]) for part in self.read.parts})

    def _sentences(self) -> list[Sentence]:
        given: Any = self.sample.input
        story: str = given["story"]
        used = set(self.answer.by.edges)
        sentences, end = [], 0
        for number, (start, stop) in enumerate(self._passages()):
            if story[end:start].strip():
                sentences.append(Sentence(story[end:start].strip()))
            facts = tuple(
                f"{self._fact(part)} ({part.probability:.2f}{', used' if place in used else ''})"
                for place, part in enumerate(self.read.parts)
                if part.box[0] == start
            )
            sentences.append(Sentence(story[start:stop], facts, COLOURS[number % len(COLOURS)]))
            end = stop
        if story[end:].strip():
            sentences.append(Sentence(story[end:].strip()))
        return sentences

    def _fact(self, part: Part) -> str:
        one, two = part.path
        return f"{self._names[two]} is the {part.name} of {self._names[one]}"

    def _said(self, step: Step) -> str:
        names = self._names
        return (
            f"{names[step.target]} is the {'|'.join(step.whole)} of {names[step.source]}: {names[step.through]} is the "
            f"{'|'.join(step.first)} of {names[step.source]}, and {names[step.target]} is the {'|'.join(step.second)} "
            f"of {names[step.through]}"
        )

    # Faults -----------------------------------------------------------------------------------------------------------

    def _fault(self) -> str:
        """A misread sentence, else a cell; else the story itself, whose label does not follow from its facts."""
        return self._misread() or self._cell() or "the label does not follow from the facts of the story"

    def _misread(self) -> str:
        given: Any = self.sample.input
        true = Counter(tuple(edge) for edge in given["edges"])
        for part in self.read.parts:
            one, two = part.path
            if true[one, part.name, two] == 0:
                sentence = given["story"][part.box[0] : part.box[2]]
                meant = [
                    f"{self._names[b]} is the {word} of {self._names[a]}"
                    for a, word, b in given["edges"]
                    if {a, b} & {one, two} and word == part.name
                ]
                instead = f", not as {meant[0]}" if meant else ""
                return f'the sentence "{sentence}" was read as {self._fact(part)}{instead}'
            true[one, part.name, two] -= 1
        missed = [f"{self._names[b]} is the {word} of {self._names[a]}" for (a, word, b), left in true.items() if left]
        return f"the fact {missed[0]} was not read from any sentence" if missed else ""

    def _cell(self) -> str:
        """The first step that the true table does not make; where there is no proof, a cell that is missing."""
        for step in self.answer.by.steps:
            if len(step.first) == len(step.second) == 1:
                told = self.true.names(self._whole(self.true, step.first[0], step.second[0]))
                if told != step.whole:
                    meant = f"is {'|'.join(told)}" if told else "says nothing"
                    return (
                        f"the cell {step.first[0]}, {step.second[0]} says {'|'.join(step.whole)}; the true one {meant}"
                    )
        known = {(first, second) for first in self.table.relations for second in self.table.relations}
        proof = answer_told(self.true, [self.sample], _one(self.sample, self.read))[0]
        for step in proof.by.steps if proof else ():
            pair = (step.first[0], step.second[0])
            if pair in known and not self._whole(self.table, *pair):
                return f"the cell {pair[0]}, {pair[1]} is missing; the true one is {'|'.join(step.whole)}"
        return ""

    def _whole(self, table: Table, first: str, second: str) -> int:
        return table.compose(table.mask((first,)), table.mask((second,)))


def _one(sample: Sample, read: Alternative) -> dict[str, Reading]:
    return {sample.id: Reading(sample.id, (read,))}
