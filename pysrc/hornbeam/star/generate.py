"""Draws the samples: pieces of work become graphs, and graphs become samples that clingo has certified.

Graphs of the sound profile: every path counts, no identity edges, no graph twice, splits disjoint. A cell's graphs are
told apart by a hash of their canonical form. Each split owns a slice of the hash space and each chunk of a large demand
a slice of that, so that no worker needs to know what another one made. Small cells are listed in full and dealt out by
hash. Graphs of the published generator are in compat.py, those of treewidth above 2 in tangles.py.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError
from hornbeam.networks.network import ConstraintNetwork, canonical_form
from hornbeam.seeds import fast_rng
from hornbeam.star.bundles import Graph, assemble, canonical, digest, path_masks
from hornbeam.star.cells import (
    Bundle,
    CellSpace,
    Demand,
    PathCell,
    all_needed,
    answers,
    idle_masks,
    label_of,
    needed,
    plan,
    space,
    space_of,
)
from hornbeam.star.compat import published
from hornbeam.star.config import SPLITS, StarConfig
from hornbeam.star.knowledge import Calculus, load_calculus
from hornbeam.star.proving import certify, minimal_conflict
from hornbeam.star.record import input_of
from hornbeam.star.solving import witnesses
from hornbeam.star.tangles import tangled

# Rows of a shard, about half a second of work; tangles take longer.
ROWS = 1000
_TANGLE_ROWS = 100
_HASHES = 1 << 64
_TRIES = 20_000
_NESTED_TRIES = 24


# Pieces of work -------------------------------------------------------------------------------------------------------


def works(config: StarConfig) -> Iterator[list[dict[str, Any]]]:
    """The pieces of work of each shard."""
    return _grouped([*_cell_works(config), *_tangle_works(config)])


def _cell_works(config: StarConfig) -> Iterator[dict[str, Any]]:
    if config.profile == "compat":
        asked = [
            (split, k, b, answer, cells.rows)
            for split in SPLITS
            for cells in config.split(split).cells
            for k, b, answer in product(cells.k, cells.b, answers(config))
        ]
    else:
        asked = [(one.split, one.cell.k, one.cell.b, one.cell.answer, one.rows) for one in plan(config).demands]
    number = {answer: index for index, answer in enumerate(answers(config))}
    for place, (split, k, b, answer, rows) in enumerate(asked):
        cell = {"kind": "cell", "split": split, "task": f"k{k}_b{b}", "k": k, "b": b, "answer": answer}
        cell |= {"name": f"{split}-k{k}-b{b}-a{number[answer]:02}", "chunks": -(-rows // ROWS), "demand": place}
        for chunk, start in enumerate(range(0, rows, ROWS)):
            yield {**cell, "chunk": chunk, "start": start, "rows": min(ROWS, rows - start)}


def _grouped(works: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Neighbouring small pieces of work of one split and task together make a shard."""
    parts: list[dict[str, Any]] = []
    for work in works:
        same = parts and (parts[0]["split"], parts[0]["task"]) == (work["split"], work["task"])
        if parts and not (same and sum(part["rows"] for part in parts) + work["rows"] <= ROWS):
            yield parts
            parts = []
        parts.append(work)
    if parts:
        yield parts


def _tangle_works(config: StarConfig) -> Iterator[dict[str, Any]]:
    """Pieces of work; the splits take consecutive rows of the same stream, so that no graph is in two of them."""
    taken: Counter[int] = Counter()
    wanted = [(index, answer) for index, answer in enumerate(answers(config)) if _reachable(config, answer)]
    for split in SPLITS:
        for tangle in config.split(split).tangles:
            for nodes in tangle.nodes:
                first, end = taken[nodes], taken[nodes] + tangle.rows
                taken[nodes] = end
                for (index, answer), start in product(wanted, range(first, end, _TANGLE_ROWS)):
                    yield {
                        "kind": "tangle",
                        "name": f"{split}-n{nodes}-a{index:02}",
                        "task": f"n{nodes}",
                        "split": split,
                        "nodes": nodes,
                        "answer": answer,
                        "start": start,
                        "rows": min(_TANGLE_ROWS, end - start),
                    }


def _reachable(config: StarConfig, answer: int) -> bool:
    """Whether paths without identity edges can give this answer at all: then so can a tangle, and else it cannot.

    A distributive calculus' answer is the intersection over all paths, and no more than three are ever needed.
    """
    if answer == 0 or load_calculus(config.calculus).name not in ("rcc8", "allen"):
        return True
    where = space(config.calculus, "all", 1)
    return any(where.cell(k, b, answer).deciding for k in (2, 3) for b in (1, 2, 3))


