"""Graph models: CPU seconds of a training step, beside plain implementations of the same mathematics in the same run.

The plain GraphLog models do what the published code does: they make a matrix for every edge (R-GCN), join the vectors
of both ends and of the relation for every edge (E-GAT), and run over every node of the extended world graph (GCN and
GAT). The plain EpiGNN searches the shortest path of each query in every step, and makes all nine rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import GCNConv
from torch_geometric.utils import softmax

import hornbeam
from hornbeam.neural.graph import data
from hornbeam.neural.graph.models.graphlog import GraphLogModel
from hornbeam.neural.graph.models.messages import RandomNodes, ReadOut
from hornbeam.neural.graph.models.reasoners import EpiGnn
from hornbeam.neural.graph.store import NetworkBatch, shortest_path

WIDTH, BATCH = 200, 100


class PlainAttention(nn.Module):
    """A round of attention in which every edge carries the vectors that it joins."""

    def __init__(self, width: int, relation_width: int, heads: int = 2) -> None:
        super().__init__()
        self.heads, self.width = heads, width
        self.project = nn.Linear(width, heads * width, bias=False)
        self.score = nn.Parameter(torch.randn(heads, 2 * width + relation_width) / width**0.5)

    def forward(self, states: Tensor, sources: Tensor, targets: Tensor, vectors: Tensor) -> Tensor:
        values = self.project(states).view(-1, self.heads, self.width)
        edge = vectors[:, None].expand(-1, self.heads, -1)
        joined = torch.cat([values[targets], values[sources], edge], dim=2)
        weights = softmax(functional.leaky_relu((joined * self.score).sum(2), 0.2), targets, num_nodes=len(states))
        sent = torch.cat([values[sources], edge], dim=2) * functional.dropout(weights, 0.4)[..., None]
        return torch.zeros(len(states), *sent.shape[1:]).index_add(0, targets, sent).mean(1)


def with_loops(sources: Tensor, targets: Tensor, vectors: Tensor, nodes: int) -> tuple[Tensor, Tensor, Tensor]:
    loops = torch.arange(nodes)
    empty = torch.zeros(nodes, vectors.shape[1])
    return torch.cat([sources, loops]), torch.cat([targets, loops]), torch.cat([vectors, empty])


class PlainEgat(nn.Module):
    """E-GAT, a joined vector an edge."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes = RandomNodes(WIDTH)
        self.rounds = nn.ModuleList(PlainAttention(WIDTH, WIDTH) for _ in range(6))
        self.gate = nn.GRUCell(2 * WIDTH, WIDTH)

    def forward(self, batch: NetworkBatch, relations: Tensor) -> Tensor:
        states = self.nodes(batch)
        edges = with_loops(batch.sources, batch.targets, relations[batch.types], batch.nodes)
        for attend in self.rounds:
            states = functional.dropout(functional.elu(states), 0.4)
            states = self.gate(attend(states, *edges), states)
        return states


