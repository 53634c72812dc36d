"""Plots of the tour's page, as SVG in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hornbeam.demo.lessons import Lesson
from hornbeam.report import figures

_MARKS = "osD^"
_WIDE, _TALL = 6.0, 2.9
_AT_ONCE = 0.2  # seconds


def over_time(lessons: Sequence[Lesson], name: str) -> str:
    """How good the best theory so far was, against the learner's CPU time; "" where it was found at once."""
    curves = {lesson.task or "all tasks": lesson.learned.curve for lesson in lessons}
    if max((curve[-1][0] for curve in curves.values() if curve), default=0.0) < _AT_ONCE:
        return ""
    figure = figures.new(_WIDE, _TALL)
    axes = figure.add_subplot()
    for number, (task, curve) in enumerate(curves.items()):
        times, values = zip(*curve, strict=True) if curve else ((), ())
        axes.step(times, values, where="post", label=task, marker=_MARKS[number % len(_MARKS)], markersize=3)
    axes.set_xlabel("CPU seconds of learning")
    axes.set_ylabel("on test samples")
    axes.set_ylim(-0.02, 1.04)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8, loc="lower right")
    return _shown(figures.inline(figure, name), "The best theory so far, as learning went on.")


def by_group(series: Mapping[str, Mapping[str, float]], name: str) -> str:
    """Accuracy on each group of test samples."""
    groups = list(next(iter(series.values())))
    figure = figures.new(_WIDE, _TALL)
    axes = figure.add_subplot()
    for number, (label, values) in enumerate(series.items()):
        heights = [values.get(group, float("nan")) for group in groups]
        axes.plot(range(len(groups)), heights, label=label, marker=_MARKS[number % len(_MARKS)], markersize=4)
    axes.set_xticks(range(len(groups)), groups, rotation=60, ha="right", fontsize=7)
    axes.set_ylabel("accuracy")
    axes.set_ylim(-0.02, 1.04)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8, loc="lower left")
    return _shown(figures.inline(figure, f"{name} groups"), "Accuracy by group of test samples.")


def _shown(drawing: str, caption: str) -> str:
    return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>"
