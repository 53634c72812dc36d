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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from typing import TypeAlias

from hornbeam.characters import UNSEEN


@dataclass(frozen=True, slots=True)
class String:
    """A Prolog string, as opposed to an atom."""

    value: str


@dataclass(frozen=True, slots=True)
class Var:
    """A Prolog variable; two of the same name in one term are the same variable."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Compound:
    """A compound term: a functor name and its arguments (none for ``foo()``)."""

    functor: str
    args: tuple[Term, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Compound):
            return NotImplemented
        equal = self.functor == other.functor and self.args == other.args
        return equal and all(map(_same_kind, self.args, other.args))

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


def same(one: Term, other: Term) -> bool:
    """Whether two terms are identical, as by Prolog's ``==``: to Python 1 and 1.0 are equal.

    >>> same(1, 1), same(1, 1.0), Compound("f", (1,)) == Compound("f", (1.0,))
    (True, False, False)
    """
    return one == other and _same_kind(one, other)


def _same_kind(one: Term, other: Term) -> bool:
    """Of terms that Python finds equal: whether the numbers in them are of the same type, too."""
    if isinstance(one, list) and isinstance(other, list):
        return all(map(_same_kind, one, other))
    return type(one) is type(other) or not isinstance(one, int | float | Fraction)


def each_once(terms: Iterable[Term]) -> list[Term]:
    """The terms without repetitions, in order of appearance.

    >>> each_once([1, "a", 1.0, [], "a", []])
    [1, 'a', 1.0, []]
    """
    first: dict[object, Term] = {}
    for term in terms:
        first.setdefault(_key(term), term)
    return list(first.values())


def _key(term: Term) -> object:
    return (list, *map(_key, term)) if isinstance(term, list) else (type(term), term)


def variables(term: Term | Clause) -> list[str]:
    """The names of the variables of a term, in order of appearance."""
    return list(dict.fromkeys(occurrences(term)))


def occurrences(term: Term | Clause) -> Iterator[str]:
    """The names of the variables of a term, as often as they stand in it."""
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Compound | list):
        for part in term.args if isinstance(term, Compound) else term:
            yield from occurrences(part)
    elif isinstance(term, Clause):
        for part in (term.head, *term.body):
            yield from occurrences(part)


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with variables replaced, inside lists, too.

    >>> to_text(substitute(Compound("p", (Var("X"), [Var("Y")])), {"Y": 1}))
    'p(X,[1])'
    """
    if isinstance(term, Var):
        return values.get(term.name, term)
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(map(partial(substitute, values=values), term.args)))
    return list(map(partial(substitute, values=values), term)) if isinstance(term, list) else term


def conjunction(body: Sequence[Term]) -> Term:
    """The goals of a body as one goal: ``(a, (b, c))``; `true` without any."""
    return reduce(lambda rest, goal: Compound(",", (goal, rest)), reversed(body[:-1]), body[-1] if body else "true")


def conjuncts(goal: Term) -> Iterator[Term]:
    """The goals that a conjunction joins, however it is nested."""
    waiting = [goal]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Compound) and part.functor == "," and len(part.args) == 2:
            waiting += reversed(part.args)
        else:
            yield part


def literal(name: str, *args: Term) -> Term:
    """An atom `name` where there are no arguments, else the compound."""
    return Compound(name, args) if args else name


# Printing ---------------------------------------------------------------------------------------------------------

