"""Items of a dataset, one for each question, in an order that the seed decides.

An item is a function of the dataset, the settings and its index: an :class:`Asker` makes any of them without the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, overload

from hornbeam.data.opaque import fingerprint, opaque
from hornbeam.data.sample import Json
from hornbeam.errors import UsageError, unknown_name
from hornbeam.language import ladder
from hornbeam.language.item import Item, Part
from hornbeam.language.prompts import induction
from hornbeam.language.prompts.rendering import question_parts, render
from hornbeam.language.prompts.settings import PromptSettings, settings_of
from hornbeam.language.prompts.telling import Question, Teller
from hornbeam.seeds import fast_rng

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FAMILIES = {
    "clutrr": "hornbeam.language.prompts.graphs:ClutrrTeller",
    "graphlog": "hornbeam.language.prompts.graphs:GraphlogTeller",
    "kandy": "hornbeam.language.prompts.scenes:KandyTeller",
    "rudas": "hornbeam.language.prompts.worlds:RudasTeller",
    "star": "hornbeam.language.prompts.graphs:StarTeller",
}
"""Where each family's teller is."""

Levels = tuple[int, int]


class Asker(Sequence[Item]):
    """The items of a dataset, as a sequence. An item is made when it is accessed.

    Args:
        dataset: The dataset.
        settings: How samples become prompts.
        split: Ask only samples of this split; None for all.
        task: Ask only samples of this task; None for all.
        levels: The lowest and the highest level; None for all.
        least: Ask only questions whose proofs have at least so many steps.
        templates: A folder with templates that replace those of the same name.
    """

    def __init__(
        self,
        dataset: Dataset,
        settings: PromptSettings,
        *,
        split: str | None = None,
        task: str | None = None,
        levels: Levels | None = None,
        least: int = 0,
        templates: Path | None = None,
    ) -> None:
        self.dataset = dataset
        self.settings = settings
        self._split = split
        self._task = task if task is None else dataset.one_task(task)
        self._levels = levels
        self._least = least
        self._templates = templates
        if split is not None and split not in dataset.splits:
            raise unknown_name("split", split, dataset.splits, file=str(dataset.path))

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, key: int) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Item]: ...
    def __getitem__(self, key: int | slice) -> Item | Sequence[Item]:
        if isinstance(key, slice):
            return [self._item(question) for question in self._chosen[key]]
        return self._item(self._chosen[key])

    def __iter__(self) -> Iterator[Item]:
        return map(self._item, self._chosen)

    # Which questions --------------------------------------------------------------------------------------------------

    @cached_property
    def teller(self) -> Teller:
        """What tells the samples."""
        return teller_of(self.dataset, self.settings)

    @cached_property
    def questions(self) -> list[Question]:
        """All questions of the dataset, in its order."""
        if self.settings.kind == "induce":
            return [
                Question(task or "", "train", task or "", "")
                for task in self.dataset.family.learning_tasks(self.dataset)
            ]
        return list(self.teller.questions())

    @cached_property
    def _chosen(self) -> list[Question]:
        chosen = [question for question in self.questions if self._wanted(question)]
        # The order of a dataset follows its labels and lengths.
        fast_rng(self.settings.seed, "language", "order", self.dataset.manifest.family).shuffle(chosen)
        return chosen

    def _wanted(self, question: Question) -> bool:
        if self._task is not None and question.task not in (self._task, ""):
            return False
        if self.settings.kind == "answer" and (
            self._split not in (None, question.split) or question.steps < self._least
        ):
            return False
        if self._levels is None:
            return True
        return self._levels[0] <= self._level(question) <= self._levels[1]

    def _level(self, question: Question) -> int:
        if self.settings.kind == "induce":
            return ladder.level_of_theory(self.dataset.truth_of(question.task or None))
        return ladder.level_of(self.dataset, question.task, question.sample)

    # One item ---------------------------------------------------------------------------------------------------------

    def item(self, place: int, turn: int = 0, level: int | None = None) -> Item:
        """An item by its place. Another turn asks the same question with other names and another order."""
        return self._item(self._chosen[place], turn, level)

    def _item(self, question: Question, turn: int = 0, level: int | None = None) -> Item:
        if self.settings.kind == "induce":
            return self._rule_item(question)
        return self._answer_item(question, turn, self._level(question) if level is None else level)

    def _answer_item(self, question: Question, turn: int, level: int) -> Item:
        settings, teller = self.settings, self.teller
        uid = self.uid(question.key if turn == 0 else f"{question.key}\x1f{turn}")
        rng = Random(uid)
        # Relations are renamed alike in the question and its shots.
        vocabulary = teller.vocabulary(question.task, rng)
        shots = [teller.tell(shot, rng, vocabulary) for shot in self._shots(question, rng)]
        told = teller.tell(question, rng, vocabulary)
        stated = settings.rules == "given" or (settings.rules == "auto" and self._unknowable(bool(shots)))
        values = {
            "style": settings.style,
            "format": settings.answer_format,
            "rules": teller.rules(question.task, vocabulary) if stated else None,
        }
        family = self.dataset.manifest.family
        parts = question_parts(family, told, shots, values, self.dataset, self._templates)
        meta: dict[str, Json] = {
            **self._meta(question.sample.id if question.sample else "", question.task),
            "split": question.split,
            "steps": question.steps,
            "renamed": dict(told.renamed),
            "entities": dict(told.entities),
        }
        return Item(uid, family, told.form, level, parts, self._system, told.options, told.target, meta)

    @cached_property
    def _system(self) -> str:
        return render("system", {}, self._templates)

    def _unknowable(self, solved: bool) -> bool:
        """Whether a question has no answer without the rules."""
        if self.dataset.manifest.family == "rudas":
            return True
        if self.settings.style == "symbols":
            return self.dataset.manifest.family != "kandy" or not solved
        return not self.teller.knowable and not solved

    def _rule_item(self, question: Question) -> Item:
        uid = self.uid(f"induce/{question.task}")
        told = induction.tell(self.dataset, question.task or None, self.settings, Random(uid))
        meta: dict[str, Json] = {**self._meta("", question.task), **told.meta}
        system = self._system
        text = render("induce", told.values, self._templates)
        family = self.dataset.manifest.family
        parts = (Part(text),)
        return Item(uid, family, "rule", self._level(question), parts, system, (), told.target, meta)

    def _meta(self, sample: str, task: str) -> dict[str, Json]:
        return {
            "sample": sample,
            "task": task,
            "dataset": fingerprint(self.dataset),
            "answer_format": self.settings.answer_format,
            "style": self.settings.style,
            "shots": self.settings.shots,
        }

    def uid(self, key: str) -> str:
        """The visible name of a question: a hash of the dataset, the settings and the question."""
        return opaque(fingerprint(self.dataset), self._settings_text, key)

    @cached_property
    def _settings_text(self) -> str:
        return self.settings.model_dump_json()

    # Shots ------------------------------------------------------------------------------------------------------------

    @cached_property
    def _pools(self) -> Mapping[str, Mapping[str, list[tuple[int, Question]]]]:
        """Training questions by task, or all under "" if tasks share one theory, then by label, with their levels."""
        pools: dict[str, dict[str, list[tuple[int, Question]]]] = {}
        for question in self.questions:
            if question.split == "train":
                labels = pools.setdefault(self._pool(question.task), {})
                labels.setdefault(question.label, []).append((self._level(question), question))
        for labels in pools.values():
            for listed in labels.values():
                listed.sort(key=lambda entry: entry[0])
        return pools

    def _pool(self, task: str) -> str:
        return task if len(self.dataset.family.learning_tasks(self.dataset)) > 1 else ""

    def _shots(self, question: Question, rng: Random) -> list[Question]:
        """Solved questions of the same theory, with balanced labels, not harder than the question."""
        if not self.settings.shots:
            return []
        pools = self._pools.get(self._pool(question.task), {})
        labels = sorted(pools)
        rng.shuffle(labels)
        level, chosen, seen = self._level(question), list[Question](), {question.key, question.key.partition("/")[0]}
        for turn in range(4 * self.settings.shots):
            if len(chosen) == self.settings.shots or not labels:
                break
            pool = pools[labels[turn % len(labels)]]
            easy = [one for grade, one in pool if grade <= level] or [pool[0][1]]
            shot = rng.choice(easy)
            if shot.key.partition("/")[0] not in seen:
                seen.add(shot.key.partition("/")[0])
                chosen.append(shot)
        if len(chosen) < self.settings.shots:
            place = str(self.dataset.path)
            said = f"the dataset has {len(chosen)} training samples for {self.settings.shots} shots of the task"
            raise UsageError(f"{said} {question.task}", file=place)
        rng.shuffle(chosen)
        return chosen


