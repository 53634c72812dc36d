"""A world for models: `GraphLogDataset` of the old package, with an immutable view of each split.

Graphs are PyTorch Geometric `Data`: a row, a world graph, and the extended graph in which edges are nodes, too.

>>> row = {"edges": [[0, 1, "R_0_+"], [1, 2, "R_1_+"]], "query": [0, 2, "R_2_+"]}
>>> ids = {"UNK_REL": 0, "R_0_+": 1, "R_1_+": 2, "R_2_+": 3}
>>> graph_data(row, ids).edge_attr.tolist(), query_tensor(row).tolist()
([1, 2], [0, 2])
>>> extended_data(row["edges"], ids).edge_indicator.tolist()
[0, 0, 0, 2, 3]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypedDict

from hornbeam.data.shape import as_kind, read_json, read_json_lines
from hornbeam.errors import EngineUnavailable, unknown_name
from hornbeam.graphlog.knowledge import UNKNOWN

try:
    import torch
    from torch_geometric.data import Batch, Data
except ImportError as error:  # pragma: no cover - depends on the machine
    raise EngineUnavailable(
        f"{error.name} is missing: graphs for models need torch and torch_geometric (install hornbeam[neural])"
    ) from None


MODES = ("train", "valid", "test")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GraphRow:
    """A row: its graph, the two nodes asked about, the target's number, the world's extended graph, and the JSON."""

    graph: Data
    query: torch.Tensor
    label: int
    world_graph: Data | None
    edge_graph: Data
    json_graph: Mapping[str, Any]


class SplitView(torch.utils.data.Dataset):  # type: ignore[type-arg]
    """The rows of one split. It never changes: loaders of different splits do not disturb each other."""

    def __init__(self, rows: Sequence[Json], ids: Mapping[str, int], world_graph: Data | None, mode: str) -> None:
        self._rows = tuple(rows)
        self._ids = ids
        self._world_graph = world_graph
        self.mode = mode

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> GraphRow:
        row = self._rows[index]
        return GraphRow(
            graph=graph_data(row, self._ids),
            query=query_tensor(row),
            label=label_id(row["query"][2], self._ids),
            world_graph=self._world_graph,
            edge_graph=extended_data(row["edges"], self._ids),
            json_graph=MappingProxyType(row),
        )


class GraphLogDataset(torch.utils.data.Dataset):  # type: ignore[type-arg]
    """A world: its rows in the three splits, its world graph, its rules.

    `view(mode)` gives the rows of a split. Indexing the dataset itself follows `set_data_mode`; loaders do not.
    """

    def __init__(
        self, data_loc: str | Path, world_id: str, label2id: Mapping[str, int], data_mode: str = "train"
    ) -> None:
        self.data_loc = Path(data_loc)
        self.world_id = world_id
        self.label2id = dict(label2id)
        self.data_mode = _mode(data_mode)
        self.rule_world_config: Json = read_json(self.data_loc / "config.json", Json)
        self.json_graphs: dict[str, list[Json]] = {mode: _rows(self.data_loc / f"{mode}.jsonl") for mode in MODES}
        self._views: dict[str, SplitView] = {}

    def view(self, mode: str) -> SplitView:
        """The rows of a split."""
        if _mode(mode) not in self._views:
            self._views[mode] = SplitView(self.json_graphs[mode], self.label2id, self.world_graph, mode)
        return self._views[mode]

    def set_data_mode(self, mode: str = "train") -> None:
        """Choose the split that indexing the dataset itself reads."""
        self.data_mode = _mode(mode)

    def __len__(self) -> int:
        return len(self.json_graphs[self.data_mode])

    def __getitem__(self, index: int) -> GraphRow:
        return self.view(self.data_mode)[index]

    @cached_property
    def json_meta_graph(self) -> Json | None:
        """The world graph as JSON; None for a world that was published without."""
        path = self.data_loc / "meta_graph.jsonl"
        return _rows(path)[0] if path.is_file() else None

    @cached_property
    def world_graph(self) -> Data | None:
        """The extended world graph: edges are nodes, too."""
        row = self.json_meta_graph
        return None if row is None else extended_data(row["edges"], self.label2id)

    @cached_property
    def plain_world_graph(self) -> Data | None:
        """The world graph with edges as edges."""
        row = self.json_meta_graph
        return None if row is None else world_data(row["edges"], self.label2id)

    @cached_property
    def graphs(self) -> dict[str, list[Data]]:
        return {mode: [graph_data(row, self.label2id) for row in rows] for mode, rows in self.json_graphs.items()}

    @cached_property
    def queries(self) -> dict[str, list[tuple[int, int]]]:
        return {mode: [tuple(row["query"][:2]) for row in rows] for mode, rows in self.json_graphs.items()}

    @cached_property
    def labels(self) -> dict[str, list[int]]:
        return {
            mode: [label_id(row["query"][2], self.label2id) for row in rows] for mode, rows in self.json_graphs.items()
        }

    @property
    def label_set(self) -> set[str]:
        """The labels of the targets."""
        return {row["query"][2] for rows in self.json_graphs.values() for row in rows}

    def get_label2id(self, label: str) -> int:
        return label_id(label, self.label2id)

    def get_num_classes(self) -> int:
        """Twice the number of base relations. Numbers run from 1 to this, so a model needs one output more."""
        return 2 * int(self.rule_world_config["num_rel"])

    def get_num_graphs(self, mode: str) -> int:
        return len(self.json_graphs[_mode(mode)])


class GraphBatch:
    """Rows together, as the models of the original take them; there is one world graph a batch."""

    def __init__(self, rows: Sequence[GraphRow]) -> None:
        worlds = [] if rows[0].world_graph is None else [rows[0].world_graph]
        self.num_nodes = [row.graph.num_nodes for row in rows]
        self.num_edge_nodes = [world.num_nodes for world in worlds]
        self.graphs = Batch.from_data_list([row.graph for row in rows])
        self.edge_graphs = Batch.from_data_list([_links(row.edge_graph) for row in rows])
        self.world_graphs = Batch.from_data_list([_links(world) for world in worlds]) if worlds else None
        self.queries = torch.stack([row.query for row in rows])
        self.targets = torch.tensor([row.label for row in rows], dtype=torch.long)
        self.edge_indicator = [world.edge_indicator for world in worlds]
        self.edge_mapping = [world.edge_mapping for world in worlds]
        self.device = "cpu"

    def to(self, device: str) -> GraphBatch:
        """Move all tensors."""
        self.device = device
        for name in ("graphs", "edge_graphs", "queries", "targets"):
            setattr(self, name, getattr(self, name).to(device))
        self.world_graphs = None if self.world_graphs is None else self.world_graphs.to(device)
        self.edge_indicator = [tensor.to(device) for tensor in self.edge_indicator]
        self.edge_mapping = [tensor.to(device) for tensor in self.edge_mapping]
        return self


def _links(data: Data) -> Data:
    """Nodes and links only: the mapping has a first axis that does not join."""
    return Data(x=data.x, edge_index=data.edge_index, edge_indicator=data.edge_indicator, num_nodes=data.num_nodes)


def get_dataloader(dataset: GraphLogDataset | SplitView, mode: str = "train", **kwargs: Any) -> Any:
    """A torch DataLoader over one split, for good."""
    view = dataset.view(mode) if isinstance(dataset, GraphLogDataset) else dataset
    return torch.utils.data.DataLoader(view, collate_fn=GraphBatch, **kwargs)


def _mode(mode: str) -> str:
    if mode not in MODES:
        raise unknown_name("split", mode, MODES)
    return mode


class _StoredRow(TypedDict):
    """What every row has; other keys depend on the version of the original."""

    edges: list[tuple[int | str, int | str, str]]
    query: tuple[int | str, int | str, str | int]


def _rows(path: Path) -> list[Json]:
    rows: list[Json] = read_json_lines(path, dict[str, Any])
    for number, row in enumerate(rows, start=1):
        as_kind(row, _StoredRow, file=str(path), line=number)
    return rows


# Graphs as PyTorch Geometric data -------------------------------------------------------------------------------------


def label_id(label: Any, ids: Mapping[str, int]) -> int:
    """A label's number; that of the unknown relation for one that is not known."""
    return ids.get(label, ids[UNKNOWN])


def graph_data(row: Mapping[str, Any], ids: Mapping[str, int]) -> Data:
    """A row: nodes by number, directed edges with label numbers, the target as `y`."""
    count = 1 + max(node for edge in row["edges"] for node in edge[:2])
    data = _plain_data(row["edges"], {node: node for node in range(count)}, ids)
    data.y = torch.tensor([label_id(row["query"][2], ids)])
    return data


def query_tensor(row: Mapping[str, Any]) -> torch.Tensor:
    """The two nodes that a row asks about."""
    return torch.tensor([int(node) for node in row["query"][:2]], dtype=torch.long)


def world_data(edges: Sequence[Sequence[Any]], ids: Mapping[str, int]) -> Data:
    """A world graph as it is: nodes, directed edges, label numbers."""
    return _plain_data(edges, _numbers(edges), ids)


def _plain_data(edges: Sequence[Sequence[Any]], numbers: Mapping[Any, int], ids: Mapping[str, int]) -> Data:
    return Data(
        x=torch.arange(len(numbers)).unsqueeze(1),
        edge_index=_pairs([[numbers[source], numbers[sink]] for source, sink, _ in edges]),
        edge_attr=torch.tensor([label_id(label, ids) for _, _, label in edges], dtype=torch.long),
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
