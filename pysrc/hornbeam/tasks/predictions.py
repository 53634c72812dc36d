r"""Predictions of other programs: a label for each sample, and optionally a probability for each label.

CSV has a header with the columns `id` and `label`, and perhaps `scores`; JSON lines are objects with these keys. Scores
are a JSON object with a probability for each label, or for tasks with true and false one number, that of true.

>>> [read_line] = parse('id,label,scores\ns1,true,"{""true"": 0.9, ""false"": 0.1}"\n', name="mine.csv")
>>> read_line.id, read_line.label, read_line.scores["true"]
('s1', 'true', 0.9)
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.theory.reading import file_text

TRUE, FALSE = "true", "false"
_TRUE, _FALSE = {"true", "1", "yes"}, {"false", "0", "no"}
_TOTAL = 1.01  # probabilities of a sample may add up to a little more than 1


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was predicted for a sample.

    Attributes:
        id: The sample.
        label: The predicted label, as text.
        scores: The probability of each label, where probabilities are given.
        line: The line of the file.
    """

    id: str
    label: str
    scores: Mapping[str, float] | None
    line: int


def label_text(label: Json) -> str:
    """A label as text: true and false in small letters, of a set its members in order.

    >>> label_text(True), label_text("DC"), label_text(["TPP", "EQ"])
    ('true', 'DC', 'EQ|TPP')
    """
    if isinstance(label, bool):
        return TRUE if label else FALSE
    if isinstance(label, list):
        return "|".join(sorted(map(str, label)))
    return str(label)


def looks_like_predictions(path: Path) -> bool:
    """Whether a file holds predictions rather than a theory: by its name, or else by its first line."""
    if path.suffix.lower() in (".csv", ".jsonl", ".ndjson"):
        return True
    if path.suffix.lower() in (".pl", ".pro", ".prolog"):
        return False
    first = next((line.strip() for line in file_text(path).splitlines() if line.strip()), "")
    return _is_json(first) or {"id", "label"} <= {name.strip().lower() for name in first.split(",")}


def read_predictions(path: Path) -> list[Prediction]:
    """The predictions of a file.

    Raises:
        UsageError: if it is neither CSV with the columns `id` and `label` nor JSON lines with these keys.
    """
    return parse(file_text(path), name=str(path))


def parse(text: str, *, name: str) -> list[Prediction]:
    """The predictions in a text; `name` is the file's in messages."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    rows = _json_rows(text, name) if _is_json(first.strip()) else _csv_rows(text, name)
    return [_prediction(row, name, line) for line, row in rows]


def _is_json(line: str) -> bool:
    return line.startswith("{")


def _json_rows(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"not JSON: {error}", file=name, line=number) from None
        if not isinstance(row, dict):
            raise UsageError("expected an object with id and label", file=name, line=number)
        yield number, row


def _csv_rows(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text))
    columns = reader.fieldnames or []
    missing = [column for column in ("id", "label") if column not in columns]
    if missing:
        shown = ", ".join(columns) or "nothing"
        raise UsageError(f"expected the columns id and label, found {shown}", file=name, line=1)
    for row in reader:
        yield reader.line_num, {key: value for key, value in row.items() if key is not None}


def _prediction(row: Mapping[str, Any], name: str, line: int) -> Prediction:
    for key in ("id", "label"):
        if row.get(key) is None:
            raise UsageError(f"there is no {key}", file=name, line=line)
    return Prediction(str(row["id"]), _said(row["label"]), _scores(row.get("scores"), name, line), line)


def _said(label: Any) -> str:
    """A label as a program writes it; a list may come as JSON in a CSV cell."""
    if isinstance(label, str) and label.strip().startswith("["):
        try:
            return label_text(json.loads(label))
        except (ValueError, RecursionError):
            pass
    text = label_text(label).strip()
    return "|".join(sorted(text.split("|"))) if "|" in text else text


def _scores(given: Any, name: str, line: int) -> dict[str, float] | None:
    if given is None or given == "":
        return None
    try:
        value = json.loads(given) if isinstance(given, str) else given
        if isinstance(value, int | float) and not isinstance(value, bool):
            scores = {TRUE: float(value), FALSE: 1 - float(value)}
        else:
            scores = {_said(label): float(score) for label, score in value.items()}
    except (ValueError, AttributeError, TypeError, ArithmeticError, RecursionError):
        raise UsageError(
            f'scores: expected a probability for each label, e.g. {{"a": 0.9, "b": 0.1}}, found {str(given)[:80]}',
            file=name,
            line=line,
        ) from None
    if not all(math.isfinite(score) and 0 <= score <= 1 for score in scores.values()) or sum(scores.values()) > _TOTAL:
        raise UsageError("scores: expected numbers from 0 to 1 that add up to 1", file=name, line=line)
    return scores


def as_binary(text: str) -> str:
    """What stands for true or false, in the words of the dataset; other text stays as it is."""
    small = text.strip().lower()
    return TRUE if small in _TRUE else FALSE if small in _FALSE else text
