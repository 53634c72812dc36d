"""Language models in the table of `hornbeam compare`: the rows of a run of `hornbeam ask`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.opaque import fingerprint
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
    """
    settings = _read(folder, SETTINGS)
    dataset = next((one for one in datasets if fingerprint(one) == settings.get("samples")), None)
    if dataset is None:
        raise UsageError(f"the run is on another dataset, {settings.get('dataset')}", file=str(folder))
    by_task: dict[str | None, list[dict[str, Any]]] = {}
    learned = list(dataset.family.learning_tasks(dataset))
    for row in _rulings(folder):
        own = row["task"] if row["task"] in learned else None
        by_task.setdefault(own, []).append(row)
    return [_row(dataset, task, rows, settings) for task, rows in by_task.items()]


def _read(folder: Path, name: str) -> dict[str, Any]:
    try:
        value = json.loads((folder / name).read_bytes())
    except FileNotFoundError:
        raise UsageError(f"it holds no finished run of `hornbeam ask`: there is no {name}", file=str(folder)) from None
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise UsageError("expected a JSON object", file=str(folder / name))
    return value


def _rulings(folder: Path) -> Iterator[dict[str, Any]]:
    file = folder / RULINGS
    if not file.is_file():
        raise UsageError("it holds no finished run of `hornbeam ask`", file=str(folder))
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        try:
            row = json.loads(line)
            yield {**row, "ruling": Ruling.from_json(row["ruling"]), "reply": Reply.from_json(row["reply"])}
        except (ValueError, TypeError, KeyError):
            raise UsageError("not a ruling", file=str(file), line=number) from None


def _row(dataset: Dataset, task: str | None, rows: Sequence[dict[str, Any]], settings: dict[str, Any]) -> ResultRow:
    answered = [row for row in rows if row["reply"].status != FAILED and row["ruling"].score is not None]
    rulings: list[Ruling] = [row["ruling"] for row in answered]
    accuracies = [ruling.accuracy if ruling.accuracy is not None else 0.0 for ruling in rulings]
    seconds = [float(row["seconds"]) for row in answered]
    costs = [row["cost"] for row in answered]
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
        "learner": settings["model"],
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
    return {**row, **_theory(rulings[0])} if settings["kind"] == "induce" and rulings else row


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
