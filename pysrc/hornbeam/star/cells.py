"""The plan of the sound profile: which (k, b, label) exist, how many graphs each has, and why others do not exist.

An answer is decided by a bundle of paths so that every one of them is needed. With one relation on every edge there are
narrow limits, and they are facts about the calculi: intersections of composed base relations settle quickly, so no
RCC-8 or Allen answer ever needs more than three paths. Sets of relations on the edges lift the limit. Whether a
deciding bundle exists is decided by clingo on kb/star/cells.lp, so that "impossible" is a proof.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, reduce
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import comb, prod
from operator import and_

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.logic.asp import engine
from hornbeam.seeds import fast_rng
from hornbeam.star.bundles import PathSpace, atomic_labels, wide_labels
from hornbeam.star.config import SPLITS, StarConfig
from hornbeam.star.knowledge import Calculus, load_calculus
from hornbeam.tasks.network_files import INCONSISTENT

# The compositions of some paths from source to sink.
Bundle = tuple[int, ...]
# Beyond this many distinct graphs a cell is drawn at random; up to it, all are listed and dealt out.
DEALT = 5_000
# More deciding bundles than this are not listed but drawn.
LISTED = 300
# More compositions than this are not all compared.
COMPARED = 120


# Cells ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathCell:
    """One answer at one k and b: what its paths can be, and how many of the b are needed.

    `deciding` are the compositions of the needed paths; `bundles` those of all b, where they could be listed, and then
    `graphs` is the exact number of distinct bundles of paths. `reason` says why there is none.
    """

    k: int
    b: int
    answer: int  # mask; 0 stands for inconsistent
    deciding: tuple[Bundle, ...] = ()
    needed: int = 0
    bundles: tuple[Bundle, ...] = ()
    graphs: int | None = None
    reason: str = ""

    @property
    def idle(self) -> int:
        return self.b - self.needed

    @property
    def dealt(self) -> bool:
        """Whether the cell is so small that its graphs are listed and dealt out."""
        return self.graphs is not None and self.graphs <= DEALT


@dataclass(frozen=True)
class CellSpace:
    """The paths and cells of a configuration; cells are computed once in a process."""

    calculus: Calculus
    paths: PathSpace = field(compare=False)
    needed: str
    width: int

    def cell(self, k: int, b: int, answer: int) -> PathCell:
        return _cell(self, k, b, answer)


@cache
def space(calculus: str, needed: str, width: int) -> CellSpace:
    table = load_calculus(calculus)
    alphabet = atomic_labels(table) if width == 1 else wide_labels(table, width)
    return CellSpace(table, PathSpace(table, alphabet), needed, width)


def space_of(config: StarConfig) -> CellSpace:
    return space(config.calculus, config.needed, config.width)


def answers(config: StarConfig) -> list[int]:
    """The answers that are asked for, in order."""
    calculus = load_calculus(config.calculus)
    if config.answers == "sets":
        wanted = [m for m in calculus.closed_relations if m & (m - 1) and m != calculus.universal]
    else:
        wanted = [1 << r for r in range(calculus.size)]
    return [*wanted, 0] if config.inconsistent else wanted


def label_of(calculus: Calculus, answer: int) -> str:
    return calculus.text(answer) if answer else INCONSISTENT


@cache
def _cell(where: CellSpace, k: int, b: int, answer: int) -> PathCell:
    calculus = where.calculus
    masks = [mask for mask in where.paths.masks(k) if mask != answer or b == 1 or where.needed == "most"]
    most = b if where.needed == "all" else min(b, calculus.size)
    least = b if where.needed == "all" else 1
    for count in range(most, least - 1, -1):
        deciding = tuple(_deciding_bundles(where, tuple(masks), answer, count))
        if deciding:
            bundles = deciding if count == b else _bundles(where, k, b, answer, count)
            return PathCell(k, b, answer, deciding, count, bundles, _graphs(where, k, bundles) if bundles else None)
    return PathCell(k, b, answer, reason=_reason(where, k, b, answer, masks))


def idle_masks(where: CellSpace, k: int, answer: int) -> list[int]:
    """Compositions for paths that are not needed: true, not the whole answer, and saying something if any does."""
    masks = [m for m in where.paths.masks(k) if m & answer == answer and m not in (0, answer)]
    return [m for m in masks if m != where.calculus.universal] or masks


def _bundles(where: CellSpace, k: int, b: int, answer: int, count: int) -> tuple[Bundle, ...]:
    """All multisets of b compositions that have the answer and need `count` of them; none if they are too many."""
    masks = idle_masks(where, k, answer)
    # An answer that one path gives is given by exactly one.
    fixed: Bundle = (answer,) if count == 1 else ()
    rest = b - len(fixed)
    if comb(len(masks) + rest - 1, rest) > DEALT:
        return ()
    chosen = (fixed + others for others in combinations_with_replacement(masks, rest))
    return tuple(bundle for bundle in chosen if reduce(and_, bundle) == answer and (fixed or needed(bundle) == count))


def _graphs(where: CellSpace, k: int, bundles: Iterable[Bundle]) -> int:
    """Equal compositions may have equal paths, and their order does not matter."""
    return sum(
        prod(comb(where.paths.count(k, mask) + times - 1, times) for mask, times in Counter(bundle).items())
        for bundle in bundles
    )


@cache
def _deciding_bundles(where: CellSpace, masks: tuple[int, ...], answer: int, count: int) -> list[Bundle]:
    """Longer paths have the same compositions from some length on, so that this is computed once for all of them."""
    rng = fast_rng(0, "star", "families", where.calculus.name, where.width, count, answer)
    return deciding_bundles(where.calculus, masks, answer, count, rng)


def _reason(where: CellSpace, k: int, b: int, answer: int, masks: Sequence[int]) -> str:
    label = label_of(where.calculus, answer)
    edges = "one relation" if where.width == 1 else f"up to {where.width} relations"
    each = "" if b == 1 else ", each of them needed"
    useful = sum(mask & answer == answer for mask in masks)
    compared = f"all {len(masks)} compositions of such paths were compared"
    if useful > COMPARED:
        compared = f"none was found among {COMPARED} of the {useful} compositions that allow it"
    return (
        f"no {b} path{'s' * (b > 1)} of {k} non-identity edges with {edges} each have exactly {label} as their "
        f"intersection{each}: {compared}"
    )


@dataclass(frozen=True, slots=True)
class Demand:
    """The rows that a split asks of a cell, and its slice [low, high) of the hashes 0 .. 1 of that cell's graphs."""

    split: str
    cell: PathCell
    rows: int
    low: float
    high: float


