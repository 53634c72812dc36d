"""Graphs as PyTorch Geometric `Data`: a row, its query, a world graph, and the extended graph in which edges are nodes.

>>> row = {"edges": [[0, 1, "R_0_+"], [1, 2, "R_1_+"]], "query": [0, 2, "R_2_+"]}
>>> ids = {"UNK_REL": 0, "R_0_+": 1, "R_1_+": 2, "R_2_+": 3}
>>> graph_data(row, ids).edge_attr.tolist(), query_tensor(row).tolist()
([1, 2], [0, 2])
>>> extended_data(row["edges"], ids).edge_indicator.tolist()
[0, 0, 0, 2, 3]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hornbeam.errors import EngineUnavailable
from hornbeam.graphlog.vocabulary import UNKNOWN

try:
    import torch
    from torch_geometric.data import Data
except ImportError as error:  # pragma: no cover - depends on the machine
    raise EngineUnavailable(
        f"{error.name} is missing: graphs for models need torch and torch_geometric (install hornbeam[neural])"
    ) from None


def label_id(label: Any, ids: Mapping[str, int]) -> int:
    """A label's number; that of the unknown relation for one that is not known."""
    return ids.get(label, ids[UNKNOWN])


def graph_data(row: Mapping[str, Any], ids: Mapping[str, int]) -> Data:
    """A row: nodes by number, directed edges with label numbers, the target as `y`."""
    edges = row["edges"]
    count = 1 + max(node for edge in edges for node in edge[:2])
    return Data(
        x=torch.arange(count).unsqueeze(1),
        edge_index=_pairs([edge[:2] for edge in edges]),
        edge_attr=torch.tensor([label_id(edge[2], ids) for edge in edges], dtype=torch.long),
        y=torch.tensor([label_id(row["query"][2], ids)]),
        num_nodes=count,
    )


def query_tensor(row: Mapping[str, Any]) -> torch.Tensor:
    """The two nodes that a row asks about."""
    return torch.tensor([int(node) for node in row["query"][:2]], dtype=torch.long)


def world_data(edges: Sequence[Sequence[Any]], ids: Mapping[str, int]) -> Data:
    """A world graph as it is: nodes, directed edges, label numbers."""
    numbers = _numbers(edges)
    return Data(
        x=torch.arange(len(numbers)).unsqueeze(1),
        edge_index=_pairs([[numbers[edge[0]], numbers[edge[1]]] for edge in edges]),
        edge_attr=torch.tensor([label_id(edge[2], ids) for edge in edges], dtype=torch.long),
        num_nodes=len(numbers),
    )


def extended_data(edges: Sequence[Sequence[Any]], ids: Mapping[str, int]) -> Data:
    """A graph in which each edge is a node after the others, with a link from its source and one to its sink.

    `edge_indicator` is 0 for a node and the label's number plus 1 for an edge; `edge_mapping` has a row of ones and
    zeros for each label.
    """
    numbers = _numbers(edges)
    nodes, total = len(numbers), len(numbers) + len(edges)
    links: list[list[int]] = []
    for place, (source, sink, _) in enumerate(edges, start=nodes):
        links += [[numbers[source], place], [place, numbers[sink]]]
    labels = torch.tensor([label_id(label, ids) for _, _, label in edges], dtype=torch.long)
    indicator = torch.cat([torch.zeros(nodes, dtype=torch.long), labels + 1])
    mapping = torch.zeros(1, len(ids), total)
    mapping[0, labels, torch.arange(nodes, total)] = 1
    return Data(
        x=torch.arange(total).unsqueeze(1),
        edge_index=_pairs(links),
        edge_indicator=indicator,
        edge_mapping=mapping,
        num_nodes=total,
    )


def _numbers(edges: Sequence[Sequence[Any]]) -> dict[Any, int]:
    numbers: dict[Any, int] = {}
    for source, sink, _ in edges:
        numbers.setdefault(source, len(numbers))
        numbers.setdefault(sink, len(numbers))
    return numbers


def _pairs(pairs: Sequence[Sequence[int]]) -> torch.Tensor:
    return torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).t().contiguous()
