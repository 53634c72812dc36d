r"""Reading theories and facts: files, strings and the raw output of learners.

>>> theory = read("0.063 (0.194)\tp2(B, A) <-- inv_p6(B, A)\n", dialect="neural-lp")
>>> print(theory.clauses[0], theory.statements[0].weight)
p2(B,A) :- p6(A,B). 0.194
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from hornbeam import resources
from hornbeam.errors import PrologSyntaxError, UsageError, unknown_name
from hornbeam.logic import Prolog, String
from hornbeam.logic.terms import Clause, Compound, Term, Var, variables
from hornbeam.theory.dialects import DIALECTS, Line, detect
from hornbeam.theory.theory import Indicator, Rejected, Statement, Theory
from hornbeam.theory.weights import weight_line, weight_of

MODULE = "hornbeam_theory_bench"


@cache
def engine() -> Prolog:
    """The engine, with everything of prolog/theory/ to be asked in `MODULE`."""
    prolog = Prolog()
    prolog.load(resources.prolog("theory", "theory.pl"), MODULE)
    return prolog


# The line of a theory file after which definitions follow; see hornbeam.theory.files.
DEFINITIONS = "% Definitions of the predicates above, over the dataset's background knowledge."


def read(
    source: str | Path, *, dialect: str = "auto", name: str | None = None, threshold: float | None = None
) -> Theory:
    """Read a theory from a file or from text.

    Args:
        source: A Path, or text.
        dialect: ``prolog`` or the learner that printed it: aleph, popper, foil, amie, anyburl, neural-lp, ntp; ``auto``
            detects it.
        name: The name, for messages; default: the path.
        threshold: Reject rules with a lower confidence.

    Returns:
        The theory. Lines of a learner's output that are not rules are in its `rejected`.

    Raises:
        UsageError: if the file cannot be read, or the dialect is unknown.
        PrologSyntaxError: at the first syntax error of Prolog text.

    >>> read("p(X) :- q(X, Y).").texts
    ('p(X) :- q(X, Y).',)
    """
    text = file_text(source) if isinstance(source, Path) else source
    name = name or (str(source) if isinstance(source, Path) else None)
    if dialect == "auto":
        dialect = detect(text)
    if dialect == "prolog":
        return read_text(text, name=name, strict=True)
    if dialect not in DIALECTS.names():
        raise unknown_name("dialect", dialect, ["auto", "prolog", *DIALECTS.names()])
    try:
        lines = DIALECTS.get(dialect)(text)
    except UsageError as error:
        raise UsageError(error.message, file=name, line=error.line) from None
    return _from_lines(lines, name, dialect, threshold)


def file_text(path: Path) -> str:
    """The text of a file; UsageError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else f"cannot read it: {error}"
        raise UsageError(reason, file=str(path)) from error


def read_text(text: str, *, name: str | None = None, strict: bool = True) -> Theory:
    """Prolog text by Prolog's own reader; with `strict` text that is no clause raises."""
    items = _items(text)
    definitions_start = text.find(DEFINITIONS)
    statements: list[Statement] = []
    definitions: list[Statement] = []
    rejected: list[Rejected] = []
    directives: list[str] = []
    end = 0
    for item in items:
        kind, (line, start, stop, *rest) = item.functor, item.args
        if kind == "clause" and 0 <= definitions_start < start:
            definitions.append(Statement(_clause(*rest), text[start:stop], line))
        elif kind == "clause":
            before = text[end:start]
            statements.append(Statement(_clause(*rest), text[start:stop], line, before, weight_of(before)))
            end = stop
        elif kind == "directive":
            directives.append(str(rest[0]))
        else:
            if strict:
                column = start - text.rfind("\n", 0, start)
                raise PrologSyntaxError(_reason(rest[0]), file=name or "<theory>", line=line, column=column)
            rejected.append(Rejected(line, text[end:stop].strip()[-200:], _reason(rest[0])))
    after = text[end:definitions_start] if definitions else text[end:]
    return Theory(tuple(statements), after, tuple(rejected), tuple(directives), name, definitions=tuple(definitions))


def _items(text: str) -> list[Any]:
    answer = engine().once("read_theory(Text, Items)", given={"Text": String(text)}, module=MODULE)
    assert answer is not None
    items: Any = answer["Items"]
    return list(items)


def _reason(message: Any) -> str:
    return str(message).removeprefix("Syntax error: ").strip()


def _clause(head: Term, body: Any, bindings: Any) -> Clause:
    """The clause with the variable names of the text; those without a name get one of their own."""
    names = {pair.args[1].name: pair.args[0] for pair in bindings}
    taken = set(names.values())
    return Clause(_renamed(head, names, taken), tuple(_renamed(literal, names, taken) for literal in body))


