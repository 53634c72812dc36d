"""The best theory of the rules that were found: greedy at once, exact by clingo's optimisation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hornbeam.ilp.cover import Cover, best_cover, replaces
from hornbeam.ilp.lff.coverage import Bits
from hornbeam.ilp.lff.objective import Rule, Score, score
from hornbeam.ilp.watch import Watch

_CONFLICTS = 30_000  # of one exact choice


def worth(noise: bool) -> Callable[[Score], tuple[int, ...]]:
    """What is to be small: first errors and then size, or under noise their sum."""
    return (lambda found: (found.length, found.missed + found.wrong)) if noise else (lambda found: found.exact)


def undominated(rules: Sequence[Rule]) -> list[Rule]:
    """The rules without those that another one replaces at no cost."""
    kept: list[Rule] = []
    for rule in sorted(rules, key=lambda each: (each.size, each.negative.bit_count(), -each.positive.bit_count())):
        if not any(replaces(other, rule) for other in kept):
            kept.append(rule)
    return kept


def greedy(rules: Sequence[Rule], positive: Bits, *, noise: bool, most: int | None = None) -> tuple[Rule, ...]:
    """A good theory soon: the rule that gains most for its size, again and again, then what became idle taken out."""
    chosen: list[Rule] = []
    covered = wrong = 0
    while most is None or len(chosen) < most:
        best, gain = None, 0.0
        for rule in rules:
            new = (rule.positive & ~covered).bit_count()
            if noise:
                value = float(new - (rule.negative & ~wrong).bit_count() - rule.size)
            else:
                value = new / rule.size if most is None else float(new)
            if value > gain:
                best, gain = rule, value
        if best is None:
            break
        chosen.append(best)
        covered |= best.positive
        wrong |= best.negative
    measure = worth(noise)
    for rule in list(reversed(chosen)):
        rest = [other for other in chosen if other is not rule]
        if measure(score(rest, positive)) < measure(score(chosen, positive)):
            chosen = rest
    return tuple(chosen)


def exact(rules: Sequence[Rule], watch: Watch, *, noise: bool, most: int | None = None) -> Cover[Rule]:
    """The best theory of all, or the best found within the limits."""
    return best_cover(rules, watch, noise=noise, most=most, conflicts=_CONFLICTS)


def union(rules: Iterable[Rule]) -> Bits:
    """All positive examples that some rule covers."""
    covered = 0
    for rule in rules:
        covered |= rule.positive
    return covered
