"""More ways to call the same predicates than the published modes name.

The paper's modes have a constant where a rule may want a variable, and a variable where it may want a constant:
``same_color(_, L), length(L, 2)``, the truth of four Hard tasks, is outside its language. So each # place may also be a
variable, and each integer that is found may also be given as a constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from hornbeam.tasks.bias import Mode, Place


def opened(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    """The modes and their open versions, each once, in order.

    >>> [str(mode) for mode in opened([Mode.parse("length(+list, -int)"), Mode.parse("same_color(#color, +list)")])]
    ['length(+list,-int)', 'length(+list,#int)', 'same_color(#color,+list)', 'same_color(-color,+list)']
    """
    return tuple(dict.fromkeys(version for mode in modes for version in _versions(mode)))


def _versions(mode: Mode) -> Iterator[Mode]:
    for places in product(*map(_fills, mode.places)):
        yield replace(mode, places=places)


def _fills(place: Place) -> tuple[Place, ...]:
    if place.fill == "#":
        return (place, Place("-", place.type))
    if place == Place("-", "int"):
        return (place, Place("#", "int"))
    return (place,)


def with_negation(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    r"""The modes, where those that only test (they bind nothing) may stand under \\+."""
    return tuple(replace(mode, negated=all(place.fill in "+#" for place in mode.places)) for mode in modes)
