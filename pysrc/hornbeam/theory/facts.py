"""Facts from Prolog text, fast where they are plain."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.logic.terms import Compound, Term, variables
from hornbeam.theory.theory import Indicator

# A fact of plain names and numbers on a line of its own: what a dataset of a hundred thousand facts consists of.
_PLAIN = re.compile(r"\s*([a-z][a-zA-Z0-9_]*)\(([a-zA-Z0-9_,\s]*)\)\.\s*(?:%.*)?$", re.ASCII)
_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*\Z", re.ASCII)
_INTEGER = re.compile(r"(?:0|[1-9][0-9]*)\Z", re.ASCII)


def as_facts(source: Iterable[Term] | str | Path) -> list[Term]:
    """Atoms as given, or those of Prolog text or of a file of facts; UsageError at a rule or a variable.

    >>> [str(fact) for fact in as_facts("p(a, 1). % one\\nq('B c').")]
    ['p(a,1)', "q('B c')"]
    """
    if isinstance(source, Path):
        from hornbeam.theory.reading import file_text

        return _read(file_text(source), str(source))
    return _read(source, None) if isinstance(source, str) else list(source)


_DECLARED = re.compile(r"^\s*:-\s*(?:dynamic|discontiguous|multifile|table)\b([^.]*)\.", re.MULTILINE)
_INDICATOR = re.compile(r"(?:'((?:[^'\\]|\\.)*)'|([a-z]\w*))\s*/\s*(\d+)")


def declared(source: object) -> set[Indicator]:
    """The predicates that the text or file of facts declares: they are known even if there is no fact of them.

    >>> declared(":- dynamic likes/2, 'Old name'/1.\\np(a).") == {("likes", 2), ("Old name", 1)}
    True
    """
    from hornbeam.theory.reading import file_text

    text = file_text(source) if isinstance(source, Path) else source
    if not isinstance(text, str):
        return set()
    names = (found for part in _DECLARED.finditer(text) for found in _INDICATOR.finditer(part[1]))
    return {(found[1] or found[2], int(found[3])) for found in names}


def _read(text: str, name: str | None) -> list[Term]:
    facts: list[Term] = []
    atoms: dict[str, Term] = {}
    # Not splitlines: to Prolog a line, and so a comment, ends at a newline only.
    for line in text.split("\n"):
        found = _PLAIN.match(line)
        if found is None:
            if line.strip() and not line.lstrip().startswith("%"):
                return _read_all(text, name)
            continue
        arguments: list[Term] = []
        for word in found[2].split(","):
            known = atoms.get(word)
            if known is None:
                plain = word.strip()
                if _ATOM.match(plain):
                    known = atoms[word] = plain
                elif _INTEGER.match(plain):
                    known = atoms[word] = int(plain)
                else:
                    return _read_all(text, name)
            arguments.append(known)
        facts.append(Compound(found[1], tuple(arguments)))
    return facts


def _read_all(text: str, name: str | None) -> list[Term]:
    """By Prolog's own reader, for all that is not plain."""
    from hornbeam.theory.reading import read_text

    theory = read_text(text, name=name, strict=True)
    for statement in theory.statements:
        if statement.clause.body or variables(statement.clause):
            raise UsageError(
                f"expected a fact without variables, found {statement.text}", file=name, line=statement.line
            )
    return list(theory.heads)
