"""The page of a training run: curves, figures by task and group, confusions, wrong samples, configuration, device."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from markupsafe import Markup

from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError
from hornbeam.neural.run_reading import PAGE, StoredAnswer, StoredRun, confusion, figure_text, trained_curves
from hornbeam.report.curves import curve
from hornbeam.report.markup import harmless
from hornbeam.report.page import Macros, Section, page
from hornbeam.writing import write_atomic

_HTML = Macros(__file__, "run.html.j2")
_WRONG = 12  # samples that are shown
_LABELS = 30  # of a matrix that is read cell by cell
_FREQUENT = 20  # confusions of more labels


def write_page(run: StoredRun, dataset: Dataset | None) -> Path:
    """Write index.html into the folder of a run; `dataset` draws the wrong samples."""
    file = run.path / PAGE
    title = f"{run.model} {run.setting}"
    lead = _HTML.lead(run, _accuracy_of_all(run))
    write_atomic(file, page(title, lead, sections(run, dataset), contents=True).encode())
    return file


def sections(run: StoredRun, dataset: Dataset | None = None, url: str = "") -> list[Section]:
    """The parts of the page.

    Args:
        run: The run.
        dataset: Its dataset, where it is at hand: wrong samples are drawn.
        url: Where samples have a page each, e.g. /d/easy/s/; "" for nowhere.
    """
    answers = list(run.answers())
    losses, accuracies = trained_curves(run.path)
    parts = [
        Section("Curves", _HTML.curves(curve(losses, "steps"), curve(accuracies, "steps", top=1.0))),
        Section("Figures", _HTML.figures(*_figures(run))),
        Section("Tasks and groups", _HTML.tasks(*_tasks(run, answers))),
    ]
    if answers:
        tested = [one for one in answers if one.split == "test"] or answers
        wrong = [one for one in tested if not one.right]
        parts.append(Section("Confusions", _confusions(tested)))
        drawn = [(one, _drawing(dataset, one)) for one in _spread(wrong)]
        parts.append(Section("Wrong samples", _HTML.wrong(drawn, len(wrong), len(tested), run.seeds[0], url)))
    parts.append(Section("Configuration", _HTML.configuration(_settings(run), run.summary.get("options", {}))))
    return parts


def _spread(answers: list[StoredAnswer]) -> list[StoredAnswer]:
    """Some answers, from all tasks and groups."""
    if len(answers) <= _WRONG:
        return answers
    return [answers[number * len(answers) // _WRONG] for number in range(_WRONG)]


def _accuracy_of_all(run: StoredRun) -> str:
    return f"{run.accuracy}{'' if len(run.seeds) > 1 else ' (one seed: no deviation)'}"


def _figures(run: StoredRun) -> tuple[list[str], list[list[str]]]:
    """The figures of the whole, a column for each split."""
    splits = list(run.summary["metrics"])
    every = {split: run.figures(split) for split in splits}
    names = dict.fromkeys(name for split in splits for name in every[split] if not name.startswith("task "))
    rows = [[name.replace("_", " "), *(figure_text(every[split].get(name)) for split in splits)] for name in names]
    return splits, rows


def _tasks(run: StoredRun, answers: list[StoredAnswer]) -> tuple[list[str], list[list[str]]]:
    """The accuracy of each task or group, by split, and how many test samples the first seed got right."""
    splits = list(run.summary["metrics"])
    every = {split: run.figures(split) for split in splits}
    names = dict.fromkeys(name for split in splits for name in every[split] if name.startswith("task "))
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for one in answers:
        if one.split == "test":
            counts[one.group][one.right] += 1
    rows = []
    for name in names:
        shown = name.removeprefix("task ")
        right = counts.get(shown)
        told = f"{right[True]:,} of {right.total():,}" if right else "–"
        rows.append([shown, *(figure_text(every[split].get(name)) for split in splits), told])
    return splits, rows


def _confusions(answers: list[StoredAnswer]) -> Markup:
    counts = confusion(answers)
    labels = sorted({one.label for one in answers} | {one.said for one in answers})
    if len(labels) <= _LABELS:
        return _HTML.matrix(labels, counts)
    frequent = [(label, said, count) for (label, said), count in counts.most_common() if label != said]
    return _HTML.frequent(frequent[:_FREQUENT], len(labels))


def _drawing(dataset: Dataset | None, answer: StoredAnswer) -> Markup:
    if dataset is None:
        return Markup()
    try:
        return harmless(dataset.family.picture(dataset, dataset.sample(answer.sample)))
    except HornbeamError:  # of another dataset, given with also_test
        return Markup()


def _settings(run: StoredRun) -> dict[str, Any]:
    """What a run is, in words."""
    seconds = run.seconds
    told = {
        "model": run.model,
        "setting": run.setting,
        "seeds": ", ".join(map(str, run.seeds)),
        "dataset": ", ".join(map(str, run.told("dataset"))),
        "device": ", ".join(map(str, run.told("device"))),
        "precision": ", ".join(map(str, run.told("precision"))),
        "time": "" if seconds is None else f"{seconds:,.1f} s for {len(run.seeds)} seed{'s' * (len(run.seeds) > 1)}",
        "torch": ", ".join(map(str, run.told("torch"))),
    }
    return {name: value for name, value in told.items() if value}
