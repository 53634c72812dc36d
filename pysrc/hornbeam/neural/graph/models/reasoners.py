"""Models made for composing relations along paths: EpiGNN, NBFNet, NCRL and the Edge Transformer."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.utils import scatter

from hornbeam.neural.graph.store import NetworkBatch

_TINY = 1e-18

# Facets that start near the uniform distribution find coarser structure, which long paths need: on CLUTRR, after 600
# steps, 0.57 at k=10 against 0.46 from a start of 1.
_START = 0.2


class EpiGnn(nn.Module):
    """An epistemic graph network: a node's state is what is known of its relation to the query's two nodes.

    States are distributions over abstract relations, in several facets, to which `width` is shared out. They are
    composed by a learned table whose first entry is the identity, met where several edges come together (smallest or
    product), and spread forward from the first node of the query and backward from the second. What both say along one
    shortest path is compared with each relation.
    """

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
        self.facets, self.size, self.rounds = facets, width // facets, rounds
        self.pooling, self.margin = pooling, margin
        self.relations = nn.Parameter(_START * torch.randn(relations, facets, self.size))
        self.table = nn.Parameter(_START * torch.randn(facets, self.size - 1, self.size - 1, self.size))

    def forward(self, batch: NetworkBatch) -> Tensor:
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

    def _spread(self, table: Tensor, kinds: Tensor, batch: NetworkBatch) -> tuple[Tensor, Tensor]:
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


class NbfNet(nn.Module):
    """Neural Bellman-Ford: states spread from the first node of the query, and the second is read off.

    One layer is used in every round, with a short cut; messages add (transe) or multiply (distmult) a relation.
    """

    def __init__(
        self,
        relations: int,
        width: int = 64,
        rounds: int = 10,
        message: Literal["transe", "distmult"] = "transe",
        pooling: Literal["min", "mean", "sum"] = "min",
    ) -> None:
        super().__init__()
        self.rounds, self.message, self.pooling = rounds, message, pooling
        self.start = nn.Parameter(torch.randn(width))
        self.relations = nn.Parameter(torch.randn(2 * relations, width) / width**0.5)
        self.update = nn.Linear(2 * width, width)
        self.norm = nn.LayerNorm(width)
        self.read = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, relations))

    def forward(self, batch: NetworkBatch) -> Tensor:
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


class Ncrl(nn.Module):
    """Neural compositional rule learning: a path of relations is folded pair by pair until one vector is left.

    In each step a recurrent cell reads every two neighbours of the path, attention chooses which of them to fold, and
    the pair becomes a mixture of the known relations and of its own vector. The scores of a query's paths are added: a
    relation must be possible along each. Needs a store that was encoded with `paths`.
    """

    def __init__(self, relations: int, width: int = 64) -> None:
        super().__init__()
        self.relations, self.width = relations, width
        self.vectors = nn.Parameter(torch.randn(2 * relations, width) / width**0.5)
        self.cell = nn.GRU(width, width, batch_first=True)
        self.choose = nn.Linear(width, 1)
        self.query = nn.Linear(width, width)
        self.unknown = nn.Linear(width, 1)

    def forward(self, batch: NetworkBatch) -> Tensor:
        kinds, size = batch.kinds, len(batch.kinds)
        both = torch.cat([kinds @ self.vectors[: self.relations], kinds @ self.vectors[self.relations :]])
        graphs, paths, length = batch.paths.shape
        flat = batch.paths.reshape(graphs * paths, length)
        lengths = (flat >= 0).sum(1)
        steps = both[flat.clamp(min=0, max=2 * size - 1)]
        present = (lengths > 0).float()
        while steps.shape[1] > 1:
            steps, lengths = self._fold(steps, lengths)
        scores = functional.log_softmax(self._similarity(steps[:, 0])[:, : self.relations], dim=1)
        return (scores * present[:, None]).view(graphs, paths, -1).sum(1)

    def _similarity(self, states: Tensor) -> Tensor:
        return self.query(states) @ self.vectors.t() / self.width**0.5

    def _fold(self, steps: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """One pair of each path that still has one becomes a single step."""
        rows, size, width = steps.shape
        pairs = torch.stack([steps[:, :-1], steps[:, 1:]], dim=2).reshape(-1, 2, width)
        read = self.cell(pairs)[1][0].view(rows, size - 1, width)
        folded = self._compose(read)
        places = torch.arange(size - 1)
        open_places = places[None, :] < (lengths - 1)[:, None]
        scores = self.choose(read).squeeze(-1).masked_fill(~open_places, -1e9)
        shares = torch.softmax(scores, dim=1)
        # Whichever pair is folded, what lies before stays in its place and what lies behind moves up by one.
        later = torch.cumsum(shares, dim=1)
        before, behind = 1 - later, later - shares
        mixed = before[..., None] * steps[:, :-1] + shares[..., None] * folded + behind[..., None] * steps[:, 1:]
        done = (lengths <= 1)[:, None, None]
        return torch.where(done, steps[:, :-1], mixed), torch.where(lengths > 1, lengths - 1, lengths)

    def _compose(self, read: Tensor) -> Tensor:
        scores = torch.cat([self._similarity(read), self.unknown(read)], dim=-1)
        shares = torch.softmax(scores, dim=-1)
        return shares[..., :-1] @ self.vectors + shares[..., -1:] * read


class TriangularAttention(nn.Module):
    """A pair (i, j) attends to the nodes l by the pairs (i, l) and (l, j), whose values are multiplied.

    The sum over the middle node is taken one node at a time: no tensor over pairs, middle and width is made.
    """

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
    """A state for every pair of nodes, rounds of one shared layer over them; the pair asked for is read off."""

    def __init__(self, relations: int, width: int = 64, heads: int = 4, rounds: int = 4, dropout: float = 0.2) -> None:
        super().__init__()
        self.rounds = rounds
        self.labels = nn.Parameter(torch.randn(2 * relations + 2, width) / width**0.5)  # last two: none, itself
        self.attend = TriangularAttention(width, heads)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.forth = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))
        self.drop = nn.Dropout(dropout)
        self.read = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, relations))

    def forward(self, batch: NetworkBatch) -> Tensor:
        pairs, absent = self._pairs(batch)
        for _ in range(self.rounds):
            pairs = pairs + self.drop(self.attend(self.norms[0](pairs), absent))
            pairs = pairs + self.drop(self.forth(self.norms[1](pairs)))
        own = batch.local[batch.queries]
        return self.read(pairs[torch.arange(batch.graphs), own[:, 0], own[:, 1]])

    def _pairs(self, batch: NetworkBatch) -> tuple[Tensor, Tensor]:
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
