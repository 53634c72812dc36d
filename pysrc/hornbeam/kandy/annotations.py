"""Reading annotations.csv of published KANDY folders, in all the dialects that are around.

A label or a supervision mark is 0/1, True/False, or, in old files, +1/-1 with 0 for a sample without a label. A symbol
is the text of a Python dictionary, in some files with numpy's own names for strings.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.kandy.tree import ATTRIBUTES, DEFAULT_DOMAIN, Domain, Tree, from_json, refuse_bad_names

COLUMNS = ("filename", "task_id", "label", "symbol")
MOST_TASKS = 10_000
"""A dataset has all tasks up to the largest number in its files."""
_NUMPY = re.compile(r"np\.str_\(('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\)")
_PLAIN = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}
_SIGNED = {"1": True, "+1": True, "1.0": True, "-1": False, "-1.0": False, "0": None, "0.0": None}

Mark = Callable[[str], bool | None]


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """A row of a CSV file: label None for a sample that is given without one."""

    file: Path
    line: int
    split: str
    task: int
    label: bool | None
    supervised: bool
    symbol: Any
    image: Path

    def tree(self, domain: Domain) -> Tree:
        """The tree of the symbol; a :class:`UsageError` names the row where it is none in this domain."""
        try:
            return from_json(self.symbol, domain)
        except (UsageError, RecursionError) as error:
            raise UsageError(str(error), file=str(self.file), line=self.line) from None


def read_annotations(file: Path, split: str) -> list[AnnotationRow]:
    """The rows of a file, in its order; a :class:`UsageError` names file, line and what was expected."""
    records = list(_records(file))
    mark = _dialect(file, records)
    return [_row(file, split, line, record, mark) for line, record in records]


def _records(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise UsageError(
                    f"expected the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}", file=str(file), line=1
                )
            for record in reader:
                if None in record or None in record.values():
                    raise UsageError("the row has too many or too few columns", file=str(file), line=reader.line_num)
                yield reader.line_num, record
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read it as UTF-8 text: {error}", file=str(file)) from None
    except csv.Error as error:
        raise UsageError(f"not a CSV file: {error}", file=str(file)) from None


def _dialect(file: Path, records: Sequence[tuple[int, dict[str, str]]]) -> Mark:
    """How labels are written in this file: signed if any is below zero."""
    labels = {record["label"].strip().lower() for _, record in records}
    known = _SIGNED if labels & {"-1", "-1.0", "+1"} else _PLAIN
    for line, record in records:
        if record["label"].strip().lower() not in known:
            expected = "+1, -1 or 0" if known is _SIGNED else "0, 1, True or False"
            raise UsageError(f"expected a label {expected}, got {record['label']!r}", file=str(file), line=line)
    return lambda text: known[text.strip().lower()]


def _row(file: Path, split: str, line: int, record: dict[str, str], mark: Mark) -> AnnotationRow:
    label = mark(record["label"])
    return AnnotationRow(
        file=file,
        line=line,
        split=split,
        task=_task(file, line, record["task_id"]),
        label=label,
        supervised=label is not None and _supervised(file, line, record.get("supervised", "1")),
        symbol=_symbol(file, line, record["symbol"]),
        image=file.parent / record["filename"],
    )


def _task(file: Path, line: int, text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < MOST_TASKS or number != int(number):
        most = f"; the largest is {MOST_TASKS - 1}" if number >= MOST_TASKS else ""
        raise UsageError(f"expected the number of a task, got {text!r}{most}", file=str(file), line=line)
    return int(number)


def _supervised(file: Path, line: int, text: str) -> bool:
    found = _PLAIN.get(text.strip().lower())
    if found is None:
        raise UsageError(f"expected supervised 0, 1, True or False, got {text!r}", file=str(file), line=line)
    return found


def _symbol(file: Path, line: int, text: str) -> Any:
    try:
        return ast.literal_eval(_NUMPY.sub(r"\1", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        message = f"expected a symbol as a Python dictionary, got {text[:60]!r}"
        raise UsageError(message, file=str(file), line=line) from None


def domain_of(rows: Iterable[AnnotationRow]) -> Domain:
    """The default domain with the further names that the symbols hold, in the order of their appearance."""
    names = {key: dict.fromkeys(known) for key, known in zip(ATTRIBUTES, DEFAULT_DOMAIN.values, strict=True)}
    for row in rows:
        for found in _objects(row.symbol):
            for key in ATTRIBUTES:
                if isinstance(found[key], str) and found[key] not in names[key]:
                    _refuse_as_name(key, found[key], row)
                    names[key][found[key]] = None
    return Domain(*(tuple(names[key]) for key in ATTRIBUTES))


def _refuse_as_name(attribute: str, name: str, row: AnnotationRow) -> None:
    try:
        refuse_bad_names(attribute, (name,))
    except UsageError as error:
        raise UsageError(error.message, file=str(row.file), line=row.line) from None


def _objects(symbol: Any) -> Iterator[dict[str, Any]]:
    waiting = [symbol]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict) and set(value) == set(ATTRIBUTES):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(reversed(value))
