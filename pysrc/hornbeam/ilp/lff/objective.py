"""Which theory is the best of the rules that were found, and which rules can still be part of a better one.

The best theory has no errors and then is small; under noise it is the shortest description of theory and errors. Sizes
count the head.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.ilp.cover import Cover, Score, Some, add_undominated, best_cover, replaces, score
from hornbeam.ilp.lff.coverage import Bits
from hornbeam.ilp.lff.language import Body
from hornbeam.ilp.watch import Watch

_CONFLICTS = 30_000  # of one exact choice


@dataclass(frozen=True, slots=True)
class TestedRule:
    """A rule that may be part of the theory."""

    body: Body
    order: tuple[int, ...]
    positive: Bits
    negative: Bits

    @property
    def size(self) -> int:
        return 1 + len(self.body)


def undominated(rules: Sequence[Some]) -> list[Some]:
    """The rules without those that another one replaces at no cost."""
    kept: list[Some] = []
    for rule in sorted(rules, key=lambda each: (each.size, each.negative.bit_count(), -each.positive.bit_count())):
        if not any(replaces(other, rule) for other in kept):
            kept.append(rule)
    return kept


def greedy(
    rules: Sequence[TestedRule], positives: int, *, noise: bool, most: int | None = None
) -> tuple[TestedRule, ...]:
    """A good theory soon: the rule that gains most for its size, again and again, then what became idle taken out."""
    chosen: list[TestedRule] = []
    covered = wrong = 0

    def gain(rule: TestedRule) -> float:
        new = (rule.positive & ~covered).bit_count()
        if noise:
            return float(new - (rule.negative & ~wrong).bit_count() - rule.size)
        return new / rule.size if most is None else float(new)

    while rules and (most is None or len(chosen) < most):
        best = max(rules, key=gain)
        if gain(best) <= 0:
            break
        chosen.append(best)
        covered |= best.positive
        wrong |= best.negative
    for rule in list(reversed(chosen)):
        rest = [other for other in chosen if other is not rule]
        if score(rest, positives).key(noise) < score(chosen, positives).key(noise):
            chosen = rest
    return tuple(chosen)


def exact(rules: Sequence[Some], watch: Watch, *, noise: bool, most: int | None = None) -> Cover[Some]:
    """The best theory of all, or the best found within the limits."""
    return best_cover(rules, watch, noise=noise, most=most, conflicts=_CONFLICTS)


class Prospects(ABC):
    """The rules that are kept, and what they leave to be gained.

    All bounds hold because rules come by size: rules smaller than `floor` are all known.
    """

    def __init__(self, positive: Bits, most: int | None) -> None:
        self._all = positive
        self._most = most
        self.rules: list[TestedRule] = []
        self.floor = 2  # the size that rules not known yet have at least

    @abstractmethod
    def hopeless(self, positive: Bits, size: int) -> bool:
        """Whether neither a rule with this cover and size nor any larger one made from it is of use."""

    @abstractmethod
    def wanted(self, rule: TestedRule) -> bool:
        """Whether a rule may be part of the best theory."""

    @abstractmethod
    def reached(self, score: Score) -> None:
        """A theory with this score was found."""

    @abstractmethod
    def finished(self, size: int) -> bool:
        """Whether rules of this size or larger cannot improve on the best theory."""

    def keep(self, rule: TestedRule) -> bool:
        """Keep a rule unless it is replaced at no cost by one that is kept; forget those that it replaces."""
        return self.wanted(rule) and add_undominated(self.rules, rule)

    @property
    def _least(self) -> int | None:
        return min((rule.size for rule in self.rules), default=None)


class ExactProspects(Prospects):
    """All kept rules cover no negative example; a theory is to cover all positive ones and then to be small."""

    def __init__(self, positive: Bits, most: int | None) -> None:
        super().__init__(positive, most)
        self._size: int | None = None  # of the smallest complete theory so far

    def wanted(self, rule: TestedRule) -> bool:
        return self._size is None or rule.size + self._completion(rule.positive) < self._size

    def hopeless(self, positive: Bits, size: int) -> bool:
        if self._size is not None and size + self._completion(positive) >= self._size:
            return True
        if any(rule.size <= size and not positive & ~rule.positive for rule in self.rules):
            return True
        return self._most is None and self._by_two(positive, size)

    def _by_two(self, positive: Bits, size: int) -> bool:
        for index, one in enumerate(self.rules):
            if one.size + 2 > size:
                continue
            left = positive & ~one.positive
            if left != positive and any(
                one.size + other.size <= size and not left & ~other.positive for other in self.rules[index + 1 :]
            ):
                return True
        return False

    def _completion(self, positive: Bits) -> int:
        """The least that must be added to a rule: one kept rule, two of them, or one that is not known yet."""
        left = self._all & ~positive
        if not left:
            return 0
        least = self._least
        bound = self.floor if least is None else min(self.floor, 2 * least)
        return min((rule.size for rule in self.rules if rule.size < bound and not left & ~rule.positive), default=bound)

    def reached(self, score: Score) -> None:
        if not score.missed:
            self._size = score.size
            self.rules = [rule for rule in self.rules if self.wanted(rule) or rule.size < score.size]

    def finished(self, size: int) -> bool:
        return self._size is not None and size >= self._size


class ShortestProspects(Prospects):
    """A theory is to be short together with the examples that it gets wrong."""

    def __init__(self, positive: Bits, most: int | None) -> None:
        super().__init__(positive, most)
        self._length = positive.bit_count()  # of the empty theory

    def wanted(self, rule: TestedRule) -> bool:
        return rule.positive.bit_count() > rule.size and self._bound(rule.positive, rule.size) < self._length

    def hopeless(self, positive: Bits, size: int) -> bool:
        return positive.bit_count() <= size or self._bound(positive, size) >= self._length

    def _bound(self, positive: Bits, size: int) -> int:
        """The least length of a theory with such a rule: alone, or with another one."""
        missed = (self._all & ~positive).bit_count()
        least = self._least
        return size + min(missed, self.floor if least is None else min(self.floor, least))

    def reached(self, score: Score) -> None:
        self._length = min(self._length, score.length)

    def finished(self, size: int) -> bool:
        return size >= self._length
