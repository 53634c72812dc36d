"""The files of the original's format: rows, configuration, world graph, generator's state, label2id, meta.json."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from hornbeam.data.sample import Sample
from hornbeam.data.shape import read_json
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.descriptors import PathBook, SplitBook, to_json
from hornbeam.graphlog.figures import LEVELS
from hornbeam.graphlog.knowledge import GraphWorld, is_backward, label_ids
from hornbeam.graphlog.world import WorldGraph

FOLDER = "original"
KEYS = {"v1.0": "graphlog_v1.0", "v1.1": "graphlog_v1.1"}


def world_folder(config: Config, world: str, split: str) -> str:
    """Where the files of a world are."""
    return f"{FOLDER}/{config.folder}/{split}/{world}"


def world_number(name: str) -> int:
    """The number at the end of a world's name; 0 if there is none."""
    digits = re.search(r"(\d+)$", name)
    return int(digits[1]) if digits else 0


def row_line(sample: Sample, row_format: str, rules: Sequence[str]) -> str:
    """A row as a line of JSON; `rules` are the world's bodies by number."""
    content: Any = sample.input
    proof: Any = sample.proof
    source, sink = content["query"]
    row = {
        "edges": [[u, v, label] for u, label, v in content["edges"]],
        "query": [source, sink, sample.label],
        "rules": [],
        "resolution_path": proof["path"],
    }
    if row_format == "v1.1":
        used = proof.get("rules", [])
        row |= {
            "target": sample.label,
            "descriptor": proof["descriptor"],
            "rules_used": [rules[number] for number in used],
            "rules_used_pos": list(range(len(used))),
        }
    return json.dumps(row) + "\n"


def row_files(config: Config, folder: str, world: GraphWorld, samples: Iterable[Sample]) -> dict[str, bytes]:
    """train.jsonl, valid.jsonl and test.jsonl of a world."""
    bodies = [",".join(rule.body) for rule in world.rules]
    lines: dict[str, list[str]] = {"train": [], "valid": [], "test": []}
    for sample in samples:
        lines[sample.split].append(row_line(sample, config.row_format, bodies))
    return {f"{folder}/{split}.jsonl": "".join(texts).encode() for split, texts in lines.items()}


def config_file(config: Config, world: GraphWorld) -> dict[str, Any]:
    """config.json: the generator's settings under the original's names, and the rules."""
    rows = config.rows
    unary = [{"body": label, "head": inverse, "p": 1.0} for label, inverse in world.inverses if not is_backward(label)]
    binary = [{"body": list(rule.body), "head": rule.head, "p": 1.0} for rule in world.rules]
    return {
        "num_rel": len(world.inverses) // 2 or config.relations,
        "per_inverse": config.invertible,
        "policy": "overlap",
        "expand_steps": config.growth.expansions[1] + 1,
        "gen_graph_cyles": config.growth.cycles,
        "world_graph_expand_steps": config.length.max,
        "num_train_rows": rows.train,
        "num_valid_rows": rows.valid,
        "num_test_rows": rows.test,
        "num_worlds": config.world_count,
        "profile": config.profile,
        "inverses": world.backwards,
        "rules": unary + binary,
    }


def meta_graph(edges: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """meta_graph.jsonl: the world graph as a row without a query."""
    return {"edges": [list(edge) for edge in edges], "query": [0, 0, 0], "rules": [], "resolution_path": []}


class _MetaGraph(msgspec.Struct):
    """What of meta_graph.jsonl is read: edges as [source, sink, label]."""

    edges: list[tuple[int | str, int | str, str]]


def world_graph(dataset: Path, world: str) -> list[tuple[Hashable, str, Hashable]] | None:
    """The edges of a world's graph in a dataset; None for a world that was published without."""
    files = sorted((dataset / FOLDER).glob(f"*/*/{world}/meta_graph.jsonl"))
    if not files:
        return None
    stored: _MetaGraph = read_json(files[0], _MetaGraph)
    return [(source, label, sink) for source, sink, label in stored.edges]


def properties(world: GraphWorld, graph: WorldGraph, paths: PathBook, splits: SplitBook) -> dict[str, Any]:
    """graph_prop.json: the state of the generator."""
    by_class = to_json(splits)
    classes = dict.fromkeys(label for split in by_class.values() for label in split)
    edges: list[list[Any]] = [[*pair, label] for pair, label in graph.edges.items()]
    by_label: dict[str, list[list[Any]]] = {}
    for source, sink, label in edges:
        by_label.setdefault(label, []).append([source, sink])
    return {
        "id": world.name,
        "graph": {f"{source}:{sink}": label for source, sink, label in edges},
        "forward_edges": [edge for edge in edges if not is_backward(edge[2])],
        "backward_edges": [edge for edge in edges if is_backward(edge[2])],
        "path_dict": {
            label: {",".join(chain): [list(path) for path in group] for chain, group in chains.items()}
            for label, chains in paths.items()
        },
        "descriptor_splits": {
            label: {split: by_class[split].get(label, []) for split in by_class} for label in classes
        },
        "rules": {":".join(rule.body): rule.head for rule in world.rules},
        "unit_rules": dict(world.inverses),
        "rule_uses": {":".join(rule.body): count for rule, count in graph.uses.items()},
        "done_nodes": list(graph.touched),
        "pos_predicates": [label for label in world.labels if not is_backward(label)],
        "neg_predicates": [label for label in world.labels if is_backward(label)],
        "t2e": by_label,
    }


def label_file(config: Config) -> str:
    return f"{FOLDER}/{config.folder}/train/label2id.json"


def label_numbers(worlds: Sequence[GraphWorld]) -> dict[str, int]:
    return label_ids(label for world in worlds for label in world.labels)


def meta_file(config: Config, difficulty: Mapping[str, str]) -> dict[str, bytes]:
    """meta.json: where the data is, and which worlds are easy, moderate and hard, by number."""
    numbered = [name for name in difficulty if name[-1:].isdecimal()]
    levels = {level: sorted(world_number(name) for name in numbered if difficulty[name] == level) for level in LEVELS}
    entry = {
        "name": KEYS[config.row_format],
        "description": f"made by Hornbeam, profile {config.profile}",
        "url": "",
        "md5hash": "",
        "data_filename": config.folder,
        "difficulty": levels,
    }
    return {f"{FOLDER}/meta.json": dump({KEYS[config.row_format]: entry})}


def dump(value: Any) -> bytes:
    return (json.dumps(value) + "\n").encode()
