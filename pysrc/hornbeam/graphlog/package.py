"""A replacement for the `graphlog` package: the class `GraphLog` over a folder in the original's format.

The folder `original` of a Hornbeam dataset is such a folder, and the dataset's own folder works as well. Nothing is
downloaded. In contrast to the old package, loaders of different splits do not disturb each other, names come in the
order of the worlds, and two methods exist that were only documented.

The functions are the helpers of its module `utils`. A world is a mapping from split to rows, each row as it stands in
the JSON lines.

>>> log = GraphLog(dataset_folder)                                            # doctest: +SKIP
>>> world = log.get_dataset_by_name("rule_0")                                 # doctest: +SKIP
>>> train = log.get_dataloader_by_mode(world, "train", batch_size=32)         # doctest: +SKIP
>>> row = {"edges": [[0, 1, "R_0_+"], [1, 2, "R_1_+"]], "query": [0, 2, "R_2_+"], "resolution_path": [0, 1, 2]}
>>> get_rel_pattern(row), get_descriptors({"train": [row, row]}), get_num_nodes_edges({"train": [row]})
('R_0_+,R_1_+', ['R_0_+,R_1_+'], (3.0, 2.0))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from hornbeam.data.shape import as_kind, read_json
from hornbeam.errors import UsageError, unknown_name
from hornbeam.graphlog.loading import MODES, GraphBatch, GraphLogDataset, GraphRow, SplitView, get_dataloader
from hornbeam.graphlog.original import world_number
from hornbeam.graphlog.record import Read

__all__ = ["GraphBatch", "GraphLog", "GraphLogDataset", "GraphRow", "SplitView", "get_dataloader"]


class _MetaEntry(msgspec.Struct):
    """What meta.json says of the data of one key."""

    url: str
    md5hash: str
    data_filename: str
    difficulty: dict[str, list[int]] = {}


class GraphLog:
    """The worlds of a suite.

    Args:
        data_dir: A dataset of the family graphlog, or a folder with meta.json in the original's format.
        data_key: The entry of meta.json: `graphlog_v1.0` or `graphlog_v1.1`.

    Raises:
        UsageError: if there is no meta.json, or no such entry in it.
    """

    def __init__(self, data_dir: str | Path = "./data/", data_key: str = "graphlog_v1.0") -> None:
        folder = Path(data_dir).absolute()
        self.data_dir = str(folder / "original" if (folder / "original" / "meta.json").is_file() else folder)
        meta = Path(self.data_dir, "meta.json")
        if not meta.is_file():
            raise UsageError(
                "there is no meta.json here; make data with `hornbeam generate graphlog suite --out DIR` and give DIR",
                file=self.data_dir,
            )
        entries: dict[str, Any] = read_json(meta, dict[str, Any])
        if data_key not in entries:
            raise unknown_name("key of the data", data_key, entries, file=str(meta))
        entry: _MetaEntry = as_kind(entries[data_key], _MetaEntry, file=str(meta))
        self.data_key = data_key
        self.url: str = entry.url
        self.md5hash: str = entry.md5hash
        self.data_filename: str = entry.data_filename
        self.datasets_grouped_by_difficulty: dict[str, list[int]] = entry.difficulty
        self.supported_difficulty = list(self.datasets_grouped_by_difficulty)
        self.datasets_by_split = self.get_dataset_names_by_split()
        self.label2id = self.get_label2id()
        self.datasets: dict[str, GraphLogDataset] = {}

    def _folder(self) -> Path:
        return Path(self.data_dir, self.data_filename)

    def get_label2id(self) -> dict[str, int]:
        """Each label's number."""
        ids: dict[str, int] = read_json(self._folder() / "train" / "label2id.json", dict[str, int])
        return ids

    def get_dataset_names_by_split(self) -> dict[str, list[str]]:
        """The names of the worlds for training, validation and testing, in the order of their numbers."""
        return {
            mode: sorted((path.parent.name for path in (self._folder() / mode).glob("*/config.json")), key=_in_order)
            for mode in MODES
        }

    def get_dataset_ids(self) -> list[str]:
        """The names of all worlds."""
        return [name for names in self.datasets_by_split.values() for name in names]

    def get_dataset_split(self, name: str) -> str:
        """For what a world is: train, valid or test."""
        for mode, names in self.datasets_by_split.items():
            if name in names:
                return mode
        raise unknown_name("world", name, self.get_dataset_ids(), file=str(self._folder()))

    def get_dataset_by_name(self, name: str) -> GraphLogDataset:
        """A world; read once."""
        if name not in self.datasets:
            folder = self._folder() / self.get_dataset_split(name) / name
            self.datasets[name] = GraphLogDataset(folder, name, self.label2id)
        return self.datasets[name]

    def load_datasets(self) -> None:
        """Read all worlds now."""
        for name in self.get_dataset_ids():
            self.get_dataset_by_name(name)

    def get_easy_datasets(self) -> list[GraphLogDataset]:
        return self._by_difficulty("easy")

    def get_moderate_datasets(self) -> list[GraphLogDataset]:
        return self._by_difficulty("moderate")

    def get_hard_datasets(self) -> list[GraphLogDataset]:
        return self._by_difficulty("hard")

    def _by_difficulty(self, level: str) -> list[GraphLogDataset]:
        if level not in self.datasets_grouped_by_difficulty:
            raise UsageError(f"meta.json does not say which worlds are {level}", file=self.data_dir)
        # A folder may hold only some of the worlds that its meta.json lists.
        names = {world_number(name): name for name in self.get_dataset_ids()}
        here = [names[number] for number in self.datasets_grouped_by_difficulty[level] if number in names]
        return [self.get_dataset_by_name(name) for name in here]

    def get_sorted_dataset_ids(self, mode: str = "train") -> list[str]:
        """The worlds of a split, from easy to hard."""
        groups = enumerate(self.datasets_grouped_by_difficulty.values())
        level = {number: place for place, numbers in groups for number in numbers}
        names = self.datasets_by_split[mode]
        return sorted(names, key=lambda name: (level.get(world_number(name), len(level)), _in_order(name)))

    def get_dataloader_by_mode(self, dataset: GraphLogDataset, mode: str = "train", **kwargs: Any) -> Any:
        """A torch DataLoader over a split of a world.

        Args:
            dataset: The world.
            mode: Its split: train, valid or test.
            kwargs: Those of torch.utils.data.DataLoader, e.g. `batch_size` and `shuffle`.

        Returns:
            A loader of `GraphBatch`.
        """
        return get_dataloader(dataset, mode, **kwargs)

    def compute_stats_by_dataset(self, name: str) -> dict[str, Any]:
        """The figures of a world as in Table 6."""
        rows = self.get_dataset_by_name(name).json_graphs
        nodes, edges = get_num_nodes_edges(rows)
        return {
            "num_class": len(get_class(rows)),
            "num_des": len(get_descriptors(rows)),
            "avg_resolution_length": get_avg_resolution_length(rows),
            "num_nodes": nodes,
            "num_edges": edges,
            "split": self.get_dataset_split(name),
        }

    def load_config(self, name: str) -> dict[str, Any]:
        """The settings of a world."""
        settings: dict[str, Any] = read_json(
            self._folder() / self.get_dataset_split(name) / name / "config.json", dict[str, Any]
        )
        return settings

    def load_rules(self, name: str) -> list[dict[str, Any]]:
        """The rules of a world, unary ones first."""
        rules: list[dict[str, Any]] = self.load_config(name)["rules"]
        return rules

    def compute_similarity(self, name_1: str, name_2: str) -> float:
        """The share of the first world's binary rules that the second has, too."""
        one, other = (set(get_rule_key(self.load_rules(name))) for name in (name_1, name_2))
        return len(one & other) / len(one)

    def get_most_similar_datasets(self, name: str, top_k: int = 10) -> list[tuple[str, float]]:
        """The worlds most like this one, it among them, the most similar first."""
        shares = [(other, self.compute_similarity(name, other)) for other in self.get_dataset_ids()]
        return sorted(shares, key=lambda pair: (-pair[1], _in_order(pair[0])))[:top_k]

    def draw_single_graph(self, dataset: GraphLogDataset, mode: str, graph_id: int) -> str:
        """A row as SVG: the resolution path in green, noise in grey. Write it to a file, or show it in a notebook."""
        from hornbeam.graphlog.show import graph_svg

        rows = dataset.json_graphs[mode]
        if not 0 <= graph_id < len(rows):
            raise UsageError(f"expected a row from 0 to {len(rows) - 1}, found {graph_id}")
        return graph_svg(_to_read(rows[graph_id]))

    display_single_graph = draw_single_graph


