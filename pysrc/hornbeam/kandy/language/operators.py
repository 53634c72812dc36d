"""The operators of the curriculum language: a table of their names, read by the parser, the schema and the messages,
and what they do to lists and sets, the same before and after grounding.

Where the original's documentation and its code differ, a file means here what the code does:

- `shift` rotates to the LEFT (its documentation shows a rotation to the right);
- `last` with n = 0 returns the whole list;
- `sort` orders sizes by their pixels, and only the lower-case ``desc`` sorts downwards;
- `any_displacement` has 7 members and `any_line` 6 (the ``_reduce_bb`` twins included);
- the set operators work attribute by attribute, and `~` adds nothing after the first place of a union, difference
  or symmetric difference.

What crashed there works or is refused here: an empty list shifts to itself, `random_repeat` takes min = max, an alias
lives for one sample. `fresh` is new: see :data:`FRESH`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from hornbeam.kandy.tree import ATTRIBUTES, Domain, groups, operators

_SETS: dict[str, Callable[[set[str], set[str]], set[str]]] = {
    "union": set.union,
    "intersection": set.intersection,
    "difference": set.difference,
    "symmetric_difference": set.symmetric_difference,
}
SET_OPERATORS = tuple(_SETS)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a list operator: `kind` is natural, integer, name, order, keys, indexes or flag."""

    name: str
    kind: str
    about: str
    required: bool = True


FRESH = Parameter(
    "fresh",
    "flag",
    "make the list anew for every copy, so that copies may differ: before grounding all of it, with a memory of its "
    "own; after grounding the objects and the plain operators, while what was chosen before grounding is shared",
    required=False,
)
_N = Parameter("n", "natural", "how many")
_ALIAS = Parameter("alias", "name", "the name under which the list is remembered")


@dataclass(frozen=True, slots=True)
class ListOperator:
    """An operator that maps a list to a list. `before` tells whether it has a twin that runs before grounding."""

    name: str
    family: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    before: bool = True
    takes_list: bool = True


_LIST_OPERATORS = (
    ListOperator("sample", "random", "n draws with replacement", (_N,)),
    ListOperator("pick", "random", "n draws without replacement", (_N,)),
    ListOperator("permute", "random", "the list in random order"),
    ListOperator("random_shift", "random", "the list rotated to the left by a random number of places"),
    ListOperator(
        "random_repeat",
        "random",
        "the whole list again and again, between min and max times",
        (Parameter("min", "natural", "at least"), Parameter("max", "natural", "at most"), FRESH),
    ),
    ListOperator("first", "deterministic", "the first n", (_N,)),
    ListOperator("last", "deterministic", "the last n; all of them for n = 0", (_N,)),
    ListOperator(
        "shift", "deterministic", "the list rotated to the left by n", (Parameter("n", "integer", "how many places"),)
    ),
    ListOperator("repeat", "deterministic", "the whole list n times", (_N, FRESH)),
    ListOperator("mirror", "deterministic", "the list, then the list backwards"),
    ListOperator("palindrome", "deterministic", "the list, then backwards all but its last"),
    ListOperator(
        "sort",
        "deterministic",
        "the list in order, stable, the first key first",
        (Parameter("order", "order", "asc or desc"), Parameter("keys", "keys", "of n, shape, color, size")),
        before=False,
    ),
    ListOperator(
        "argsort",
        "deterministic",
        "the list reordered by positions",
        (Parameter("idx", "indexes", "the positions, from 0"),),
        before=False,
    ),
    ListOperator("store", "memory", "the list itself, remembered", (_ALIAS,)),
    ListOperator("recall", "memory", "the list that was remembered", (_ALIAS,), before=False, takes_list=False),
)

LIST_OPERATORS: dict[str, ListOperator] = {
    **{operator.name: operator for operator in _LIST_OPERATORS},
    **{f"{operator.name}_before": operator for operator in _LIST_OPERATORS if operator.before},
}


@cache
def all_names() -> tuple[str, ...]:
    """All that can stand where an operator can: compositions, random groups, set and list operators."""
    return (*operators(), *groups(), *SET_OPERATORS, *LIST_OPERATORS)


SORT_KEYS = ("n", "shape", "color", "size")


T = TypeVar("T")
Below = Callable[[int], int]
Arguments = dict[str, Any]


class CannotExpand(Exception):
    """A list that an operator cannot take, found while a sample is drawn."""


