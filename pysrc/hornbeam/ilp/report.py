"""The table of a comparison: means and rows as Markdown, JSON and CSV."""

from __future__ import annotations

import csv
import html
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hornbeam.ilp.compare import ResultRow
from hornbeam.ilp.runner import UNAVAILABLE
from hornbeam.report.diff_page import verdict_html
from hornbeam.report.page import Section, page, table
from hornbeam.theory.verdict import AGREES, EQUAL, INCOMPARABLE, REFUTED, Verdict

TABLE, DATA, SHEET, PAGE = "table.md", "table.json", "rows.csv", "comparison.html"
_MEANS = ("accuracy", "balanced_accuracy", "h_score", "clause_ratio", "literal_ratio", "seconds")
# A row without a theory that can be judged was wrong everywhere; ratios and times have no such worst value.
_WORST = {"accuracy": 0.0, "balanced_accuracy": 0.0, "h_score": 0.0}
_COUNTS = ("exact", "complete")
# Kinds of verdicts, and what tables call them.
_VERDICTS = {EQUAL: "proven equal", AGREES: "no difference", REFUTED: "refuted", INCOMPARABLE: "not comparable"}
_NOT_IN_SHEET = frozenset({"curve", "by_group", "key", "verdict"})
MIXED = "Rows of one learner were made with different code: run it again, and only what is old is made anew."


def means(rows: Sequence[ResultRow]) -> dict[str, dict[str, Any]]:
    """By learner: means over all its rows (of failures, too), counts, statuses; a learner that is not here has none."""
    names = list(dict.fromkeys(row["learner"] for row in rows))
    ran = {name: [row for row in rows if row["learner"] == name and row["status"] != UNAVAILABLE] for name in names}
    return {name: _summary(found) for name, found in ran.items() if found}


def by_dataset(rows: Sequence[ResultRow]) -> dict[str, dict[str, dict[str, Any]]]:
    """The means of each dataset by itself."""
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    return {name: means([row for row in rows if row["dataset"] == name]) for name in names}


def mixed(rows: Sequence[ResultRow]) -> bool:
    """Whether the code of a learner changed between its rows on one dataset, or in the middle of one."""
    codes: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        codes.setdefault((row["dataset"], row["learner"]), set()).add(row["code"])
    return any(len(found) > 1 for found in codes.values()) or any(row["code_changed"] for row in rows)


def _summary(rows: Sequence[ResultRow]) -> dict[str, Any]:
    found: dict[str, Any] = {"tasks": len(rows)}
    found["tested"] = sum(row["tested"] for row in rows)
    for name in _MEANS:
        counted = [row for row in rows if row["tested"] or name not in _WORST]
        measured = any(row.get(name) is not None for row in counted)
        values = [_WORST.get(name) if row.get(name) is None else row[name] for row in counted] if measured else []
        found[name] = _mean(value for value in values if value is not None)
    for name in _COUNTS:
        found[name] = sum(row.get(name) is True for row in rows)
    kinds_of_verdicts = Counter(row["verdict"]["kind"] for row in rows if row.get("verdict"))
    found["verdicts"] = {kind: kinds_of_verdicts[kind] for kind in _VERDICTS}
    verdicts = [Verdict.from_json(row["verdict"]) for row in rows if row.get("verdict")]
    found["right_on_fresh"] = sum(verdict.right_on_fresh for verdict in verdicts)
    found["statuses"] = dict(sorted(Counter(row["status"] for row in rows).items()))
    groups, kinds = _groups(rows), _kinds(rows)
    return {**found, **({"by_group": groups} if groups else {}), **({"by_kind": kinds} if kinds else {})}


def _kinds(rows: Sequence[ResultRow]) -> dict[str, dict[str, Any]]:
    """The means of each kind of task by itself, where there are several."""
    kinds = [kind for kind in dict.fromkeys(row["kind"] for row in rows) if kind]
    if len(kinds) < 2:
        return {}
    return {kind: _summary([row for row in rows if row["kind"] == kind]) for kind in kinds}


def _groups(rows: Sequence[ResultRow]) -> dict[str, float]:
    """Accuracy by group of networks, over all rows."""
    cells: dict[str, list[tuple[float, int]]] = {}
    for row in rows:
        for name, cell in (row.get("by_group") or {}).items():
            cells.setdefault(name, []).append((cell["accuracy"], cell["count"]))
    return {
        name: sum(accuracy * count for accuracy, count in found) / sum(count for _, count in found)
        for name, found in cells.items()
    }


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


# Saving ---------------------------------------------------------------------------------------------------------------


def as_json(rows: Sequence[ResultRow]) -> dict[str, Any]:
    """What --json prints."""
    shown = [{name: value for name, value in row.items() if name != "key"} for row in rows]
    return {"rows": shown, "means": means(rows), "by_dataset": by_dataset(rows), "mixed_code": mixed(rows)}


