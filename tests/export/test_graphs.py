"""Networks as PyTorch Geometric data: edges, query and answer are those of the samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch_geometric.loader import DataLoader

import hornbeam
from hornbeam.cli.app import invoke
from hornbeam.data.dataset import Dataset
from hornbeam.data.opaque import opaque_id
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
        assert graph.name == opaque_id(regions, sample.id)
        assert graph.edge_index.t().tolist() == [[u, v] for u, _, v in given["edges"]]
        kinds = ["|".join(names["kinds"][kind]) for kind in graph.edge_type.tolist()]
        assert kinds == [label for _, label, _ in given["edges"]]
        assert graph.query_index.flatten().tolist() == list(given["query"])
        assert graph.task == sample.task
        assert names["relations"][int(graph.y)] == sample.label


@pytest.mark.parametrize(
    ("family", "preset"),
    [
        ("clutrr", "tiny"),
        pytest.param("star", "rcc8-small", marks=pytest.mark.slow),
        pytest.param("graphlog", "tiny", marks=pytest.mark.slow),
    ],
)
def test_a_batched_query_asks_about_its_own_graph(family: str, preset: str, tmp_path: Path) -> None:
    data, out = str(tmp_path / "data"), tmp_path / "out"
    assert invoke(["generate", family, preset, "--out", data, "--seed", "4"]) == 0
    assert invoke(["export", data, str(out), "--to", "pyg"]) == 0
    dataset = hornbeam.load(data)
    tasks = {opaque_id(dataset, sample.id): sample.task for sample in dataset.samples}
    seen = 0
    for file in sorted(out.glob("*.pt")):
        graphs = torch.load(file, weights_only=False)
        batched = [batch.get_example(at) for batch in DataLoader(graphs, 11) for at in range(batch.num_graphs)]
        for batch, first in zip(DataLoader(graphs, 11), range(0, len(graphs), 11), strict=True):
            for place in range(batch.num_graphs):
                source, target = batch.query_index[:, place]
                assert batch.batch[source] == batch.batch[target] == place
                shifted = graphs[first + place].query_index.flatten() + batch.ptr[place]
                assert [int(source), int(target)] == shifted.tolist()
        for single, again in zip(graphs, batched, strict=True):
            assert torch.equal(single.query_index, again.query_index)
            assert torch.equal(single.edge_index, again.edge_index)
            assert single.task == tasks[single.name]
        seen += len(graphs)
    assert seen == len(tasks)


def test_worlds_keep_their_names(tmp_path: Path) -> None:
    worlds = hornbeam.generate("graphlog", "tiny", out=tmp_path / "worlds", seed=3)
    graphs = torch.load(export(worlds, "pyg", tmp_path / "all")[0], weights_only=False)
    assert {graph.task for graph in graphs} == set(worlds.tasks)
    alone = torch.load(export(worlds, "pyg", tmp_path / "one", task=worlds.tasks[0])[0], weights_only=False)
    assert {graph.task for graph in alone} == {worlds.tasks[0]}


def test_a_cell_of_one_theory_can_be_exported_alone(regions: Dataset, tmp_path: Path) -> None:
    task = regions.tasks[-1]
    files = export(regions, "pyg", tmp_path / "out", task=task)
    names = [graph.name for file in files for graph in torch.load(file, weights_only=False)]
    assert sorted(names) == sorted(opaque_id(regions, sample.id) for sample in regions.task(task))


def test_what_has_no_networks_is_refused(pictures: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no networks"):
        export(pictures, "pyg", tmp_path / "out")
    assert not list(tmp_path.iterdir())
