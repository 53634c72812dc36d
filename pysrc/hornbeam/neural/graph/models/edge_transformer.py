"""The Edge Transformer: a state for every pair of nodes, and attention over the node between them.

The sum over the middle node is taken one middle node at a time: no tensor over pairs, middle and width is made.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hornbeam.neural.graph.store import GraphBatch


class TriangularAttention(nn.Module):
    """A pair (i, j) attends to the nodes l by the pairs (i, l) and (l, j), whose values are multiplied."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.project = nn.Linear(width, 4 * width)
        self.out = nn.Linear(width, width)

    def forward(self, pairs: Tensor, absent: Tensor) -> Tensor:
        batch, nodes, _, width = pairs.shape
        parts = self.project(pairs).view(batch, nodes, nodes, 4, self.heads, self.size).unbind(3)
        left, right, first, second = parts
        scores = torch.einsum("bilhd,bljhd->bijlh", left, right) / self.size**0.5
        weights = torch.softmax(scores.masked_fill(absent[:, None, None, :, None], float("-inf")), dim=3)
        mixed = torch.zeros_like(first)
        for middle in range(nodes):
            mixed = mixed + weights[:, :, :, middle, :, None] * first[:, :, middle, None] * second[:, None, middle]
        return self.out(mixed.reshape(batch, nodes, nodes, width))


class EdgeTransformer(nn.Module):
    """Rounds of one shared layer over all pairs of nodes; the pair asked for is read off."""

    def __init__(self, relations: int, width: int = 64, heads: int = 4, rounds: int = 4, dropout: float = 0.2) -> None:
        super().__init__()
        self.rounds = rounds
        self.labels = nn.Parameter(torch.randn(2 * relations + 2, width) / width**0.5)  # last two: none, itself
        self.attend = TriangularAttention(width, heads)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.forth = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))
        self.drop = nn.Dropout(dropout)
        self.read = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, relations))

    def forward(self, batch: GraphBatch) -> Tensor:
        pairs, absent = self._pairs(batch)
        for _ in range(self.rounds):
            pairs = pairs + self.drop(self.attend(self.norms[0](pairs), absent))
            pairs = pairs + self.drop(self.forth(self.norms[1](pairs)))
        own = batch.local[batch.queries]
        return self.read(pairs[torch.arange(batch.graphs), own[:, 0], own[:, 1]])

    def _pairs(self, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        """The starting states, and which places of the square hold no node of their graph."""
        nodes, graph = batch.largest, batch.both_ways()
        vectors = graph.kinds @ self.labels[:-2]
        pairs = self.labels[-2].expand(batch.graphs, nodes, nodes, -1).clone()
        places = torch.arange(nodes)
        pairs[:, places, places] = self.labels[-1]
        where = batch.graph[graph.sources]
        pairs[where, batch.local[graph.sources], batch.local[graph.targets]] = vectors[graph.types]
        sizes = torch.bincount(batch.graph, minlength=batch.graphs)
        return pairs, places[None, :] >= sizes[:, None]
