"""Which sets of rules are programs, and in which order they are tried: by size, and none that is known to fail.

What is known of a program tells of others, as programs have no negation over what they define:

* one that proves a negative example does so with more rules, too;
* one that misses a positive example does so with any rule replaced by a larger one made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from hornbeam.ilp.lff.coverage import Bits
from hornbeam.ilp.lff.pool import Part

Program = tuple[Part, ...]

_REMEMBERED = 500_000  # failures that are kept to tell of others


class Programs:
    """Sets of at most so many parts with at least one call, by total size."""

    def __init__(self, positive: Bits, most: int, *, noise: bool) -> None:
        self._all, self._most, self._noise = positive, most, noise
        self._by_size: dict[int, list[Part]] = {}
        self._inconsistent: set[frozenset[int]] = set()
        self._incomplete: set[frozenset[int]] = set()

    def add(self, parts: Sequence[Part]) -> None:
        for part in parts:
            self._by_size.setdefault(part.size, []).append(part)

    def inconsistent(self, program: Program) -> None:
        """The program proves a negative example."""
        self._remember(self._inconsistent, program)

    def incomplete(self, program: Program) -> None:
        """The program misses a positive example."""
        self._remember(self._incomplete, program)

    @staticmethod
    def _remember(failures: set[frozenset[int]], program: Program) -> None:
        if len(failures) < _REMEMBERED:
            failures.add(frozenset(part.number for part in program))

    def of_size(self, total: int, largest: int, *, with_largest: bool) -> Iterator[Program]:
        """Programs of this size whose parts are no larger than `largest`, or of which one is as large as that."""
        for sizes in _partitions(total, largest, self._most):
            if not with_largest or sizes[0] == largest:
                for program in self._choices(sizes):
                    if self._promising(program):
                        yield program

    def _choices(self, sizes: tuple[int, ...]) -> Iterator[Program]:
        """Parts of these sizes, largest first; of one size in the order of their numbers: each set comes once."""
        if len(sizes) == 1:
            yield from ((part,) for part in self._by_size.get(sizes[0], ()))
            return
        first, rest = sizes[0], sizes[1:]
        for program in self._choices(rest):
            after = program[0].number if first == rest[0] else -1
            for part in self._by_size.get(first, ()):
                if part.number > after:
                    yield (part, *program)

    def _promising(self, program: Program) -> bool:
        if not is_program(program):
            return False
        if self._noise:
            return True
        covered = 0
        for part in program:
            covered |= part.positive
        return covered == self._all and not self._known(program)

    def _known(self, program: Program) -> bool:
        numbers = [part.number for part in program]
        for count in range(1, len(numbers)):
            if any(frozenset(some) in self._inconsistent for some in combinations(numbers, count)):
                return True
        for place, part in enumerate(program):
            rest = numbers[:place] + numbers[place + 1 :]
            if any(frozenset((parent, *rest)) in self._incomplete for parent in part.parents):
                return True
        return False


def is_program(parts: Sequence[Part]) -> bool:
    """Whether parts need each other: what is called is defined, what is defined is used, and some proof ends."""
    if not any(part.calls for part in parts):
        return False
    defined = {part.head for part in parts}
    if 0 not in defined or any(not part.calls <= defined for part in parts):
        return False
    used, ends = {0}, set[int]()
    for _ in parts:
        used |= {head for part in parts if part.head in used for head in part.calls}
        ends |= {part.head for part in parts if part.calls <= ends}
    return used >= defined and ends >= defined


def _partitions(total: int, largest: int, most: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a total as a sum of at most so many sizes, each at least 2, largest first."""
    if 2 <= total <= largest and most >= 1:
        yield (total,)
    if most > 1:
        for first in range(min(largest, total - 2), 1, -1):
            for rest in _partitions(total - first, first, most - 1):
                yield (first, *rest)
