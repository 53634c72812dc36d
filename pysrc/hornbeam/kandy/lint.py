"""What is wrong or doubtful in a curriculum file, found without making a dataset.

Beyond what the reader refuses: rules that Prolog cannot use, elements that can never satisfy their rule, symbols that
both sets of a task can bring, and sets with fewer distinct symbols than the task asks for. A set that is small enough
is gone through exhaustively and the finding is exact; of a larger one samples are drawn and the finding says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hornbeam.errors import HornbeamError, UsageError
from hornbeam.kandy.curriculum import Task, folder_of
from hornbeam.kandy.dataset import judge_of
from hornbeam.kandy.language.nodes import DrawError, Node, draw
from hornbeam.kandy.language.outcomes import outcomes
from hornbeam.kandy.language.read import examine
from hornbeam.kandy.logic import KandyLogic
from hornbeam.kandy.render import below_of
from hornbeam.kandy.sample import FAMILY, Judge, quota
from hornbeam.kandy.tree import Tree
from hornbeam.seeds import fast_rng
from hornbeam.yaml_reader import Place

_WAYS = 5_000
"""An element that can be drawn in more ways than this is not gone through."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to tell. An `error` makes the file unusable, a `warning` is hardly meant, a `note` is good to know."""

    level: str
    file: str | None
    line: int | None
    column: int | None
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.level}: {self.message}" if place else f"{self.level}: {self.message}"


def lint(path: Path, overrides: Mapping[str, str] | None = None, *, draws: int = 200) -> list[Finding]:
    """All findings of a curriculum file, in the order of the file's tasks."""
    source = folder_of(path)(path.name)
    if source is None:
        raise UsageError("there is no such file", file=str(path))
    curriculum, reading = examine(source, str(path), folder_of(path), overrides)
    findings = [_finding("error", problem) for problem in reading.problems]
    findings += [_finding("warning", warning) for warning in reading.warnings]
    if curriculum is None:
        return findings
    with KandyLogic(curriculum.config.domain) as logic:
        for task in curriculum.tasks:
            findings += _TaskLint(task, logic, draws).findings()
    return findings


def _finding(level: str, error: HornbeamError) -> Finding:
    return Finding(level, error.file, error.line, error.column, error.message)


@dataclass(frozen=True)
class _Brought:
    """What an element brought: distinct trees, which of them satisfy the rule, and whether these are all.

    `endless` counts those on which the rule does not come to an end: they are neither positive nor negative.
    """

    trees: dict[str, Tree]
    valid: set[str]
    endless: int
    complete: bool


class _TaskLint:
    def __init__(self, task: Task, logic: KandyLogic, draws: int) -> None:
        self._task = task
        self._name = f"task {task.index} '{task.name}'"
        self._logic = logic
        self._draws = draws
        self._found: list[Finding] = []

    def findings(self) -> list[Finding]:
        try:
            judge = judge_of(self._task, self._logic)
            sides = {label: [self._brought(node, judge) for node in self._task.side(label)] for label in (True, False)}
        except HornbeamError as error:
            self._say("error", error, error.message.removeprefix(f"{self._name}: "))
            return self._found
        if judge is None:
            self._say("note", self._task.positive[0].place, "it has no rule, so its labels are not checked")
        elif any(brought.endless for elements in sides.values() for brought in elements):
            self._endless(sides)
            return self._found
        else:
            self._never(sides)
        self._overlap(sides, judge is not None)
        self._enough(sides, judge is not None)
        return self._found

    def _say(self, level: str, where: HornbeamError | Place, message: str) -> None:
        self._found.append(Finding(level, where.file, where.line, where.column, f"{self._name}: {message}"))

    def _brought(self, element: Node, judge: Judge | None) -> _Brought:
        all_of_them = outcomes([element], _WAYS)
        trees = dict(all_of_them.trees)
        for turn in range(0 if all_of_them.complete else self._draws):
            below = below_of(fast_rng(0, FAMILY, self._task.id, "lint", turn))
            try:
                tree = draw(element, below)
            except DrawError as error:
                raise error.place.error(str(error)) from None
            trees[repr(tree)] = tree
        truths = judge(list(trees.values())) if judge else [None] * len(trees)
        valid = {key for key, truth in zip(trees, truths, strict=True) if truth}
        endless = sum(truth is None for truth in truths) if judge else 0
        return _Brought(trees, valid, endless, all_of_them.complete)

    def _endless(self, sides: dict[bool, list[_Brought]]) -> None:
        for label, elements in sides.items():
            for node, brought in zip(self._task.side(label), elements, strict=True):
                if brought.endless:
                    level = "error" if brought.endless == len(brought.trees) else "warning"
                    much = f"{brought.endless} of {len(brought.trees)} symbols"
                    self._say(level, node.place, f"the rule does not come to an end on {much} of this element")

    def _never(self, sides: dict[bool, list[_Brought]]) -> None:
        for label, elements in sides.items():
            for node, brought in zip(self._task.side(label), elements, strict=True):
                right = len(brought.valid) if label else len(brought.trees) - len(brought.valid)
                if right == 0:
                    self._wrong_side(node, label, brought)

    def _wrong_side(self, node: Node, label: bool, brought: _Brought) -> None:
        side = "positive" if label else "negative"
        wrong = "violate" if label else "satisfy"
        if brought.complete:
            much = f"all {len(brought.trees)} symbols" if brought.trees else "no symbol"
            level, can = "error", "can never"
        else:
            much = f"all {len(brought.trees)} symbols drawn from it"
            level, can = "warning", "may never"
        self._say(level, node.place, f"this element of the {side} set {can} be used: {much} {wrong} the rule")

    def _overlap(self, sides: dict[bool, list[_Brought]], has_rule: bool) -> None:
        if has_rule:
            for label, elements in sides.items():
                for node, brought in zip(self._task.side(label), elements, strict=True):
                    self._rejected(node, label, brought)
            return
        positive = {key for brought in sides[True] for key in brought.trees}
        for node, brought in zip(self._task.negative, sides[False], strict=True):
            share = len(positive & set(brought.trees)) / max(1, len(brought.trees))
            if share:
                much = f"{_percent(share)} of its symbols are positive ones as well"
                self._say("error", node.place, f"the sets overlap: {much}")

    def _rejected(self, node: Node, label: bool, brought: _Brought) -> None:
        """Tells how much of an element is on the wrong side of the rule, unless all of it is."""
        wrong = len(brought.trees) - len(brought.valid) if label else len(brought.valid)
        if not 0 < wrong < len(brought.trees):
            return
        share = wrong / len(brought.trees)
        side, what = ("positive", "violate") if label else ("negative", "satisfy")
        much = f"{_percent(share)} of its symbols {what} the rule and are rejected"
        self._say("note" if share < 0.5 else "warning", node.place, f"this {side} element overlaps: {much}")

    def _enough(self, sides: dict[bool, list[_Brought]], has_rule: bool) -> None:
        for label, elements in sides.items():
            if not all(brought.complete for brought in elements):
                continue
            keys = {key for brought in elements for key in brought.trees}
            valid = {key for brought in elements for key in brought.valid}
            there = len(keys if not has_rule else valid if label else keys - valid)
            wanted = quota(self._task.samples, label)
            if there < wanted:
                side = "positive" if label else "negative"
                place = self._task.side(label)[0].place
                self._say(
                    "note", place, f"there are {there} distinct {side} symbols in all; half of the samples are {wanted}"
                )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "under 1%"
