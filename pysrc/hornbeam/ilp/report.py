"""The results of a comparison: means and rows as Markdown, JSON, CSV and a page; a plot of accuracy over CPU time."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hornbeam.characters import no_formula
from hornbeam.ilp.compare import ResultRow
from hornbeam.ilp.runner import UNAVAILABLE
from hornbeam.report import plots
from hornbeam.report.page import Macros, Section, page, table
from hornbeam.report.tables import markdown as table_text
from hornbeam.report.tables import number_cell, plain_cell, without_empty_columns
from hornbeam.theory.verdict import AGREES, EQUAL, INCOMPARABLE, REFUTED, Verdict
from hornbeam.writing import write_atomic

_HTML = Macros(__file__, "report.html.j2")
Curve = list[tuple[float, float]]

TABLE, DATA, SHEET, PAGE = "table.md", "table.json", "rows.csv", "comparison.html"
_MEANS = ("accuracy", "balanced_accuracy", "h_score", "clause_ratio", "literal_ratio", "seconds")
# A row without a theory that can be judged was wrong everywhere; ratios and times have no such worst value.
_WORST = {"accuracy": 0.0, "balanced_accuracy": 0.0, "h_score": 0.0}
_COUNTS = ("exact", "complete")
# Kinds of verdicts, and what tables call them.
_VERDICTS = {EQUAL: "proven equal", AGREES: "no difference", REFUTED: "refuted", INCOMPARABLE: "not comparable"}
# What an answer costs; shown where language models are among the rows.
_COSTS = ("seconds an answer", "cost an answer")
_NOT_IN_SHEET = frozenset({"curve", "by_group", "key", "verdict"})
MIXED = "Some rows of a learner come from other versions of its code. Run it again: only old rows are repeated."


def means(rows: Sequence[ResultRow]) -> dict[str, dict[str, Any]]:
    """By learner: means over all its rows (of failures, too), counts, statuses; a learner that is not here has none."""
    ran = [row for row in rows if row["status"] != UNAVAILABLE]
    return {name: _summary(own) for name, own in _by("learner", ran).items()}


def by_dataset(rows: Sequence[ResultRow]) -> dict[str, dict[str, dict[str, Any]]]:
    """The means of each dataset by itself."""
    return {name: means(own) for name, own in _by("dataset", rows).items()}


def _by(key: str, rows: Sequence[ResultRow]) -> dict[str, list[ResultRow]]:
    names = dict.fromkeys(row[key] for row in rows)
    return {name: [row for row in rows if row[key] == name] for name in names}


def mixed(rows: Sequence[ResultRow]) -> bool:
    """Whether the code of a learner changed between its rows on one dataset, or in the middle of one."""
    codes = {(row["dataset"], row["learner"], row["code"]) for row in rows}
    several = len(codes) > len({(row["dataset"], row["learner"]) for row in rows})
    return several or any(row["code_changed"] for row in rows)


def _summary(rows: Sequence[ResultRow]) -> dict[str, Any]:
    verdicts = [verdict for verdict in map(_verdict, rows) if verdict]
    counted: Counter[str] = Counter(verdict.kind for verdict in verdicts)
    groups, kinds = _groups(rows), _kinds(rows)
    return {
        "tasks": len(rows),
        "tested": sum(row["tested"] for row in rows),
        **{name: _mean_of(name, rows) for name in _MEANS},
        **{name: sum(row.get(name) is True for row in rows) for name in _COUNTS},
        "verdicts": {kind: counted[kind] for kind in _VERDICTS},
        "right_on_fresh": sum(verdict.right_on_fresh for verdict in verdicts),
        "statuses": dict(sorted(Counter(row["status"] for row in rows).items())),
        **({"by_group": groups} if groups else {}),
        **({"by_kind": kinds} if kinds else {}),
    }


def _mean_of(name: str, rows: Sequence[ResultRow]) -> float | None:
    counted = [row for row in rows if row["tested"] or name not in _WORST]
    if all(row.get(name) is None for row in counted):
        return None
    values = [_WORST.get(name) if row.get(name) is None else row[name] for row in counted]
    known = [value for value in values if value is not None]
    return sum(known) / len(known)


def _costs(rows: Sequence[ResultRow]) -> tuple[float | None, float | None]:
    """Seconds and money for an answer to a held-out sample: of a learner, the time that it learned is shared by all."""
    counted = [row for row in rows if row.get("answers")]
    answers = sum(row["answers"] for row in counted)
    if not answers:
        return None, None
    costs = [row.get("cost") for row in counted]
    money = None if None in costs else sum(cost for cost in costs if cost is not None) / answers
    return sum(row["seconds"] or 0.0 for row in counted) / answers, money


def _kinds(rows: Sequence[ResultRow]) -> dict[str, dict[str, Any]]:
    """The means of each kind of task by itself, where there are several."""
    kinds = {kind: own for kind, own in _by("kind", rows).items() if kind}
    return {kind: _summary(own) for kind, own in kinds.items()} if len(kinds) > 1 else {}


def _groups(rows: Sequence[ResultRow]) -> dict[str, float]:
    """Accuracy by group of networks, over all rows."""
    cells: dict[str, list[tuple[float, int]]] = {}
    for row in rows:
        for name, cell in (row.get("by_group") or {}).items():
            cells.setdefault(name, []).append((cell["accuracy"], cell["count"]))
    return {
        name: sum(accuracy * count for accuracy, count in group) / sum(count for _, count in group)
        for name, group in cells.items()
    }


# Saving ---------------------------------------------------------------------------------------------------------------


def as_json(rows: Sequence[ResultRow]) -> dict[str, Any]:
    """What --json prints."""
    shown = [{name: value for name, value in row.items() if name != "key"} for row in rows]
    return {"rows": shown, "means": means(rows), "by_dataset": by_dataset(rows), "mixed_code": mixed(rows)}


def save(rows: Sequence[ResultRow], folder: Path, title: str, drawings: Sequence[Path] = ()) -> None:
    """Write the three files, and a page that stands alone with the first of the drawings in it."""
    drawing = drawings[0].read_text(encoding="utf-8") if drawings else ""
    texts = {
        PAGE: _page(rows, title, drawing[drawing.find("<svg") :]),
        DATA: json.dumps(as_json(rows), ensure_ascii=False, indent=1) + "\n",
        SHEET: _sheet(rows),
        TABLE: markdown(rows, title),
    }
    for name, text in texts.items():
        write_atomic(folder / name, text.encode())


def tables(rows: Sequence[ResultRow]) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """The tables of a comparison: title, header, rows. First the means of each dataset, then every task."""
    asked = any(row.get("asked") for row in rows)
    for name, summaries in by_dataset(rows).items():
        costs = {learner: _costs(own) for learner, own in _by("learner", _of(rows, name)).items()} if asked else {}
        yield f"Means: {name}", *without_empty_columns((*_MEANS_HEADER, *_COSTS), _with_costs(summaries, costs))
        if kinds := _kinds_cells(summaries):
            yield f"By kind of task: {name}", *without_empty_columns(("kind", *_MEANS_HEADER), kinds)
        if groups := _groups_cells(summaries):
            yield f"Accuracy by group: {name}", ["group", *summaries], groups
    costly = [(_costs([row]) if asked else (None, None)) for row in rows]
    lines = [[*cells, *_cost_cells(costs)] for cells, costs in zip(_rows_cells(rows), costly, strict=True)]
    yield "Every task", *without_empty_columns((*_ROWS_HEADER, *_COSTS), lines)


def _of(rows: Sequence[ResultRow], dataset: str) -> list[ResultRow]:
    return [row for row in rows if row["dataset"] == dataset]


def _with_costs(
    summaries: Mapping[str, Mapping[str, Any]], costs: Mapping[str, tuple[float | None, float | None]]
) -> list[list[str]]:
    """The lines of the means, with what an answer costs."""
    lines = zip(summaries, _means_cells(summaries), strict=True)
    return [[*cells, *_cost_cells(costs.get(name, (None, None)))] for name, cells in lines]


def _cost_cells(costs: tuple[float | None, float | None]) -> list[str]:
    seconds, money = costs
    return [number_cell(seconds), number_cell(money, 6)]


def _page(rows: Sequence[ResultRow], title: str, drawing: str) -> str:
    sections = [Section(name, table(header, cells)) for name, header, cells in tables(rows)]
    if drawing:
        sections.insert(-1, Section("Accuracy over CPU time", f"<figure>{drawing}</figure>"))
    sections.append(Section("Theories and verdicts", _HTML.theories([(row, _verdict(row)) for row in rows])))
    return page(title, _HTML.lead(MIXED if mixed(rows) else ""), sections)


def _sheet(rows: Sequence[ResultRow]) -> str:
    stream = io.StringIO()
    names = [name for name in (rows[0] if rows else {}) if name not in _NOT_IN_SHEET]
    writer = csv.DictWriter(stream, [*names, "verdict"], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        cells = {**row, "verdict": str(_verdict(row) or "")}
        writer.writerow({name: no_formula(cell) if isinstance(cell, str) else cell for name, cell in cells.items()})
    return stream.getvalue()


def markdown(rows: Sequence[ResultRow], title: str) -> str:
    """All tables, then what went wrong."""
    parts = [f"# {title}\n", *([f"**{MIXED}**\n"] if mixed(rows) else [])]
    parts += [f"## {name}\n\n{table_text(header, cells)}\n" for name, header, cells in tables(rows)]
    troubles = [
        f"- {row['learner']} on {row['dataset']}, {row['task']}: {plain_cell(row['message'])}\n"
        for row in rows
        if row["message"]
    ]
    return "\n".join([*parts, *([f"## What went wrong\n\n{''.join(troubles)}"] if troubles else [])])


_MEANS_HEADER = (
    *("learner", "tasks", "tested", "accuracy", "balanced", "H-score", "right on fresh samples"),
    *(*_VERDICTS.values(), "exact", "clauses/true", "seconds", "statuses"),
)
_ROWS_HEADER = (
    *("dataset", "task", "learner", "status", "accuracy", "balanced", "H-score", "verdict"),
    *("clauses", "seconds"),
)


def _means_cells(summaries: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """A line for each learner."""
    return [
        [
            name,
            str(summary["tasks"]),
            str(summary["tested"]),
            *(number_cell(summary[key]) for key in ("accuracy", "balanced_accuracy", "h_score")),
            f"{summary['right_on_fresh']} of {summary['tasks']}",
            *(str(summary["verdicts"][kind]) for kind in _VERDICTS),
            str(summary["exact"]),
            number_cell(summary["clause_ratio"], 2),
            number_cell(summary["seconds"], 2),
            ", ".join(f"{status} {count}" for status, count in summary["statuses"].items()),
        ]
        for name, summary in summaries.items()
    ]


def _rows_cells(rows: Sequence[ResultRow]) -> list[list[str]]:
    """A line for each row."""
    return [
        [
            *(row[key] for key in ("dataset", "task", "learner", "status")),
            *(number_cell(row[key]) for key in ("accuracy", "balanced_accuracy", "h_score")),
            verdict.short if (verdict := _verdict(row)) else "",
            "" if row["clauses"] is None else str(row["clauses"]),
            number_cell(row["seconds"], 2),
        ]
        for row in rows
    ]


def _kinds_cells(summaries: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """A line for each kind of task and learner."""
    by_kind: dict[str, dict[str, Any]] = {}
    for name, summary in summaries.items():
        for kind, means_of_kind in summary.get("by_kind", {}).items():
            by_kind.setdefault(kind, {})[name] = means_of_kind
    return [[kind, *cells] for kind, own in by_kind.items() for cells in _means_cells(own)]


def _groups_cells(summaries: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """A line for each group of networks, a column for each learner."""
    by_learner = [summary.get("by_group", {}) for summary in summaries.values()]
    names = dict.fromkeys(name for groups in by_learner for name in groups)
    return [[name, *(number_cell(groups.get(name)) for groups in by_learner)] for name in names]


def _verdict(row: ResultRow) -> Verdict | None:
    return Verdict.from_json(row["verdict"]) if row.get("verdict") else None


# Accuracy over time ---------------------------------------------------------------------------------------------------


def draw(rows: Sequence[ResultRow], folder: Path, *, timeout: float, title: str) -> list[Path]:
    """Write accuracy.svg and accuracy.png: each learner's mean over its tasks. Nothing where no row has a curve."""
    known = {name: curve for name, own in _by("learner", rows).items() if (curve := mean_curve(own, timeout))}
    if not known:
        return []
    up = "accuracy (of facts: H-score), mean over tasks"
    figure = plots.steps(known, up=up, title=title, limit=timeout)
    files = [folder / f"accuracy.{kind}" for kind in ("svg", "png")]
    for file in files:
        plots.save(figure, file)
    return files


def mean_curve(rows: Sequence[ResultRow], seconds: float) -> Curve:
    """Steps (seconds, mean accuracy) up to the limit. A task without any theory yet counts with the empty theory's.

    >>> mean_curve([{"curve": [[0, 0.5], [2, 1.0]]}, {"curve": [[0, 0.5]]}], seconds=10.0)
    [(0.0, 0.5), (2.0, 0.75), (10.0, 0.75)]
    """
    curves = [[(float(at), float(value)) for at, value in row["curve"]] for row in rows if row["curve"]]
    if not curves:
        return []
    times = sorted({0.0, seconds, *(at for curve in curves for at, _ in curve if at <= seconds)})
    return [(at, sum(_at(curve, at) for curve in curves) / len(curves)) for at in times]


def _at(curve: Curve, seconds: float) -> float:
    return [value for at, value in curve if at <= seconds or at == curve[0][0]][-1]
