"""What the list operators do to a list: the same before and after grounding.

Every random choice is asked of `below`, a function from n to a number in 0..n-1, so that the same code draws a sample
from a generator and walks through all samples of a finite set.

>>> apply("palindrome", {}, ["a", "b", "c"], lambda n: 0)
['a', 'b', 'c', 'b', 'a']
>>> apply("shift", {"n": 1}, ["a", "b", "c"], lambda n: 0)
['b', 'c', 'a']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Below = Callable[[int], int]
Arguments = dict[str, Any]


class CannotExpand(Exception):
    """A list that an operator cannot take, found while a sample is drawn."""


def apply(name: str, arguments: Arguments, items: list[T], below: Below) -> list[T]:
    """The list that an operator without `_before` in its name makes of `items`."""
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