@dataclass(frozen=True)
class CellPlan:
    """All demands in the order of the dataset, and what cannot be met, with reasons."""

    demands: tuple[Demand, ...]
    impossible: dict[str, str]
    short: dict[str, str]


@lru_cache(maxsize=8)
def plan(config: StarConfig) -> CellPlan:
    """Give every label of a cell the rows that are asked, and each split its own slice of every cell's graphs.

    Where a label has fewer graphs it gives what it has, or (``scarce: trim``) every label of the cell gives as few.
    """
    where = space_of(config)
    asked: dict[tuple[int, int], dict[str, int]] = {}
    for split in SPLITS:
        for cells in config.split(split).cells:
            for pair in product(cells.k, cells.b):
                rows = asked.setdefault(pair, {})
                rows[split] = rows.get(split, 0) + cells.rows
    demands: list[Demand] = []
    impossible: dict[str, str] = {}
    short: dict[str, str] = {}
    for (k, b), rows in asked.items():
        there = []
        for answer in answers(config):
            cell = where.cell(k, b, answer)
            if cell.deciding:
                there.append(cell)
            else:
                impossible[f"k={k} b={b} {label_of(where.calculus, answer)}"] = cell.reason
        demands += _share(where, there, rows, config.scarce == "trim", short)
    order = {split: i for i, split in enumerate(SPLITS)}
    demands.sort(key=lambda d: order[d.split])
    return CellPlan(tuple(demands), impossible, short)


