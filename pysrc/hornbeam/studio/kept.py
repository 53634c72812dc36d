"""What commands left under the folders: theory files, training runs, comparisons. The files may come from anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hornbeam.errors import DatasetError
from hornbeam.studio.workplace import Place
from hornbeam.theory.files import read_header

_HEADER = 4096  # bytes of a theory file that hold its header
_LARGEST = 64 << 20  # bytes of a file that is read


def header_of(path: Path) -> dict[str, str]:
    """The header of a theory file; empty if there is none, or the file cannot be read."""
    try:
        with path.open("rb") as stream:
            return read_header(stream.read(_HEADER).decode("utf-8", "replace"))
    except OSError:
        return {}


def json_of(path: Path) -> Any:
    """The content of a JSON file; DatasetError if it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise DatasetError("the file is too large", file=str(path))
        return json.loads(path.read_bytes())
    except (OSError, RecursionError, ValueError) as error:
        raise DatasetError(f"cannot be read: {error}", file=str(path)) from None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A training run in a list; `summary` is all that its file says."""

    place: Place
    model: str = ""
    setting: str = ""
    seeds: int = 0
    accuracy: str = ""
    error: str = ""
    summary: Mapping[str, Any] = field(default_factory=dict)


def run_row(place: Place) -> RunRow:
    """What a training run says of itself, or why it cannot be read."""
    try:
        whole = json_of(place.path / "summary.json")
    except DatasetError as error:
        return RunRow(place, error=str(error))
    match whole:
        case {"model": str(model), "setting": str(setting), "seeds": list(seeds), "accuracy": dict(accuracy)}:
            figures = [value for value in (accuracy.get("mean"), accuracy.get("std")) if _number(value)]
            shown = " ± ".join(f"{value:.3f}" for value in figures)
            return RunRow(place, model, setting, len(seeds), shown, summary=whole)
    return RunRow(place, error="summary.json is not that of a training run")


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A comparison of learners in a list; `results` are its rows."""

    place: Place
    rows: int = 0
    learners: tuple[str, ...] = ()
    error: str = ""
    results: tuple[Mapping[str, Any], ...] = ()


def comparison_row(place: Place) -> ComparisonRow:
    """What a comparison says of itself, or why it cannot be read."""
    try:
        whole = json_of(place.path / "table.json")
    except DatasetError as error:
        return ComparisonRow(place, error=str(error))
    match whole:
        case {"rows": list(rows)}:
            results = tuple(row for row in rows if isinstance(row, dict))
            learners = tuple(dict.fromkeys(str(row.get("learner")) for row in results))
            return ComparisonRow(place, len(results), learners, results=results)
    return ComparisonRow(place, error="table.json is not that of a comparison")


def figures(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All figures of nested objects, each named by its path.

    >>> list(figures({"accuracy": {"mean": 0.51234}, "seeds": [0, 1]}))
    [('accuracy mean', '0.5123'), ('seeds', '0, 1')]
    """
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from figures(part, f"{name} {key}".strip())
    elif isinstance(value, list):
        yield name, ", ".join(map(_shown, value))
    else:
        yield name, _shown(value)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "–" if value is None else str(value)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