def _in_order(name: str) -> tuple[int, str]:
    return world_number(name), name


# Helpers --------------------------------------------------------------------------------------------------------------

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def _all(world: Rows) -> Iterable[Mapping[str, Any]]:
    return (row for rows in world.values() for row in rows)


def get_rel_pattern(row: Mapping[str, Any]) -> str:
    """The descriptor of a row: the labels along its resolution path."""
    labels = {(source, sink): label for source, sink, label in row["edges"]}
    return ",".join(labels[pair] for pair in pairwise(row["resolution_path"]))


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

    steps = set(pairwise(row["resolution_path"]))
    graph = networkx.DiGraph()
    nodes: dict[int, int] = {}
    for source, sink, label in row["edges"]:
        for node in (source, sink):
            nodes.setdefault(node, len(nodes))
        graph.add_edge(source, sink, rel=label, in_resolution=(source, sink) in steps)
    return graph, nodes


def load_networkx_graphs(rows: Iterable[Mapping[str, Any]]) -> tuple[list[Any], list[tuple[int, int]]]:
    """Rows as directed graphs, and the two nodes that each asks about."""
    known = list(rows)
    queries = [(row["query"][0], row["query"][1]) for row in known]
    return [load_single_networkx_graph(row)[0] for row in known], queries


def _to_read(row: Mapping[str, Any]) -> Read:
    """A row of the JSON lines as the content of a sample."""
    source, sink, label = row["query"]
    chain = get_rel_pattern(row)
    proof = {"path": row["resolution_path"], "descriptor": chain, "derivable": "unique"}
    return Read(row["edges"], source, sink, label, tuple(row["resolution_path"]), tuple(chain.split(",")), proof)
