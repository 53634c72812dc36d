"""Language models in the table of `hornbeam compare`: the rows of a run of `hornbeam ask`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hornbeam.data.opaque import fingerprint
from hornbeam.data.shape import read_json, read_json_lines
from hornbeam.errors import UsageError
from hornbeam.ilp.compare import ResultRow
from hornbeam.language.asking import RULINGS, SETTINGS
from hornbeam.language.endpoint.reply import FAILED, Reply
from hornbeam.language.judging.ruling import Ruling
from hornbeam.theory.verdict import AGREES, EQUAL, REFUTED, Verdict

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_DECIDED = (EQUAL, REFUTED, AGREES)


def rows_of(folder: Path, datasets: Sequence[Dataset]) -> list[ResultRow]:
    """A row for each learning task that a model was asked about, in the form of the rows of learners.

    Raises:
        UsageError: if the folder holds no finished run, or one on another dataset.
        DatasetError: with the line, if a file of it is damaged.
    """
    settings: _Run = read_json(_kept_file(folder, SETTINGS), _Run)
    dataset = next((one for one in datasets if fingerprint(one) == settings.samples), None)
    if dataset is None:
        raise UsageError(f"the run is on another dataset, {settings.dataset}", file=str(folder))
    by_task: dict[str | None, list[_Kept]] = {}
    learned = list(dataset.family.learning_tasks(dataset))
    kept: list[_Kept] = read_json_lines(_kept_file(folder, RULINGS), _Kept)
    for row in kept:
        by_task.setdefault(row.task if row.task in learned else None, []).append(row)
    return [_row(dataset, task, rows, settings) for task, rows in by_task.items()]


class _Run(Struct):
    """What is needed of the settings of a run."""

    dataset: str
    samples: str
    model: str
    kind: str


class _Kept(Struct):
    """What is needed of a line of rulings."""

    task: str | None
    ruling: Ruling
    reply: Reply
    seconds: float
    cost: float | None


def _kept_file(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        raise UsageError(f"it holds no finished run of `hornbeam ask`: there is no {name}", file=str(folder))
    return folder / name


def _row(dataset: Dataset, task: str | None, rows: Sequence[_Kept], settings: _Run) -> ResultRow:
    answered = [row for row in rows if row.reply.status != FAILED and row.ruling.score is not None]
    rulings = [row.ruling for row in answered]
    accuracies = [ruling.accuracy if ruling.accuracy is not None else 0.0 for ruling in rulings]
    seconds = [row.seconds for row in answered]
    costs = [row.cost for row in answered]
    known = [cost for cost in costs if cost is not None]
    lost = len(rows) - len(answered)
    blank: ResultRow = dict.fromkeys(
        (*("balanced_accuracy", "precision", "recall", "h_score", "verdict", "equivalent", "exact", "clause_ratio"),),
    )
    row: ResultRow = {
        "dataset": dataset.path.name,
        "family": dataset.family.name,
        "task": task or "all",
        "kind": dataset.family.kind_of_task(dataset, task) if task else "",
        "learner": settings.model,
        "status": "asked",
        "accuracy": sum(accuracies) / len(accuracies) if accuracies else None,
        **blank,
        **dict.fromkeys(("literal_ratio", "r_score", "clauses", "literals", "wall_seconds", "memory_mb", "tried")),
        **dict.fromkeys(("complete", "view", "encoding", "theory")),
        "seconds": sum(seconds),
        "message": f"{lost} of {len(rows)} questions have no reply" if lost else "",
        "by_group": None,
        "curve": [],
        "tested": True,
        "answers": len(answered),
        "cost": sum(known) if known and len(known) == len(costs) else None,
        "asked": True,
        "key": "",
        "code": "",
        "code_changed": False,
    }
    return {**row, **_theory(rulings[0])} if settings.kind == "induce" and rulings else row


def _theory(ruling: Ruling) -> ResultRow:
    """What is known of an induced theory."""
    own: ResultRow = {"theory": ruling.answer, "literals": ruling.literals or None}
    if not ruling.valid:
        return {**own, "message": ruling.message}
    if ruling.verdict not in _DECIDED:
        return own
    kind: Any = ruling.verdict
    verdict = Verdict(kind, ruling.message, ruling.asked, ruling.counterexample)
    return {**own, "verdict": verdict.to_json(), "equivalent": verdict.equivalent}
