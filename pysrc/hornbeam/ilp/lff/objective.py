"""What the best theory is: no errors and then small, or under noise the shortest description of theory and errors."""

from __future__ import annotations

from dataclasses import dataclass

from hornbeam.ilp.lff.coverage import Bits
from hornbeam.ilp.lff.language import Body


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that may be part of the theory: its size counts the head."""

    body: Body
    order: tuple[int, ...]
    positive: Bits
    negative: Bits

    @property
    def size(self) -> int:
        return 1 + len(self.body)


@dataclass(frozen=True, slots=True)
class Score:
    """How good a set of rules is."""

    size: int
    missed: int  # positive examples that are not covered
    wrong: int  # negative examples that are

    @property
    def exact(self) -> tuple[int, int, int]:
        """Smaller is better where there is no noise."""
        return (self.wrong, self.missed, self.size)

    @property
    def length(self) -> int:
        """The description length of theory and errors."""
        return self.size + self.missed + self.wrong


def score(rules: list[Rule] | tuple[Rule, ...], positive: Bits) -> Score:
    """The score of a set of rules, of which `positive` are the examples to cover."""
    covered = wrong = size = 0
    for rule in rules:
        covered |= rule.positive
        wrong |= rule.negative
        size += rule.size
    return Score(size, (positive & ~covered).bit_count(), wrong.bit_count())
