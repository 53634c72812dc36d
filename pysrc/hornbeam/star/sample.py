"""A shard of work becomes certified samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError
from hornbeam.seeds import fast_rng
from hornbeam.star.calculus import Calculus, load_calculus
from hornbeam.star.canonical import canonical_network
from hornbeam.star.cells import Demand, label_of, plan, space_of
from hornbeam.star.certify import BATCH, certify
from hornbeam.star.compat import published
from hornbeam.star.config import StarConfig
from hornbeam.star.dataset import input_of
from hornbeam.star.families import needed
from hornbeam.star.graph import Graph, assemble, path_masks
from hornbeam.star.network import Network
from hornbeam.star.reference import minimal_conflict
from hornbeam.star.sound import graphs
from hornbeam.star.tangled import tangled
from hornbeam.star.witness import witnesses


@dataclass(frozen=True, slots=True)
class Row:
    """A network with the answer that it must have; `masks` are its paths' compositions, for a bundle of paths."""

    network: Network
    answer: int
    masks: tuple[int, ...] | None


def shard_rows(config: StarConfig, seed: int, work: dict[str, Any]) -> Iterator[Row]:
    """The rows of a shard, not yet certified."""
    if work["kind"] == "tangle":
        yield from _tangled_rows(config, seed, work)
    elif config.profile == "compat":
        yield from _compat_rows(config, seed, work)
    else:
        demand = _demand(config, work)
        where = space_of(config)
        chunk = (work["chunk"], work["chunks"])
        made = graphs(where, demand, shape=config.shape, seed=seed, start=work["start"], rows=work["rows"], chunk=chunk)
        for graph in made:
            yield _bundle_row(where.calculus, graph, demand.cell.answer)


def _demand(config: StarConfig, work: dict[str, Any]) -> Demand:
    key = (work["split"], work["k"], work["b"], work["answer"])
    for demand in plan(config).demands:
        if (demand.split, demand.cell.k, demand.cell.b, demand.cell.answer) == key:
            return demand
    raise HornbeamError(f"the plan has no {key}")


def _bundle_row(calculus: Calculus, graph: Graph, answer: int) -> Row:
    return Row(assemble(graph), answer, tuple(path_masks(calculus, graph)))


def _compat_rows(config: StarConfig, seed: int, work: dict[str, Any]) -> Iterator[Row]:
    source = published(config.calculus, seed)
    relation = work["answer"].bit_length() - 1
    for row in range(work["start"], work["start"] + work["rows"]):
        rng = fast_rng(seed, "star", f"{work['split']}-k{work['k']}-b{work['b']}-{work['answer']}", row)
        yield _bundle_row(source.calculus, source.graph(work["k"], work["b"], relation, rng), work["answer"])


def _tangled_rows(config: StarConfig, seed: int, work: dict[str, Any]) -> Iterator[Row]:
    """Rows of all splits share a label's rows by number, so a copy is always later than its first and is redrawn."""
    calculus = load_calculus(config.calculus)
    seen = set()
    nodes, answer = work["nodes"], work["answer"]
    for row in range(work["start"] + work["rows"]):
        rng = fast_rng(seed, "star", f"n{nodes}-{answer}", row)
        while True:
            network = tangled(calculus, nodes, answer, config.width, rng)
            form = canonical_network(calculus, network)
            if form not in seen:
                break
        seen.add(form)
        if row >= work["start"]:
            yield Row(network, answer, None)


def samples(config: StarConfig, seed: int, work: dict[str, Any], rows: Sequence[Row]) -> list[Sample]:
    """The samples of a shard's rows; clingo has confirmed each answer, or this raises."""
    calculus = load_calculus(config.calculus)
    found = certify(calculus, [row.network for row in rows], batch=BATCH)
    for row, answer in zip(rows, found, strict=True):
        if answer != row.answer:
            raise HornbeamError(
                f"{work['name']}: clingo finds {label_of(calculus, answer)} where {label_of(calculus, row.answer)} "
                "was made: this is a fault of the generator"
            )
    shown = witnesses(calculus, [row.network for row in rows]) if config.witness else [None] * len(rows)
    return [
        _sample(calculus, work, work["start"] + number, row, witness)
        for number, (row, witness) in enumerate(zip(rows, shown, strict=True))
    ]


def _sample(calculus: Calculus, work: dict[str, Any], number: int, row: Row, witness: Json) -> Sample:
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


def _proof(calculus: Calculus, row: Row) -> Json:
    """What each path says, or which edges contradict each other, or that closure leaves only the answer."""
    if row.masks is not None:
        return {"paths": [calculus.text(mask) for mask in row.masks], "certified": "clingo"}
    if row.answer == 0:
        return {"conflict": [*minimal_conflict(calculus, row.network)], "certified": "clingo"}
    return {"certified": "clingo"}
