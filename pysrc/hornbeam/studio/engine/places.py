r"""Where in a text a thing stands that an error names.

>>> from hornbeam.theory import Theory
>>> theory = Theory.parse("p(X) :-\n    q(X),\n    rr(X).")
>>> named_place("p(X) :-\n    q(X),\n    rr(X).", theory, ("rr", 1), 1)
(3, 5, 2)
>>> [note.message for note in singletons("p(X) :- q(X, Y).", Theory.parse("p(X) :- q(X, Y)."))]
['the variable Y stands only once in this clause; a name like _Y says that it is meant']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hornbeam.logic.terms import occurrences
from hornbeam.studio.engine.verdicts import Note
from hornbeam.theory.theory import Indicator, Statement, Theory

Place = tuple[int, int, int]  # line and column from 1, length

# Declarations that theory files have; they change nothing, because the rules are taken one by one.
_USUAL = re.compile(r"(module|table|discontiguous|dynamic|style_check|use_module|op)\b")


def named_place(text: str, theory: Theory, named: Indicator | str, line: int | None) -> Place | None:
    """The first call of a predicate in the clause that starts at `line`; in the whole text if there is none."""
    name = named if isinstance(named, str) else named[0]
    word = re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])")
    start = 0
    statement = next((one for one in theory.statements if one.line == line), None)
    if statement is not None:
        start = _offset(text, statement)
    found = word.search(text, start) or word.search(text)
    return None if found is None else _place(text, found.start(), len(name))


def singletons(text: str, theory: Theory) -> list[Note]:
    """The variables that stand only once, as SWI-Prolog warns of them."""
    return [note for statement in theory.statements for note in _singletons_of(text, statement)]


def ignored_directives(theory: Theory) -> list[Note]:
    """The directives that are not run and do more than declare."""
    unusual = [one for one in theory.directives if not _USUAL.match(one.lstrip())]
    return [Note(f"the directive :- {' '.join(one.split())[:80]} is not run: only rules count") for one in unusual]


def _singletons_of(text: str, statement: Statement) -> Iterator[Note]:
    uses = Counter(name for name in occurrences(statement.clause) if not name.startswith("_"))
    start = _offset(text, statement)
    for name in (name for name, count in uses.items() if count == 1):
        found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(text, start)
        place = _place(text, found.start(), len(name)) if found else (None, None, 0)
        yield Note(
            f"the variable {name} stands only once in this clause; a name like _{name} says that it is meant", *place
        )


def _offset(text: str, statement: Statement) -> int:
    lines = text.split("\n")[: (statement.line or 1) - 1]
    return max(0, text.find(statement.text, sum(len(line) + 1 for line in lines)))


def _place(text: str, offset: int, length: int) -> Place:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset), length
