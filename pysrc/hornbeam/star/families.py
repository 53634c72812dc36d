"""Which sets of paths decide an answer so that every one of them is needed.

With one relation on every edge there are narrow limits, and they are facts about the calculi: intersections of
composed base relations settle quickly, so no RCC-8 or Allen answer ever needs more than three paths. Sets of
relations on the edges lift the limit. Whether a family exists is decided by clingo on kb/star/cells.lp, so that
"impossible" is a proof.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.logic.asp import engine
from hornbeam.star.calculus import Calculus

Family = tuple[int, ...]
# More families than this are not listed but drawn.
LISTED = 300
# More compositions than this are not all compared.
COMPARED = 120


def one_family(calculus: Calculus, masks: Sequence[int], answer: int, paths: int) -> Family | None:
    """A family of `paths` of these compositions that gives exactly `answer`, each needed, or None: clingo decides."""
    facts = [f"paths({paths}). relation(0..{calculus.size - 1})."]
    facts += [f"answer({r})." for r in bits(answer)]
    facts += [f"path({i})." + "".join(f" lets({i},{r})." for r in bits(mask)) for i, mask in enumerate(masks)]
    control = engine.grounded("\n".join(facts), files=[resources.kb("star", "cells.lp")])
    with control.solve(yield_=True) as handle:
        for model in handle:
            return tuple(sorted(masks[symbol.arguments[0].number] for symbol in model.symbols(shown=True)))
    return None


def families(calculus: Calculus, masks: Sequence[int], answer: int, paths: int, rng: random.Random) -> list[Family]:
    """Families of `paths` compositions that give `answer`, each needed, sorted.

    All of them where there are at most `LISTED`; else that many, drawn. Of more than `COMPARED` useful
    compositions, which only wide labels have, that many are drawn first. An empty list therefore is a proof unless
    both limits were hit, and then clingo has been asked.
    """
    if paths == 1:
        return [(answer,)] if answer in masks else []
    useful = [mask for mask in masks if mask & answer == answer and mask != calculus.universal]
    if len(useful) > COMPARED:
        useful = sorted(rng.sample(useful, COMPARED))
    search = _Search(calculus, useful, answer, paths)
    if search.run(LISTED + 1):
        if not search.found or len(search.found) <= LISTED:
            return sorted(search.found)
    elif not search.found:
        one = one_family(calculus, useful, answer, paths)
        if one is None:
            return []
        search.found.add(one)
    for _ in range(LISTED // 4):
        rng.shuffle(search.masks)
        search.run(len(search.found) + 4, budget=500)
    return sorted(search.found)[:LISTED]


class _Search:
    """Grows families mask by mask; `found` is kept from run to run."""

    def __init__(self, calculus: Calculus, masks: list[int], answer: int, paths: int) -> None:
        self.calculus = calculus
        self.masks = masks
        self.answer = answer
        self.paths = paths
        self.found: set[Family] = set()
        self.limit = 0
        self.left = 0

    def run(self, limit: int, budget: int = 20_000) -> bool:
        """Search until `limit` families are known; False if the budget of steps ended first."""
        self.limit, self.left = limit, budget
        self._grow(0, (), self.calculus.universal, ())
        return self.left > 0

    def _grow(self, start: int, family: Family, together: int, private: tuple[int, ...]) -> None:
        if len(family) == self.paths:
            if together == self.answer:
                self.found.add(tuple(sorted(family)))
            return
        for i in range(start, len(self.masks)):
            mask = self.masks[i]
            removed = together & ~mask
            if removed:
                self.left -= 1
                # What each earlier path alone excludes shrinks to what this one lets pass; nothing left: not needed.
                kept = tuple(alone & mask for alone in private)
                if all(kept):
                    self._grow(i + 1, (*family, mask), together & mask, (*kept, removed))
            if self.left <= 0 or len(self.found) >= self.limit:
                return


def needed(masks: Sequence[int]) -> int:
    """The smallest number of these paths that say as much as all of them."""
    together = masks[0]
    for mask in masks:
        together &= mask
    for count in range(1, len(masks)):
        for chosen in combinations(masks, count):
            left = chosen[0]
            for mask in chosen:
                left &= mask
            if left == together:
                return count
    return len(masks)


def all_needed(masks: Sequence[int], universal: int) -> bool:
    """Whether the others say less without any one of these paths."""
    before = [universal]
    for mask in masks:
        before.append(before[-1] & mask)
    together, after = before[-1], universal
    for i in range(len(masks) - 1, -1, -1):
        if before[i] & after == together:
            return False
        after &= masks[i]
    return True
