"""Message passing with relations: attention (GraphLog's E-GAT, CLUTRR's GAT) and convolution (R-GCN).

The attention score of an edge is a sum of a part of its target, one of its source and one of its relation, so the parts
are computed once a node and once a relation, never once an edge. The sum of relation vectors over a node's edges is a
product of the edges' weights, gathered by relation, with the table of relations. In a convolution a relation's matrix
is made once; edges are taken relation by relation, so that no matrix is ever made for an edge.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.utils import scatter

from hornbeam.neural.graph.store import NetworkBatch

_EVALUATION_SEED = 20_200


class RandomNodes(nn.Module):
    """Node vectors that say nothing of a node but which it is: drawn again for each training batch.

    Evaluation always takes the same ones, so that a prediction does not change from one look to the next (in the
    original GraphLog code it does).
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def forward(self, batch: NetworkBatch) -> Tensor:
        drawn = torch.Generator().manual_seed(_EVALUATION_SEED) if not self.training else None
        bound = 1.414 * (6.0 / (100 + self.width)) ** 0.5
        table = torch.rand(batch.largest, self.width, generator=drawn) * (2 * bound) - bound
        return table[batch.local]


class ReadOut(nn.Module):
    """Scores from the states of the two nodes asked for and, on request, the mean of all nodes of their graph."""

    def __init__(self, width: int, classes: int, hidden: int | None = None, with_mean: bool = True) -> None:
        super().__init__()
        self.with_mean = with_mean
        hidden = hidden or width
        self.layers = nn.Sequential(nn.Linear((2 + with_mean) * width, hidden), nn.ReLU(), nn.Linear(hidden, classes))

    def forward(self, states: Tensor, batch: NetworkBatch) -> Tensor:
        parts = [states[batch.queries[:, 0]], states[batch.queries[:, 1]]]
        if self.with_mean:
            parts.insert(0, scatter(states, batch.graph, dim_size=batch.graphs, reduce="mean"))
        return self.layers(torch.cat(parts, dim=1))


