"""The helpers that code written for the `graphlog` package imports: figures of a world's rows, networkx graphs, rules.

A world here is a mapping from split to rows, each row as it stands in the JSON lines.

>>> row = {"edges": [[0, 1, "R_0_+"], [1, 2, "R_1_+"]], "query": [0, 2, "R_2_+"], "resolution_path": [0, 1, 2]}
>>> get_rel_pattern(row), get_descriptors({"train": [row, row]}), get_num_nodes_edges({"train": [row]})
('R_0_+,R_1_+', ['R_0_+,R_1_+'], (3.0, 2.0))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from hornbeam.graphlog.records import Read

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def _all(world: Rows) -> Iterable[Mapping[str, Any]]:
    return (row for rows in world.values() for row in rows)


def get_rel_pattern(row: Mapping[str, Any]) -> str:
    """The descriptor of a row: the labels along its resolution path."""
    labels = {(source, sink): label for source, sink, label in row["edges"]}
    path = row["resolution_path"]
    return ",".join(labels[pair] for pair in pairwise(path))


def get_descriptors(world: Rows) -> list[str]:
    """The different descriptors of a world's rows, sorted."""
    return sorted({get_rel_pattern(row) for row in _all(world)})


def get_class(world: Rows) -> set[str]:
    """The labels of a world's targets."""
    return {row["query"][2] for row in _all(world)}


def get_avg_resolution_length(world: Rows) -> float:
    """The mean number of edges of the resolution paths."""
    return fmean(len(row["resolution_path"]) - 1 for row in _all(world))


def get_num_nodes_edges(world: Rows) -> tuple[float, float]:
    """The mean numbers of nodes and edges of the graphs."""
    nodes = fmean(len({node for edge in row["edges"] for node in edge[:2]}) for row in _all(world))
    return round(nodes, 3), round(fmean(len(row["edges"]) for row in _all(world)), 3)


def get_rule_key(rules: Iterable[Mapping[str, Any]]) -> list[str]:
    """The binary rules as text, e.g. ``R_0_+,R_1_+:R_2_+``."""
    return [f"{','.join(rule['body'])}:{rule['head']}" for rule in rules if not isinstance(rule["body"], str)]


def load_single_networkx_graph(row: Mapping[str, Any]) -> tuple[Any, dict[int, int]]:
    """A row as a directed graph, with `rel` and `in_resolution` on its edges; and each node's number."""
    import networkx  # type: ignore[import-untyped]

    path = row["resolution_path"]
    steps = set(pairwise(path))
    graph = networkx.DiGraph()
    nodes: dict[int, int] = {}
    for source, sink, label in row["edges"]:
        for node in (source, sink):
            nodes.setdefault(node, len(nodes))
        graph.add_edge(source, sink, rel=label, in_resolution=(source, sink) in steps)
    return graph, nodes


def load_networkx_graphs(
    rows: Iterable[Mapping[str, Any]],
) -> tuple[list[Any], list[tuple[int, int]]]:
    """Rows as directed graphs, and the two nodes that each asks about."""
    known = list(rows)
    return (
        [load_single_networkx_graph(row)[0] for row in known],
        [(row["query"][0], row["query"][1]) for row in known],
    )


def to_read(row: Mapping[str, Any]) -> Read:
    """A row of the JSON lines as the content of a sample."""
    source, sink, label = row["query"]
    chain = get_rel_pattern(row)
    proof = {"path": row["resolution_path"], "descriptor": chain, "derivable": "unique"}
    return Read(row["edges"], source, sink, label, tuple(row["resolution_path"]), tuple(chain.split(",")), proof)
