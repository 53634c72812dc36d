"""Names of variables, as a person would write them."""

from __future__ import annotations


def variable_name(number: int) -> str:
    """A, B, ..., Z, A1, ...

    >>> [variable_name(number) for number in (0, 25, 26, 53)]
    ['A', 'Z', 'A1', 'B2']
    """
    letter, turn = chr(ord("A") + number % 26), number // 26
    return f"{letter}{turn}" if turn else letter
