"""Encoded graphs come back as they were, alone and side by side."""

from __future__ import annotations

import pytest
import torch

from hornbeam.errors import UsageError
from hornbeam.networks.network import Edge, Network
from hornbeam.neural.graph.store import encode
from tests.neural.graph.planted import RELATIONS, path, paths

DIAMOND = Network(
    "diamond",
    (Edge(0, ("r0",), 1), Edge(1, ("r1",), 3), Edge(0, ("r2", "r0"), 2), Edge(3, ("r3",), 2)),
    (0, 3),
    ("r1",),
)


def test_a_batch_is_its_graphs_side_by_side() -> None:
    networks = [*paths(9), DIAMOND]
    store = encode(networks, RELATIONS)
    batch = store.batch(torch.tensor([9, 0, 9, 3]))
    start = 0
    for place, row in enumerate([9, 0, 9, 3]):
        alone = store.batch(torch.tensor([row]))
        mine = batch.graph[batch.sources] == place
        assert torch.equal(batch.sources[mine] - start, alone.sources)
        assert torch.equal(batch.targets[mine] - start, alone.targets)
        assert torch.equal(batch.types[mine], alone.types)
        assert torch.equal(batch.queries[place] - start, alone.queries[0])
        assert torch.equal(batch.way[batch.way_graph == place] - start, alone.way)
        start += alone.nodes
    assert batch.nodes == start


def test_an_edge_of_several_relations_is_their_mixture() -> None:
    batch = encode([DIAMOND], RELATIONS).batch(torch.tensor([0]))
    assert batch.kinds[batch.types[2]].tolist() == [0.5, 0.0, 0.5, 0.0]


def test_backward_edges_have_relations_of_their_own() -> None:
    batch = encode([path("p", [1, 2])], RELATIONS).batch(torch.tensor([0])).both_ways()
    relation = batch.kinds[batch.types].argmax(1).tolist()
    assert list(zip(batch.sources.tolist(), batch.targets.tolist(), relation, strict=True)) == [
        (0, 1, 1), (1, 2, 2), (1, 0, 5), (2, 1, 6),
    ]  # fmt: skip


def test_paths_are_read_in_both_directions_and_the_shortest_first() -> None:
    store = encode([DIAMOND, path("p", [1, 2])], RELATIONS, paths=3)
    kinds = len(store.kinds)
    assert store.paths[0].tolist() == [[0, 1], [4, 3 + kinds], [-1, -1]]
    assert store.paths[1].tolist() == [[1, 2], [-1, -1], [-1, -1]]


def test_the_shortest_path_goes_by_nodes() -> None:
    assert encode([DIAMOND], RELATIONS).way.tolist() in ([0, 1, 3], [0, 2, 3])
    apart = Network("apart", (Edge(0, ("r0",), 1),), (0, 2), ("r0",))
    assert encode([apart], RELATIONS).way.tolist() == [0, 2]


def test_an_answer_of_several_relations_is_refused() -> None:
    with pytest.raises(UsageError, match="the answer of n is r0 or r1"):
        encode([Network("n", (), (0, 1), ("r0", "r1"))], RELATIONS)
