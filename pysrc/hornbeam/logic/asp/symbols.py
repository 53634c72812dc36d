r"""Prolog terms as clingo symbols and back, without loss.

What clingo can say itself stands for itself, so that a hand-written .lp file and a Prolog theory share their plain
constants. All else is wrapped in a function whose name starts with an underscore, which no plain Prolog atom does:

| Prolog                                | clingo                         |
|---------------------------------------|--------------------------------|
| ``ann``, ``f(a)``                     | ``ann``, ``f(a)``              |
| ``'Ann B.'``, ``not``, ``[]`` (atom)  | ``_a("Ann B.")`` ...           |
| ``"text"``                            | ``"text"``; ``_s(..)`` with NUL or a lone surrogate |
| integer up to 31 bits, beyond         | ``42``, ``_i("4294967296")``   |
| float, rational                       | ``_f("0x1.8p+0")``, ``_q("1/3")`` |
| list                                  | ``_l(a,_l(b,_nil))``           |
| other compounds                       | ``_c("+",1,2)``                |
| functor ``''``                        | clingo's tuple                 |
| predicate ``'Likes'/2``               | ``_p4c696b6573``               |

>>> source(["ann", "Ann", -5, 2**40])
'_l(ann,_l(_a("Ann"),_l(-5,_l(_i("1099511627776"),_nil))))'
>>> decode(encode(["ann", "Ann", -5, 2**40]))
['ann', 'Ann', -5, 1099511627776]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import clingo

from hornbeam.errors import AspError
from hornbeam.logic.terms import Compound, String, Term, Var, to_text

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*", re.ASCII)
_LARGEST = 2**31 - 1
# What a C string cannot hold, and the escape itself.
_UNSAYABLE = re.compile("[\0\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(\\|u[0-9a-f]{4})")
_NIL = "_nil"
_CONS = "[|]"


def is_plain(name: str) -> bool:
    """Whether an atom is a constant of clingo as it is."""
    return _PLAIN.fullmatch(name) is not None and name != "not"


# To clingo --------------------------------------------------------------------------------------------------------


def source(term: Term, variables: Mapping[str, str] | None = None) -> str:
    """A term as clingo source text; `variables` gives clingo's name of each Prolog variable."""
    if isinstance(term, str):
        return term if is_plain(term) else f"_a({_string(_escape(term))})"
    if isinstance(term, Compound):
        return _compound(term, variables)
    if isinstance(term, list):
        return _list(term, variables)
    if isinstance(term, Var):
        if variables is None:
            raise AspError(f"expected a ground term, found the variable {term.name}")
        return variables[term.name]
    return _atomic(term)


def _atomic(term: Term) -> str:
    match term:
        case String(value):
            return f"_s({_string(_escape(value))})" if _UNSAYABLE.search(value) else _string(value)
        case bool():
            pass
        case int():
            return str(term) if -_LARGEST <= term <= _LARGEST else f'_i("{term}")'
        case float():
            return f'_f("{term.hex()}")'
        case Fraction():
            return f'_q("{term}")' if term.denominator > 1 else _atomic(term.numerator)
    raise AspError(f"{term!r} of type {type(term).__name__} is not a Prolog term")


def _compound(term: Compound, variables: Mapping[str, str] | None) -> str:
    args = [source(arg, variables) for arg in term.args]
    if term.functor == _CONS and len(args) == 2:
        return f"_l({args[0]},{args[1]})"
    if term.functor == "":
        return f"({','.join(args)}{',' if len(args) == 1 else ''})"
    if args and is_plain(term.functor):
        return f"{term.functor}({','.join(args)})"
    return f"_c({','.join([_string(_escape(term.functor)), *args])})"


def _list(items: list[Term], variables: Mapping[str, str] | None) -> str:
    return "".join(f"_l({source(item, variables)}," for item in items) + _NIL + ")" * len(items)


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'


def _escape(text: str) -> str:
    doubled = text.replace("\\", "\\\\")
    return _UNSAYABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", doubled)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: "\\" if match[1] == "\\" else chr(int(match[1][1:], 16)), text)