# Only ASCII counts as plain: what a letter is in Unicode differs between Python and SWI-Prolog.
_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
_SYMBOLIC = re.compile(r"[+\-*/\\^<>=~:.?@#&$]+\Z")
_SOLO = frozenset({"[]", "!", ";", "{}", ","})
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Operators that rules and data are written with, with their priority and that of their sides; anything else prints as
# f(a,b), which is always right.
_COMPARISONS = ("=", "\\=", "==", "\\==", "<", ">", "=<", ">=", "=:=", "=\\=", "is", "@<", "@>", "@=<", "@>=", "=..")
_INFIX = {
    ":-": (1200, 1199, 1199),
    ";": (1100, 1099, 1100),
    "->": (1050, 1049, 1050),
    ",": (1000, 999, 1000),
    **dict.fromkeys(_COMPARISONS, (700, 699, 699)),
    "+": (500, 500, 499),
    "-": (500, 500, 499),
    "*": (400, 400, 399),
    "/": (400, 400, 399),
    ":": (600, 599, 600),
}
# Words that SWI-Prolog reads as operators: bare beside another operator they would be taken for one.
_WORDS = frozenset(
    {
        *(",", "|", ";", "as", "discontiguous", "div", "divs", "dynamic", "in", "initialization", "is", "mod", "rem"),
        *("meta_predicate", "module_transparent", "multifile", "public", "rdiv", "table", "thread_initialization"),
        *("thread_local", "tnot", "volatile", "xor"),
    }
)
_NEGATION = 900
_ARGUMENT = 999


def to_text(term: Term | Clause) -> str:
    """The term as text that SWI-Prolog reads back as the same term."""
    if isinstance(term, Clause):
        head = _operand(term.head, _ARGUMENT)
        body = ", ".join(_operand(goal, _ARGUMENT) for goal in term.body)
        return f"{head} :- {body}." if term.body else f"{head}."
    if isinstance(term, str):
        return quote(term)
    if isinstance(term, Compound):
        return _compound(term)
    if isinstance(term, list):
        return f"[{','.join(map(_within, term))}]"
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
        return f"\\+ {_operand(args[0], _NEGATION)}"
    if name in _INFIX and len(args) == 2:
        _, left, right = _INFIX[name]
        return _infix(name, _operand(args[0], left), _operand(args[1], right))
    return f"{quote(name)}({','.join(map(_within, args))})"


def _infix(name: str, left: str, right: str) -> str:
    if name == ",":
        return f"{left},{right}"
    # Side by side, two runs of symbol characters would be read as one.
    apart = name not in ("-", ":", "/") or _SYMBOLIC.match(left[-1]) or _SYMBOLIC.match(right[0])
    return f"{left} {name} {right}" if apart else f"{left}{name}{right}"


def _operand(term: Term, most: int) -> str:
    """A side of an infix operator: an atom that may be an operator itself gets parentheses."""
    if isinstance(term, str) and (term in _WORDS or _SYMBOLIC.match(term)):
        return f"({to_text(term)})"
    return _within(term, most)


def _within(term: Term, most: int = _ARGUMENT) -> str:
    """A term where only those up to a priority may stand bare: by default an argument or list element."""
    if not isinstance(term, Compound):
        return to_text(term)
    return f"({_compound(term)})" if _priority(term) > most else _compound(term)


def _priority(term: Term) -> int:
    if isinstance(term, Compound):
        if term.functor in _INFIX and len(term.args) == 2:
            return _INFIX[term.functor][0]
        if term.functor == "\\+" and len(term.args) == 1:
            return _NEGATION
    return 0


_HARMLESS = re.compile(r"[A-Za-z0-9 _.,;:!?()\[\]+*/=<>-]*")  # nothing in it has to be escaped


def quote(atom: str) -> str:
    """An atom as Prolog text, with quotes where they are needed."""
    if _PLAIN.match(atom) or atom in _SOLO - {",", "[]"}:
        return atom
    if _SYMBOLIC.match(atom) and not atom.startswith("/*") and atom != ".":
        return atom
    return _quoted(atom, "'")


def _quoted(text: str, mark: str) -> str:
    if _HARMLESS.fullmatch(text):
        return f"{mark}{text}{mark}"
    return mark + "".join(_escaped(char, mark) for char in text) + mark


def _escaped(char: str, mark: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char == mark:
        return "\\" + char
    if UNSEEN.match(char):
        return f"\\x{ord(char):x}\\"
    return char
