"""How a learned theory differs from the truth, as HTML: rules side by side, or a composition table cell by cell."""

from __future__ import annotations

import html
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.demo.lessons import Lesson
from hornbeam.errors import HornbeamError
from hornbeam.networks.table import Table
from hornbeam.report.diff_page import clauses
from hornbeam.tasks.problem import NETWORKS
from hornbeam.theory import Theory, diff

_STYLE = """<style>
.cells { border-collapse: collapse; } .cells th, .cells td { border: 1px solid var(--line); padding: 0; }
.cells th { font: 10px/1.1 ui-monospace, monospace; padding: .1rem .25rem; text-align: left; }
.cells thead th { writing-mode: vertical-rl; max-height: 9rem; }
.cells td { width: 1rem; height: 1rem; min-width: 1rem; }
.cells .right { background: #9ccfae; } .cells .wrong { background: #e08a7b; } .cells .unseen { background: #e9ede9; }
.cells .partly { background: #f1dc94; }
</style>"""


def difference(dataset: Dataset, lesson: Lesson) -> str:
    """What is to be seen of a lesson's result."""
    learned = lesson.learned
    if lesson.truth is None:
        return _beside(dataset.truth_of(lesson.task), learned.theory)
    if learned.view == NETWORKS:
        return _cells(Table.of(lesson.truth), Table.of(learned.theory))
    return _rules(lesson.truth, learned.theory)


def _beside(true: Theory, learned: Theory) -> str:
    """Two theories of different languages: there are no rules to align."""
    texts = [html.escape(str(theory).strip() or "no rule") for theory in (Theory.of(true.clauses), learned)]
    cells = "".join(f"<td><pre>{text}</pre></td>" for text in texts)
    head = "<tr><th>the true rule</th><th>learned, in the language of its encoding</th></tr>"
    return f'<div class="scroll"><table><thead>{head}</thead><tbody><tr>{cells}</tr></tbody></table></div>'


def _rules(true: Theory, learned: Theory) -> str:
    try:
        return clauses(diff(true, learned))
    except HornbeamError:
        return f"<pre>{html.escape(str(learned).strip() or 'no rule')}</pre>"


def _cells(true_table: Table, learned: Table) -> str:
    """A square for each pair of relations: right, wrong, in part, or not seen in training."""
    names = true_table.relations
    counts = {"right": 0, "partly": 0, "wrong": 0, "unseen": 0}
    rows = []
    for first in names:
        row = []
        for second in names:
            true, found = _whole(true_table, first, second), _whole(learned, first, second)
            if not true:
                row.append("<td></td>")
                continue
            kind = _kind(true, found)
            counts[kind] += 1
            text = f"{first} then {second}: {_said(true)}; learned: {_said(found)}"
            row.append(f'<td class="{kind}" title="{html.escape(text, quote=True)}"></td>')
        rows.append(f"<tr><th>{html.escape(first)}</th>{''.join(row)}</tr>")
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    words = {"right": "right", "partly": "right in part", "wrong": "wrong", "unseen": "not learned"}
    legend = ", ".join(f"{count} {words[kind]}" for kind, count in counts.items() if count)
    return (
        f'{_STYLE}<figure><table class="cells"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
        f"</table><figcaption>What two relations in a row compose to, cell by cell: {legend}.</figcaption></figure>"
    )


def _whole(table: Table, first: str, second: str) -> frozenset[str]:
    place = table.place
    if first not in place or second not in place:
        return frozenset()
    return frozenset(table.names(table.cells[place[first]][place[second]]))


def _kind(true: frozenset[str], found: frozenset[str]) -> str:
    if true == found:
        return "right"
    if not found:
        return "unseen"
    return "partly" if true & found else "wrong"


def _said(names: frozenset[Any]) -> str:
    return " or ".join(sorted(names)) or "nothing"
