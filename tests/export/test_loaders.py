"""Datasets for other people's training loops, and how notebooks show samples."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.utils.data import DataLoader

import hornbeam as hb
from hornbeam.errors import UsageError

CELLS = {"train.cells": "[{k: [2, 3], b: [1], rows: 3}]", "valid.cells": "[]"}
CELLS |= {"test.cells": "[{k: [3], b: [1], rows: 2}]"}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> hb.Dataset:
    out = tmp_path_factory.mktemp("loaders") / "tour"
    half = {"samples": 16, "gamma": 0.5, "beta": 0.5}
    return hb.generate("kandy", "tour", out=out, seed=6, overrides=half)


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> hb.Dataset:
    out = tmp_path_factory.mktemp("loaders") / "regions"
    return hb.generate("star", "rcc8-small", out=out, seed=6, overrides=CELLS)


def test_pictures_train_a_module_of_ones_own(pictures: hb.Dataset) -> None:
    """A page of plain torch: a linear layer learns what is red."""
    torch.manual_seed(0)
    train = hb.torch.pictures(pictures, task="t00_red", transform=lambda image: image.mean((1, 2)))
    loader = DataLoader(train, batch_size=4, shuffle=True)
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(20):
        for batch in loader:
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(batch.image)[:, 0], batch.label.float())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


def test_pictures_are_those_of_the_samples_and_hidden_labels_stay_hidden(pictures: hb.Dataset) -> None:
    train = hb.torch.pictures(pictures)
    known = [sample for sample in pictures.train if sample.supervised]
    assert [item.id for item in train] == [sample.id for sample in known] and len(known) < len(pictures.train)
    assert [item.label for item in train] == [int(bool(sample.label)) for sample in known]
    first = train[0]
    assert first.image.shape == (3, 224, 224) and 0 <= float(first.image.min()) < float(first.image.max()) <= 1
    assert len(hb.torch.pictures(pictures, split="test")) == len(pictures.test)


def test_graphs_are_batched_by_both_loaders(networks: hb.Dataset) -> None:
    from torch_geometric.loader import DataLoader as GraphLoader

    graphs = hb.torch.graphs(networks, split="test")
    assert graphs.ids == [sample.id for sample in networks.test]
    plain = next(iter(DataLoader(graphs, batch_size=5, collate_fn=graphs.collate)))
    theirs = next(iter(GraphLoader(graphs, batch_size=5)))  # type: ignore[arg-type]
    for name in ("edge_index", "edge_type", "query_index", "y", "batch"):
        assert torch.equal(getattr(plain, name), getattr(theirs, name)), name
    assert [graphs.relations[number] for number in plain.y.tolist()] == [one.label for one in networks.test[:5]]
    assert graphs.relations == hb.torch.graphs(networks).relations


def test_what_is_not_there_is_a_usage_error(pictures: hb.Dataset, networks: hb.Dataset) -> None:
    for wrong in (
        lambda: hb.torch.pictures(networks),
        lambda: hb.torch.graphs(pictures),
        lambda: hb.torch.pictures(pictures, split="tset"),
        lambda: hb.torch.pictures(pictures, task="none"),
    ):
        with pytest.raises(UsageError):
            wrong()


def test_a_notebook_shows_the_first_samples(pictures: hb.Dataset, networks: hb.Dataset) -> None:
    shown = pictures.test._repr_html_()
    assert shown.count("data:image/png") == 8 and f"{len(pictures.test)} samples, the first:" in shown
    drawn = networks.train[:2]._repr_html_()
    assert drawn.startswith("<p>2 samples:") and "<svg" in drawn and "<script" not in drawn


def test_every_export_has_a_card(networks: hb.Dataset, tmp_path: Path) -> None:
    from hornbeam.export import export

    for to in ("csv", "pyg", "huggingface"):
        export(networks, to, tmp_path / to)
        card = (tmp_path / to / "README.md").read_text(encoding="utf-8")
        assert card.startswith("---\npretty_name: ") and networks.family.paper in card, to
