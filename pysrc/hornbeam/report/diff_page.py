"""A difference as one page without outside references."""

from __future__ import annotations

import html
from collections.abc import Iterator

from hornbeam.logic.terms import to_text
from hornbeam.report.page import Section, page, table
from hornbeam.theory.alignment import Pair
from hornbeam.theory.blame import Explanation
from hornbeam.theory.difference import Diff
from hornbeam.theory.show import words
from hornbeam.theory.verdict import Verdict

# The marks differ in shape as well as in colour, for who does not see the colours.
_MARKS = {
    "kept": "",
    "changed": "background:#fdf0c4",
    "swapped": "background:#ecdcf7;text-decoration:underline dotted",
    "missing": "background:#fbdcd7;text-decoration:line-through",
    "extra": "background:#d5efdb;text-decoration:underline",
}

_FEW = 10


def diff_page(made: Diff) -> str:
    """The whole page."""
    lead = verdict_html(made.verdict) if made.verdict is not None else f"<p>{html.escape(words.first_line(made))}</p>"
    lead += "".join(f"<p>{html.escape(line)}</p>" for line in words.equivalence_lines(made))
    return page("Difference of two theories", lead, list(_sections(made)))


def verdict_html(verdict: Verdict) -> str:
    """A verdict with its counterexample drawn. Nothing but a proof is green."""
    style = {True: "good", False: "bad", None: "soft"}[verdict.equivalent]
    text = f'<p class="{style}"><strong>{html.escape(str(verdict))}</strong></p>'
    example = verdict.counterexample
    return f"{text}<figure>{example.html}</figure>" if example is not None and example.html else text


def _sections(made: Diff) -> Iterator[Section]:
    yield Section("Clauses", clauses(made))
    yield Section("Scores", table(("measure", "value"), list(words.figures(made).items())))
    if made.comparison is not None:
        counted = [(name, *counts) for name, counts in made.comparison.by_predicate.items()]
        yield Section("By predicate", table(("predicate", "right", "wrong", "missing"), counted))
    if made.missing_facts:
        items = [_fact(found, words.missing_reason(made, found), "true clause", "bad") for found in made.missing_facts]
        yield Section("Facts that only the true theory derives", "\n".join(items))
    if made.extra_facts:
        items = [_fact(found, words.extra_reason(found), "learned clause", "good") for found in made.extra_facts]
        yield Section("Facts that only the learned theory derives", "\n".join(items))
    if made.behaviour is not None:
        found = made.behaviour
        rows = [
            (one.example.name, to_text(one.example.goal), f"{one.by} only", words.disagreement_reason(one))
            for one in (*found.only_true, *found.only_learned)
        ]
        rows += [(name, "", "not decided", why) for name, why in found.undecided[:50]]
        yield Section(f"Examples ({found.examples})", table(("example", "goal", "covered by", "why"), rows))
    if made.own is not None:
        samples = [(one.split, one.sample, one.true, one.learned) for one in made.own.differences]
        lead = f"<p>Differing samples by split: {html.escape(str(made.own))}.</p>"
        header = ("split", "sample", "the true theory says", "the learned one says")
        yield Section("The dataset's own samples", lead + (table(header, samples) if samples else ""))
    effects = words.effect_lines(made)
    if effects:
        yield Section(
            "What each learned clause does",
            table(("clause", "effect"), [(made.learned.texts[number], text) for number, text in effects]),
        )
    if made.notes:
        yield Section("Notes", "".join(f"<p>{html.escape(note)}</p>" for note in made.notes))


def clauses(made: Diff) -> str:
    """The rules side by side, with what was changed marked; those that are the same fold away."""
    rows = [_pair_row(pair) for pair in words.changed(made)]
    rows += [_row(_marked(made.true.texts[n], "missing"), "", "missing") for n in made.alignment.missing]
    rows += [_row("", _marked(made.learned.texts[n], "extra"), "extra") for n in made.alignment.extra]
    rows += [
        _row("", html.escape(made.learned.texts[found.number]), f"redundant: {found.reason}")
        for found in made.redundant
    ]
    same = [_pair_row(pair) for pair in words.unchanged(made)]
    if not same:
        return _table(rows)
    # A few rules are no flood: they are open from the start.
    shown = " open" if len(same) <= _FEW else ""
    summary = f"<summary>{html.escape(words.unchanged_line(len(same)))}</summary>"
    return (_table(rows) if rows else "") + f"<details{shown}>{summary}{_table(same)}</details>"


def _table(rows: list[str]) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("true", "learned", "relation"))
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _pair_row(pair: Pair) -> str:
    return _row(_side(pair, True), _side(pair, False), words.RELATIONS[pair.relation])


def _row(true: str, learned: str, relation: str) -> str:
    return f"<tr><td><code>{true}</code></td><td><code>{learned}</code></td><td>{html.escape(relation)}</td></tr>\n"


def _side(pair: Pair, true: bool) -> str:
    shown = [(change.kind, change.true if true else change.learned) for change in pair.changes]
    head, *body = [_marked(text, kind) for kind, text in shown if text is not None]
    return head + (" :- " + ", ".join(body) if body else "") + "."


def _marked(text: str, kind: str) -> str:
    style = _MARKS[kind]
    return f'<span style="{style}" title="{kind}">{html.escape(text)}</span>' if style else html.escape(text)


def _fact(found: Explanation, reason: str, names: str, style: str) -> str:
    fact = f'<code class="{style}">{html.escape(to_text(found.fact))}</code> {html.escape(reason)}'
    if found.proof is None:
        return f"<p>{fact}</p>"
    proof = html.escape("\n".join(found.proof.lines(names)))
    return f"<details><summary>{fact}</summary><pre>{proof}</pre></details>"
