"""The difference between two theories as an HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from hornbeam.logic.terms import to_text
from hornbeam.report.page import Macros, Section, page, table
from hornbeam.theory.alignment import AlignedPair
from hornbeam.theory.blame import Explanation
from hornbeam.theory.difference import Diff
from hornbeam.theory.show import words

_HTML = Macros(__file__, "diff.html.j2")
_FEW = 10  # rules that are open from the start
_KEPT = "kept"

Pieces = list[tuple[str, str]]  # of a clause: what became of the piece, and its text


@dataclass(frozen=True, slots=True)
class _ClauseRow:
    true: Pieces
    learned: Pieces
    relation: str


def diff_page(difference: Diff) -> str:
    """The whole page."""
    return page("Difference of two theories", lead(difference), list(sections(difference)))


def lead(difference: Diff) -> Markup:
    """What comes first: the verdict."""
    lines = [] if difference.verdict is not None else [words.first_line(difference)]
    return _HTML.lead(difference.verdict, [*lines, *words.equivalence_lines(difference)])


def sections(difference: Diff) -> Iterator[Section]:
    """The parts of the page."""
    yield Section("Clauses", clauses(difference))
    yield Section("Scores", table(("measure", "value"), words.figures(difference).items()))
    if difference.comparison is not None:
        counted = [(name, *counts) for name, counts in difference.comparison.by_predicate.items()]
        yield Section("By predicate", table(("predicate", "right", "wrong", "missing"), counted))
    if difference.missing_facts:
        reasons = [(fact, words.missing_reason(difference, fact)) for fact in difference.missing_facts]
        yield Section("Facts that only the true theory derives", _facts(reasons, "true clause", "bad"))
    if difference.extra_facts:
        reasons = [(fact, words.extra_reason(fact)) for fact in difference.extra_facts]
        yield Section("Facts that only the learned theory derives", _facts(reasons, "learned clause", "good"))
    if difference.behaviour is not None:
        behaviour = difference.behaviour
        rows = [
            (one.example.name, to_text(one.example.goal), f"{one.by} only", words.disagreement_reason(one))
            for one in (*behaviour.only_true, *behaviour.only_learned)
        ]
        rows += [(name, "", "not decided", why) for name, why in behaviour.undecided[:50]]
        yield Section(f"Examples ({behaviour.examples})", table(("example", "goal", "covered by", "why"), rows))
    if difference.own is not None:
        samples = [(one.split, one.sample, one.true, one.learned) for one in difference.own.differences]
        yield Section("The dataset's own samples", _HTML.samples(difference.own, samples))
    if effects := words.effect_lines(difference):
        shown = [(difference.learned.texts[number], effect) for number, effect in effects]
        yield Section("What each learned clause does", table(("clause", "effect"), shown))
    if difference.notes:
        yield Section("Notes", _HTML.lead(None, difference.notes))


def clauses(difference: Diff) -> Markup:
    """The rules side by side, with what was changed marked; those that are the same fold away."""
    true, learned, alignment = difference.true.texts, difference.learned.texts, difference.alignment
    rows = [_pair_row(pair) for pair in words.changed(difference)]
    rows += [_ClauseRow([("missing", true[number])], [], "missing") for number in alignment.missing]
    rows += [_ClauseRow([], [("extra", learned[number])], "extra") for number in alignment.extra]
    rows += [
        _ClauseRow([], [(_KEPT, learned[clause.number])], f"redundant: {clause.reason}")
        for clause in difference.redundant
    ]
    same = [_pair_row(pair) for pair in words.unchanged(difference)]
    return _HTML.clauses(rows, same, words.unchanged_line(len(same)), len(same) <= _FEW)


def _pair_row(pair: AlignedPair) -> _ClauseRow:
    true = _pieces((change.kind, change.true) for change in pair.changes)
    learned = _pieces((change.kind, change.learned) for change in pair.changes)
    return _ClauseRow(true, learned, words.RELATIONS[pair.relation])


def _pieces(literals: Iterable[tuple[str, str | None]]) -> Pieces:
    """The head and the body of a clause, with what stands between them."""
    pieces: Pieces = []
    for kind, text in literals:
        if text is not None:
            pieces += [(_KEPT, " :- " if len(pieces) == 2 else ", " if pieces else ""), (kind, text)]
    return [*pieces, (_KEPT, ".")]


def _facts(reasons: list[tuple[Explanation, str]], names: str, style: str) -> Markup:
    shown = [
        (to_text(one.fact), reason, "\n".join(one.proof.lines(names)) if one.proof else "") for one, reason in reasons
    ]
    return _HTML.facts(shown, style)
