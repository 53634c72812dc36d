r"""Scores predictions or a theory of another program, by split, task and group.

>>> rows = "".join(f'{{"id": "{sample.id}", "label": true}}\n' for sample in ds.test)
>>> written = (folder / "yes.jsonl").write_text(rows)
>>> judged = judge(ds, folder / "yes.jsonl", split="test")
>>> judged.overall.count == len(ds.test), sorted(judged.splits["test"].groups)
(True, ['level'])
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.opaque import real_ids
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.tasks.court import FRESH
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.tasks.predictions import (
    FALSE,
    TRUE,
    Prediction,
    as_binary,
    label_text,
    looks_like_predictions,
    read_predictions,
)
from hornbeam.tasks.verdicts import Given, court_of, given
from hornbeam.theory.verdict import Verdict

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


_Z = 1.959963984540054  # of 95 % confidence
_LEAST = 1e-15  # a probability of 0 for the right label would cost everything


@dataclass(frozen=True, slots=True)
class Answered:
    """A sample's label, what was answered, and the probabilities that were given."""

    expected: str
    answer: str
    scores: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of some samples.

    Attributes:
        count: How many samples.
        correct: How many were answered right.
        accuracy: Their share.
        low: The lower end of its 95 % confidence interval (Wilson).
        high: The upper end.
        balanced: The mean of the accuracies of the labels.
        log_loss: Of the probabilities; None if there are none.
        auc: The area under the ROC curve; of more than two labels the mean of one against the rest.
    """

    count: int
    correct: int
    accuracy: float
    low: float
    high: float
    balanced: float
    log_loss: float | None = None
    auc: float | None = None

    def to_json(self) -> dict[str, Any]:
        values = asdict(self)
        low, high, balanced = values.pop("low"), values.pop("high"), values.pop("balanced")
        return {**values, "interval": [low, high], "balanced_accuracy": balanced}

    def __str__(self) -> str:
        return f"{self.accuracy:.4f} [{self.low:.4f}, {self.high:.4f}]"


def figures(rows: Sequence[Answered]) -> Figures:
    """The figures of at least one sample."""
    by_label: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_label[row.expected].append(row.answer == row.expected)
    correct = sum(map(sum, by_label.values()))
    low, high = wilson(correct, len(rows))
    return Figures(
        count=len(rows),
        correct=correct,
        accuracy=correct / len(rows),
        low=low,
        high=high,
        balanced=sum(sum(right) / len(right) for right in by_label.values()) / len(by_label),
        log_loss=_log_loss(rows),
        auc=_auc(rows),
    )


def wilson(correct: int, count: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson's, which is right for shares near 0 and 1, too).

    >>> [round(end, 4) for end in wilson(10, 10)]
    [0.7225, 1.0]
    """
    share, square = correct / count, _Z * _Z
    middle = share + square / (2 * count)
    margin = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    below = 1 + square / count
    return max(0.0, (middle - margin) / below), min(1.0, (middle + margin) / below)


def _log_loss(rows: Sequence[Answered]) -> float | None:
    if any(row.scores is None for row in rows):
        return None
    return -sum(math.log(max(_LEAST, (row.scores or {}).get(row.expected, 0.0))) for row in rows) / len(rows)


def _auc(rows: Sequence[Answered]) -> float | None:
    labels = sorted({row.expected for row in rows})
    if len(labels) < 2 or any(row.scores is None for row in rows):
        return None
    # Of two labels either gives the same figure.
    chosen = labels[-1:] if len(labels) == 2 else labels
    return sum(_one_against_rest(rows, label) for label in chosen) / len(chosen)


def _one_against_rest(rows: Sequence[Answered], label: str) -> float:
    """How often a sample of the label gets a higher probability for it than another sample; ties count half."""
    ranked = sorted(((row.scores or {}).get(label, 0.0), row.expected == label) for row in rows)
    ranks, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        ranks += sum(positive for _, positive in ranked[at:end]) * (at + 1 + end) / 2
        at = end
    positives = sum(positive for _, positive in ranked)
    return (ranks - positives * (positives + 1) / 2) / (positives * (len(ranked) - positives))


FORMS = ("auto", "predictions", "theory")
_SHOWN = 3  # ids in a message