def apply(name: str, arguments: Arguments, items: list[T], below: Below) -> list[T]:
    """The list that an operator without `_before` in its name makes of `items`.

    Every random choice is asked of `below`, a function from n to a number in 0..n-1, so that the same code draws a
    sample from a generator and walks through all samples of a finite set.

    >>> apply("palindrome", {}, ["a", "b", "c"], lambda n: 0)
    ['a', 'b', 'c', 'b', 'a']
    >>> apply("shift", {"n": 1}, ["a", "b", "c"], lambda n: 0)
    ['b', 'c', 'a']
    """
    return _FUNCTIONS[name](arguments, items, below)


def permutation(items: list[T], below: Below) -> list[T]:
    """The items in random order, every order with the same chance."""
    return _draw(len(items), items, below)


def _draw(count: int, items: list[T], below: Below) -> list[T]:
    rest = list(items)
    return [rest.pop(below(len(rest))) for _ in range(count)]


def _sample(arguments: Arguments, items: list[T], below: Below) -> list[T]:
    if not items and arguments["n"]:
        raise CannotExpand(f"cannot sample {arguments['n']} of an empty list")
    return [items[below(len(items))] for _ in range(arguments["n"])]


def _pick(arguments: Arguments, items: list[T], below: Below) -> list[T]:
    if arguments["n"] > len(items):
        raise CannotExpand(f"cannot pick {arguments['n']} of a list of {len(items)}")
    return _draw(arguments["n"], items, below)


def _rotate(items: list[T], places: int) -> list[T]:
    start = places % len(items) if items else 0
    return items[start:] + items[:start]


def _random_shift(_: Arguments, items: list[T], below: Below) -> list[T]:
    return _rotate(items, below(len(items))) if items else items


def times(name: str, arguments: Arguments, below: Below) -> int:
    """How often a repeat repeats."""
    if name == "repeat":
        return int(arguments["n"])
    low, high = int(arguments["min"]), int(arguments["max"])
    return low + below(high - low + 1)


def _argsort(arguments: Arguments, items: list[T], _: Below) -> list[T]:
    positions = arguments["idx"]
    if len(positions) != len(items):
        raise CannotExpand(f"argsort has {len(positions)} positions for a list of {len(items)}")
    return [items[position] for position in positions]


_FUNCTIONS: dict[str, Callable[[Arguments, list[Any], Below], list[Any]]] = {
    "sample": _sample,
    "pick": _pick,
    "permute": lambda _, items, below: permutation(items, below),
    "random_shift": _random_shift,
    "random_repeat": lambda arguments, items, below: items * times("random_repeat", arguments, below),
    "first": lambda arguments, items, _: items[: arguments["n"]],
    "last": lambda arguments, items, _: items[-arguments["n"] :],
    "shift": lambda arguments, items, _: _rotate(items, arguments["n"]),
    "repeat": lambda arguments, items, _: items * arguments["n"],
    "mirror": lambda _, items, __: items + items[::-1],
    "palindrome": lambda _, items, __: items + items[-2::-1] if len(items) > 1 else items,
    "sort": lambda arguments, items, _: sorted(items, key=arguments["key"], reverse=arguments["reverse"]),
    "argsort": _argsort,
}


class Anything(tuple[str, ...]):
    """All values of an attribute, written `~`: in a set operator not the same as all of them written out."""

    __slots__ = ()


Values = tuple[tuple[str, ...], ...]


def combine(name: str, members: Sequence[Values], domain: Domain) -> Values:
    """The attribute values of the one object that a set operator makes of its members'.

    `~` is the whole domain in the first place and in an intersection; in a later place of the other three it is the
    empty set, which leaves the attribute as it is. So ``difference([any, red triangle])`` is what is neither red nor a
    triangle.
    """
    return tuple(
        _fold(name, attribute, everything, [member[position] for member in members])
        for position, (attribute, everything) in enumerate(zip(ATTRIBUTES, domain.values, strict=True))
    )


def _fold(name: str, attribute: str, everything: tuple[str, ...], members: list[tuple[str, ...]]) -> tuple[str, ...]:
    kept = set(members[0])
    for member in members[1:]:
        values = set() if isinstance(member, Anything) and name != "intersection" else set(member)
        kept = _SETS[name](kept, values)
    if not kept:
        raise CannotExpand(f"this {name} leaves no {attribute}")
    # The order of the domain, never of a set: the draw must not depend on the hash seed.
    return tuple(value for value in everything if value in kept)
