"""Learned theories as Prolog files, with a header that records their origin.

>>> theory = Theory.parse("valid(X) :- has_red(X).")
>>> theory = theory.with_definitions(Theory.parse("has_red(X) :- exists_color(X, red).").clauses)
>>> print(theory_text(theory, {"learner": "mdie"}), end="")
% learner: mdie
<BLANKLINE>
:- module(mine, []).
<BLANKLINE>
valid(X) :- has_red(X).
<BLANKLINE>
% Definitions of the predicates above, over the dataset's background knowledge.
<BLANKLINE>
has_red(X) :- exists_color(X,red).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hornbeam.logic.terms import Clause, occurrences, quote
from hornbeam.theory.coverage import tabled
from hornbeam.theory.reading import DEFINITIONS
from hornbeam.theory.theory import Theory, indicator
from hornbeam.writing import write_atomic

MODULE = "mine"


def theory_text(theory: Theory, header: Mapping[str, str]) -> str:
    """The text of a theory file.

    It loads in plain `swipl` after a dataset's load.pl: into a module of its own, so that its predicates cannot collide
    with the dataset's. Recursive predicates are tabled, so that they end.

    Args:
        theory: The rules, with the definitions that they need.
        header: What to say at the top, by name: learner, settings, dataset, verdict.

    Returns:
        Comments, the module header, the rules, the definitions.
    """
    program = theory.program
    comments = [f"% {key}: {' '.join(value.split())}" for key, value in header.items()]
    directives = [f":- table {quote(name)}/{arity}." for name, arity in sorted(tabled(program.clauses))]
    directives += [f":- discontiguous {quote(name)}/{arity}." for name, arity in _scattered(program)]
    if any(map(_has_singletons, program.clauses)):
        directives.append(":- style_check(-singleton).")
    rules = str(theory).strip() or "% no rule was learned"
    parts = ["\n".join(comments), "\n".join([f":- module({MODULE}, []).", *directives]), rules]
    if theory.definitions:
        parts += [DEFINITIONS, "\n".join(statement.text for statement in theory.definitions)]
    return "\n\n".join(part for part in parts if part) + "\n"


def save_theory(theory: Theory, path: Path, header: Mapping[str, str]) -> None:
    """Write a theory file whole or not at all.

    Args:
        theory: What to write.
        path: The file; its folder is made if it is missing.
        header: See :func:`theory_text`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, theory_text(theory, header).encode())


def read_header(text: str) -> dict[str, str]:
    """The header of a theory file: what its first comments say, by name.

    >>> read_header("% learner: mdie\\n% task: t0\\n\\np(a).")
    {'learner': 'mdie', 'task': 't0'}
    """
    header: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.removeprefix("% ").partition(": ")
        if not line.startswith("% ") or not colon:
            break
        header[key] = value
    return header


def _has_singletons(clause: Clause) -> bool:
    """Whether Prolog would warn of a variable that stands only once: learned rules have such."""
    uses = Counter(name for name in occurrences(clause) if not name.startswith("_"))
    return 1 in uses.values()


def _scattered(theory: Theory) -> list[tuple[str, int]]:
    """The predicates whose clauses do not stand together, in the order of their first clause."""
    order = [indicator(head) for head in theory.heads]
    runs = [one for at, one in enumerate(order) if at == 0 or order[at - 1] != one]
    return [one for one in dict.fromkeys(runs) if runs.count(one) > 1]
