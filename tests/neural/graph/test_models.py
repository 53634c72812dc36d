"""Each graph model learns a small set, ignores what must not matter, and the folded world is the whole one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import GCNConv

from hornbeam.networks.network import Network
from hornbeam.neural.graph.data import fold
from hornbeam.neural.graph.models.graphlog import (
    COMPOSITIONS,
    REPRESENTATIONS,
    GraphLogModel,
    WorldAttention,
    WorldConvolution,
)
from hornbeam.neural.graph.models.messages import Gat, Rgcn
from hornbeam.neural.graph.models.reasoners import EdgeTransformer, EpiGnn, NbfNet, Ncrl
from hornbeam.neural.graph.store import NetworkBatch, encode
from tests.neural.graph.planted import RELATIONS, paths, world, world_edges

SIZE = len(RELATIONS)


class InWorld(nn.Module):
    """A GraphLog model with its world, so that it is called like the others."""

    def __init__(self, representation: str, composition: str) -> None:
        super().__init__()
        self.model = GraphLogModel(SIZE, representation, composition, width=32)

    def forward(self, batch: NetworkBatch) -> Tensor:
        return self.model(batch, world())


MODELS: dict[str, Callable[[], nn.Module]] = {
    "gat": lambda: Gat(SIZE, width=32, dropout=0.0),
    "rgcn": lambda: Rgcn(SIZE, width=32, rounds=4),
    "nbfnet": lambda: NbfNet(SIZE, width=32, rounds=4, pooling="mean", message="distmult"),
    "edge-transformer": lambda: EdgeTransformer(SIZE, width=32, rounds=3, dropout=0.0),
    "ncrl": lambda: Ncrl(SIZE, width=32),
    "epignn": lambda: EpiGnn(SIZE, 48, 6, rounds=4),
    "epignn-product": lambda: EpiGnn(SIZE, 48, 6, rounds=4, pooling="mul"),
    **{
        f"{representation}-{composition}": lambda r=representation, c=composition: InWorld(r, c)  # type: ignore[misc]
        for representation in REPRESENTATIONS
        for composition in COMPOSITIONS
    },
}


@pytest.mark.parametrize("name", MODELS)
def test_it_overfits_a_small_set(name: str) -> None:
    torch.manual_seed(1)
    store = encode(paths(8), RELATIONS, paths=2)
    model, batch = MODELS[name](), store.batch(torch.arange(8))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(600):
        loss = functional.cross_entropy(model(batch), batch.labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 19 and _accuracy(model, batch) == 1.0:
            break
    assert _accuracy(model, batch) == 1.0


def _accuracy(model: nn.Module, batch: NetworkBatch) -> float:
    model.eval()
    with torch.no_grad():
        right = (model(batch).argmax(1) == batch.labels).float().mean().item()
    model.train()
    return right


@pytest.mark.parametrize("name", MODELS)
def test_a_graph_s_scores_do_not_depend_on_its_neighbours_in_the_batch(name: str) -> None:
    torch.manual_seed(2)
    store = encode(paths(6, (2, 3, 4)), RELATIONS, paths=2)
    model = MODELS[name]().eval()
    with torch.no_grad():
        together = model(store.batch(torch.arange(6)))
        alone = torch.cat([model(store.batch(torch.tensor([row]))) for row in range(6)])
    assert torch.allclose(together, alone, atol=1e-4)


def test_a_state_that_is_known_exactly_stays_so() -> None:
    """The identity composes with nothing: one edge away from the source the state is the relation itself."""
    torch.manual_seed(0)
    model = EpiGnn(SIZE, 24, 4, rounds=1)
    network = Network("n", paths(1)[0].edges[:1], (0, 1), ("r0",))
    batch = encode([network], RELATIONS).batch(torch.tensor([0]))
    vectors = torch.softmax(model.relations, 2)[batch.types[0]]
    expected = torch.einsum("rfp,fp->r", torch.softmax(model.relations, 2), vectors.log()) / 4
    assert torch.allclose(model(batch)[0], expected, atol=1e-5)


@pytest.mark.parametrize("pooling", ["min", "mul"])
def test_rounds_that_change_nothing_are_left_out(pooling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores and gradients are those of all rounds."""
    torch.manual_seed(0)
    model = EpiGnn(SIZE, 24, 4, rounds=7, pooling=pooling)  # type: ignore[arg-type]
    batch = encode(paths(6), RELATIONS).batch(torch.arange(6))
    found = []
    for equal in (torch.equal, lambda *_: False):
        monkeypatch.setattr(torch, "equal", equal)
        model.zero_grad()
        scores = model(batch)
        functional.cross_entropy(scores, batch.labels).backward()
        assert model.table.grad is not None
        found.append((scores.detach(), model.table.grad.clone()))
    assert torch.allclose(found[0][0], found[1][0], atol=1e-6)
    assert torch.allclose(found[0][1], found[1][1], atol=1e-6)


