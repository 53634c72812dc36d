"""reasoning-gym's syllogism: two premises, and the question whether a conclusion follows.

clingo looks for a countermodel (kb/gym/syllogism.lp): the premises hold and the conclusion does not. A conclusion with
a countermodel in which no term is empty does not follow on any reading. One whose countermodels all have an empty term
follows in traditional logic, not in modern logic: an answer to it is arguable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from hornbeam import resources
from hornbeam.language.audits.report import ARGUABLE, RIGHT, UNPARSED, WRONG, AuditedRow
from hornbeam.logic.asp import Facts, Solver

CONVENTION = (
    "Terms are not empty, as traditional logic has it. Rows whose answer changes if a term may be empty are arguable."
)
_TEXT = re.compile(
    r"Consider these statements:\n1\. (.+)\n2\. (.+)\n\nDoes it logically follow that:\n(.+)\?\n\(Answer Yes or No\)"
)
_FORMS = (
    ("some_not", re.compile(r"Some (\w+) are not (\w+)")),
    ("some", re.compile(r"Some (\w+) are (\w+)")),
    ("all", re.compile(r"All (\w+) are (\w+)")),
    ("no", re.compile(r"No (\w+) are (\w+)")),
)

Statement = tuple[str, str, str]  # form, subject, predicate
Form = tuple[tuple[str, int, int], ...]
Model = tuple[tuple[int, int], ...]  # term and element


def statement(text: str) -> Statement | None:
    """A categorical statement; None if the text is none.

    >>> statement("Some ants are not bees")
    ('some_not', 'ants', 'bees')
    """
    for form, pattern in _FORMS:
        found = pattern.fullmatch(text.strip())
        if found:
            return form, found[1], found[2]
    return None


def judge(rows: Sequence[tuple[int, str, str]]) -> list[AuditedRow]:
    """The verdicts on rows, each an index, a text and the answer that is given."""
    return [_verdict(index, text, given) for index, text, given in rows]


def _verdict(index: int, text: str, given: str) -> AuditedRow:
    parts = _TEXT.fullmatch(text.strip())
    statements = [statement(part) for part in parts.groups()] if parts else []
    read = [one for one in statements if one is not None]
    if len(read) != 3 or given not in ("Yes", "No"):
        return AuditedRow(index, text, given, "", UNPARSED, "a sentence is not of the grammar")
    terms = list(dict.fromkeys(term for _, *pair in read for term in pair))
    form: Form = tuple((kind, terms.index(one), terms.index(other)) for kind, one, other in read)
    strict, empty = countermodel(form, True), countermodel(form, False)
    derived = "Yes" if strict is None else "No"
    if given == derived and (strict is None) == (empty is None):
        return AuditedRow(index, text, given, derived, RIGHT)
    if given == derived or (given == "No" and empty is not None):
        cause = "the answer depends on whether a term may be empty"
        return AuditedRow(index, text, given, derived, ARGUABLE, cause, _shown(empty or (), terms))
    if strict is not None:
        return AuditedRow(index, text, given, derived, WRONG, "the conclusion does not follow", _shown(strict, terms))
    return AuditedRow(index, text, given, derived, WRONG, "the conclusion follows: there is no countermodel")


def _shown(model: Model, terms: Sequence[str]) -> tuple[str, ...]:
    lines = []
    for number, term in enumerate(terms):
        elements = sorted(element for place, element in model if place == number)
        lines.append(f"{term}: {', '.join(f'x{element}' for element in elements) or 'none'}")
    return tuple(lines)


@cache
def countermodel(form: Form, existing: bool) -> Model | None:
    """A model of the premises in which the conclusion is false; None if there is none.

    Args:
        form: The two premises and the conclusion, with terms as numbers.
        existing: Whether no term may be empty.

    >>> countermodel((("all", 0, 1), ("all", 1, 2), ("all", 0, 2)), True) is None
    True
    """
    *premises, conclusion = form
    facts = Facts.rows("premise", premises) | Facts.rows("conclusion", [conclusion])
    if existing:
        facts |= Facts(["import"])
    program = resources.kb("gym", "syllogism.lp").read_text(encoding="utf-8")
    model = Solver(program, facts=facts).first()
    return (
        None
        if model is None
        else tuple(sorted((int(str(term)), int(str(element))) for term, element in model.rows("in")))
    )
