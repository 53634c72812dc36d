"""Code written for the `graphlog` package, and graphs for models."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.graphlog import figures

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from hornbeam.graphlog import GraphLog, package  # noqa: E402


@pytest.fixture(scope="module")
def log(tiny: Dataset) -> GraphLog:
    return GraphLog(tiny.path)


def test_worlds_by_split(log: GraphLog, tiny: Dataset) -> None:
    assert log.datasets_by_split == {"train": ["rule_0", "rule_1"], "valid": ["rule_2"], "test": ["rule_3"]}
    assert log.get_dataset_ids() == tiny.tasks
    assert log.get_dataset_split("rule_2") == "valid"
    assert GraphLog(tiny.path / "original").label2id == log.get_label2id()


def test_loaders_of_different_splits_do_not_disturb_each_other(log: GraphLog) -> None:
    world = log.get_dataset_by_name("rule_0")
    loaders = {mode: log.get_dataloader_by_mode(world, mode, batch_size=16) for mode in ("train", "valid", "test")}
    world.set_data_mode("test")
    for mode, loader in loaders.items():
        targets = torch.cat([batch.targets for batch in loader])
        assert targets.tolist() == world.labels[mode]
        assert len(targets) == world.get_num_graphs(mode)
    assert len(world) == world.get_num_graphs("test")


def test_a_batch_is_what_models_take(log: GraphLog) -> None:
    world = log.get_dataset_by_name("rule_0")
    batch = next(iter(log.get_dataloader_by_mode(world, "train", batch_size=8))).to("cpu")
    rows = world.json_graphs["train"][:8]
    assert batch.queries.tolist() == [row["query"][:2] for row in rows]
    assert batch.graphs.num_graphs == 8 and sum(batch.num_nodes) == batch.graphs.num_nodes
    assert batch.graphs.edge_attr.tolist() == [log.label2id[label] for row in rows for _, _, label in row["edges"]]
    first = batch.graphs.edge_index[:, : len(rows[0]["edges"])].t().tolist()
    assert first == [edge[:2] for edge in rows[0]["edges"]]
    assert batch.num_edge_nodes == [world.world_graph.num_nodes]
    assert batch.edge_mapping[0].shape == (1, len(log.label2id), world.world_graph.num_nodes)
    # In the rows' own extended graphs edges are nodes, too.
    assert batch.edge_graphs.num_nodes == sum(batch.num_nodes) + sum(len(row["edges"]) for row in rows)
    assert [world.view("train")[number].json_graph["edges"] for number in range(8)] == [row["edges"] for row in rows]


def test_the_extended_world_graph_has_edges_as_nodes(log: GraphLog) -> None:
    world = log.get_dataset_by_name("rule_1")
    edges = world.json_meta_graph["edges"]
    plain, extended = world.plain_world_graph, world.world_graph
    assert plain.edge_index.shape == (2, len(edges))
    assert extended.num_nodes == plain.num_nodes + len(edges)
    assert extended.edge_index.shape == (2, 2 * len(edges))
    assert (extended.edge_indicator == 0).sum() == plain.num_nodes
    assert extended.edge_indicator[plain.num_nodes :].tolist() == [log.label2id[label] + 1 for _, _, label in edges]
    # Each edge node has one link in, from an entity, and one out.
    assert extended.edge_index[1, ::2].tolist() == list(range(plain.num_nodes, extended.num_nodes))
    assert extended.edge_index[0, 1::2].tolist() == list(range(plain.num_nodes, extended.num_nodes))


def test_figures_are_those_of_the_dataset(log: GraphLog, tiny: Dataset) -> None:
    for name, known in figures.worlds(tiny).items():
        stats = log.compute_stats_by_dataset(name)
        assert stats["num_class"] == known.figures.classes
        assert stats["num_des"] == known.figures.descriptors
        assert stats["avg_resolution_length"] == pytest.approx(known.figures.resolution_length, abs=1e-3)
        assert stats["num_nodes"] == pytest.approx(known.figures.nodes, abs=1e-3)
        assert stats["num_edges"] == pytest.approx(known.figures.edges, abs=1e-3)


def test_similarity_and_rules(log: GraphLog) -> None:
    assert log.compute_similarity("rule_0", "rule_0") == 1
    assert log.compute_similarity("rule_0", "rule_1") == pytest.approx(4 / 6)
    assert log.get_most_similar_datasets("rule_1", top_k=2)[0] == ("rule_1", 1.0)
    assert len(log.load_rules("rule_0")) == 5 + 6
    assert log.load_config("rule_0")["num_rel"] == 5
    assert log.get_dataset_by_name("rule_0").get_num_classes() == 10


def test_difficulty_lists_every_world_once(log: GraphLog) -> None:
    names = [w.world_id for w in (*log.get_easy_datasets(), *log.get_moderate_datasets(), *log.get_hard_datasets())]
    assert sorted(names) == log.get_dataset_ids()
    assert sorted(log.get_sorted_dataset_ids("train")) == ["rule_0", "rule_1"]


def test_attributes_of_the_old_package(log: GraphLog) -> None:
    assert (log.url, log.md5hash, log.data_filename) == ("", "", "comp_r10_n100_ov")
    assert log.supported_difficulty == ["easy", "moderate", "hard"]
    world = log.get_dataset_by_name("rule_0")
    numbers = {number for found in world.labels.values() for number in found}
    assert {world.get_label2id(label) for label in world.label_set} == numbers


def test_a_folder_may_hold_some_of_the_worlds_only(tiny: Dataset, tmp_path: Path) -> None:
    shutil.copytree(tiny.path / "original", tmp_path / "some")
    shutil.rmtree(tmp_path / "some/comp_r10_n100_ov/valid/rule_2")
    some = GraphLog(tmp_path / "some")
    names = [w.world_id for w in (*some.get_easy_datasets(), *some.get_moderate_datasets(), *some.get_hard_datasets())]
    assert sorted(names) == ["rule_0", "rule_1", "rule_3"]
    (tmp_path / "some/meta.json").write_text('{"graphlog_v1.0": {"url": ""}}')
    with pytest.raises(UsageError, match=r"meta\.json: the key \"md5hash\" is missing"):
        GraphLog(tmp_path / "some")


def test_networkx_and_pictures(log: GraphLog) -> None:
    world = log.get_dataset_by_name("rule_0")
    row = world.json_graphs["test"][0]
    graphs, queries = package.load_networkx_graphs([row])
    assert graphs[0].number_of_edges() == len(row["edges"]) and queries == [tuple(row["query"][:2])]
    marked = [pair for pair in graphs[0].edges if graphs[0].edges[pair]["in_resolution"]]
    assert len(marked) == len(row["resolution_path"]) - 1
    drawn = log.draw_single_graph(world, "test", 0)
    assert sum(drawn.count(f'class="{kind}"') for kind in ("path", "noise")) == len(row["edges"])
    with pytest.raises(UsageError, match="from 0 to 49, found 50"):
        log.display_single_graph(world, "test", 50)


def test_wrong_names_are_refused(log: GraphLog, tiny: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="generate graphlog suite"):
        GraphLog(tmp_path)
    with pytest.raises(UsageError, match=r"graphlog_v1\.0"):
        GraphLog(tiny.path, "graphlog_v2")
    with pytest.raises(UsageError, match="unknown world 'rule_O'; did you mean 'rule_"):
        log.get_dataset_by_name("rule_O")
    with pytest.raises(UsageError, match="did you mean 'valid'"):
        log.get_dataset_by_name("rule_0").view("validate")
