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

# Facets that start near the uniform distribution find coarser structure, which long paths need: on CLUTRR, after 600
# steps, 0.57 at k=10 against 0.46 from a start of 1.
_START = 0.2


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
        self.relations = nn.Parameter(_START * torch.randn(relations, facets, self.size))
        self.table = nn.Parameter(_START * torch.randn(facets, self.size - 1, self.size - 1, self.size))

    def forward(self, batch: GraphBatch) -> Tensor:
        """Scores: minus the cross-entropy between a relation and what was derived, the facets' mean."""
        vectors = torch.softmax(self.relations, dim=2)
        kinds = (batch.kinds @ vectors.flatten(1)).view(-1, self.facets, self.size)
        table = self._composition()
        forward, backward = self._spread(table, kinds, batch)
        met = torch.einsum("nfi,fijp,nfj->nfp", forward[batch.way], table, backward[batch.way])
        derived = self._meet(met, batch.way_graph, batch.graphs)
        return torch.einsum("rfp,bfp->br", vectors, derived.clamp(min=_TINY).log()) / self.facets

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

    def _spread(self, table: Tensor, kinds: Tensor, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        """What each node is to the first node of its query, and the second node of its query to it.

        Both directions are one pass over a graph that is there twice. States that a round leaves as they are stay so,
        so that a batch takes as many rounds as its longest path is long, and one more.
        """
        nodes = batch.nodes
        sources = torch.cat([batch.sources, batch.targets + nodes])
        targets = torch.cat([batch.targets, batch.sources + nodes])
        forth = torch.einsum("fijp,kfj->kfip", table, kinds)[batch.types]
        back = torch.einsum("fijp,kfi->kfjp", table, kinds)[batch.types]
        maps = torch.cat([forth, back])
        start = torch.cat([batch.queries[:, 0], batch.queries[:, 1] + nodes])
        is_start = torch.zeros(2 * nodes, 1, 1, dtype=torch.bool).index_fill_(0, start, True)
        identity = functional.one_hot(torch.tensor(0), self.size).float().expand(self.facets, -1)
        states = torch.where(is_start, identity, torch.full((2 * nodes, self.facets, self.size), 1 / self.size))
        heard = torch.zeros(2 * nodes, 1, 1, dtype=torch.bool).index_fill_(0, targets, True) & ~is_start
        for _ in range(self.rounds):
            sent = torch.matmul(states[sources].unsqueeze(2), maps).squeeze(2)
            before, states = states, torch.where(heard, self._meet(sent, targets, 2 * nodes), states)
            if torch.equal(before, states):
                break
        return states[:nodes], states[nodes:]

    def _meet(self, values: Tensor, index: Tensor, size: int) -> Tensor:
        """The smallest or the product of what arrives, as a distribution; of products the logarithms are added."""
        if self.pooling == "mul":
            logs = values.clamp(min=_TINY).log()
            return torch.softmax(logs.new_zeros(size, *logs.shape[1:]).index_add(0, index, logs), dim=2)
        met = scatter(values, index, dim_size=size, reduce="min") + _TINY
        return met / met.sum(2, keepdim=True)
