"""What several graph models are made of."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch_geometric.utils import scatter

from hornbeam.neural.graph.store import GraphBatch

_EVALUATION_SEED = 20_200


class RandomNodes(nn.Module):
    """Node vectors that say nothing of a node but which it is: drawn anew for each training batch.

    Evaluation always takes the same ones, so that a prediction does not change from one look to the next (in the
    original GraphLog code it does).
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def forward(self, batch: GraphBatch) -> Tensor:
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

    def forward(self, states: Tensor, batch: GraphBatch) -> Tensor:
        parts = [states[batch.queries[:, 0]], states[batch.queries[:, 1]]]
        if self.with_mean:
            parts.insert(0, scatter(states, batch.graph, dim_size=batch.graphs, reduce="mean"))
        return self.layers(torch.cat(parts, dim=1))


def incoming_softmax(logits: Tensor, loops: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Softmax over each node's incoming edges and its self loop: [edges, heads] and [nodes, heads] weights."""
    highest = loops.detach().scatter_reduce(
        0, targets[:, None].expand_as(logits), logits.detach(), reduce="amax", include_self=True
    )
    edges, own = (logits - highest[targets]).exp(), (loops - highest).exp()
    total = own.index_add(0, targets, edges)
    return edges / total[targets], own / total
