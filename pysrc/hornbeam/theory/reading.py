r"""Reading theories: files, strings and the raw output of learners.

>>> theory = read("0.063 (0.194)\tp2(B, A) <-- inv_p6(B, A)\n", dialect="neural-lp")
>>> print(theory.clauses[0], theory.statements[0].weight)
p2(B,A) :- p6(A,B). 0.194
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbeam.errors import PrologSyntaxError, UsageError, unknown_name
from hornbeam.logic import String
from hornbeam.logic.terms import Clause, Compound, Term, Var
from hornbeam.theory.dialects import DIALECTS, detect
from hornbeam.theory.engine import MODULE, engine
from hornbeam.theory.lines import Line
from hornbeam.theory.theory import Rejected, Statement, Theory

# The line of a theory file behind which definitions stand; see hornbeam.theory.files.
DEFINITIONS = "% Definitions of the predicates above, over the dataset's background knowledge."


def read(
    source: str | Path, *, dialect: str = "auto", name: str | None = None, threshold: float | None = None
) -> Theory:
    """A theory from a file (a Path) or from text.

    `dialect` is ``prolog`` or the learner that printed it: aleph, popper, foil, amie, anyburl, neural-lp, ntp;
    ``auto`` looks at the text. In Prolog text the first syntax error is raised; of a learner's output the lines that
    hold no rule are listed in `rejected`, among them those whose confidence is below `threshold`.
    """
    text = file_text(source) if isinstance(source, Path) else source
    name = name or (str(source) if isinstance(source, Path) else None)
    if dialect == "auto":
        dialect = detect(text)
    if dialect == "prolog":
        return read_text(text, name=name, strict=True)
    if dialect not in DIALECTS:
        raise unknown_name("dialect", dialect, ["auto", "prolog", *DIALECTS])
    try:
        lines = DIALECTS[dialect](text)
    except UsageError as error:
        raise UsageError(error.message, file=name, line=error.line) from None
    return _from_lines(lines, name, dialect, threshold)


def file_text(path: Path) -> str:
    """The text of a file; UsageError where there is none."""
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
            statements.append(Statement(_clause(*rest), text[start:stop], line, text[end:start]))
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
        return Compound(term.functor, tuple(_renamed(arg, names, taken) for arg in term.args))
    if isinstance(term, list):
        return [_renamed(part, names, taken) for part in term]
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
            found.clause, found.text, origin[found.line or 1].number, "\n" * (n > 0), origin[found.line or 1].weight
        )
        for n, found in enumerate(theory.statements)
    )
    rejected += [Rejected(origin[bad.line].number, origin[bad.line].text, bad.reason) for bad in theory.rejected]
    rejected.sort(key=lambda bad: bad.line)
    return Theory(statements, "\n", tuple(rejected), (), name, dialect)


def _below(weight: float | None, threshold: float | None) -> bool:
    return weight is not None and threshold is not None and weight < threshold