class PlainRgcn(nn.Module):
    """R-GCN, a matrix an edge."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes = RandomNodes(WIDTH)
        self.bases = nn.ParameterList(torch.randn(WIDTH, WIDTH * WIDTH) / WIDTH for _ in range(2))
        self.roots = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(2))

    def forward(self, batch: NetworkBatch, relations: Tensor) -> Tensor:
        states = self.nodes(batch)
        for bases, root in zip(self.bases, self.roots, strict=True):
            matrices = (relations[batch.types] @ bases).view(-1, WIDTH, WIDTH)
            sent = torch.bmm(states[batch.sources][:, None], matrices)[:, 0]
            states = functional.relu(root(states).index_add(0, batch.targets, sent))
        return states


class PlainWorld(nn.Module):
    """The extended world graph with all its nodes."""

    def __init__(self, edges: list[tuple[object, int, object]], relations: int) -> None:
        super().__init__()
        number = {node: place for place, node in enumerate(dict.fromkeys(n for s, _, t in edges for n in (s, t)))}
        links = [pair for at, (s, _, t) in enumerate(edges, len(number)) for pair in ((number[s], at), (at, number[t]))]
        self.links = torch.tensor(links).t()
        self.kinds = torch.tensor([0] * len(number) + [1 + relation for _, relation, _ in edges])
        self.relations = relations
        self.start = nn.Parameter(torch.randn(relations + 1, WIDTH))

    def pooled(self, states: Tensor) -> Tensor:
        chosen, kinds = states[self.kinds > 0], self.kinds[self.kinds > 0] - 1
        total = torch.zeros(self.relations, WIDTH).index_add(0, kinds, chosen)
        return total / torch.bincount(kinds, minlength=self.relations).clamp(min=1)[:, None]


class PlainWorldConvolution(PlainWorld):
    """f_r GCN over every node."""

    def __init__(self, edges: list[tuple[object, int, object]], relations: int) -> None:
        super().__init__(edges, relations)
        self.first, self.second = (GCNConv(WIDTH, WIDTH, improved=True) for _ in range(2))

    def forward(self) -> Tensor:
        states = functional.relu(self.first(self.start[self.kinds], self.links))
        return self.pooled(self.second(states, self.links))


class PlainWorldAttention(PlainWorld):
    """f_r GAT over every node."""

    def __init__(self, edges: list[tuple[object, int, object]], relations: int) -> None:
        super().__init__(edges, relations)
        self.rounds = nn.ModuleList(PlainAttention(WIDTH, 0) for _ in range(2))
        self.gate = nn.GRUCell(WIDTH, WIDTH)

    def forward(self) -> Tensor:
        states = self.start[self.kinds]
        edges = with_loops(*self.links, torch.zeros(self.links.shape[1], 0), len(states))
        for attend in self.rounds:
            states = functional.dropout(functional.elu(states), 0.4)
            states = self.gate(attend(states, *edges), states)
        return self.pooled(states)


class PlainModel(nn.Module):
    """A representation and a composition, as published."""

    def __init__(self, representation: Callable[[], Tensor], composition: nn.Module, relations: int) -> None:
        super().__init__()
        self.representation, self.composition = representation, composition
        self.read = ReadOut(WIDTH, relations)

    def forward(self, batch: NetworkBatch) -> Tensor:
        return self.read(self.composition(batch, batch.kinds @ self.representation()), batch)


class PlainTable(nn.Module):
    def __init__(self, relations: int) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.randn(relations, WIDTH))

    def forward(self) -> Tensor:
        return self.vectors


def seconds(module: nn.Module, scores: Callable[[NetworkBatch], Tensor], store: data.GraphStore, size: int) -> float:
    """CPU seconds of a step, the middle of seven."""
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-3, fused=True)
    times = []
    for _ in range(7):
        rows = torch.randint(0, len(store), (size,))
        start = time.process_time()
        batch = store.batch(rows)
        loss = functional.cross_entropy(scores(batch), batch.labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        times.append(time.process_time() - start)
    return sorted(times)[3]


def graphlog(folder: Path) -> None:
    dataset = hornbeam.generate("graphlog", "world", out=folder / "graphlog", seed=17)
    loaded = data.load(dataset)
    store, world = loaded.store, loaded.graphs[0]
    number = {name: place for place, name in enumerate(store.relations)}
    given = dataset.family.world_graph(dataset, dataset.tasks[0]) or []
    edges = [(source, number[relation], target) for source, relation, target in given]
    size = len(store.relations)
    plain: dict[str, Callable[[], tuple[nn.Module, nn.Module]]] = {
        "param-rgcn": lambda: (PlainTable(size), PlainRgcn()),
        "param-egat": lambda: (PlainTable(size), PlainEgat()),
        "gcn-rgcn": lambda: (PlainWorldConvolution(edges, size), PlainRgcn()),
        "gcn-egat": lambda: (PlainWorldConvolution(edges, size), PlainEgat()),
        "gat-rgcn": lambda: (PlainWorldAttention(edges, size), PlainRgcn()),
        "gat-egat": lambda: (PlainWorldAttention(edges, size), PlainEgat()),
    }
    nodes = float(store.sizes.float().mean())
    print(f"GraphLog, batch {BATCH}, width {WIDTH}, {nodes:.1f} nodes a graph, {len(edges)} edges in the world")
    for name, parts in plain.items():
        ours = GraphLogModel(size, *name.split("-"), width=WIDTH)
        theirs = PlainModel(*parts(), size)
        mine = seconds(ours, lambda batch, model=ours: model(batch, world), store, BATCH)
        other = seconds(theirs, theirs, store, BATCH)
        print(f"  {name:12} {mine:.3f} s a step; plain {other:.3f} s; {other / mine:.1f} times")


def epistemic(folder: Path) -> None:
    dataset = hornbeam.generate("star", "rcc8-small", out=folder / "star", seed=3)
    loaded = data.load(dataset)
    networks = dataset.family.learning_problem(dataset, "networks", None, {}).task.networks
    model = EpiGnn(len(loaded.store.relations))

    def plain(batch: NetworkBatch) -> Tensor:
        for network in (networks[place % len(networks)] for place in range(batch.graphs)):
            shortest_path(network)
        with patch.object(torch, "equal", return_value=False):
            return model(batch)

    mine, other = seconds(model, model, loaded.store, 128), seconds(model, plain, loaded.store, 128)
    used = sum(parameter.numel() for parameter in model.parameters())
    print(f"EpiGNN, batch 128, {used} parameters, all used")
    print(f"  {1 / mine:.1f} steps/s; plain {1 / other:.1f}; {other / mine:.1f} times")


def run() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with TemporaryDirectory() as folder:
        graphlog(Path(folder))
        epistemic(Path(folder))