# Rows -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LabelledNetwork:
    """A network with the answer that it must have; `masks` are its paths' compositions, for a bundle of paths."""

    network: ConstraintNetwork
    answer: int
    masks: tuple[int, ...] | None


def shard_rows(config: StarConfig, seed: int, work: dict[str, Any]) -> Iterator[LabelledNetwork]:
    """The rows of a shard, not yet certified."""
    if work["kind"] == "tangle":
        yield from _tangled_rows(config, seed, work)
    elif config.profile == "compat":
        yield from _compat_rows(config, seed, work)
    else:
        demand = plan(config).demands[work["demand"]]
        where = space_of(config)
        chunk = (work["chunk"], work["chunks"])
        start, rows = work["start"], work["rows"]
        for graph in graphs(where, demand, shape=config.shape, seed=seed, start=start, rows=rows, chunk=chunk):
            yield _bundle_row(where.calculus, graph, demand.cell.answer)


def _bundle_row(calculus: Calculus, graph: Graph, answer: int) -> LabelledNetwork:
    return LabelledNetwork(assemble(graph), answer, tuple(path_masks(calculus, graph)))


def _compat_rows(config: StarConfig, seed: int, work: dict[str, Any]) -> Iterator[LabelledNetwork]:
    source = published(config.calculus, seed)
    relation = work["answer"].bit_length() - 1
    for row in range(work["start"], work["start"] + work["rows"]):
        rng = fast_rng(seed, "star", f"{work['split']}-k{work['k']}-b{work['b']}-{work['answer']}", row)
        yield _bundle_row(source.calculus, source.graph(work["k"], work["b"], relation, rng), work["answer"])


def _tangled_rows(config: StarConfig, seed: int, work: dict[str, Any]) -> Iterator[LabelledNetwork]:
    """Rows of all splits share a label's rows by number, so a copy is always later than its first and is redrawn."""
    calculus = load_calculus(config.calculus)
    seen = set()
    nodes, answer = work["nodes"], work["answer"]
    for row in range(work["start"] + work["rows"]):
        rng = fast_rng(seed, "star", f"n{nodes}-{answer}", row)
        while True:
            network = tangled(calculus, nodes, answer, config.width, rng)
            form = canonical_form(calculus, network)
            if form not in seen:
                break
        seen.add(form)
        if row >= work["start"]:
            yield LabelledNetwork(network, answer, None)


# Graphs of the sound profile ------------------------------------------------------------------------------------------


def graphs(
    where: CellSpace, demand: Demand, *, shape: str, seed: int, start: int, rows: int, chunk: tuple[int, int] = (0, 1)
) -> Iterator[Graph]:
    """Rows `start` .. `start + rows - 1` of a demand; chunk (c, n) is the c-th of n slices of the demand's slice."""
    if demand.cell.dealt:
        yield from _dealt(where, demand, seed)[start : start + rows]
        return
    cell, width = demand.cell, (demand.high - demand.low) / chunk[1]
    low = demand.low + width * chunk[0]
    first, end = int(low * _HASHES), int((low + width) * _HASHES)
    seen: set[int] = set()
    for row in range(start, start + rows):
        rng = fast_rng(seed, "star", f"{demand.split}-k{cell.k}-b{cell.b}-{cell.answer}", row)
        for _ in range(_TRIES):
            graph = draw(where, cell, rng, shape)
            number = digest(graph)
            if first <= number < end and number not in seen:
                break
        else:
            said = f"k={cell.k}, b={cell.b}: no new graph for {demand.split} after {_TRIES} draws; ask for fewer rows"
            raise HornbeamError(said)
        seen.add(number)
        yield graph


def draw(where: CellSpace, cell: PathCell, rng: random.Random, shape: str) -> Graph:
    """A graph of the cell: a bundle of paths, or one with a smaller graph in the place of an edge."""
    if cell.b > 1 and cell.k >= 3 and (shape == "nested" or (shape == "mixed" and cell.k >= 5 and rng.random() < 0.5)):
        for _ in range(_NESTED_TRIES):
            nested = _nested(where, cell, rng)
            if nested is not None:
                return nested
    return _bundle(where, cell, rng)


def _bundle(where: CellSpace, cell: PathCell, rng: random.Random) -> Graph:
    masks = _masks(where, cell, rng)
    rng.shuffle(masks)
    return tuple(where.paths.draw(cell.k, mask, rng) for mask in masks)