@dataclass(frozen=True, slots=True)
class SplitScores:
    """A split: all of it, and by task and by group. A group is a name (`k`) and its values."""

    overall: Figures
    tasks: Mapping[str, Figures]
    groups: Mapping[str, Mapping[str, Figures]]

    def to_json(self) -> dict[str, Any]:
        return {
            **self.overall.to_json(),
            "tasks": {task: cell.to_json() for task, cell in self.tasks.items()},
            "groups": {
                name: {value: cell.to_json() for value, cell in cells.items()} for name, cells in self.groups.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of predictions or of a theory.

    Attributes:
        file: The file.
        form: `predictions` or `theory`.
        overall: All samples.
        splits: Each split, by task and group.
        verdict: The verdict, for a theory.
        task: The task that was scored; None for all.
        strange: Predicted labels that do not occur in the dataset, with their counts; they count as errors.
    """

    file: str
    form: str
    overall: Figures
    splits: Mapping[str, SplitScores]
    verdict: Verdict | None = None
    task: str | None = None
    strange: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One object, as `hornbeam judge --json` prints it."""
        return {
            "file": self.file,
            "form": self.form,
            "task": self.task,
            **({"verdict": self.verdict.to_json(), "equivalent": self.verdict.equivalent} if self.verdict else {}),
            "overall": self.overall.to_json(),
            "splits": {split: scores.to_json() for split, scores in self.splits.items()},
            "unknown_labels": dict(self.strange),
        }


def judge(
    dataset: Dataset,
    file: Path,
    *,
    task: str | None = None,
    split: str | None = None,
    form: str = "auto",
    dialect: str = "auto",
    options: Mapping[str, str] | None = None,
    fresh: int | None = None,
) -> Judged:
    """Score predictions or a theory; for the arguments see :func:`hornbeam.judge`.

    Raises:
        UsageError: if ids are missing, double or unknown, with counts; if the dataset has no such split or task; if the
            file cannot be read; if a theory calls an undefined predicate.
    """
    if form not in FORMS:
        raise unknown_name("form", form, FORMS)
    if split is not None and split not in dataset.splits:
        raise unknown_name("split", split, dataset.splits, file=str(dataset.path))
    if not file.is_file():
        raise UsageError("there is no such file", file=str(file))
    if form == "predictions" or (form == "auto" and looks_like_predictions(file)):
        return _judge_predictions(dataset, file, _samples(dataset, task, split), task)
    one = given(file, dialect=dialect)
    return _judge_theory(dataset, file, one, task, split, options, FRESH if fresh is None else fresh)


def _samples(dataset: Dataset, task: str | None, split: str | None) -> list[Sample]:
    view = dataset.samples if task is None else dataset.task(task)
    return list(view if split is None else view.split(split))


# Predictions ----------------------------------------------------------------------------------------------------------


def _judge_predictions(dataset: Dataset, file: Path, samples: Sequence[Sample], task: str | None) -> Judged:
    if not samples:
        raise UsageError("the dataset has no such samples", file=str(dataset.path))
    by_id = _by_id(dataset, read_predictions(file), samples, str(file))
    binary = {label_text(sample.label) for sample in samples} <= {TRUE, FALSE}
    said: Callable[[str], str] = as_binary if binary else str
    answered = [
        (sample, Answered(label_text(sample.label), said(one.label), _scores_in(one, said)))
        for sample, one in ((sample, by_id[sample.id]) for sample in samples)
    ]
    _all_or_none([by_id[sample.id] for sample in samples], str(file))
    labels = {label_text(sample.label) for sample in dataset.samples}
    strange = Counter(row.answer for _, row in answered if row.answer not in labels)
    return _judged(dataset, file, "predictions", answered, task=task, strange=dict(strange.most_common()))


def _with_real_ids(dataset: Dataset, predictions: Sequence[Prediction]) -> list[Prediction]:
    """Predictions for an export have its opaque ids."""
    known = {sample.id for sample in dataset.samples}
    if all(one.id in known for one in predictions):
        return list(predictions)
    names = real_ids(dataset)
    return [replace(one, id=names.get(one.id, one.id)) for one in predictions]


def _scores_in(one: Prediction, said: Callable[[str], str]) -> dict[str, float] | None:
    return None if one.scores is None else {said(label): score for label, score in one.scores.items()}


def _all_or_none(predictions: Sequence[Prediction], file: str) -> None:
    without = [one for one in predictions if one.scores is None]
    if without and len(without) < len(predictions):
        raise UsageError(
            f"{len(without):,} of {len(predictions):,} predictions have no scores: give all of them scores, or none",
            file=file,
            line=without[0].line,
        )


def _by_id(
    dataset: Dataset, predictions: Sequence[Prediction], samples: Sequence[Sample], file: str
) -> dict[str, Prediction]:
    """The predictions by sample; those for samples that were not asked for are left out."""
    predictions = _with_real_ids(dataset, predictions)
    by_id = {one.id: one for one in predictions}
    counts = Counter(one.id for one in predictions)
    known = {sample.id for sample in samples}
    others = counts.keys() - known
    unknown = others - {sample.id for sample in dataset.samples} if others else set()
    double = [name for name, count in counts.items() if count > 1]
    missing = [sample for sample in samples if sample.id not in by_id]
    problems = []
    if missing:
        splits = Counter(sample.split for sample in missing)
        where = ", ".join(f"{split} {count:,}" for split, count in splits.items())
        problems.append(f"{len(missing):,} samples have no prediction ({where}): {_some(one.id for one in missing)}")
    if double:
        problems.append(f"{len(double):,} ids occur more than once: {_some(double)}")
    if unknown:
        in_order = (name for name in counts if name in unknown)
        problems.append(f"{len(unknown):,} ids are not in the dataset: {_some(in_order)}")
    if problems:
        hint = "; --split restricts what must be there" if missing and len({one.split for one in samples}) > 1 else ""
        raise UsageError("; ".join(problems) + hint, file=file)
    return by_id


def _some(names: Iterable[str]) -> str:
    all_of_them = list(names)
    return ", ".join(all_of_them[:_SHOWN]) + (", ..." if len(all_of_them) > _SHOWN else "")


# Theories -------------------------------------------------------------------------------------------------------------


def _judge_theory(
    dataset: Dataset,
    file: Path,
    one: Given,
    task: str | None,
    split: str | None,
    options: Mapping[str, str] | None,
    fresh: int,
) -> Judged:
    court = court_of(dataset, one, task=task, options=options)
    with Courtroom(dataset) as room:
        expected = room.expected()
        samples = [sample for sample in _samples(dataset, court.task, split) if sample.id in expected]
        if not samples:
            raise UsageError("the dataset has no samples that a theory can be judged on", file=str(dataset.path))
        said = court.answers(room, court.defined(one.theory), [sample.id for sample in samples])
    answered = [(sample, Answered(expected[sample.id], text)) for sample, text in zip(samples, said, strict=True)]
    verdict = court.verdict(one.theory, fresh=fresh)
    return _judged(dataset, file, "theory", answered, task=court.task, verdict=verdict)


# Tables ---------------------------------------------------------------------------------------------------------------


def _judged(
    dataset: Dataset, file: Path, form: str, answered: Sequence[tuple[Sample, Answered]], **more: Any
) -> Judged:
    by_split: dict[str, list[tuple[Sample, Answered]]] = defaultdict(list)
    for sample, row in answered:
        by_split[sample.split].append((sample, row))
    splits = {split: _split(dataset, by_split[split]) for split in dataset.splits if split in by_split}
    return Judged(str(file), form, figures([row for _, row in answered]), splits, **more)


def _split(dataset: Dataset, answered: Sequence[tuple[Sample, Answered]]) -> SplitScores:
    tasks: dict[str, list[Answered]] = defaultdict(list)
    groups: dict[str, dict[Any, list[Answered]]] = defaultdict(lambda: defaultdict(list))
    for sample, row in answered:
        tasks[sample.task].append(row)
        own = dataset.family.groups(sample)
        for name, value in own.items():
            groups[name][value].append(row)
    in_order = {task: figures(tasks[task]) for task in dataset.tasks if task in tasks}
    by_group = {
        name: {str(value): figures(cells[value]) for value in sorted(cells, key=_order)}
        for name, cells in groups.items()
    }
    return SplitScores(figures([row for _, row in answered]), in_order, by_group)


def _order(value: Any) -> tuple[bool, float, str]:
    """Numbers by size, before words."""
    number = isinstance(value, int | float)
    return not number, float(value) if number else 0.0, str(value)