def save(rows: Sequence[ResultRow], folder: Path, title: str, plots: Sequence[Path] = ()) -> None:
    """Write the three files, and a page that stands alone with the first of the plots in it."""
    drawing = plots[0].read_text(encoding="utf-8") if plots else ""
    (folder / PAGE).write_text(_page(rows, title, drawing), encoding="utf-8")
    (folder / DATA).write_text(json.dumps(as_json(rows), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / SHEET).write_text(_sheet(rows), encoding="utf-8", newline="")
    (folder / TABLE).write_text(markdown(rows, title), encoding="utf-8")


def _page(rows: Sequence[ResultRow], title: str, drawing: str) -> str:
    sections = []
    for name, found in by_dataset(rows).items():
        sections.append(Section(f"Means: {name}", table(*filled(MEANS_HEADER, means_cells(found)))))
        if kinds := kinds_cells(found):
            sections.append(Section(f"By kind of task: {name}", table(*filled(KINDS_HEADER, kinds))))
    if drawing:
        sections.append(Section("Accuracy over CPU time", f"<figure>{drawing[drawing.index('<svg') :]}</figure>"))
    sections.append(Section("Every task", table(*filled(ROWS_HEADER, rows_cells(rows)))))
    sections += [Section("Theories and verdicts", "".join(map(_theory, rows)))]
    return page(title, f'<p class="bad">{MIXED}</p>' if mixed(rows) else "", sections)


def _theory(row: ResultRow) -> str:
    """A row's theory with its verdict, and the counterexample drawn where it was refuted."""
    title = html.escape(f"{row['learner']} on {row['dataset']}, {row['task']}")
    parts = [f"<h3>{title}</h3>", f"<pre>{html.escape(row['theory'] or 'no theory')}</pre>"]
    if row.get("verdict"):
        parts.append(verdict_html(_verdict(row)))
    if row["message"]:
        parts.append(f"<p>What went wrong: {html.escape(row['message'])}</p>")
    return "\n".join(parts)


def _sheet(rows: Sequence[ResultRow]) -> str:
    stream = io.StringIO()
    names = [name for name in (rows[0] if rows else {}) if name not in _NOT_IN_SHEET]
    writer = csv.DictWriter(stream, [*names, "verdict"], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "verdict": _verdict_text(row)} for row in rows)
    return stream.getvalue()


def markdown(rows: Sequence[ResultRow], title: str) -> str:
    """Means of each dataset, then every row."""
    parts = [f"# {title}\n", *([f"**{MIXED}**\n"] if mixed(rows) else [])]
    for name, found in by_dataset(rows).items():
        parts.append(f"## {name}\n\n{_means_table(found)}")
        if kinds := kinds_cells(found):
            parts.append(f"By kind of task:\n\n{_table(KINDS_HEADER, kinds)}")
        if any("by_group" in summary for summary in found.values()):
            parts.append(_groups_table(found))
    parts.append(f"## Every task\n\n{_rows_table(rows)}")
    troubles = [row for row in rows if row["message"]]
    if troubles:
        lines = [f"- {row['learner']} on {row['dataset']}, {row['task']}: {_cell(row['message'])}" for row in troubles]
        parts.append("## What went wrong\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


MEANS_HEADER = (
    *("learner", "tasks", "tested", "accuracy", "balanced", "H-score", "right on fresh samples"),
    *(*_VERDICTS.values(), "exact", "clauses/true", "seconds", "statuses"),
)
KINDS_HEADER = ("kind", *MEANS_HEADER)
ROWS_HEADER = (
    *("dataset", "task", "learner", "status", "accuracy", "balanced", "H-score", "verdict"),
    *("clauses", "seconds"),
)


def means_cells(found: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """A line for each learner."""
    return [
        [
            name,
            str(summary["tasks"]),
            str(summary["tested"]),
            *(_number(summary[key]) for key in ("accuracy", "balanced_accuracy", "h_score")),
            f"{summary['right_on_fresh']} of {summary['tasks']}",
            *(str(summary["verdicts"][kind]) for kind in _VERDICTS),
            str(summary["exact"]),
            _number(summary["clause_ratio"], 2),
            _number(summary["seconds"], 2),
            ", ".join(f"{status} {count}" for status, count in summary["statuses"].items()),
        ]
        for name, summary in found.items()
    ]


def rows_cells(rows: Sequence[ResultRow]) -> list[list[str]]:
    """A line for each row."""
    return [
        [
            *(row[key] for key in ("dataset", "task", "learner", "status")),
            *(_number(row[key]) for key in ("accuracy", "balanced_accuracy", "h_score")),
            _verdict(row).short if row.get("verdict") else "",
            "" if row["clauses"] is None else str(row["clauses"]),
            _number(row["seconds"], 2),
        ]
        for row in rows
    ]


def _means_table(found: Mapping[str, Mapping[str, Any]]) -> str:
    return _table(MEANS_HEADER, means_cells(found))


def _rows_table(rows: Sequence[ResultRow]) -> str:
    return _table(ROWS_HEADER, rows_cells(rows))


def kinds_cells(found: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """A line for each kind of task and learner."""
    own: dict[str, dict[str, Any]] = {}
    for name, summary in found.items():
        for kind, means_of_kind in summary.get("by_kind", {}).items():
            own.setdefault(kind, {})[name] = means_of_kind
    return [[kind, *cells] for kind, summaries in own.items() for cells in means_cells(summaries)]


def _groups_table(found: Mapping[str, Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for summary in found.values() for name in summary.get("by_group", {})))
    cells = [[name, *(_number(summary.get("by_group", {}).get(name)) for summary in found.values())] for name in names]
    return "Accuracy by group:\n\n" + _table(("group", *found), cells)


def filled(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """A table without columns in which nothing stands: figures that this view of the data has not."""
    kept = [number for number in range(len(header)) if any(row[number] for row in rows)]
    return [header[number] for number in kept], [[row[number] for number in kept] for row in rows]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    header, rows = filled(header, rows)
    lines = [header, ["---"] * len(header), *([_cell(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")


def _number(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _verdict(row: ResultRow) -> Verdict:
    return Verdict.from_json(row["verdict"])


def _verdict_text(row: ResultRow) -> str:
    return str(_verdict(row)) if row.get("verdict") else ""
