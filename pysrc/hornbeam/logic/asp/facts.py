"""Fact sets, encoded once and used with many programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.logic.asp.grounding import ground_model
from hornbeam.logic.asp.messages import ProgramError
from hornbeam.logic.asp.model import Model
from hornbeam.logic.asp.symbols import predicate_and_args, predicate_source, source
from hornbeam.logic.terms import Term

# Comments and strings, which may hold anything; then what is no plain fact, and integers that clingo would wrap.
_SKIPPED = re.compile(r'"(?:\\.|[^"\\])*"|%\*.*?\*%|%[^\n]*', re.DOTALL)
_NOT_FACT = re.compile(r":-|:~|\.\.|[{}|;#@]|\bnot\b")
_INTEGER = re.compile(r"(?<![A-Za-z0-9_'])(?:0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|[0-9]+)")


class Facts:
    """Ground facts, as clingo source text and as files. Order and repetition do not matter for what follows from them.

    >>> facts = Facts(["rain"]) | Facts.rows("parent", [("ann", "Bob"), ("Bob", "cid")])
    >>> print(facts.source)
    rain.
    parent(ann,_a("Bob")).
    parent(_a("Bob"),cid).
    """

    def __init__(self, facts: Iterable[Term] = ()) -> None:
        names: dict[str, str] = {}
        atoms: dict[str, str] = {}
        lines = []
        for fact in facts:
            name, args = predicate_and_args(fact)
            known = names.get(name) or names.setdefault(name, predicate_source(name))
            lines.append(f"{known}({_arguments(args, atoms)})." if args else f"{known}.")
        self.source = "\n".join(lines)
        self.files: tuple[Path, ...] = ()

    @classmethod
    def rows(cls, predicate: str, rows: Iterable[Sequence[Term]]) -> Facts:
        """One fact of a predicate for each row of arguments: faster than facts one by one."""
        atoms: dict[str, str] = {}
        name = predicate_source(predicate)
        lines = (f"{name}({_arguments(row, atoms)})." if row else f"{name}." for row in rows)
        return cls._of("\n".join(lines), ())

    @classmethod
    def read(cls, path: str | Path) -> Facts:
        """The facts of an .lp file: checked now, read by clingo itself for each model.

        ProgramError where the file holds a rule, a quoted atom, or an integer of more than 31 bits.
        """
        text = read_source(path)
        found = _NOT_FACT.search(_blanked(text))
        if found is not None:
            raise _misread(f"expected only facts, found {found[0]}", text, found.start(), str(path))
        return cls._of("", (Path(path),))

    @classmethod
    def _of(cls, text: str, files: tuple[Path, ...]) -> Facts:
        facts = cls()
        facts.source = text
        facts.files = files
        return facts

    def model(self) -> Model:
        """The facts themselves as a model, to compare others with."""
        return ground_model((), self.source, self.files)

    def __or__(self, other: Facts) -> Facts:
        text = "\n".join(text for text in (self.source, other.source) if text)
        return self._of(text, self.files + other.files)


def _arguments(args: Sequence[Term], atoms: dict[str, str]) -> str:
    """The arguments as text; `atoms` remembers those seen, for names repeat."""
    parts = []
    for arg in args:
        if type(arg) is str:
            parts.append(atoms.get(arg) or atoms.setdefault(arg, source(arg)))
        else:
            parts.append(source(arg))
    return ",".join(parts)


def read_source(path: str | Path) -> str:
    """The text of an .lp file; UsageError where there is none, ProgramError for what clingo would misread."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read it as UTF-8 text: {error}", file=str(path)) from error
    check_tokens(text, str(path))
    return text


def check_tokens(text: str, file: str | None = None) -> None:
    """Refuse what clingo misreads in silence: 4294967297 is 1 to it, and 'Ann B' a name with quotes in it."""
    blanked = _blanked(text)
    for found in _INTEGER.finditer(blanked):
        if int(found[0], 0 if found[0][:2] in {"0x", "0o", "0b"} else 10) > 2**31 - 1:
            raise _misread(f"clingo has no integer {found[0]}: at most 2147483647", text, found.start(), file)
    quote = blanked.find("'")
    if quote >= 0:
        raise _misread('clingo has no quoted atoms: expected a plain name or a "string"', text, quote, file)


def _misread(message: str, text: str, offset: int, file: str | None) -> ProgramError:
    return ProgramError(message, file=file, line=text.count("\n", 0, offset) + 1)


def _blanked(text: str) -> str:
    """The text with comments and strings blanked out, everything else in its place."""
    return _SKIPPED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