def test_what_meets_is_the_smallest_or_the_product() -> None:
    values = torch.softmax(torch.arange(24.0).sin().view(3, 2, 4), dim=2)
    index = torch.tensor([1, 0, 1])
    smallest = EpiGnn(SIZE, 8, 2, pooling="min")._meet(values, index, 2)
    product = EpiGnn(SIZE, 8, 2, pooling="mul")._meet(values, index, 2)
    both = torch.stack([values[0], values[2]])
    for found, expected in ((smallest, both.amin(0)), (product, both.prod(0))):
        assert torch.allclose(found[1], expected / expected.sum(1, keepdim=True), atol=1e-6)
        assert torch.allclose(found[0], values[1], atol=1e-6)


def test_only_parameters_that_are_used_exist() -> None:
    assert sum(parameter.numel() for parameter in EpiGnn(8, 32, 8).parameters()) == 256 + 288


def test_published_numbers_of_parameters() -> None:
    """Of the GraphLog paper's code at width 200 and 21 classes."""
    sizes = {
        (r, c): round(sum(p.numel() for p in GraphLogModel(21, r, c).parameters()) / 1e6, 2)
        for r in REPRESENTATIONS
        for c in COMPOSITIONS
    }
    assert sizes == {
        ("gat", "egat"): 1.38, ("gcn", "egat"): 1.06, ("param", "egat"): 0.98,
        ("gat", "rgcn"): 16.61, ("gcn", "rgcn"): 16.29, ("param", "rgcn"): 16.21,
    }  # fmt: skip


# The folded world ---------------------------------------------------------------------------------------------------


def extended(edges: list[tuple[int, int, int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The whole extended graph: start vectors' rows, links, and the relation of each edge's node."""
    nodes = sorted({node for source, _, target in edges for node in (source, target)})
    number = {node: place for place, node in enumerate(nodes)}
    links = []
    for place, (source, _, target) in enumerate(edges, start=len(nodes)):
        links += [(number[source], place), (place, number[target])]
    start = [0] * len(nodes) + [1 + relation for _, relation, _ in edges]
    return torch.tensor(start), torch.tensor(links).t(), torch.tensor([relation for _, relation, _ in edges])


def pooled(states: Tensor, relation: Tensor) -> Tensor:
    edges = states[-len(relation) :]
    return torch.stack([edges[relation == place].mean(0) for place in range(SIZE)])


def test_the_folded_convolution_is_the_whole_one() -> None:
    torch.manual_seed(0)
    edges = world_edges()
    folded = WorldConvolution(SIZE, 10)
    start, links, relation = extended(edges)
    states = folded.start[start]
    for place, layer in enumerate((folded.first, folded.second)):
        plain = GCNConv(10, 10, improved=True)
        plain.lin.weight, plain.bias = layer.weight, layer.bias
        # Without weights PyG forgets that a self loop weighs 2.
        states = plain(functional.relu(states) if place else states, links, torch.ones(links.shape[1]))
    assert torch.allclose(folded(fold(edges, SIZE)), pooled(states, relation), atol=1e-5)


def test_the_folded_attention_is_the_whole_one() -> None:
    torch.manual_seed(0)
    edges = world_edges()
    folded = WorldAttention(SIZE, 10).eval()
    start, links, relation = extended(edges)
    states = folded.start[start]
    for layer in range(2):
        states = _attended(folded, layer, functional.elu(states) if layer else states, links)
    assert torch.allclose(folded(fold(edges, SIZE)), pooled(states, relation), atol=1e-5)


def _attended(folded: WorldAttention, layer: int, states: Tensor, links: Tensor) -> Tensor:
    """One round, node by node."""
    values, to, source = folded._scores(layer, states)
    heard = []
    for node in range(len(states)):
        near = [node, *links[0][links[1] == node].tolist()]
        shares = torch.softmax(functional.leaky_relu(to[node] + source[near], 0.2), dim=0)
        heard.append(torch.einsum("nh,nhd->d", shares, values[near]) / folded.heads)
    return folded.gate(torch.stack(heard), states)


def test_a_relation_that_the_world_does_not_have_is_zero() -> None:
    vectors = WorldConvolution(SIZE, 6)(fold([("a", 0, "b"), ("b", 2, "c")], SIZE))
    assert vectors[1].abs().sum() == 0 and vectors[0].abs().sum() > 0
