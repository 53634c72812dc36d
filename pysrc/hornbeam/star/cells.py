"""The plan of the sound profile: which (k, b, label) exist, how many graphs each has, and why others do not exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import combinations_with_replacement
from math import comb, prod
from operator import and_

from hornbeam.seeds import fast_rng
from hornbeam.star.calculus import Calculus, load_calculus
from hornbeam.star.config import SPLITS, StarConfig
from hornbeam.star.families import COMPARED, Family, families
from hornbeam.star.families import needed as needed_paths
from hornbeam.star.paths import PathSpace, atomic_labels, wide_labels

INCONSISTENT = "inconsistent"
# Beyond this many distinct graphs a cell is drawn at random; up to it, all are listed and dealt out.
DEALT = 5_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One answer at one k and b: what its paths can be, and how many of the b are needed.

    `families` are the compositions of the needed paths; `bundles` those of all b, where they could be listed, and then
    `graphs` is the exact number of distinct bundles of paths. `reason` says why there is none.
    """

    k: int
    b: int
    answer: int  # mask; 0 stands for inconsistent
    families: tuple[Family, ...] = ()
    needed: int = 0
    bundles: tuple[Family, ...] = ()
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
class Space:
    """The paths and cells of a configuration; cells are worked out once in a process."""

    calculus: Calculus
    paths: PathSpace
    needed: str
    width: int

    def cell(self, k: int, b: int, answer: int) -> Cell:
        return _cell(self, k, b, answer)

    def __hash__(self) -> int:
        return hash((self.calculus.name, self.calculus.cells, self.needed, self.width))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and (self.calculus, self.needed, self.width) == (
            other.calculus,
            other.needed,
            other.width,
        )


@cache
def space(calculus: str, needed: str, width: int) -> Space:
    table = load_calculus(calculus)
    alphabet = atomic_labels(table) if width == 1 else wide_labels(table, width)
    return Space(table, PathSpace(table, alphabet), needed, width)


def space_of(config: StarConfig) -> Space:
    return space(config.calculus, config.needed, config.width)


def answers(config: StarConfig) -> list[int]:
    """The answers that are asked for, in order."""
    calculus = load_calculus(config.calculus)
    if config.answers == "sets":
        wanted = [m for m in calculus.closed_relations() if m & (m - 1) and m != calculus.universal]
    else:
        wanted = [1 << r for r in range(calculus.size)]
    return [*wanted, 0] if config.inconsistent else wanted


def label_of(calculus: Calculus, answer: int) -> str:
    return calculus.text(answer) if answer else INCONSISTENT


@cache
def _cell(where: Space, k: int, b: int, answer: int) -> Cell:
    calculus = where.calculus
    masks = [mask for mask in where.paths.masks(k) if mask != answer or b == 1 or where.needed == "most"]
    most = b if where.needed == "all" else min(b, calculus.size)
    least = b if where.needed == "all" else 1
    for count in range(most, least - 1, -1):
        found = _families(where, tuple(masks), answer, count)
        if found:
            bundles = tuple(found) if count == b else _bundles(where, k, b, answer, count)
            return Cell(k, b, answer, tuple(found), count, bundles, _graphs(where, k, bundles) if bundles else None)
    return Cell(k, b, answer, reason=_reason(where, k, b, answer, masks))


def idle_masks(where: Space, k: int, answer: int) -> list[int]:
    """Compositions for paths that are not needed: true, not the whole answer, and saying something if any does."""
    masks = [m for m in where.paths.masks(k) if m & answer == answer and m not in (0, answer)]
    return [m for m in masks if m != where.calculus.universal] or masks


def _bundles(where: Space, k: int, b: int, answer: int, count: int) -> tuple[Family, ...]:
    """All multisets of b compositions that have the answer and need `count` of them; none if they are too many."""
    masks = idle_masks(where, k, answer)
    # An answer that one path gives is given by exactly one.
    fixed: Family = (answer,) if count == 1 else ()
    rest = b - len(fixed)
    if comb(len(masks) + rest - 1, rest) > DEALT:
        return ()
    chosen = (fixed + others for others in combinations_with_replacement(masks, rest))
    return tuple(
        bundle for bundle in chosen if reduce(and_, bundle) == answer and (fixed or needed_paths(bundle) == count)
    )


def _graphs(where: Space, k: int, bundles: Iterable[Family]) -> int:
    """Equal compositions may have equal paths, and their order does not matter."""
    return sum(
        prod(comb(where.paths.count(k, mask) + times - 1, times) for mask, times in Counter(bundle).items())
        for bundle in bundles
    )


@cache
def _families(where: Space, masks: tuple[int, ...], answer: int, count: int) -> list[Family]:
    """Longer paths have the same compositions from some length on, so that this is worked out once for all of them."""
    rng = fast_rng(0, "star", "families", where.calculus.name, where.width, count, answer)
    return families(where.calculus, masks, answer, count, rng)


def _reason(where: Space, k: int, b: int, answer: int, masks: Sequence[int]) -> str:
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
    cell: Cell
    rows: int
    low: float
    high: float


@dataclass(frozen=True)
class Plan:
    """All demands in the order of the dataset, and what cannot be met, with reasons."""

    demands: tuple[Demand, ...]
    impossible: dict[str, str]
    short: dict[str, str]


@lru_cache(maxsize=8)
def plan(config: StarConfig) -> Plan:
    """Give every label of a cell the rows that are asked, and each split its own slice of every cell's graphs.

    Where a label has fewer graphs it gives what it has, or (``scarce: trim``) every label of the cell gives as few.
    """
    where = space_of(config)
    asked: dict[tuple[int, int], dict[str, int]] = {}
    for split in SPLITS:
        for cells in config.split(split).cells:
            for k in cells.k:
                for b in cells.b:
                    rows = asked.setdefault((k, b), {})
                    rows[split] = rows.get(split, 0) + cells.rows
    demands: list[Demand] = []
    impossible: dict[str, str] = {}
    short: dict[str, str] = {}
    for (k, b), rows in asked.items():
        there = []
        for answer in answers(config):
            cell = where.cell(k, b, answer)
            if cell.families:
                there.append(cell)
            else:
                impossible[f"k={k} b={b} {label_of(where.calculus, answer)}"] = cell.reason
        demands += _share(where, there, rows, config.scarce == "trim", short)
    order = {split: i for i, split in enumerate(SPLITS)}
    demands.sort(key=lambda d: order[d.split])
    return Plan(tuple(demands), impossible, short)


def _share(where: Space, cells: list[Cell], rows: dict[str, int], trim: bool, short: dict[str, str]) -> list[Demand]:
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