def teller_of(dataset: Dataset, settings: PromptSettings) -> Teller:
    """The teller of a dataset's family.

    Raises:
        UsageError: if the family has no prompts.
    """
    name = dataset.manifest.family
    if name not in FAMILIES:
        raise UsageError(f"the family {name} has no prompts; those that have: {', '.join(FAMILIES)}")
    module, _, kind = FAMILIES[name].partition(":")
    made: Teller = getattr(import_module(module), kind)(dataset, settings)
    return made


def prompts(
    dataset: Dataset,
    *,
    level: int | Levels | None = None,
    split: str | None = None,
    task: str | None = None,
    templates: str | Path | None = None,
    **settings: Any,
) -> Asker:
    """Samples as prompts; see :func:`hornbeam.prompts`."""
    levels = (level, level) if isinstance(level, int) else level
    if levels is not None and not ladder.LOWEST <= levels[0] <= levels[1] <= ladder.HIGHEST:
        raise UsageError(f"level: expected {ladder.LOWEST} to {ladder.HIGHEST}, found {levels[0]}-{levels[1]}")
    if dataset.manifest.family not in FAMILIES:
        teller_of(dataset, PromptSettings())
    folder = None if templates is None else Path(templates)
    if folder is not None and not folder.is_dir():
        raise UsageError("expected a folder with templates", file=str(folder))
    return Asker(dataset, settings_of(settings), split=split, task=task, levels=levels, templates=folder)
