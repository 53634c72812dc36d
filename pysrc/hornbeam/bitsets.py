"""Sets of small numbers as the bits of an int."""

from __future__ import annotations

from collections.abc import Iterable


def bits(mask: int) -> list[int]:
    """The numbers in a set, smallest first.

    >>> bits(0b1010)
    [1, 3]
    """
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


def mask_of(numbers: Iterable[int]) -> int:
    """The set of these numbers.

    >>> bin(mask_of([3, 1, 3]))
    '0b1010'
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
