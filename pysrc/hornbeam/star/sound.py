"""Graphs of the sound profile: every path counts, no identity edges, no graph twice, splits disjoint.

A cell's graphs are told apart by a hash of their canonical form. Each split owns a slice of the hash space and each
chunk of a large demand a slice of that, so that no worker needs to know what another one made. Small cells are
listed in full and dealt out by hash.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from hornbeam.errors import HornbeamError
from hornbeam.seeds import fast_rng
from hornbeam.star.cells import Cell, Demand, Space, idle_masks
from hornbeam.star.families import Family, all_needed, needed
from hornbeam.star.graph import Graph, canonical, digest, path_masks

_HASHES = 1 << 64
_TRIES = 20_000
_NESTED_TRIES = 24


def graphs(
    where: Space, demand: Demand, *, shape: str, seed: int, start: int, rows: int, chunk: tuple[int, int] = (0, 1)
) -> Iterator[Graph]:
    """Rows `start` .. `start + rows - 1` of a demand; chunk (c, n) is the c-th of n slices of the demand's slice."""
    if demand.cell.dealt:
        yield from _dealt(where, demand, seed)[start : start + rows]
        return
    width = (demand.high - demand.low) / chunk[1]
    low = demand.low + width * chunk[0]
    slice_ = (int(low * _HASHES), int((low + width) * _HASHES))
    seen: set[int] = set()
    for row in range(start, start + rows):
        yield _one(where, demand, shape, seed, row, slice_, seen)


def _one(
    where: Space, demand: Demand, shape: str, seed: int, row: int, slice_: tuple[int, int], seen: set[int]
) -> Graph:
    cell = demand.cell
    rng = fast_rng(seed, "star", f"{demand.split}-k{cell.k}-b{cell.b}-{cell.answer}", row)
    for _ in range(_TRIES):
        graph = draw(where, cell, rng, shape)
        number = digest(graph)
        if slice_[0] <= number < slice_[1] and number not in seen:
            seen.add(number)
            return graph
    raise HornbeamError(
        f"k={cell.k}, b={cell.b}: no new graph for {demand.split} after {_TRIES} draws; ask for fewer rows"
    )


def draw(where: Space, cell: Cell, rng: random.Random, shape: str) -> Graph:
    """A graph of the cell: a bundle of paths, or one with a smaller graph in the place of an edge."""
    if cell.b > 1 and cell.k >= 3 and (shape == "nested" or (shape == "mixed" and cell.k >= 5 and rng.random() < 0.5)):
        for _ in range(_NESTED_TRIES):
            nested = _nested(where, cell, rng)
            if nested is not None:
                return nested
    return _bundle(where, cell, rng)


def _bundle(where: Space, cell: Cell, rng: random.Random) -> Graph:
    masks = _masks(where, cell, rng)
    rng.shuffle(masks)
    return tuple(where.paths.draw(cell.k, mask, rng) for mask in masks)


def _masks(where: Space, cell: Cell, rng: random.Random) -> list[int]:
    """Compositions for all b paths."""
    if cell.bundles:
        return [*cell.bundles[rng.randrange(len(cell.bundles))]]
    idle = idle_masks(where, cell.k, cell.answer)
    while True:
        masks = [*cell.families[rng.randrange(len(cell.families))], *rng.choices(idle, k=cell.idle)]
        if needed(masks) == cell.needed:
            return masks


def _nested(where: Space, cell: Cell, rng: random.Random) -> Graph | None:
    """Replace an edge of one branch by a smaller graph that says the same; None if a path is then not needed."""
    inner_paths = rng.randint(2, cell.b)
    inner_length = rng.randint(2, cell.k - 1)
    outer = where.cell(cell.k, cell.b - inner_paths + 1, cell.answer)
    if not outer.families:
        return None
    masks = _masks(where, outer, rng)
    rng.shuffle(masks)
    length = cell.k - inner_length + 1
    if not where.paths.count(length, masks[0]):
        return None
    branch = where.paths.draw(length, masks[0], rng)
    place = rng.randrange(length)
    inner = where.cell(inner_length, inner_paths, branch[place])
    if not inner.families:
        return None
    part = _bundle(where, inner, rng)
    graph: Graph = (
        (*branch[:place], part, *branch[place + 1 :]),
        *(where.paths.draw(cell.k, mask, rng) for mask in masks[1:]),
    )
    said = path_masks(where.calculus, graph)
    if cell.idle == 0:
        return graph if all_needed(said, where.calculus.universal) else None
    return graph if needed(said) == cell.needed else None


def _dealt(where: Space, demand: Demand, seed: int) -> list[Graph]:
    """The demand's share of all graphs of a small cell, in an order that the seed decides."""
    cell = demand.cell
    every = {canonical(graph): graph for bundle in cell.bundles for graph in _all_of(where, cell.k, bundle)}
    ordered = sorted(every.values(), key=digest)
    fast_rng(seed, "star", "deal", f"k{cell.k}-b{cell.b}-{cell.answer}").shuffle(ordered)
    low = int(len(ordered) * demand.low + 1e-9)
    return ordered[low : low + demand.rows]


def _all_of(where: Space, k: int, bundle: Family) -> Iterator[Graph]:
    """Every graph of these compositions, up to the order of its branches."""
    same = [
        [*combinations_with_replacement(where.paths.all(k, mask), times)] for mask, times in Counter(bundle).items()
    ]
    for chosen in product(*same):
        yield tuple(path for paths in chosen for path in paths)
