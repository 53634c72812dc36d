"""What code written for the `graphlog` package asks for: the class `GraphLog` over a folder in the original's format.

The folder `original` of a Hornbeam dataset is such a folder, and the dataset's own folder works as well. Nothing is
ever downloaded. Unlike of old, loaders of different splits do not disturb each other, names come in the order of the
worlds, and the two methods that were only documented are there.

>>> log = GraphLog(dataset_folder)                                            # doctest: +SKIP
>>> world = log.get_dataset_by_name("rule_0")                                 # doctest: +SKIP
>>> train = log.get_dataloader_by_mode(world, "train", batch_size=32)         # doctest: +SKIP
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hornbeam.errors import UsageError, unknown_name
from hornbeam.graphlog import utils
from hornbeam.graphlog.loading import MODES, GraphBatch, GraphLogDataset, GraphRow, SplitView, _json, get_dataloader

__all__ = ["GraphBatch", "GraphLog", "GraphLogDataset", "GraphRow", "SplitView", "get_dataloader"]


class GraphLog:
    """The worlds of a suite."""

    def __init__(self, data_dir: str | Path = "./data/", data_key: str = "graphlog_v1.0") -> None:
        folder = Path(data_dir).absolute()
        self.data_dir = str(folder / "original" if (folder / "original" / "meta.json").is_file() else folder)
        meta = Path(self.data_dir, "meta.json")
        if not meta.is_file():
            raise UsageError(
                "there is no meta.json here; make data with `hornbeam generate graphlog suite --out DIR` and give DIR",
                file=self.data_dir,
            )
        entries = _json(meta)
        if data_key not in entries:
            raise unknown_name("key of the data", data_key, entries, file=str(meta))
        entry = entries[data_key]
        self.data_key = data_key
        try:
            self.url: str = entry["url"]
            self.md5hash: str = entry["md5hash"]
            self.data_filename: str = entry["data_filename"]
        except (KeyError, TypeError) as error:
            message = f"expected an object with url, md5hash and data_filename at {data_key} ({error})"
            raise UsageError(message, file=str(meta)) from None
        self.datasets_grouped_by_difficulty: dict[str, list[int]] = entry.get("difficulty", {})
        self.supported_difficulty = list(self.datasets_grouped_by_difficulty)
        self.datasets_by_split = self.get_dataset_names_by_split()
        self.label2id = self.get_label2id()
        self.datasets: dict[str, GraphLogDataset] = {}

    # Worlds -------------------------------------------------------------------------------------------------------

    def _folder(self) -> Path:
        return Path(self.data_dir, self.data_filename)

    def get_label2id(self) -> dict[str, int]:
        """Each label's number."""
        found: dict[str, int] = _json(self._folder() / "train" / "label2id.json")
        return found

    def get_dataset_names_by_split(self) -> dict[str, list[str]]:
        """The names of the worlds for training, validation and testing, in the order of their numbers."""
        return {
            mode: sorted((path.parent.name for path in (self._folder() / mode).glob("*/config.json")), key=_number)
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

    # Difficulty -------------------------------------------------------------------------------------------------------

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
        names = {_number(name)[0]: name for name in self.get_dataset_ids()}
        here = [names[number] for number in self.datasets_grouped_by_difficulty[level] if number in names]
        return [self.get_dataset_by_name(name) for name in here]

    def get_sorted_dataset_ids(self, mode: str = "train") -> list[str]:
        """The worlds of a split, from easy to hard."""
        groups = enumerate(self.datasets_grouped_by_difficulty.values())
        level = {number: place for place, numbers in groups for number in numbers}
        names = self.datasets_by_split[mode]
        return sorted(names, key=lambda name: (level.get(_number(name)[0], len(level)), _number(name)))

    # Rows -------------------------------------------------------------------------------------------------------------

    def get_dataloader_by_mode(self, dataset: GraphLogDataset, mode: str = "train", **kwargs: Any) -> Any:
        """A torch DataLoader over a split of a world; keywords are DataLoader's."""
        return get_dataloader(dataset, mode, **kwargs)

    def compute_stats_by_dataset(self, name: str) -> dict[str, Any]:
        """The figures of a world as in Table 6."""
        rows = self.get_dataset_by_name(name).json_graphs
        nodes, edges = utils.get_num_nodes_edges(rows)
        return {
            "num_class": len(utils.get_class(rows)),
            "num_des": len(utils.get_descriptors(rows)),
            "avg_resolution_length": utils.get_avg_resolution_length(rows),
            "num_nodes": nodes,
            "num_edges": edges,
            "split": self.get_dataset_split(name),
        }

    # Rules ------------------------------------------------------------------------------------------------------------

    def load_config(self, name: str) -> dict[str, Any]:
        """The settings of a world."""
        found: dict[str, Any] = _json(self._folder() / self.get_dataset_split(name) / name / "config.json")
        return found

    def load_rules(self, name: str) -> list[dict[str, Any]]:
        """The rules of a world, unary ones first."""
        rules: list[dict[str, Any]] = self.load_config(name)["rules"]
        return rules

    def compute_similarity(self, name_1: str, name_2: str) -> float:
        """The share of the first world's binary rules that the second has, too."""
        one, other = (set(utils.get_rule_key(self.load_rules(name))) for name in (name_1, name_2))
        return len(one & other) / len(one)

    def get_most_similar_datasets(self, name: str, top_k: int = 10) -> list[tuple[str, float]]:
        """The worlds most like this one, it among them, the most similar first."""
        found = [(other, self.compute_similarity(name, other)) for other in self.get_dataset_ids()]
        return sorted(found, key=lambda pair: (-pair[1], _number(pair[0])))[:top_k]

    # Pictures ---------------------------------------------------------------------------------------------------------

    def draw_single_graph(self, dataset: GraphLogDataset, mode: str, graph_id: int) -> str:
        """A row as SVG: the resolution path in green, noise in grey. Write it to a file, or show it in a notebook."""
        from hornbeam.graphlog.show import graph_svg

        rows = dataset.json_graphs[mode]
        if not 0 <= graph_id < len(rows):
            raise UsageError(f"expected a row from 0 to {len(rows) - 1}, found {graph_id}")
        return graph_svg(utils.to_read(rows[graph_id]))

    display_single_graph = draw_single_graph


def _number(name: str) -> tuple[int, str]:
    digits = re.search(r"(\d+)$", name)
    return (int(digits[1]) if digits else 0, name)
