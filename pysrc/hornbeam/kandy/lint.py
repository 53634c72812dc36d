"""What is wrong or doubtful in a curriculum file, found without making a dataset.

Beyond what the reader refuses: rules that Prolog cannot use, elements that can never satisfy their rule, symbols that
both sets of a task can bring, and sets with fewer distinct symbols than the task asks for. A set that is small enough
is gone through exhaustively and the finding is exact; of a larger one samples are drawn and the finding says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hornbeam.errors import HornbeamError
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.language.nodes import Node, outcomes
from hornbeam.kandy.language.read import curriculum_text, examine, folder_of
from hornbeam.kandy.proving import judge_of
from hornbeam.kandy.render import below_of
from hornbeam.kandy.search import FAMILY, Judge, draw_element, quota
from hornbeam.kandy.tree import Tree
from hornbeam.seeds import fast_rng
from hornbeam.yaml_reader import Position

_WAYS = 5_000
"""An element that can be drawn in more ways than this is not gone through."""
_ENDLESS = 6
"""A rule that does not end on so many symbols is not asked about more: each takes all of its inferences."""


@dataclass(frozen=True, slots=True)
class CurriculumFinding:
    """Something to tell. An `error` makes the file unusable, a `warning` is hardly meant, a `note` is good to know."""

    level: str
    file: str | None
    line: int | None
    column: int | None
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.level}: {self.message}" if place else f"{self.level}: {self.message}"


def lint(path: Path, overrides: Mapping[str, str] | None = None, *, draws: int = 200) -> list[CurriculumFinding]:
    """All findings of a curriculum file, in the order of the file's tasks."""
    curriculum, reading = examine(curriculum_text(path), str(path), folder_of(path), overrides)
    findings = [_finding("error", problem) for problem in reading.problems]
    findings += [_finding("warning", warning) for warning in reading.warnings]
    if curriculum is None:
        return findings
    with KandyLogic(curriculum.config.domain) as logic:
        for task in curriculum.tasks:
            findings += _TaskLint(task, logic, draws).findings()
    return findings


def _finding(level: str, error: HornbeamError) -> CurriculumFinding:
    return CurriculumFinding(level, error.file, error.line, error.column, error.message)


@dataclass(frozen=True)
class _Element:
    """What an element of a set brings: distinct trees, which of them satisfy the rule, and whether these are all.

    `endless` counts those on which the rule does not come to an end: they are neither positive nor negative.
    """

    node: Node
    label: bool
    trees: dict[str, Tree]
    valid: set[str]
    endless: int
    complete: bool

    @property
    def side(self) -> str:
        return "positive" if self.label else "negative"

    @property
    def wrong(self) -> int:
        """How many trees are on the wrong side of the rule."""
        return len(self.trees) - len(self.valid) if self.label else len(self.valid)


class _TaskLint:
    def __init__(self, task: Task, logic: KandyLogic, draws: int) -> None:
        self._task = task
        self._logic = logic
        self._draws = draws
        self._findings: list[CurriculumFinding] = []

    def findings(self) -> list[CurriculumFinding]:
        task = self._task
        try:
            judge = judge_of(task, self._logic)
            elements = [self._element(node, label, judge) for label in (True, False) for node in task.side(label)]
        except HornbeamError as error:
            self._say("error", error, error.message.removeprefix(f"{task.title}: "))
            return self._findings
        if judge is None:
            self._say("note", task.positive[0].place, "it has no rule, so its labels are not checked")
            self._overlap(elements)
        elif any(element.endless for element in elements):
            for element in elements:
                self._endless(element)
            return self._findings
        else:
            for element in elements:
                self._never(element)
            for element in elements:
                self._rejected(element)
        for label in (True, False):
            self._enough([element for element in elements if element.label == label], has_rule=judge is not None)
        return self._findings

    def _say(self, level: str, where: HornbeamError | Position, message: str) -> None:
        told = f"{self._task.title}: {message}"
        self._findings.append(CurriculumFinding(level, where.file, where.line, where.column, told))

    def _element(self, node: Node, label: bool, judge: Judge | None) -> _Element:
        every = outcomes([node], _WAYS)
        trees = dict(every.trees)
        for turn in range(0 if every.complete else self._draws):
            tree = draw_element([node], below_of(fast_rng(0, FAMILY, self._task.id, "lint", turn)))
            trees[repr(tree)] = tree
        if judge is None:
            return _Element(node, label, trees, set(), 0, every.complete)
        truths = _truths(judge, list(trees.values()))
        judged = dict(islice(trees.items(), len(truths)))
        valid = {key for key, truth in zip(judged, truths, strict=True) if truth}
        return _Element(node, label, judged, valid, sum(truth is None for truth in truths), every.complete)

    def _endless(self, element: _Element) -> None:
        if element.endless:
            level = "error" if element.endless == len(element.trees) else "warning"
            much = f"{element.endless} of {len(element.trees)} symbols"
            self._say(level, element.node.place, f"the rule does not come to an end on {much} of this element")

    def _never(self, element: _Element) -> None:
        """Tells that all of an element is on the wrong side of the rule."""
        if element.wrong < len(element.trees):
            return
        much = f"all {len(element.trees)} symbols" if element.trees else "no symbol"
        level, can = ("error", "can never") if element.complete else ("warning", "may never")
        drawn = "" if element.complete else " drawn from it"
        wrong = "violate" if element.label else "satisfy"
        message = f"this element of the {element.side} set {can} be used: {much}{drawn} {wrong} the rule"
        self._say(level, element.node.place, message)

    def _rejected(self, element: _Element) -> None:
        """Tells how much of an element is on the wrong side of the rule, unless all of it is."""
        if not 0 < element.wrong < len(element.trees):
            return
        share = element.wrong / len(element.trees)
        what = "violate" if element.label else "satisfy"
        much = f"{_percent(share)} of its symbols {what} the rule and are rejected"
        level = "note" if share < 0.5 else "warning"
        self._say(level, element.node.place, f"this {element.side} element overlaps: {much}")

    def _overlap(self, elements: Sequence[_Element]) -> None:
        positive = {key for element in elements if element.label for key in element.trees}
        for element in elements:
            share = len(positive & set(element.trees)) / max(1, len(element.trees))
            if share and not element.label:
                much = f"{_percent(share)} of its symbols are positive ones as well"
                self._say("error", element.node.place, f"the sets overlap: {much}")

    def _enough(self, elements: Sequence[_Element], *, has_rule: bool) -> None:
        if not all(element.complete for element in elements):
            return
        keys = {key for element in elements for key in element.trees}
        valid = {key for element in elements for key in element.valid}
        first = elements[0]
        there = len(keys if not has_rule else valid if first.label else keys - valid)
        wanted = quota(self._task.samples, first.label)
        if there < wanted:
            message = f"there are {there} distinct {first.side} symbols in all; half of the samples are {wanted}"
            self._say("note", first.node.place, message)


def _truths(judge: Judge, trees: Sequence[Tree]) -> list[bool | None]:
    """What the rule says of the trees, until there are enough on which it does not come to an end."""
    truths: list[bool | None] = []
    while len(truths) < len(trees) and truths.count(None) < _ENDLESS:
        truths += judge(trees[len(truths) : 2 * len(truths) + _ENDLESS])
    return truths


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "under 1%"
