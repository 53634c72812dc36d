"""The figures of two training runs side by side."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.errors import DatasetError
from hornbeam.studio.workplace import Workplace

_LARGEST = 64 << 20  # bytes of a summary that is read
_NOT_PLAIN = ("tasks", "definitions")


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of both runs, as text, and the difference of the means; None where one run has no such figure."""

    split: str
    name: str
    one: str
    other: str
    difference: float | None


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Two runs: what each is, and their figures."""

    one: dict[str, Any]
    other: dict[str, Any]
    rows: tuple[Row, ...]


def compared(workplace: Workplace, one: str, other: str) -> ComparedRuns:
    """The figures of two runs, by their names.

    Raises:
        NotFound: if there is no such run.
        DatasetError: if its summary cannot be read.
    """
    first, second = (_summary(workplace.place("run", name).path) for name in (one, other))
    return ComparedRuns(first, second, tuple(_rows(first, second)))


def _summary(folder: Path) -> dict[str, Any]:
    file = folder / "summary.json"
    try:
        if file.stat().st_size > _LARGEST:
            raise DatasetError("the summary is too large", file=str(file))
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DatasetError(f"cannot be read: {error}", file=str(file)) from None
    if not isinstance(value, dict) or not isinstance(value.get("metrics"), dict):
        raise DatasetError("this is not the summary of a training run", file=str(file))
    return {"folder": folder.name, **value}


def _rows(one: dict[str, Any], other: dict[str, Any]) -> list[Row]:
    rows = []
    for split in dict.fromkeys([*one["metrics"], *other["metrics"]]):
        left, right = (_figures(run["metrics"].get(split)) for run in (one, other))
        for name in dict.fromkeys([*left, *right]):
            pair = (left.get(name), right.get(name))
            means = [figure["mean"] for figure in pair if figure is not None]
            difference = means[1] - means[0] if len(means) == 2 else None
            rows.append(Row(split, name, _text(pair[0]), _text(pair[1]), difference))
    return rows


def _figures(split: Any) -> dict[str, dict[str, float]]:
    """The figures of a split, those of its tasks last."""
    if not isinstance(split, dict):
        return {}
    plain = {name: figure for name, figure in split.items() if name not in _NOT_PLAIN}
    tasks = split.get("tasks")
    named = {f"task {name}": figure for name, figure in tasks.items()} if isinstance(tasks, dict) else {}
    return {name: figure for name, figure in {**plain, **named}.items() if _is_figure(figure)}


def _is_figure(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mean"), int | float)


def _text(figure: dict[str, float] | None) -> str:
    return "–" if figure is None else f"{figure['mean']:.4f} ± {figure.get('std', 0.0):.4f}"