def predicate_source(name: str) -> str:
    """The clingo name of a predicate."""
    return name if is_plain(name) else "_p" + name.encode("utf-8", "surrogatepass").hex()


def atom_source(atom: Term, variables: Mapping[str, str] | None = None) -> str:
    """A fact or literal as clingo source text."""
    name, args = predicate_and_args(atom)
    if not args:
        return predicate_source(name)
    return f"{predicate_source(name)}({','.join(source(arg, variables) for arg in args)})"


def predicate_and_args(atom: Term) -> tuple[str, tuple[Term, ...]]:
    """The predicate name and the arguments of a fact or literal; AspError for a term that is neither."""
    if isinstance(atom, str):
        return atom, ()
    if isinstance(atom, Compound) and atom.args:
        return atom.functor, atom.args
    shown = to_text(atom) if isinstance(atom, Compound | String | Var | list) else repr(atom)
    raise AspError(f"expected a fact such as p or p(a), found {shown}")


def encode(term: Term) -> clingo.Symbol:
    """A ground term as a symbol."""
    return clingo.parse_term(source(term))


def encode_atom(atom: Term) -> clingo.Symbol:
    """A ground fact as the symbol that stands for it in a model."""
    return clingo.parse_term(atom_source(atom))


# From clingo ------------------------------------------------------------------------------------------------------


def decode(symbol: clingo.Symbol) -> Term:
    """The term that a symbol stands for."""
    match symbol.type:
        case clingo.SymbolType.Number:
            return symbol.number
        case clingo.SymbolType.String:
            return String(symbol.string)
        case clingo.SymbolType.Function:
            return _function(symbol)
    raise AspError(f"clingo's {symbol} has no Prolog term")


def _function(symbol: clingo.Symbol) -> Term:
    name, args = symbol.name, symbol.arguments
    if not symbol.positive:
        return Compound("-", (decode(clingo.Function(name, args)),))
    if name.startswith("_"):
        return _wrapped(symbol, name, args)
    if not args and name:
        return name
    return Compound(name, tuple(map(decode, args)))


def _wrapped(symbol: clingo.Symbol, name: str, args: list[clingo.Symbol]) -> Term:
    if name == _NIL and not args:
        return []
    if name == "_l" and len(args) == 2:
        return _cells(symbol)
    if not args or args[0].type is not clingo.SymbolType.String:
        return Compound(name, tuple(map(decode, args))) if args else name
    text = args[0].string
    match name:
        case "_a":
            return _unescape(text)
        case "_s":
            return String(_unescape(text))
        case "_i":
            return int(text)
        case "_f":
            return float.fromhex(text)
        case "_q":
            return Fraction(text)
        case "_c":
            return Compound(_unescape(text), tuple(map(decode, args[1:])))
    return Compound(name, tuple(map(decode, args)))


def _cells(symbol: clingo.Symbol) -> Term:
    """A list from its cells; one that does not end in ``[]`` stays a chain of compounds."""
    items: list[Term] = []
    while symbol.type is clingo.SymbolType.Function and symbol.match("_l", 2):
        head, symbol = symbol.arguments
        items.append(decode(head))
    tail = decode(symbol)
    if tail == [] and isinstance(tail, list):
        return items
    for item in reversed(items):
        tail = Compound(_CONS, (item, tail))
    return tail


def decode_predicate(name: str) -> str:
    """The Prolog name of a predicate of clingo's."""
    if name.startswith("_p") and len(name) % 2 == 0:
        try:
            return bytes.fromhex(name[2:]).decode("utf-8", "surrogatepass")
        except ValueError:
            return name
    return name


def decode_atom(symbol: clingo.Symbol) -> Term:
    """The fact that a symbol of a model stands for."""
    name, args = decode_predicate(symbol.name), tuple(map(decode, symbol.arguments))
    fact = Compound(name, args) if args else name
    return fact if symbol.positive else Compound("-", (fact,))