def _incoming_softmax(logits: Tensor, loops: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Softmax over each node's incoming edges and its self loop: [edges, heads] and [nodes, heads] weights."""
    highest = loops.detach().scatter_reduce(
        0, targets[:, None].expand_as(logits), logits.detach(), reduce="amax", include_self=True
    )
    edges, own = (logits - highest[targets]).exp(), (loops - highest).exp()
    total = own.index_add(0, targets, edges)
    return edges / total[targets], own / total


class EdgeAttention(nn.Module):
    """One round: each node takes the weighted mean of its neighbours' vectors and of the relations to them.

    Self loops carry no relation. Heads are averaged. Gives [nodes, node width + relation width].
    """

    def __init__(self, width: int, relation_width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.width, self.dropout = heads, width, dropout
        self.project = nn.Linear(width, heads * width, bias=False)
        self.sink = nn.Parameter(torch.empty(heads, width))
        self.origin = nn.Parameter(torch.empty(heads, width))
        self.relation = nn.Parameter(torch.empty(heads, relation_width))
        for table in (self.sink, self.origin, self.relation):
            nn.init.xavier_uniform_(table)

    def forward(self, states: Tensor, relations: Tensor, batch: NetworkBatch) -> Tensor:
        values = self.project(states).view(-1, self.heads, self.width)
        to, source = torch.einsum("nhd,hd->nh", values, self.sink), torch.einsum("nhd,hd->nh", values, self.origin)
        kinds = relations @ self.relation.t()
        logits = to[batch.targets] + source[batch.sources] + kinds[batch.types]
        shares = _incoming_softmax(
            functional.leaky_relu(logits, 0.2), functional.leaky_relu(to + source, 0.2), batch.targets
        )
        edges, own = (functional.dropout(share, self.dropout, self.training) for share in shares)
        return torch.cat([self._nodes(values, edges, own, batch), self._relations(edges, relations, batch)], dim=1)

    def _nodes(self, values: Tensor, edges: Tensor, own: Tensor, batch: NetworkBatch) -> Tensor:
        sent = torch.einsum("eh,ehd->ed", edges, values[batch.sources])
        kept = torch.einsum("nh,nhd->nd", own, values)
        return kept.index_add(0, batch.targets, sent) / self.heads

    def _relations(self, edges: Tensor, relations: Tensor, batch: NetworkBatch) -> Tensor:
        count = len(relations)
        weights = edges.new_zeros(batch.nodes * count)
        weights = weights.index_add(0, batch.targets * count + batch.types, edges.mean(1))
        return weights.view(batch.nodes, count) @ relations


class GatedAttention(nn.Module):
    """GraphLog's E-GAT: rounds of edge attention, each gated by one GRU cell that all rounds share."""

    def __init__(self, width: int = 200, layers: int = 6, heads: int = 2, dropout: float = 0.4) -> None:
        super().__init__()
        self.dropout = dropout
        self.nodes = RandomNodes(width)
        self.rounds = nn.ModuleList(EdgeAttention(width, width, heads, dropout) for _ in range(layers))
        self.gate = nn.GRUCell(2 * width, width)

    def forward(self, batch: NetworkBatch, relations: Tensor) -> Tensor:
        states = self.nodes(batch)
        for number, attend in enumerate(self.rounds):
            states = functional.elu(states) if number else states
            states = functional.dropout(states, self.dropout, self.training)
            states = self.gate(attend(states, relations, batch), states)
        return states


class Gat(nn.Module):
    """CLUTRR's GAT: edges enter attention and messages; the same two layers in every round."""

    def __init__(self, relations: int, width: int = 100, rounds: int = 3, heads: int = 3, dropout: float = 0.6) -> None:
        super().__init__()
        edge_width, hidden = 20, 200
        self.rounds, self.dropout = rounds, dropout
        self.nodes = RandomNodes(width)
        self.edges = nn.Embedding(2 * relations, edge_width)
        self.wide = EdgeAttention(width, edge_width, heads, dropout)
        self.narrow = EdgeAttention(width, edge_width, 1, dropout)
        self.shrink = nn.ModuleList(nn.Linear(width + edge_width, width) for _ in range(2))
        self.read = ReadOut(width, relations, hidden)

    def forward(self, batch: NetworkBatch) -> Tensor:
        graph = batch.both_ways()
        relations = graph.kinds @ self.edges.weight
        states = self.nodes(batch)
        for _ in range(self.rounds):
            for attend, shrink in zip((self.wide, self.narrow), self.shrink, strict=True):
                states = functional.dropout(states, self.dropout, self.training)
                states = functional.elu(shrink(attend(states, relations, graph)))
        return self.read(states, batch)


class MixedConvolution(nn.Module):
    """One layer: a node's own vector and those of its neighbours, each through the matrix of its relation.

    The matrix of a relation is the sum of base matrices weighted by the relation's vector.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.bases = nn.Parameter(torch.empty(width, width * width))
        self.root = nn.Linear(width, width)
        # As glorot would for a relation's matrix, whatever the length of its vector.
        nn.init.normal_(self.bases, std=(2.0 / (width + width)) ** 0.5)

    def forward(self, states: Tensor, relations: Tensor, batch: NetworkBatch) -> Tensor:
        matrices = (relations @ self.bases).view(len(relations), states.shape[1], -1)
        order = torch.argsort(batch.types)
        counts = torch.bincount(batch.types, minlength=len(relations)).tolist()
        inputs = torch.split(states[batch.sources[order]], counts)
        sent = torch.cat([part @ matrix for part, matrix in zip(inputs, matrices, strict=True)])
        return self.root(states).index_add(0, batch.targets[order], sent)


class MixedConvolutions(nn.Module):
    """GraphLog's R-GCN: two layers over random node vectors."""

    def __init__(self, width: int = 200, layers: int = 2) -> None:
        super().__init__()
        self.nodes = RandomNodes(width)
        self.layers = nn.ModuleList(MixedConvolution(width) for _ in range(layers))

    def forward(self, batch: NetworkBatch, relations: Tensor) -> Tensor:
        states = self.nodes(batch)
        for number, layer in enumerate(self.layers):
            states = layer(functional.relu(states) if number else states, relations, batch)
        return states


class Rgcn(nn.Module):
    """R-GCN as STaR's baseline: one layer used in every round, read off the two nodes asked for."""

    def __init__(self, relations: int, width: int = 64, rounds: int = 8) -> None:
        super().__init__()
        self.rounds = rounds
        self.nodes = RandomNodes(width)
        self.relations = nn.Parameter(torch.randn(2 * relations, width) / width**0.5)
        self.layer = MixedConvolution(width)
        self.norm = nn.LayerNorm(width)
        self.read = ReadOut(width, relations, with_mean=False)

    def forward(self, batch: NetworkBatch) -> Tensor:
        graph = batch.both_ways()
        kinds = graph.kinds @ self.relations
        states = self.nodes(batch)
        for _ in range(self.rounds):
            states = functional.relu(self.norm(self.layer(states, kinds, graph)))
        return self.read(states, batch)
