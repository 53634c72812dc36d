"""Prolog's arithmetic and term order for clingo's grounder, exact where clingo has 32 bits.

clingo calls these as ``@value(T)`` and so on while it grounds. Numbers are Prolog's: integers of any size, rationals,
floats; a comparison of what is no number is an error, as in Prolog, and not an order of clingo's.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import clingo

from hornbeam.errors import AspError
from hornbeam.logic.asp.symbols import decode, encode
from hornbeam.logic.terms import Compound, String, Term, to_text

Number = int | float | Fraction

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "=<": operator.le,
    ">=": operator.ge,
    "=:=": operator.eq,
    "=\\=": operator.ne,
}
_ORDERS: dict[str, Callable[[int], bool]] = {
    "@<": lambda sign: sign < 0,
    "@>": lambda sign: sign > 0,
    "@=<": lambda sign: sign <= 0,
    "@>=": lambda sign: sign >= 0,
}
COMPARISONS = frozenset(_RELATIONS)
TERM_ORDERS = frozenset(_ORDERS)


class Functions:
    """The functions that a program may call while it is grounded; `depth` bounds the terms that rules build."""

    def __init__(self, depth: int | None = None) -> None:
        self._depth = depth

    def value(self, expression: clingo.Symbol) -> clingo.Symbol:
        """The value of an arithmetic expression."""
        return encode(evaluate(decode(expression)))

    def compare(self, relation: clingo.Symbol, left: clingo.Symbol, right: clingo.Symbol) -> clingo.Symbol:
        """1 if the arithmetic comparison holds, else 0."""
        holds = _RELATIONS[relation.string](evaluate(decode(left)), evaluate(decode(right)))
        return clingo.Number(int(holds))

    def order(self, relation: clingo.Symbol, left: clingo.Symbol, right: clingo.Symbol) -> clingo.Symbol:
        """1 if the standard order of terms holds, else 0."""
        return clingo.Number(int(_ORDERS[relation.string](standard_order(decode(left), decode(right)))))

    def shallow(self, term: clingo.Symbol) -> clingo.Symbol:
        """1 if a term is within the bound, else 0."""
        return clingo.Number(int(self._depth is None or _within(term, self._depth)))


def _within(symbol: clingo.Symbol, depth: int) -> bool:
    if symbol.type is not clingo.SymbolType.Function or not symbol.arguments:
        return True
    # The wrappers of numbers and quoted atoms are no structure of the person's.
    if symbol.name in {"_a", "_s", "_i", "_f", "_q"}:
        return True
    return depth > 0 and all(_within(arg, depth - 1) for arg in symbol.arguments)


def evaluate(term: Term) -> Number:
    """The value of a ground arithmetic expression; AspError for anything else.

    >>> evaluate(Compound("+", (2**40, Compound("*", (3, 4)))))
    1099511627788
    """
    if isinstance(term, int | float | Fraction) and not isinstance(term, bool):
        return term
    function = _FUNCTIONS.get((term.functor, len(term.args))) if isinstance(term, Compound) else None
    if function is None or not isinstance(term, Compound):
        raise AspError(f"arithmetic: expected a number or an expression, found {to_text(term)}")
    try:
        return _normal(function(*map(evaluate, term.args)))
    except (ArithmeticError, TypeError, ValueError) as error:
        raise AspError(f"arithmetic: {to_text(term)}: {error}") from error


def _normal(value: Any) -> Number:
    if isinstance(value, float) and math.isinf(value):
        raise OverflowError("float overflow")  # as SWI-Prolog has it; Python gives infinity
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _divide(left: Any, right: Any) -> Any:
    """SWI-Prolog's ``/``: an integer where it is exact, else a float."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right if right and left % right == 0 else left / right
    return left / right


def _truncating(left: int, right: int) -> int:
    _integers(left, right)
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int:
    return left - right * _truncating(left, right)


def _modulo(left: int, right: int) -> int:
    _integers(left, right)
    return left % right


def _integers(*values: object) -> None:
    if not all(isinstance(value, int) for value in values):
        raise TypeError("expected integers")


_FUNCTIONS: dict[tuple[str, int], Callable[..., Any]] = {
    ("+", 2): operator.add,
    ("-", 2): operator.sub,
    ("*", 2): operator.mul,
    ("/", 2): _divide,
    ("//", 2): _truncating,
    ("rem", 2): _remainder,
    ("mod", 2): _modulo,
    ("min", 2): min,
    ("max", 2): max,
    ("-", 1): operator.neg,
    ("+", 1): operator.pos,
    ("abs", 1): abs,
}


def standard_order(left: Term, right: Term) -> int:
    """Negative, zero or positive: the order in which SWI-Prolog's ``compare/3`` puts two ground terms.

    >>> from functools import cmp_to_key
    >>> sorted([Compound("f", ("a",)), "b", String("c"), [], 2, 1.5], key=cmp_to_key(standard_order))
    [1.5, 2, String(value='c'), [], 'b', Compound(functor='f', args=('a',))]
    """
    rank = _rank(left)
    if rank != _rank(right):
        return rank - _rank(right)
    if rank == _NUMBER:
        return _number_order(left, right)
    if rank == _COMPOUND:
        return _compound_order(_as_compound(left), _as_compound(right))
    return _sign(_text(left), _text(right))


_NUMBER, _STRING, _EMPTY_LIST, _ATOM, _COMPOUND = range(5)


def _rank(term: Term) -> int:
    if isinstance(term, int | float | Fraction):
        return _NUMBER
    if isinstance(term, String):
        return _STRING
    if isinstance(term, str):
        return _ATOM
    return _COMPOUND if isinstance(term, Compound) or term else _EMPTY_LIST


def _number_order(left: Any, right: Any) -> int:
    """By value; NaN before all, of equal ones the float first, and -0.0 before 0.0."""
    floats = isinstance(left, float), isinstance(right, float)
    nans = floats[0] and math.isnan(left), floats[1] and math.isnan(right)
    if any(nans):
        return nans[1] - nans[0]
    zeros = _sign(math.copysign(1, left), math.copysign(1, right)) if all(floats) and left == 0 == right else 0
    return _sign(left, right) or floats[1] - floats[0] or zeros


def _text(term: Term) -> str:
    return term.value if isinstance(term, String) else str(term)


def _as_compound(term: Term) -> Compound:
    if isinstance(term, list):
        return Compound("[|]", (term[0], term[1:]))
    assert isinstance(term, Compound)
    return term


def _compound_order(left: Compound, right: Compound) -> int:
    first = _sign((len(left.args), left.functor), (len(right.args), right.functor))
    pairs = zip(left.args, right.args, strict=True) if not first else ()
    return first or next((sign for sign in (standard_order(*pair) for pair in pairs) if sign), 0)


def _sign(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)
