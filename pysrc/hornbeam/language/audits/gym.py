"""Rows of reasoning-gym: drawn by seed and index, read from their text alone, and derived again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from hornbeam.errors import EngineUnavailable, unknown_name
from hornbeam.language.audits.report import AuditedRow, GymAudit
from hornbeam.progress import Progress, no_progress

PREFIX = "gym:"
TASKS = {
    "family_relationships": "hornbeam.language.audits.kinship",
    "syllogism": "hornbeam.language.audits.syllogism",
}
"""The tasks that can be audited, and the modules that read them."""

_AT_ONCE = 500

Judge = Callable[[Sequence[tuple[int, str, str]]], list[AuditedRow]]


def audit_gym(task: str, *, rows: int = 1000, seed: int = 0, progress: Progress = no_progress) -> GymAudit:
    """Audit rows of a task of reasoning-gym.

    Args:
        task: The task's name there, e.g. ``family_relationships``.
        rows: How many rows.
        seed: The seed that the task is drawn with.
        progress: Called with the number of finished rows and of all rows.

    Returns:
        The verdict on each row, with a countermodel if its answer is wrong.

    Raises:
        UsageError: if there is no audit of this task.
        EngineUnavailable: if reasoning-gym is not installed.
    """
    if task not in TASKS:
        raise unknown_name("task of reasoning-gym with an audit", task, list(TASKS))
    if find_spec("reasoning_gym") is None:
        raise EngineUnavailable("this audit needs reasoning-gym: install hornbeam[reasoning-gym]")
    gym: Any = import_module("reasoning_gym")
    reader: Any = import_module(TASKS[task])
    dataset = gym.create_dataset(task, seed=seed, size=rows)
    judged: list[AuditedRow] = []
    for first in range(0, rows, _AT_ONCE):
        drawn = [(index, dataset[index]) for index in range(first, min(first + _AT_ONCE, rows))]
        texts = [(index, str(row["question"]), str(row["answer"])) for index, row in drawn]
        judged += reader.judge(texts)
        progress(len(judged), rows)
    return GymAudit(f"reasoning-gym {task}", version("reasoning-gym"), seed, reader.CONVENTION, judged)
