"""The good clauses of all seeds, and what a theory of some of them is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from hornbeam.ilp.cover import replaces
from hornbeam.logic.terms import Clause


@dataclass(frozen=True, slots=True)
class Found:
    """A good clause, and the examples that it covers, as bit sets of their numbers."""

    clause: Clause
    positive: int
    negative: int

    @property
    def size(self) -> int:
        return 1 + len(self.clause.body)


@dataclass(frozen=True, slots=True)
class Worth:
    """How good a theory is, by what it gets right and wrong."""

    missed: int  # positives that it does not cover
    wrong: int  # negatives that it covers
    size: int
    clauses: int

    def key(self, noise: bool) -> tuple[int, ...]:
        """The smaller the better."""
        errors = self.missed + self.wrong
        return (errors + self.size, errors, self.clauses) if noise else (errors, self.size, self.clauses)


def worth(theory: Sequence[Found], positives: int) -> Worth:
    """What a theory is worth where there are so many positive examples."""
    proved = reduce(or_, (found.positive for found in theory), 0).bit_count()
    wrong = reduce(or_, (found.negative for found in theory), 0).bit_count()
    return Worth(positives - proved, wrong, sum(found.size for found in theory), len(theory))


class Pool:
    """Good clauses, none of which another replaces, in the order in which they were found."""

    def __init__(self) -> None:
        self.clauses: list[Found] = []

    def add(self, found: Found) -> bool:
        """Add a clause; False where one that is there replaces it."""
        if any(replaces(other, found) for other in self.clauses):
            return False
        self.clauses = [other for other in self.clauses if not replaces(found, other)]
        self.clauses.append(found)
        return True
