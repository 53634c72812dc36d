r"""Prolog terms as Python values, and back without loss.

| Prolog            | Python                                    |
|-------------------|-------------------------------------------|
| atom              | `str`                                     |
| string            | :class:`String`                           |
| integer, float    | `int`, `float`                            |
| rational          | `fractions.Fraction`                      |
| list              | `list`                                    |
| compound          | :class:`Compound`                         |
| variable          | :class:`Var`                              |

>>> term = Compound("parent", ("ann", String("Bob B."), [1, Var("X")]))
>>> to_text(term)
'parent(ann,"Bob B.",[1,X])'
>>> to_text(Clause(Compound("p", (Var("X"),)), (Compound("\\+", (Compound("q", (Var("X"),)),)),)))
'p(X) :- \\+ q(X).'
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class String:
    """A Prolog string, as opposed to an atom."""

    value: str


@dataclass(frozen=True, slots=True)
class Var:
    """A Prolog variable; two of the same name in one term are the same variable."""

    name: str


@dataclass(frozen=True, slots=True, eq=True)
class Compound:
    """A compound term: a functor name and its arguments (none for ``foo()``)."""

    functor: str
    args: tuple[Term, ...]

    def __hash__(self) -> int:
        return hash((self.functor, tuple(map(_hashable, self.args))))

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: a fact where `body` is empty. A negative literal is ``Compound("\\\\+", (literal,))``."""

    head: Term
    body: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return to_text(self)


Term: TypeAlias = "str | String | int | float | Fraction | list[Term] | Compound | Var"


def _hashable(term: Term) -> object:
    return tuple(map(_hashable, term)) if isinstance(term, list) else term


def variables(term: Term | Clause) -> list[str]:
    """The names of the variables of a term, in order of appearance."""
    return list(dict.fromkeys(_variables(term)))


def _variables(term: Term | Clause) -> Iterator[str]:
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Compound):
        for part in term.args:
            yield from _variables(part)
    elif isinstance(term, list):
        for part in term:
            yield from _variables(part)
    elif isinstance(term, Clause):
        yield from _variables(term.head)
        for part in term.body:
            yield from _variables(part)


def literal(name: str, *args: Term) -> Term:
    """An atom `name` where there are no arguments, else the compound."""
    return Compound(name, args) if args else name


# Printing ---------------------------------------------------------------------------------------------------------

# Only ASCII counts as plain: what a letter is in Unicode differs between Python and SWI-Prolog.
_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
_SYMBOLIC = re.compile(r"[+\-*/\\^<>=~:.?@#&$]+\Z")
_SOLO = frozenset({"[]", "!", ";", "{}", ","})
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Operators that rules are written with; anything else prints as f(a, b), which is always right.
_INFIX = {"=", "\\=", "==", "\\==", "<", ">", "=<", ">=", "=:=", "=\\=", "is", "@<", "@>", "@=<", "@>=", "=.."}


def to_text(term: Term | Clause) -> str:
    """The term as text that SWI-Prolog reads back as the same term."""
    if isinstance(term, Clause):
        head = to_text(term.head)
        return f"{head} :- {', '.join(map(to_text, term.body))}." if term.body else f"{head}."
    if isinstance(term, str):
        return quote(term)
    if isinstance(term, Compound):
        return _compound(term)
    if isinstance(term, list):
        return f"[{','.join(map(_argument, term))}]"
    return _atomic(term)


def _atomic(term: Term) -> str:
    match term:
        case Var(name):
            return name
        case String(value):
            return _quoted(value, '"')
        case bool():
            raise TypeError("True and False are not Prolog terms; use the atoms 'true' and 'false'")
        case int():
            return str(term)
        case Fraction():
            return f"{term.numerator}r{term.denominator}"
        case float():
            return _float(term)
    raise TypeError(f"{term!r} of type {type(term).__name__} is not a Prolog term")


def _float(value: float) -> str:
    if math.isnan(value):
        return "1.5NaN"
    if math.isinf(value):
        return "1.0Inf" if value > 0 else "-1.0Inf"
    text = repr(value)
    if "." not in text:
        mantissa, _, exponent = text.partition("e")
        text = f"{mantissa}.0e{exponent}"
    return text


def _compound(term: Compound) -> str:
    name, args = term.functor, term.args
    if name == "\\+" and len(args) == 1:
        return f"\\+ {to_text(args[0])}"
    if name in _INFIX and len(args) == 2:
        return f"{_operand(args[0])} {name} {_operand(args[1])}"
    return f"{quote(name)}({','.join(map(_argument, args))})"


def _argument(term: Term) -> str:
    """An argument or list element: what prints as an operation gets parentheses."""
    return f"({to_text(term)})" if _is_operation(term) else to_text(term)


def _operand(term: Term) -> str:
    """A side of an infix operator: an atom that may be an operator itself gets parentheses."""
    symbolic = isinstance(term, str) and not _PLAIN.match(term)
    return f"({to_text(term)})" if symbolic or _is_operation(term) else to_text(term)


def _is_operation(term: Term) -> bool:
    return isinstance(term, Compound) and (
        (term.functor in _INFIX and len(term.args) == 2) or (term.functor == "\\+" and len(term.args) == 1)
    )


def quote(atom: str) -> str:
    """An atom as Prolog text, with quotes where they are needed."""
    if _PLAIN.match(atom) or atom in _SOLO - {",", "[]"}:
        return atom
    if _SYMBOLIC.match(atom) and not atom.startswith("/*") and atom != ".":
        return atom
    return _quoted(atom, "'")


def _quoted(text: str, mark: str) -> str:
    return mark + "".join(_escaped(char, mark) for char in text) + mark


def _escaped(char: str, mark: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char == mark:
        return "\\" + char
    if ord(char) < 32 or ord(char) == 127:
        return f"\\x{ord(char):x}\\"
    return char