def _renamed(term: Term, names: dict[str, str], taken: set[str]) -> Term:
    if isinstance(term, Var):
        if term.name not in names:
            number = len(names) + 1
            while f"_{number}" in taken:
                number += 1
            names[term.name] = f"_{number}"
            taken.add(names[term.name])
        return Var(names[term.name])
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(map(partial(_renamed, names=names, taken=taken), term.args)))
    if isinstance(term, list):
        return list(map(partial(_renamed, names=names, taken=taken), term))
    return term


# Learners' output -------------------------------------------------------------------------------------------------


def _from_lines(lines: list[Line], name: str | None, dialect: str, threshold: float | None) -> Theory:
    kept = [line for line in lines if line.clause is not None and not _below(line.weight, threshold)]
    rejected = [Rejected(line.number, line.text, line.reason) for line in lines if line.clause is None]
    rejected += [
        Rejected(line.number, line.text, f"its confidence {line.weight} is below {threshold}")
        for line in lines
        if line.clause is not None and _below(line.weight, threshold)
    ]
    # One clause a line, so that a clause which Prolog refuses is known by its line.
    texts = [" ".join((line.clause or "").split("\n")) for line in kept]
    theory = read_text("\n".join(texts) + "\n", strict=False)
    origin: Mapping[int, Line] = dict(enumerate(kept, start=1))
    statements = tuple(
        Statement(
            statement.clause,
            statement.text,
            origin[statement.line or 1].number,
            "\n" * (n > 0) + (weight_line(weight) if weight is not None else ""),
            weight,
        )
        for n, statement in enumerate(theory.statements)
        for weight in (origin[statement.line or 1].weight,)
    )
    rejected += [Rejected(origin[bad.line].number, origin[bad.line].text, bad.reason) for bad in theory.rejected]
    rejected.sort(key=lambda bad: bad.line)
    return Theory(statements, "\n", tuple(rejected), (), name, dialect)


def _below(weight: float | None, threshold: float | None) -> bool:
    return weight is not None and threshold is not None and weight < threshold


# Facts, read fast where they are plain -------------------------------------------------------------------------------

# A fact of plain names and numbers on a line of its own: what a dataset of a hundred thousand facts consists of.
_PLAIN = re.compile(r"\s*([a-z][a-zA-Z0-9_]*)\(([a-zA-Z0-9_,\s]*)\)\.\s*(?:%.*)?$", re.ASCII)
_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*\Z", re.ASCII)
_INTEGER = re.compile(r"(?:0|[1-9][0-9]*)\Z", re.ASCII)


def as_facts(source: Iterable[Term] | str | Path) -> list[Term]:
    """Facts from atoms, Prolog text or a file; UsageError if there is a rule or a variable.

    >>> [str(fact) for fact in as_facts("p(a, 1). % one\\nq('B c').")]
    ['p(a,1)', "q('B c')"]
    """
    if isinstance(source, Path):
        return _read_facts(file_text(source), str(source))
    return _read_facts(source, None) if isinstance(source, str) else list(source)


_DECLARED = re.compile(r"^\s*:-\s*(?:dynamic|discontiguous|multifile|table)\b([^.]*)\.", re.MULTILINE)
_INDICATOR = re.compile(r"(?:'((?:[^'\\]|\\.)*)'|([a-z]\w*))\s*/\s*(\d+)")


def declared(source: object) -> set[Indicator]:
    """The predicates that the text or file of facts declares: they are known even if there is no fact of them.

    >>> declared(":- dynamic likes/2, 'Old name'/1.\\np(a).") == {("likes", 2), ("Old name", 1)}
    True
    """
    text = file_text(source) if isinstance(source, Path) else source
    if not isinstance(text, str):
        return set()
    names = (name for part in _DECLARED.finditer(text) for name in _INDICATOR.finditer(part[1]))
    return {(name[1] or name[2], int(name[3])) for name in names}


def _read_facts(text: str, name: str | None) -> list[Term]:
    facts: list[Term] = []
    atoms: dict[str, Term] = {}
    # Not splitlines: to Prolog a line, and so a comment, ends at a newline only.
    for line in text.split("\n"):
        fact = _PLAIN.match(line)
        if fact is None:
            if line.strip() and not line.lstrip().startswith("%"):
                return _read_facts_slowly(text, name)
            continue
        arguments: list[Term] = []
        for word in fact[2].split(","):
            known = atoms.get(word)
            if known is None:
                plain = word.strip()
                if _ATOM.match(plain):
                    known = atoms[word] = plain
                elif _INTEGER.match(plain):
                    known = atoms[word] = int(plain)
                else:
                    return _read_facts_slowly(text, name)
            arguments.append(known)
        facts.append(Compound(fact[1], tuple(arguments)))
    return facts


def _read_facts_slowly(text: str, name: str | None) -> list[Term]:
    """By Prolog's own reader, for all that is not plain."""
    theory = read_text(text, name=name, strict=True)
    for statement in theory.statements:
        if statement.clause.body or variables(statement.clause):
            raise UsageError(
                f"expected a fact without variables, found {statement.text}", file=name, line=statement.line
            )
    return list(theory.heads)
