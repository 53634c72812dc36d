"""Neural Bellman-Ford network: states spread from the first node of the query, and the second is read off."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.utils import scatter

from hornbeam.neural.graph.store import GraphBatch


class NbfNet(nn.Module):
    """One layer used in every round, with a short cut; messages add (transe) or multiply (distmult) a relation."""

    def __init__(
        self,
        relations: int,
        width: int = 64,
        rounds: int = 10,
        message: Literal["transe", "distmult"] = "transe",
        pooling: Literal["min", "mean", "sum"] = "min",
        classes: int | None = None,
    ) -> None:
        super().__init__()
        self.rounds, self.message, self.pooling = rounds, message, pooling
        self.start = nn.Parameter(torch.randn(width))
        self.relations = nn.Parameter(torch.randn(2 * relations, width) / width**0.5)
        self.update = nn.Linear(2 * width, width)
        self.norm = nn.LayerNorm(width)
        self.read = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, classes or relations))

    def forward(self, batch: GraphBatch) -> Tensor:
        graph = batch.both_ways()
        kinds = (graph.kinds @ self.relations)[graph.types]
        border = torch.zeros(batch.nodes, len(self.start)).index_add(
            0, batch.queries[:, 0], self.start.expand(batch.graphs, -1)
        )
        states = border
        for _ in range(self.rounds):
            near = states[graph.sources]
            sent = near + kinds if self.message == "transe" else near * kinds
            heard = scatter(
                torch.cat([sent, border]),
                torch.cat([graph.targets, torch.arange(batch.nodes)]),
                dim_size=batch.nodes,
                reduce=self.pooling,
            )
            states = states + functional.relu(self.norm(self.update(torch.cat([heard, states], dim=1))))
        return self.read(states[batch.queries[:, 1]])