def _masks(where: CellSpace, cell: PathCell, rng: random.Random) -> list[int]:
    """Compositions for all b paths."""
    if cell.bundles:
        return [*cell.bundles[rng.randrange(len(cell.bundles))]]
    idle = idle_masks(where, cell.k, cell.answer)
    while True:
        masks = [*cell.deciding[rng.randrange(len(cell.deciding))], *rng.choices(idle, k=cell.idle)]
        if needed(masks) == cell.needed:
            return masks


def _nested(where: CellSpace, cell: PathCell, rng: random.Random) -> Graph | None:
    """Replace an edge of one branch by a smaller graph that says the same; None if a path is then not needed."""
    inner_paths = rng.randint(2, cell.b)
    inner_length = rng.randint(2, cell.k - 1)
    outer = where.cell(cell.k, cell.b - inner_paths + 1, cell.answer)
    if not outer.deciding:
        return None
    masks = _masks(where, outer, rng)
    rng.shuffle(masks)
    length = cell.k - inner_length + 1
    if not where.paths.count(length, masks[0]):
        return None
    branch = where.paths.draw(length, masks[0], rng)
    place = rng.randrange(length)
    inner = where.cell(inner_length, inner_paths, branch[place])
    if not inner.deciding:
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


def _dealt(where: CellSpace, demand: Demand, seed: int) -> list[Graph]:
    """The demand's share of all graphs of a small cell, in an order that the seed decides."""
    cell = demand.cell
    every = {canonical(graph): graph for bundle in cell.bundles for graph in _all_of(where, cell.k, bundle)}
    ordered = sorted(every.values(), key=digest)
    fast_rng(seed, "star", "deal", f"k{cell.k}-b{cell.b}-{cell.answer}").shuffle(ordered)
    low = int(len(ordered) * demand.low + 1e-9)
    return ordered[low : low + demand.rows]


def _all_of(where: CellSpace, k: int, bundle: Bundle) -> Iterator[Graph]:
    """Every graph of these compositions, up to the order of its branches."""
    same = [
        [*combinations_with_replacement(where.paths.all(k, mask), times)] for mask, times in Counter(bundle).items()
    ]
    for chosen in product(*same):
        yield tuple(path for paths in chosen for path in paths)


# Samples --------------------------------------------------------------------------------------------------------------


def samples(config: StarConfig, seed: int, work: dict[str, Any], rows: Sequence[LabelledNetwork]) -> list[Sample]:
    """The samples of a shard's rows; clingo has confirmed each answer, or this raises."""
    calculus = load_calculus(config.calculus)
    possible = certify(calculus, [row.network for row in rows])
    for row, answer in zip(rows, possible, strict=True):
        if answer != row.answer:
            raise HornbeamError(
                f"{work['name']}: clingo finds {label_of(calculus, answer)} where {label_of(calculus, row.answer)} "
                "was generated: this is a bug of the generator"
            )
    shown = witnesses(calculus, [row.network for row in rows]) if config.witness else [None] * len(rows)
    return [
        _sample(calculus, work, work["start"] + number, row, witness)
        for number, (row, witness) in enumerate(zip(rows, shown, strict=True))
    ]


def _sample(calculus: Calculus, work: dict[str, Any], number: int, row: LabelledNetwork, witness: Json) -> Sample:
    network = row.network
    symbolic: dict[str, Json] = {"calculus": calculus.name}
    if row.masks is None:
        symbolic |= {"nodes": network.nodes, "treewidth": "above 2"}
    else:
        symbolic |= {"k": work["k"], "b": work["b"], "paths": len(row.masks)}
        if len(row.masks) <= 8:
            symbolic["needed"] = needed(row.masks)
    if witness is not None:
        symbolic["witness"] = witness
    return Sample(
        id=f"{work['name']}-{number:06}",
        task=work["task"],
        split=work["split"],
        label=label_of(calculus, row.answer),
        input=input_of(calculus, network),
        symbolic=symbolic,
        proof=_proof(calculus, row),
    )


def _proof(calculus: Calculus, row: LabelledNetwork) -> Json:
    """What each path says, or which edges contradict each other, or that closure leaves only the answer."""
    if row.masks is not None:
        return {"paths": [calculus.text(mask) for mask in row.masks], "certified": "clingo"}
    if row.answer == 0:
        return {"conflict": [*minimal_conflict(calculus, row.network)], "certified": "clingo"}
    return {"certified": "clingo"}
