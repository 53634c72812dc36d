"""Facts, encoded once and used with many programs, and the least models that clingo's grounder makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import clingo
from clingo.ast import AST, ProgramBuilder

from hornbeam.errors import UsageError
from hornbeam.logic.asp.arithmetic import Functions
from hornbeam.logic.asp.datalog import clash
from hornbeam.logic.asp.messages import Messages, Origin, ProgramError
from hornbeam.logic.asp.symbols import (
    decode,
    decode_atom,
    decode_predicate,
    encode_atom,
    predicate_and_args,
    predicate_source,
    source,
)
from hornbeam.logic.terms import Term


class Model:
    """A set of facts, the result of :meth:`Program.model`.

    Models support ``in``, ``len``, ``-``, ``&``, ``|`` and ``<=``. Iteration is in clingo's order of derivation,
    which is the same in every run; :meth:`sorted` is also independent of the order of the given facts.

    >>> from hornbeam.logic.asp import Facts, Program
    >>> facts = Facts.rows("p", [("a",), ("B",)])
    >>> model = Program.parse("q(X) :- p(X).").model(facts)
    >>> len(model), model.counts(), list((model - facts.model()).rows("q"))
    (4, {'p': 2, 'q': 2}, [('a',), ('B',)])
    """

    def __init__(self, symbols: Sequence[clingo.Symbol]) -> None:
        self.symbols = symbols

    @cached_property
    def _set(self) -> frozenset[clingo.Symbol]:
        return frozenset(self.symbols)

    @cached_property
    def _groups(self) -> dict[str, list[clingo.Symbol]]:
        groups: dict[str, list[clingo.Symbol]] = {}
        for symbol in self.symbols:
            groups.setdefault(symbol.name, []).append(symbol)
        return groups

    def __repr__(self) -> str:
        return f"<Model of {len(self)} facts>"

    def __len__(self) -> int:
        return len(self.symbols)

    def __contains__(self, fact: Term) -> bool:
        return encode_atom(fact) in self._set

    def __iter__(self) -> Iterator[Term]:
        return map(decode_atom, self.symbols)

    def sorted(self) -> list[Term]:
        """All facts, decoded, in clingo's order of symbols."""
        return [decode_atom(symbol) for symbol in sorted(self.symbols)]

    def counts(self) -> dict[str, int]:
        """How many facts each predicate has."""
        return {decode_predicate(name): len(group) for name, group in sorted(self._groups.items())}

    def of(self, predicate: str) -> Iterator[Term]:
        """The facts of one predicate."""
        return map(decode_atom, self._groups.get(predicate_source(predicate), ()))

    def rows(self, predicate: str) -> Iterator[tuple[Term, ...]]:
        """The arguments of the facts of one predicate; each constant is decoded once."""
        known: dict[clingo.Symbol, Term] = {}
        for symbol in self._groups.get(predicate_source(predicate), ()):
            arguments = symbol.arguments
            for argument in arguments:
                if argument not in known:
                    known[argument] = decode(argument)
            yield tuple(known[argument] for argument in arguments)

    def only(self, predicates: Iterable[str]) -> Model:
        """The facts of these predicates."""
        names = [predicate_source(predicate) for predicate in dict.fromkeys(predicates)]
        return Model([symbol for name in names for symbol in self._groups.get(name, ())])

    # Set algebra: what is left keeps its order.

    def __sub__(self, other: Model) -> Model:
        theirs = other._set
        return Model([symbol for symbol in self.symbols if symbol not in theirs])

    def __and__(self, other: Model) -> Model:
        theirs = other._set
        return Model([symbol for symbol in self.symbols if symbol in theirs])

    def __or__(self, other: Model) -> Model:
        mine = self._set
        return Model([*self.symbols, *(symbol for symbol in other.symbols if symbol not in mine)])

    def __le__(self, other: Model) -> bool:
        return self._set <= other._set

    def __eq__(self, other: object) -> bool:
        return self._set == other._set if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._set)


# One thread, so that the same program gives the same answers in the same order.
OPTIONS = ("--warn=all", "--parallel-mode=1")
_BASE: list[tuple[str, list[clingo.Symbol]]] = [("base", [])]
# A part that no program has: clingo rewrites and checks all rules, and grounds none.
_NO_PART: list[tuple[str, list[clingo.Symbol]]] = [("hornbeam_check", [])]


def control(statements: Iterable[AST], messages: Messages) -> clingo.Control:
    """A fresh clingo with these statements, already parsed."""
    clingo_control = clingo.Control(list(OPTIONS), logger=messages, message_limit=100)
    with ProgramBuilder(clingo_control) as builder:
        for statement in statements:
            builder.add(statement)
    return clingo_control


def check_rules(statements: Iterable[AST], origin: Origin | None) -> None:
    """Let clingo check the rules for safety before there are facts."""
    messages = Messages(origin)
    with messages.checked():
        control(statements, messages).ground(_NO_PART)