def _share(
    where: CellSpace, cells: list[PathCell], rows: dict[str, int], trim: bool, short: dict[str, str]
) -> list[Demand]:
    total = sum(rows.values())
    fewest = min((cell.graphs for cell in cells if cell.graphs is not None and cell.dealt), default=None)
    demands = []
    for cell in cells:
        there = fewest if trim else cell.graphs if cell.dealt else None
        low = 0.0
        for split in SPLITS:
            if split not in rows:
                continue
            share = rows[split] / total
            give = rows[split] if there is None else min(rows[split], int(there * share + 1e-9))
            if give:
                demands.append(Demand(split, cell, give, low, low + share))
            if give < rows[split]:
                whose = "a label of this cell has" if trim else "this label has"
                short[f"{split} k={cell.k} b={cell.b} {label_of(where.calculus, cell.answer)}"] = (
                    f"{give} of {rows[split]} rows: {whose} only {there} distinct graphs for all splits"
                )
            low += share
    return demands


# Bundles that decide --------------------------------------------------------------------------------------------------


def one_deciding_bundle(calculus: Calculus, masks: Sequence[int], answer: int, paths: int) -> Bundle | None:
    """A bundle of `paths` of these compositions that gives exactly `answer`, each needed, or None: clingo decides."""
    facts = [f"paths({paths}). relation(0..{calculus.size - 1})."]
    facts += [f"answer({r})." for r in bits(answer)]
    facts += [f"path({i})." + "".join(f" lets({i},{r})." for r in bits(mask)) for i, mask in enumerate(masks)]
    control = engine.grounded("\n".join(facts), files=[resources.kb("star", "cells.lp")])
    with control.solve(yield_=True) as handle:
        for model in handle:
            return tuple(sorted(masks[symbol.arguments[0].number] for symbol in model.symbols(shown=True)))
    return None


def deciding_bundles(
    calculus: Calculus, masks: Sequence[int], answer: int, paths: int, rng: random.Random
) -> list[Bundle]:
    """Bundles of `paths` compositions that give `answer`, each needed, sorted.

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
        if not search.bundles or len(search.bundles) <= LISTED:
            return sorted(search.bundles)
    elif not search.bundles:
        one = one_deciding_bundle(calculus, useful, answer, paths)
        if one is None:
            return []
        search.bundles.add(one)
    for _ in range(LISTED // 4):
        rng.shuffle(search.masks)
        search.run(len(search.bundles) + 4, budget=500)
    return sorted(search.bundles)[:LISTED]


class _Search:
    """Grows bundles mask by mask; `bundles` is kept from run to run."""

    def __init__(self, calculus: Calculus, masks: list[int], answer: int, paths: int) -> None:
        self.calculus = calculus
        self.masks = masks
        self.answer = answer
        self.paths = paths
        self.bundles: set[Bundle] = set()
        self.limit = 0
        self.left = 0

    def run(self, limit: int, budget: int = 20_000) -> bool:
        """Search until `limit` bundles are known; False if the budget of steps ended first."""
        self.limit, self.left = limit, budget
        self._grow(0, (), self.calculus.universal, ())
        return self.left > 0

    def _grow(self, start: int, bundle: Bundle, together: int, private: tuple[int, ...]) -> None:
        if len(bundle) == self.paths:
            if together == self.answer:
                self.bundles.add(tuple(sorted(bundle)))
            return
        for i in range(start, len(self.masks)):
            mask = self.masks[i]
            removed = together & ~mask
            if removed:
                self.left -= 1
                # What each earlier path alone excludes shrinks to what this one lets pass; nothing left: not needed.
                kept = tuple(alone & mask for alone in private)
                if all(kept):
                    self._grow(i + 1, (*bundle, mask), together & mask, (*kept, removed))
            if self.left <= 0 or len(self.bundles) >= self.limit:
                return


def needed(masks: Sequence[int]) -> int:
    """The smallest number of these paths that say as much as all of them."""
    together = reduce(and_, masks)
    smaller = (
        count for count in range(1, len(masks)) for some in combinations(masks, count) if reduce(and_, some) == together
    )
    return next(smaller, len(masks))


def all_needed(masks: Sequence[int], universal: int) -> bool:
    """Whether the others say less without any one of these paths."""
    before = [*accumulate(masks, and_, initial=universal)]
    together, after = before[-1], universal
    for i in range(len(masks) - 1, -1, -1):
        if before[i] & after == together:
            return False
        after &= masks[i]
    return True
