"""Every label derived by SWI-Prolog from the rule that the dataset ships, and confirmed by clingo.

The rules of kb/kandy/tasks and the background knowledge of kb/kandy are the files that a dataset gets as they are, and
kb/kandy/asp states them again for clingo. A rule that came as text is written into a file of the dataset and runs in a
contained process here; it has no form for clingo.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hornbeam.errors import DatasetError
from hornbeam.kandy.asp_rules import AspRules
from hornbeam.kandy.curriculum import NamedRule, Task
from hornbeam.kandy.logic import KandyLogic
from hornbeam.kandy.splits import PlannedRow


class Proven(NamedTuple):
    """How many labels Prolog derived, and how many of them clingo confirmed."""

    labels: int
    confirmed: int


def prove(task: Task, rule: str, rows: Sequence[PlannedRow], logic: KandyLogic) -> Proven:
    """All labels of these rows by the task's rule, one call of each reasoner.

    DatasetError names the first sample whose label is not what a reasoner derives.
    """
    trees = [row.tree for row in rows]
    _compare(task, rows, logic.labels(rule, trees), "SWI-Prolog")
    if not isinstance(task.rule, NamedRule):
        return Proven(len(rows), 0)
    _compare(task, rows, AspRules(logic.domain).labels(task.rule.name, trees), "clingo")
    return Proven(len(rows), len(rows))


def _compare(task: Task, rows: Sequence[PlannedRow], derived: Sequence[int], reasoner: str) -> None:
    for row, label in zip(rows, derived, strict=True):
        if label != int(row.label):
            answer = "does not end" if label < 0 else f"derives {label}"
            raise DatasetError(
                f"sample {row.sample_id(task)} is labelled {int(row.label)}, but {reasoner} {answer} by the rule of "
                f"task {task.index} '{task.name}': this is a fault of the generator"
            )
