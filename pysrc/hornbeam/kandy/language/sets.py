"""The set operators: three sets of values each, one an attribute.

`~` is the whole domain in the first place and in an intersection; in a later place of the other three it is the empty
set, which leaves the attribute as it is. So ``difference([any, red triangle])`` is what is neither red nor a triangle.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.kandy.language.lists import CannotExpand
from hornbeam.kandy.tree import ATTRIBUTES, Domain


class Anything(tuple[str, ...]):
    """All values of an attribute, written `~`: in a set operator not the same as all of them written out."""

    __slots__ = ()


Values = tuple[tuple[str, ...], ...]


def combine(name: str, members: Sequence[Values], domain: Domain) -> Values:
    """The attribute values of the one atom that a set operator makes of its members'."""
    return tuple(
        _fold(name, attribute, everything, [member[position] for member in members])
        for position, (attribute, everything) in enumerate(zip(ATTRIBUTES, domain.values, strict=True))
    )


def _fold(name: str, attribute: str, everything: tuple[str, ...], members: list[tuple[str, ...]]) -> tuple[str, ...]:
    kept = set(members[0])
    for member in members[1:]:
        values = set() if isinstance(member, Anything) and name != "intersection" else set(member)
        if name == "union":
            kept |= values
        elif name == "intersection":
            kept &= values
        elif name == "difference":
            kept -= values
        else:
            kept ^= values
    if not kept:
        raise CannotExpand(f"this {name} leaves no {attribute}")
    # The order of the domain, never of a set: the draw must not depend on the hash seed.
    return tuple(value for value in everything if value in kept)
