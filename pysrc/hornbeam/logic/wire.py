"""Terms as the plain values that every bridge carries; the other half is prolog/wire.pl.

Atoms, integers, finite floats and lists of them stand for themselves; all else is a tuple that starts with a tag.
Bridges that carry text send wire values as JSON; the other half of that is prolog/json_wire.pl.
The functions recur, so Prolog sends and takes no term that is nested deeper than prolog/depth.pl says.

>>> from hornbeam.logic.terms import Compound, Var
>>> encode(Compound("f", ("a", Var("X"))))
('c', 'f', ['a', ('v', 'X')])
>>> decode(('c', 'f', ['a', ('v', 'X')]))
Compound(functor='f', args=('a', Var(name='X')))
>>> dumps(["load", ("m", "true")])
'["load", {"t": ["m", "true"]}]'
>>> loads('{"t": ["ok", []]}')
('ok', [])
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from hornbeam.errors import PrologError
from hornbeam.logic.terms import Compound, String, Term, Var

Wire: TypeAlias = Any  # str | int | float | list[Wire] | tuple[Wire, ...]

_PLAIN = frozenset({int, str})


def encode(term: Term) -> Wire:
    """A term as a wire value; TypeError for what is no term."""
    kind = type(term)
    if kind is str or kind is int:
        return term
    if isinstance(term, Compound):
        return ("c", term.functor, list(map(encode, term.args)))
    if isinstance(term, list | tuple):
        return encode_all(term)
    if isinstance(term, String):
        return ("s", term.value)
    if isinstance(term, Var):
        return ("v", term.name)
    if isinstance(term, Fraction):
        return ("r", term.numerator, term.denominator)
    if isinstance(term, float):
        return term if math.isfinite(term) else ("f", str(float(term)))
    if isinstance(term, str):
        return str(term)
    if isinstance(term, int) and not isinstance(term, bool):
        return int(term)
    raise TypeError(f"{term!r} of type {kind.__name__} is not a Prolog term")


def encode_all(terms: Iterable[Term]) -> list[Wire]:
    """Many terms; a list of atoms and integers crosses as it is."""
    values = list(terms)
    if _PLAIN.issuperset(map(type, values)):
        return values
    return list(map(encode, values))


def decode(wire: Wire) -> Term:
    """The term that a wire value stands for."""
    kind = type(wire)
    if kind is list:
        return decode_all(wire)
    if kind is not tuple:
        return wire  # type: ignore[no-any-return]
    match wire:
        case ("c", name, args):
            return Compound(name, tuple(map(decode, args)))
        case ("s", text):
            return String(text)
        case ("v", name):
            return Var(name)
        case ("r", numerator, denominator):
            return Fraction(numerator, denominator)
        case ("f", text):
            return float(text)
    raise TypeError(f"not a wire value: {wire!r}")


def decode_all(wires: list[Wire]) -> list[Term]:
    """Many wire values; a list of atoms and integers is taken as it is."""
    if _PLAIN.issuperset(map(type, wires)):
        return wires
    return list(map(decode, wires))


def dumps(wire: Wire) -> str:
    # As characters, not escapes: an older json.pl does not join the two halves of an escaped pair.
    return json.dumps(_tagged(wire), ensure_ascii=False, allow_nan=False)


def loads(text: str) -> Wire:
    """A wire value that was sent as text; PrologError if it is too large or too deep for Python."""
    try:
        return json.loads(text, object_hook=_tuple)
    except RecursionError:
        raise PrologError("an answer is nested too deeply to be passed to Python") from None
    except ValueError as error:  # json says what is wrong, int() that there are too many digits
        raise PrologError(f"an answer cannot be passed to Python: {error}".partition(";")[0]) from None


def _tagged(wire: Wire) -> Wire:
    if isinstance(wire, tuple):
        return {"t": list(map(_tagged, wire))}
    if isinstance(wire, list):
        return list(map(_tagged, wire))
    return wire


def _tuple(value: dict[str, list[Wire]]) -> Wire:
    return tuple(value["t"])
