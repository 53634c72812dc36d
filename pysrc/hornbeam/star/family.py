"""The family `star`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, FamilyPackage, PrologSide, Shard
from hornbeam.logic import quote
from hornbeam.logic.terms import Compound, Var
from hornbeam.star.calculus import load_calculus
from hornbeam.star.cells import answers, label_of, plan
from hornbeam.star.config import SPLITS, StarConfig
from hornbeam.star.original import csv_lines
from hornbeam.star.proving import prolog_texts, prove
from hornbeam.star.tangles import tangle_works
from hornbeam.tasks import network_files

# Rows of a shard: about half a second of work.
ROWS = 1000

QUERIES = (
    ("sample(Id, Task, Split, Label, query(S, T))", "a sample"),
    ("edge(Id, U, V, Relations)", "its edges, each with the relations that can hold"),
    ("path_relations(Id, Path, Relations)", "what each path says by itself"),
    ("intersection(Id, Relations)", "what all paths say together"),
    ("answer(Id, Label)", "the label that follows from the network"),
    ("needed_edges(Id, Edges)", "a minimal set of edges from which it follows"),
    ("explain_truth(Id)", "the same in words"),
    ("composition('EC', 'TPPI', Rs)", "the composition table"),
)


class Star(FamilyPackage):
    """STaR: spatial and temporal relations of two nodes of a network."""

    name = "star"
    title = "STaR"
    paper = "Khalid and Schockaert (2024), STaR: Benchmarking Spatio-Temporal Reasoning for Systematic Generalization"
    config_type = StarConfig
    question = "What is known of some regions, or of some spans of time: how do two of them relate?"
    demo_presets = ("rcc8-small", "interval-small")
    learning_views = ("networks", "examples")
    proof_files = ("theory.pl", "background.pl")

    def plan(self, config: StarConfig, seed: int) -> Sequence[Shard]:
        works = _compat_works(config) if config.profile == "compat" else _sound_works(config)
        grouped = list(_grouped([*works, *tangle_works(config)]))
        return [
            Shard(index, parts[0]["name"], {"parts": parts, "first": index == 0}) for index, parts in enumerate(grouped)
        ]

    def make(self, config: StarConfig, seed: int, shard: Shard) -> Batch:
        from hornbeam.star.sample import samples, shard_rows

        batch = Batch()
        for work in shard.work["parts"]:
            rows = list(shard_rows(config, seed, work))
            batch.samples += samples(config, seed, work, rows)
        proven = prove(config.calculus, batch.samples)
        batch.report = {"certified": len(batch.samples), "proven": proven, "confirmed": len(batch.samples)}
        if shard.work["first"]:
            batch.files["cells.json"] = _cells_file(config)
        return batch

    def prolog_side(self, config: StarConfig) -> PrologSide:
        background, theory = prolog_texts(config.calculus)
        first = load_calculus(config.calculus).relations[:2]
        table = f"composition({quote(first[0])}, {quote(first[-1])}, Relations)"
        queries = (*QUERIES[:-1], (table, QUERIES[-1][1]))
        return PrologSide(theory, background, queries, _network_modules(config), network_files.INCLUDED)

    def facts(self, sample: Sample) -> str:
        given: Any = sample.input
        source, sink = given["query"]
        name = quote(sample.id)
        task, label = quote(sample.task), quote(str(sample.label))
        lines = [f"sample({name}, {task}, {sample.split}, {label}, query({source}, {sink})).\n"]
        for u, label, v in given["edges"]:
            relations = ", ".join(quote(part) for part in label.split("|"))
            lines.append(f"edge({name}, {u}, {v}, [{relations}]).\n")
        return "".join(lines)

    def fact_predicates(self) -> Sequence[str]:
        return ("sample/5", "edge/4")

    def original_files(self, config: StarConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        return csv_lines(load_calculus(config.calculus).name, samples)

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """Its steps k and branches b; of a tangle its nodes."""
        from hornbeam.star.learning import network

        return network(sample).group

    def learning_tasks(self, dataset: Dataset) -> Sequence[str | None]:
        return (None,)


def _network_modules(config: StarConfig) -> dict[str, str]:
    calculus = load_calculus(config.calculus)
    labels = [label_of(calculus, answer) for answer in answers(config)]
    edges = [names for size in range(1, config.width + 1) for names in combinations(calculus.relations, size)]
    own = resources.prolog("star", "network.pl").read_text(encoding="utf-8")
    relations = network_files.relations_file(dict.fromkeys(labels), edges, edge_goal)
    return {**network_files.modules(), "network.pl": own, "relations.pl": relations}


def edge_goal(network: Var, source: Var, relations: Sequence[str], target: Var) -> Compound:
    """What the predicate of an edge means: the network has it."""
    return Compound("edge", (network, source, target, list(relations)))


def _sound_works(config: StarConfig) -> Iterator[dict[str, Any]]:
    for demand in plan(config).demands:
        cell = demand.cell
        chunks = -(-demand.rows // ROWS)
        for chunk in range(chunks):
            start = chunk * ROWS
            rows = min(ROWS, demand.rows - start)
            yield _work(config, demand.split, cell.k, cell.b, cell.answer, start, rows, chunk, chunks)


def _compat_works(config: StarConfig) -> Iterator[dict[str, Any]]:
    for split in SPLITS:
        for cells in config.split(split).cells:
            for k in cells.k:
                for b in cells.b:
                    for answer in answers(config):
                        for chunk, start in enumerate(range(0, cells.rows, ROWS)):
                            rows = min(ROWS, cells.rows - start)
                            yield _work(config, split, k, b, answer, start, rows, chunk, -(-cells.rows // ROWS))


def _work(
    config: StarConfig, split: str, k: int, b: int, answer: int, start: int, rows: int, chunk: int, chunks: int
) -> dict[str, Any]:
    return {
        "kind": "cell",
        "name": f"{split}-k{k}-b{b}-a{answers(config).index(answer):02}",
        "task": f"k{k}_b{b}",
        "split": split,
        "k": k,
        "b": b,
        "answer": answer,
        "start": start,
        "rows": rows,
        "chunk": chunk,
        "chunks": chunks,
    }


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


def _cells_file(config: StarConfig) -> bytes:
    """What the dataset does not hold, and why."""
    if config.profile == "compat":
        content: dict[str, Json] = {"profile": "compat", "impossible": {}, "short": {}}
    else:
        made = plan(config)
        calculus = load_calculus(config.calculus)
        content = {
            "profile": "sound",
            "needed": {
                f"k={d.cell.k} b={d.cell.b} {label_of(calculus, d.cell.answer)}": d.cell.needed for d in made.demands
            },
            "impossible": dict(made.impossible),
            "short": dict(made.short),
        }
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


FAMILY = Star
