"""An epistemic graph network: a node's state is what is known of its relation to the query's two nodes.

States are distributions over abstract relations, in several facets. They are composed by a learned table whose first
entry is the identity, met where several edges come together (smallest or product), and spread forward from the first
node of the query and backward from the second. What both say along one shortest path is compared with each relation.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.utils import scatter

from hornbeam.neural.graph.store import GraphBatch

_TINY = 1e-18


class EpiGnn(nn.Module):
    """`width` is shared out to `facets`. Only the parameters that are used exist: one table, one vector a relation."""

    def __init__(
        self,
        relations: int,
        width: int = 32,
        facets: int = 8,
        rounds: int = 9,
        pooling: Literal["min", "mul"] = "min",
        margin: float | None = None,
    ) -> None:
        super().__init__()
        self.facets, self.size, self.rounds, self.pooling, self.margin = (
            facets,
            width // facets,
            rounds,
            pooling,
            margin,
        )
        self.relations = nn.Parameter(torch.randn(relations, facets, self.size))
        self.table = nn.Parameter(torch.randn(facets, self.size - 1, self.size - 1, self.size))

    def forward(self, batch: GraphBatch) -> Tensor:
        """Scores: minus the cross-entropy between a relation and what was derived, the facets' mean."""
        vectors = torch.softmax(self.relations, dim=2)
        kinds = (batch.kinds @ vectors.flatten(1)).view(-1, self.facets, self.size)
        table = self._composition()
        forth = torch.einsum("fijp,kfj->kfip", table, kinds)[batch.types]
        back = torch.einsum("fijp,kfi->kfjp", table, kinds)[batch.types]
        forward = self._spread(forth, batch.sources, batch.targets, batch.queries[:, 0], batch.nodes)
        backward = self._spread(back, batch.targets, batch.sources, batch.queries[:, 1], batch.nodes)
        met = torch.einsum("nfi,fijp,nfj->nfp", forward[batch.way], table, backward[batch.way])
        derived = self._meet(met, batch.way_graph, batch.graphs)
        return torch.einsum("rfp,bfp->br", vectors, derived.log()) / self.facets

    def losses(self, scores: Tensor, labels: Tensor) -> Tensor:
        """Cross-entropy, or with a margin: the true relation's score against that of a false one, drawn at random."""
        if self.margin is None:
            return functional.cross_entropy(scores, labels, reduction="none")
        other = (labels + torch.randint(1, scores.shape[1], labels.shape)) % scores.shape[1]
        gap = scores.gather(1, other[:, None]) - scores.gather(1, labels[:, None])
        return functional.relu(gap + self.margin).squeeze(1)

    def _composition(self) -> Tensor:
        """[facets, left, right, result]: the identity changes nothing, the rest is learned."""
        one = torch.eye(self.size).expand(self.facets, -1, -1)
        learned = torch.softmax(self.table, dim=3)
        below = torch.cat([one[:, 1:, None], learned], dim=2)
        return torch.cat([one[:, None], below], dim=1)

    def _spread(self, maps: Tensor, sources: Tensor, targets: Tensor, start: Tensor, nodes: int) -> Tensor:
        identity = functional.one_hot(torch.tensor(0), self.size).float().expand(self.facets, -1)
        is_start = torch.zeros(nodes, 1, 1, dtype=torch.bool).index_fill_(0, start, True)
        states = torch.where(is_start, identity, torch.full((nodes, self.facets, self.size), 1 / self.size))
        heard = torch.zeros(nodes, 1, 1, dtype=torch.bool).index_fill_(0, targets, True) & ~is_start
        for _ in range(self.rounds):
            sent = torch.einsum("efi,efip->efp", states[sources], maps)
            states = torch.where(heard, self._meet(sent, targets, nodes), states)
        return states

    def _meet(self, values: Tensor, index: Tensor, size: int) -> Tensor:
        met = scatter(values, index, dim_size=size, reduce=self.pooling) + _TINY
        return met / met.sum(2, keepdim=True)
