"""Attention over edges that carry relation vectors: the E-GAT of GraphLog and the GAT of CLUTRR.

The score of an edge is a sum of a part of its target, one of its source and one of its relation, so the parts are
computed once a node and once a relation, never once an edge. The sum of relation vectors over a node's edges is a
product of the edges' weights, gathered by relation, with the table of relations.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.graph.models.parts import RandomNodes, ReadOut, incoming_softmax
from hornbeam.neural.graph.store import GraphBatch


class EdgeAttention(nn.Module):
    """One round: each node takes the weighted mean of its neighbours' vectors and of the relations to them.

    Self loops carry no relation. Heads are averaged. Gives [nodes, node width + relation width].
    """

    def __init__(self, width: int, relation_width: int, heads: int, dropout: float, slope: float = 0.2) -> None:
        super().__init__()
        self.heads, self.width, self.dropout, self.slope = heads, width, dropout, slope
        self.project = nn.Linear(width, heads * width, bias=False)
        self.sink = nn.Parameter(torch.empty(heads, width))
        self.origin = nn.Parameter(torch.empty(heads, width))
        self.relation = nn.Parameter(torch.empty(heads, relation_width))
        for table in (self.sink, self.origin, self.relation):
            nn.init.xavier_uniform_(table)

    def forward(self, states: Tensor, relations: Tensor, batch: GraphBatch) -> Tensor:
        values = self.project(states).view(-1, self.heads, self.width)
        to, source = torch.einsum("nhd,hd->nh", values, self.sink), torch.einsum("nhd,hd->nh", values, self.origin)
        kinds = relations @ self.relation.t()
        logits = to[batch.targets] + source[batch.sources] + kinds[batch.types]
        edges, own = incoming_softmax(
            functional.leaky_relu(logits, self.slope), functional.leaky_relu(to + source, self.slope), batch.targets
        )
        edges = functional.dropout(edges, self.dropout, self.training)
        own = functional.dropout(own, self.dropout, self.training)
        return torch.cat([self._nodes(values, edges, own, batch), self._relations(edges, relations, batch)], dim=1)

    def _nodes(self, values: Tensor, edges: Tensor, own: Tensor, batch: GraphBatch) -> Tensor:
        sent = torch.einsum("eh,ehd->ed", edges, values[batch.sources])
        kept = torch.einsum("nh,nhd->nd", own, values)
        return kept.index_add(0, batch.targets, sent) / self.heads

    def _relations(self, edges: Tensor, relations: Tensor, batch: GraphBatch) -> Tensor:
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

    def forward(self, batch: GraphBatch, relations: Tensor) -> Tensor:
        states = self.nodes(batch)
        for number, attend in enumerate(self.rounds):
            states = functional.elu(states) if number else states
            states = functional.dropout(states, self.dropout, self.training)
            states = self.gate(attend(states, relations, batch), states)
        return states


class Gat(nn.Module):
    """CLUTRR's GAT: edges enter attention and messages; the same two layers in every round."""

    def __init__(
        self,
        relations: int,
        width: int = 100,
        edge_width: int = 20,
        rounds: int = 3,
        heads: int = 3,
        dropout: float = 0.6,
        hidden: int = 200,
    ) -> None:
        super().__init__()
        self.rounds, self.dropout = rounds, dropout
        self.nodes = RandomNodes(width)
        self.edges = nn.Embedding(2 * relations, edge_width)
        self.wide = EdgeAttention(width, edge_width, heads, dropout)
        self.narrow = EdgeAttention(width, edge_width, 1, dropout)
        self.shrink = nn.ModuleList(nn.Linear(width + edge_width, width) for _ in range(2))
        self.read = ReadOut(width, relations, hidden)

    def forward(self, batch: GraphBatch) -> Tensor:
        graph = batch.both_ways()
        relations = graph.kinds @ self.edges.weight
        states = self.nodes(batch)
        for _ in range(self.rounds):
            for attend, shrink in zip((self.wide, self.narrow), self.shrink, strict=True):
                states = functional.dropout(states, self.dropout, self.training)
                states = functional.elu(shrink(attend(states, relations, graph)))
        return self.read(states, batch)
