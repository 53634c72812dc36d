"""Networks as PyTorch Geometric data: edges, query and answer are those of the samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch_geometric.loader import DataLoader

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.export import export


def test_graphs_are_the_samples(regions: Dataset, tmp_path: Path) -> None:
    files = export(regions, "pyg", tmp_path / "out")
    names = json.loads((tmp_path / "out" / "relations.json").read_text(encoding="utf-8"))
    (train,) = (file for file in files if file.stem == "train")
    graphs = torch.load(train, weights_only=False)
    assert len(graphs) == len(regions.train)
    for graph, sample in zip(graphs[:50], regions.train[:50], strict=True):
        given: Any = sample.input
        assert graph.name == sample.id
        assert graph.edge_index.t().tolist() == [[u, v] for u, _, v in given["edges"]]
        kinds = ["|".join(names["kinds"][kind]) for kind in graph.edge_type.tolist()]
        assert kinds == [label for _, label, _ in given["edges"]]
        assert graph.query.tolist() == list(given["query"])
        assert names["relations"][int(graph.y)] == sample.label
    batch = next(iter(DataLoader(graphs, batch_size=8)))
    assert batch.num_graphs == 8 and len(batch.y) == 8


def test_worlds_keep_their_names(tmp_path: Path) -> None:
    worlds = hornbeam.generate("graphlog", "tiny", out=tmp_path / "worlds", seed=3)
    graphs = torch.load(export(worlds, "pyg", tmp_path / "all")[0], weights_only=False)
    assert {graph.task for graph in graphs} == set(worlds.tasks)
    alone = torch.load(export(worlds, "pyg", tmp_path / "one", task=worlds.tasks[0])[0], weights_only=False)
    assert {graph.task for graph in alone} == {worlds.tasks[0]}


def test_what_has_no_networks_is_refused(pictures: Dataset, regions: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no networks"):
        export(pictures, "pyg", tmp_path / "out")
    with pytest.raises(UsageError, match="cells of one theory"):
        export(regions, "pyg", tmp_path / "out", task=regions.tasks[0])
    assert not list(tmp_path.iterdir())
