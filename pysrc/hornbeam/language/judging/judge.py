"""The judge of what language models answer: one process for each task, texts in batches.

>>> judge = Judge(ds)
>>> rulings = judge.theories(["```prolog\\nancestor(T, X, Y) :- parent(T, X, Y).\\n```", "ancestor(T, X, Y) :- !."])
>>> [ruling.verdict for ruling in rulings]
['refuted', 'invalid']
>>> judge.close()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from hornbeam.data.opaque import opaque_id
from hornbeam.errors import UsageError
from hornbeam.language.item import RULE, SET, Item
from hornbeam.language.judging.bench import FRESH, Bench
from hornbeam.language.judging.ruling import Ruling
from hornbeam.language.judging.theories import TheoryJudge
from hornbeam.language.judging.words import Question
from hornbeam.language.prompts.asking import FAMILIES, teller_of
from hornbeam.language.prompts.settings import PromptSettings
from hornbeam.language.prompts.telling import Question as Telling
from hornbeam.language.prompts.telling import Teller
from hornbeam.language.prompts.worlds import FOLLOWS, NOT
from hornbeam.tasks.predictions import label_text

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


class Judge:
    """Judges replies about one dataset; close it, or use it in a `with` statement.

    The samples of a task are drawn and loaded when its first theory comes. From then on texts are judged in bulk, in
    a contained process that lives as long as the judge.

    Args:
        dataset: The dataset that replies are about.
        prove: Whether theories that no fresh sample refutes go to the family's court: it proves them equal, or looks
            for a difference in samples made for them. Slower; the process that screens is the same.
        fresh: How many fresh samples a theory is asked.
        seed: Of the fresh samples; default: derived from the dataset's own.
        lenient: Also accept answers in another form than was asked for. Not for rewards in training.
        options: Of the family's tasks, e.g. ``{"target": "p1"}`` for RuDaS.

    Raises:
        UsageError: from its methods, if the dataset has no such task or sample.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        prove: bool = True,
        fresh: int = FRESH,
        seed: int | None = None,
        lenient: bool = False,
        options: Mapping[str, str] | None = None,
    ) -> None:
        if fresh < 1:
            raise UsageError(f"the number of fresh samples must be above 0, not {fresh}")
        self.dataset = dataset
        self._prove, self._fresh, self._seed = prove, fresh, seed
        self._lenient = lenient
        self._options = options
        self._courts: dict[str | None, TheoryJudge] = {}
        self._known: dict[str, Question] = {}

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        for court in self._courts.values():
            court.bench.close()
        self._courts.clear()

    # Theories ---------------------------------------------------------------------------------------------------------

    def theories(self, texts: Sequence[str], *, task: str | None = None) -> list[Ruling]:
        """The rulings on theories of one task, in order; see :func:`hornbeam.judge_theory`."""
        return self._court(task).judge(texts)

    def _court(self, task: str | None) -> TheoryJudge:
        if task not in self._courts:
            bench = Bench(self.dataset, task, self._options, fresh=self._fresh, seed=self._seed)
            self._courts[task] = TheoryJudge(bench, prove=self._prove)
        return self._courts[task]

    # Answers ----------------------------------------------------------------------------------------------------------

    def answers(self, replies: Sequence[tuple[str, str]]) -> list[Ruling]:
        """The rulings on pairs of a sample's id and a reply, in order; see :func:`hornbeam.judge_answer`."""
        return [self._question(name).judge(text, lenient=self._lenient) for name, text in replies]

    def _question(self, name: str) -> Question:
        if name not in self._known:
            self._known[name] = self._asked(name)
        return self._known[name]

    def _asked(self, name: str) -> Question:
        if self.dataset.manifest.family not in FAMILIES:
            label = label_text(self.dataset.sample(name).label)
            return Question(tuple(sorted({label_text(one.label) for one in self.dataset.samples})), label)
        asked = self._questions.get(name) or self._questions.get(self._by_opaque_id.get(name, ""))
        if asked is None:
            sample = self.dataset.sample(name)  # names what is wrong, if there is no such sample
            if self.dataset.manifest.family == "rudas" and sample.label == "noise":
                return Question((FOLLOWS, NOT), NOT)
            raise UsageError(f"no question is asked about the sample '{name}'", file=str(self.dataset.path))
        told = self._teller.tell(asked, Random(0), self._teller.vocabulary(asked.task, Random(0)))
        return Question(told.options, told.target, told.form == SET)

    @cached_property
    def _teller(self) -> Teller:
        return teller_of(self.dataset, PromptSettings())

    @cached_property
    def _questions(self) -> dict[str, Telling]:
        return {asked.sample.id: asked for asked in self._teller.questions() if asked.sample is not None}

    @cached_property
    def _by_opaque_id(self) -> dict[str, str]:
        return {opaque_id(self.dataset, name): name for name in self._questions}

    # Items ------------------------------------------------------------------------------------------------------------

    def items(self, replies: Sequence[tuple[Item, str]]) -> list[Ruling]:
        """The rulings on pairs of an item and a reply, in order. Theories of one task are judged together."""
        rulings: list[Ruling | None] = [None] * len(replies)
        by_task: dict[str | None, list[int]] = {}
        for number, (item, text) in enumerate(replies):
            if item.form == RULE:
                by_task.setdefault(str(item.meta.get("task") or "") or None, []).append(number)
            else:
                rulings[number] = question_of(item).judge(text, lenient=self._lenient)
        for task, numbers in by_task.items():
            judged = self.theories([replies[number][1] for number in numbers], task=task)
            for number, ruling in zip(numbers, judged, strict=True):
                rulings[number] = ruling
        return [ruling for ruling in rulings if ruling is not None]


def question_of(item: Item) -> Question:
    """What an item asks, for items that are answered in words."""
    return Question(item.options, item.target, item.form == SET, str(item.meta.get("answer_format") or "tags"))
