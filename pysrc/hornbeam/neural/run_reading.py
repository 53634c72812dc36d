"""What a training run left in its folder, read without torch: figures, curves, answers, time and device.

The files may come from anywhere: what is too large or no JSON is told, and lines that are no objects are left out.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hornbeam.errors import DatasetError
from hornbeam.report.curves import Line

SUMMARY, PAGE = "summary.json", "index.html"
ANSWERS, ABOUT = "answers.jsonl", "about.json"
_LARGEST = 64 << 20  # bytes of a file that is read
_LONGEST = 8 << 20  # bytes of results that are read
_NOT_FIGURES = ("tasks", "definitions")
_SEEDS = 8  # whose curves are drawn


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What a model said of a held-out sample, as text."""

    sample: str
    split: str
    group: str
    label: str
    said: str

    @property
    def right(self) -> bool:
        return self.label == self.said


@dataclass(frozen=True)
class StoredRun:
    """A training run: one model, setting and options, with several seeds.

    Attributes:
        path: Its folder.
        summary: What summary.json says.
        about: What does not decide the result: dataset, device, times, by seed.
    """

    path: Path
    summary: Mapping[str, Any]
    about: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return str(self.summary["model"])

    @property
    def setting(self) -> str:
        return str(self.summary["setting"])

    @property
    def seeds(self) -> list[Any]:
        seeds: list[Any] = self.summary["seeds"]
        return seeds

    @property
    def accuracy(self) -> str:
        """Mean and deviation over the seeds, as text."""
        return figure_text(self.summary["accuracy"])

    def told(self, name: str) -> list[Any]:
        """What the seeds say of themselves under a name, each answer once."""
        return list(dict.fromkeys(about[name] for about in self.about.values() if name in about))

    @property
    def seconds(self) -> float | None:
        """Seconds of all seeds together."""
        every = [about.get("seconds") for about in self.about.values()]
        return sum(one for one in every if isinstance(one, int | float)) if every else None

    def figures(self, split: str) -> dict[str, Mapping[str, float]]:
        """The figures of a split by name: those of the whole, then those of each task or group."""
        whole = self.summary["metrics"].get(split)
        if not isinstance(whole, Mapping):
            return {}
        tasks = whole.get("tasks")
        plain = {name: figure for name, figure in whole.items() if name not in _NOT_FIGURES}
        named = {f"task {name}": figure for name, figure in tasks.items()} if isinstance(tasks, Mapping) else {}
        return {name: figure for name, figure in {**plain, **named}.items() if _is_figure(figure)}

    def answers(self) -> Iterator[StoredAnswer]:
        """What the first seed said of held-out samples."""
        for seed in self.seeds[:1]:
            for row in json_lines(self.path / f"seed-{seed}" / ANSWERS, _LARGEST):
                values = [row.get(name) for name in ("id", "split", "group", "label", "said")]
                if all(isinstance(value, str) for value in values):
                    yield StoredAnswer(*map(str, values))


def trained_curves(folder: Path) -> tuple[list[Line], list[Line]]:
    """The loss of each seed of a run over steps, and its accuracy on held-out samples; also while it is trained."""
    losses, accuracies = [], []
    for file in sorted(folder.glob("seed-*/results.jsonl"))[:_SEEDS]:
        rows = list(json_lines(file))
        seed = file.parent.name.replace("-", " ")
        losses.append(Line(f"loss, {seed}", _points(rows, "loss")))
        accuracies.append(Line(f"valid, {seed}", _points(rows, "valid")))
        accuracies.append(Line(f"test, {seed}", tuple(_evaluations(rows))))
    return [line for line in losses if line.points], [line for line in accuracies if line.points]


def stored_run(folder: Path) -> StoredRun:
    """The run in a folder.

    Raises:
        DatasetError: if there is none, or its files cannot be read.
    """
    match json_of(folder / SUMMARY):
        case {"model": str(), "setting": str(), "seeds": list(seeds), "accuracy": dict(), "metrics": dict()} as summary:
            about = {}
            for seed in seeds:
                with contextlib.suppress(DatasetError):
                    told = json_of(folder / f"seed-{seed}" / ABOUT)
                    about[str(seed)] = told if isinstance(told, dict) else {}
            return StoredRun(folder, summary, about)
    raise DatasetError("summary.json is not that of a training run", file=str(folder / SUMMARY))


def runs_below(folder: Path, depth: int = 5) -> Iterator[Path]:
    """The folders of training runs below a folder, and itself if it is one."""
    if (folder / SUMMARY).is_file():
        yield folder
        return
    if depth and folder.is_dir():
        for inner in sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith(".")):
            yield from runs_below(inner, depth - 1)


def json_of(path: Path) -> Any:
    """The content of a JSON file; DatasetError if it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise DatasetError("the file is too large", file=str(path))
        return json.loads(path.read_bytes())
    except (OSError, RecursionError, ValueError) as error:
        raise DatasetError(f"cannot be read: {error}", file=str(path)) from None


def json_lines(file: Path, longest: int = _LONGEST) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with contextlib.suppress(OSError), file.open("rb") as stream:
        for line in stream.read(longest).splitlines():
            with contextlib.suppress(ValueError, RecursionError):
                row = json.loads(line)
                if isinstance(row, dict):
                    yield row


def confusion(answers: list[StoredAnswer]) -> Counter[tuple[str, str]]:
    """How often a label got an answer."""
    return Counter((one.label, one.said) for one in answers)


def figure_text(figure: Any, digits: int = 3) -> str:
    """Mean and deviation, as text.

    >>> figure_text({"mean": 0.5, "std": 0.1}), figure_text(None)
    ('0.500 ± 0.100', '–')
    """
    if not _is_figure(figure):
        return "–"
    deviation = figure.get("std")
    more = f" ± {deviation:.{digits}f}" if isinstance(deviation, int | float) else ""
    return f"{figure['mean']:.{digits}f}{more}"


def _is_figure(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("mean"), int | float)


def _points(rows: list[dict[str, Any]], name: str) -> tuple[tuple[float, float], ...]:
    having = (row for row in rows if isinstance(row.get("step"), int) and isinstance(row.get(name), int | float))
    return tuple((float(row["step"]), float(row[name])) for row in having)


def _evaluations(rows: list[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """The mean test accuracy over tasks after each experience."""
    for row in rows:
        accuracy = row.get("accuracy")
        tests = accuracy.get("test") if isinstance(accuracy, dict) else None
        values = [one for one in tests.values() if isinstance(one, int | float)] if isinstance(tests, dict) else []
        if values and isinstance(row.get("step"), int):
            yield float(row["step"]), sum(values) / len(values)
