"""The page of a run: figures, accuracy by level and group, and every question with its reply and ruling."""

from __future__ import annotations

from hornbeam.language.asked import Report, Share
from hornbeam.report.page import Macros, Section, page, table

_HTML = Macros(__file__, "answers.html.j2")
_COLUMNS = ["", "questions", "right", "accuracy", "95 % interval"]
_MOST = 300  # questions that are shown in full


def answers_page(report: Report) -> str:
    """The page as one HTML file."""
    sections = [Section("By level", _table(report.levels))]
    if len(report.tasks) > 1:
        sections.append(Section("By task", _table(report.tasks)))
    sections += [Section(f"By {name}", _table(shares)) for name, shares in report.by_group.items()]
    shown = report.judged[:_MOST]
    left = len(report.judged) - len(shown)
    sections.append(Section("Questions and replies", _HTML.replies(shown, left)))
    return page(f"{report.model} on {report.dataset.rpartition('/')[2]}", _HTML.lead(figures(report)), sections)


def _table(shares: dict[str, Share]) -> str:
    return table(_COLUMNS, [[name, *one.cells()] for name, one in shares.items()])


def figures(report: Report) -> dict[str, str]:
    """The figures of a run, in words."""
    low, high = report.overall.interval
    tokens, cost = report.tokens, report.cost
    known = {
        "model": report.model,
        "kind": report.kind,
        "accuracy": f"{report.overall.accuracy:.4f} [{low:.4f}, {high:.4f}] of {report.overall.count:,} questions",
        "replies": _counted(report.statuses),
        "verdicts": _counted(report.verdicts),
        "shortcuts": _counted(report.shortcuts),
        "seconds a question": f"{report.seconds:.2f}",
        "tokens": "unknown" if tokens is None else f"{tokens[0]:,} in prompts, {tokens[1]:,} in replies",
        "cost": "unknown" if cost is None else f"{cost:.4f}, {cost / max(1, len(report.judged)):.6f} a question",
    }
    return {name: value for name, value in known.items() if value}


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
