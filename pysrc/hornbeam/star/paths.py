"""Paths of a given length and what they say: counted exactly, and drawn evenly among those that say the same.

>>> from hornbeam.star.calculus import load_calculus
>>> rcc8 = load_calculus("rcc8")
>>> space = PathSpace(rcc8, atomic_labels(rcc8))
>>> space.count(2, rcc8.mask("NTPP"))
3
>>> space.count(4, rcc8.mask("PO"))
0
"""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import accumulate, combinations

from hornbeam.star.calculus import Calculus

Labels = tuple[int, ...]
_EXACT = 1 << 50


def atomic_labels(calculus: Calculus) -> Labels:
    """The base relations but the identity, which would lengthen a path without saying anything."""
    return tuple(1 << a for a in range(calculus.size) if a != calculus.identity)


def wide_labels(calculus: Calculus, width: int) -> Labels:
    """All sets of up to `width` relations without the identity: no edge can turn out to be none."""
    relations = atomic_labels(calculus)
    sets = [sum(chosen) for count in range(1, width + 1) for chosen in combinations(relations, count)]
    return tuple(sorted(sets))


class PathSpace:
    """All paths whose edges carry labels of an alphabet, by length and composition."""

    def __init__(self, calculus: Calculus, alphabet: Labels) -> None:
        self.calculus = calculus
        self.alphabet = alphabet
        # Of each length from 1: how many paths have this composition, and by which last steps they get there.
        self._counts: list[dict[int, int]] = [{}, dict.fromkeys(alphabet, 1)]
        self._steps: list[dict[int, tuple[list[int], list[tuple[int, int]]]]] = [{}, {}]

    def _extend(self, length: int) -> None:
        compose = self.calculus.compose
        while len(self._counts) <= length:
            ways: dict[int, list[tuple[int, int, int]]] = {}
            for before, count in sorted(self._counts[-1].items()):
                for label in self.alphabet:
                    ways.setdefault(compose(before, label), []).append((count, before, label))
            self._counts.append({mask: sum(count for count, _, _ in steps) for mask, steps in ways.items()})
            self._steps.append(
                {
                    mask: (list(accumulate(count for count, _, _ in steps)), [step[1:] for step in steps])
                    for mask, steps in ways.items()
                }
            )

    def masks(self, length: int) -> list[int]:
        """The compositions that paths of this length have, sorted."""
        self._extend(length)
        return sorted(self._counts[length])

    def count(self, length: int, mask: int) -> int:
        """How many paths of this length have exactly this composition."""
        self._extend(length)
        return self._counts[length].get(mask, 0)

    def draw(self, length: int, mask: int, rng: random.Random) -> Labels:
        """A path of this length and composition, each as likely as any other."""
        self._extend(length)
        labels = []
        for here in range(length, 1, -1):
            totals, steps = self._steps[here][mask]
            total = totals[-1]
            # A float is exact enough, and much faster, as long as all integers up to the total are floats.
            at = int(rng.random() * total) if total < _EXACT else rng.randrange(total)
            mask, label = steps[bisect_right(totals, at)]
            labels.append(label)
        labels.append(mask)
        labels.reverse()
        return tuple(labels)

    def all(self, length: int, mask: int) -> list[Labels]:
        """Every path of this length and composition, in order; for small numbers of them."""
        self._extend(length)
        if length == 1:
            return [(mask,)] if mask in self._counts[1] else []
        if mask not in self._steps[length]:
            return []
        return sorted(
            (*path, label) for before, label in self._steps[length][mask][1] for path in self.all(length - 1, before)
        )
