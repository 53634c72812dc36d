"""The names of the curriculum language: one table, read by the parser, the schema and the messages.

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

from dataclasses import dataclass

from hornbeam.kandy.tree import OPERATORS

_QUADRANTS = ("quadrant_ul", "quadrant_ur", "quadrant_ll", "quadrant_lr")
_DIAGONALS = ("diag_ul_lr", "diag_ll_ur")
_LINES = ("stack", "stack_reduce_bb", "side_by_side", "side_by_side_reduce_bb", *_DIAGONALS)

GROUPS: dict[str, tuple[str, ...]] = {
    "any_composition": OPERATORS,
    "any_displacement": (*_LINES, "grid"),
    "any_line": _LINES,
    "any_diag": _DIAGONALS,
    "any_non_diag": ("stack", "side_by_side"),
    "any_quadrant": _QUADRANTS,
    "quadrant_or_center": (*_QUADRANTS, "in"),
}

SET_OPERATORS = ("union", "intersection", "difference", "symmetric_difference")


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

ALL_NAMES = (*OPERATORS, *GROUPS, *SET_OPERATORS, *LIST_OPERATORS)
SORT_KEYS = ("n", "shape", "color", "size")