def ground_model(
    statements: Iterable[AST],
    facts: str,
    files: Iterable[Path] = (),
    *,
    arities: Mapping[str, int] = MappingProxyType({}),
    depth: int | None = None,
    origin: Origin | None = None,
    only: Iterable[str] | None = None,
) -> Model:
    """The least model of a stratified program and facts; `arities` are those of the program's predicates.

    With `only` the model holds the facts of these predicates: much faster where they are few of many.
    """
    messages = Messages(origin)
    with messages.checked():
        run = control(statements, messages)
        if facts.strip():
            run.add("base", [], facts)
        for file in files:
            run.load(str(file))
        run.ground(_BASE, context=Functions(depth))
    _check_arities(run, arities)
    with messages.checked(), run.solve(yield_=True) as handle:
        answer = handle.model()
        if answer is None:
            raise ProgramError("the program and its facts contradict each other: they have no model")
        if only is None:
            return Model(answer.symbols(atoms=True))
        known = run.symbolic_atoms
        atoms = (atom.symbol for name in only for atom in known.by_signature(name, arities[name]))
        return Model([symbol for symbol in atoms if answer.contains(symbol)])


def _check_arities(run: clingo.Control, arities: Mapping[str, int]) -> None:
    known = dict(arities)
    for name, arity, _ in sorted(run.symbolic_atoms.signatures):
        if known.setdefault(name, arity) != arity:
            raise ProgramError(clash(name, known[name], arity))


# Comments and strings, which may hold anything; then what is no plain fact, and integers that clingo would wrap.
_SKIPPED = re.compile(r'"(?:\\[^\n]|[^"\\\n])*"|%\*.*?\*%|%[^\n]*', re.DOTALL)
# What would read a file or run a program while clingo parses; no program needs it here.
_OUTSIDE = re.compile(r"#\s*(?:script|include)\b")
_CALL = re.compile(r"@\s*(?!(?:value|compare|order|shallow)\b)[A-Za-z_][\w']*\s*\(")
_NOT_FACT = re.compile(r":-|:~|\.\.|[{}|;#@]|\bnot\b")
_INTEGER = re.compile(r"(?<![A-Za-z0-9_'])(?:0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|[0-9]+)")


class Facts:
    """Ground facts for a :class:`Program`. Order and repetition do not matter; ``|`` joins two sets.

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
        """The facts of one predicate, one for each row of arguments; faster than single facts.

        >>> Facts.rows("edge", [("a", "b"), ("b", "c")]).model().counts()
        {'edge': 2}
        """
        atoms: dict[str, str] = {}
        name = predicate_source(predicate)
        lines = (f"{name}({_arguments(row, atoms)})." if row else f"{name}." for row in rows)
        return cls._of("\n".join(lines), ())

    @classmethod
    def read(cls, path: str | Path) -> Facts:
        """The facts of an .lp file. The file is checked now, and read by clingo for each model.

        Raises:
            UsageError: if the file cannot be read.
            ProgramError: if it has a rule, a quoted atom, or an integer of more than 31 bits.
        """
        text = read_source(path)
        no_fact = _NOT_FACT.search(_blanked(text))
        if no_fact is not None:
            raise _misread(f"expected only facts, found {no_fact[0]}", text, no_fact.start(), str(path))
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
    """The text of an .lp file; UsageError if there is none, ProgramError for what clingo would misread."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read it as UTF-8 text: {error}", file=str(path)) from error
    check_tokens(text, str(path))
    return text


def check_tokens(text: str, file: str | None = None) -> None:
    """Refuse what clingo misreads in silence: 4294967297 is 1 to it, and 'Ann B' a name with quotes in it."""
    blanked = _blanked(text)
    _refuse(_OUTSIDE.search(blanked) or _CALL.search(blanked), text, file)
    for number in _INTEGER.finditer(blanked):
        if int(number[0], 0 if number[0][:2] in {"0x", "0o", "0b"} else 10) > 2**31 - 1:
            raise _misread(f"clingo has no integer {number[0]}: at most 2147483647", text, number.start(), file)
    quote = blanked.find("'")
    if quote >= 0:
        raise _misread('clingo has no quoted atoms: expected a plain name or a "string"', text, quote, file)


def refuse_outside(text: str) -> None:
    """Refuse text with ``#script`` or ``#include``, which run or read something else; in strings they do no harm."""
    if _OUTSIDE.search(text):
        _refuse(_OUTSIDE.search(_blanked(text)), text, None)


def _refuse(outside: re.Match[str] | None, text: str, file: str | None) -> None:
    if outside is not None:
        raise _misread(
            f"{outside[0]} is not allowed: a program may not run or read anything else", text, outside.start(), file
        )


def _misread(message: str, text: str, offset: int, file: str | None) -> ProgramError:
    return ProgramError(message, file=file, line=text.count("\n", 0, offset) + 1)


def _blanked(text: str) -> str:
    """The text with comments and strings blanked out, everything else in its place."""
    return _SKIPPED.sub(lambda skipped: re.sub(r"[^\n]", " ", skipped[0]), text)
