"""GraphLog's six models: a representation of the relations, and a composition of them along a graph.

Relation vectors come from a table, or from a graph network over the folded world (`FoldedWorld`), which gives the same
vectors as the whole graph. Dropout then falls on kinds of nodes, not on single ones.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.graph.data import FoldedWorld
from hornbeam.neural.graph.models.messages import GatedAttention, MixedConvolutions, ReadOut
from hornbeam.neural.graph.store import NetworkBatch


class RelationTable(nn.Module):
    """A learned vector for each relation; it looks at no world."""

    def __init__(self, relations: int, width: int) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.empty(relations, width))
        nn.init.xavier_uniform_(self.vectors, gain=1.414)

    def forward(self, world: FoldedWorld) -> Tensor:
        return self.vectors


class _OverWorld(nn.Module):
    """Two rounds over the extended world graph; the first of `relations` + 1 start vectors is that of every entity."""

    def __init__(self, relations: int, width: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.empty(relations + 1, width))
        nn.init.xavier_uniform_(self.start, gain=1.414)

    def pool(self, states: Tensor, world: FoldedWorld) -> Tensor:
        """The mean over a relation's edges; zero for a relation that the world does not have."""
        pooled = states.new_zeros(world.relations, states.shape[1])
        return pooled.index_add(0, world.relation, states * world.share[:, None])


class WorldConvolution(_OverWorld):
    """f_r GCN: self loops weigh 2; neighbours are normalised by the degrees of both ends."""

    def __init__(self, relations: int, width: int) -> None:
        super().__init__(relations, width)
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, world: FoldedWorld) -> Tensor:
        first, second = self.first, self.second
        entity, edge = self.start[:1], self.start[1:]
        degree = world.incoming.sum(1, keepdim=True) + 2.0  # an edge's node has one incoming link: 3
        moved_entity, moved_edge = entity @ first.weight.t(), edge @ first.weight.t()
        entities = (world.incoming @ moved_edge) / (3.0 * degree).sqrt() + 2.0 / degree * moved_entity + first.bias
        # An edge's node hears from one entity, whose degree is part of its kind.
        pairs = moved_entity / (3.0 * degree[world.entity]).sqrt() + 2.0 / 3.0 * moved_edge[world.relation] + first.bias
        entities, pairs = functional.relu(entities) @ second.weight.t(), functional.relu(pairs) @ second.weight.t()
        states = entities[world.entity] / (3.0 * degree[world.entity]).sqrt() + 2.0 / 3.0 * pairs + second.bias
        return self.pool(states, world)


class WorldAttention(_OverWorld):
    """f_r GAT: attention over incoming links and a self loop, heads averaged, gated by a shared GRU cell."""

    def __init__(self, relations: int, width: int, heads: int = 2, dropout: float = 0.4) -> None:
        super().__init__(relations, width)
        self.heads, self.width, self.dropout = heads, width, dropout
        self.project = nn.ModuleList(nn.Linear(width, heads * width, bias=False) for _ in range(2))
        self.sink = nn.Parameter(torch.empty(2, heads, width))
        self.origin = nn.Parameter(torch.empty(2, heads, width))
        nn.init.xavier_uniform_(self.sink)
        nn.init.xavier_uniform_(self.origin)
        self.gate = nn.GRUCell(width, width)

    def forward(self, world: FoldedWorld) -> Tensor:
        start = functional.dropout(self.start, self.dropout, self.training)
        values, to, source = self._scores(0, start)
        entities = self.gate(
            self._gather(world.incoming, values, to, source), start[:1].expand(len(world.incoming), -1)
        )
        # An edge's node hears from one entity, and all entities start alike.
        edges = self.gate(self._beside(values[1:], values[:1], to[1:], source[1:], source[:1]), start[1:])
        entities = functional.dropout(functional.elu(entities), self.dropout, self.training)
        edges = functional.dropout(functional.elu(edges), self.dropout, self.training)
        return self.pool(self._last(entities, edges, world), world)

    def _last(self, entities: Tensor, edges: Tensor, world: FoldedWorld) -> Tensor:
        near, _, near_source = self._scores(1, entities)
        own, own_to, own_source = self._scores(1, edges)
        relation, entity = world.relation, world.entity
        message = self._beside(own[relation], near[entity], own_to[relation], own_source[relation], near_source[entity])
        return self.gate(message, edges[relation])

    def _scores(self, layer: int, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        values = self.project[layer](states).view(-1, self.heads, self.width)
        to = torch.einsum("nhd,hd->nh", values, self.sink[layer])
        return values, to, torch.einsum("nhd,hd->nh", values, self.origin[layer])

    def _gather(self, incoming: Tensor, values: Tensor, to: Tensor, source: Tensor) -> Tensor:
        """For entities, which all start as row 0: weights by relation, times how often it comes."""
        logits = functional.leaky_relu(to[:1] + source, 0.2)
        weights = (logits - logits.max()).exp()  # [1 + relations, heads]
        counts = torch.cat([incoming.new_ones(len(incoming), 1), incoming], dim=1)
        shares = counts[:, :, None] * weights
        shares = functional.dropout(shares / shares.sum(1, keepdim=True), self.dropout, self.training)
        return torch.einsum("crh,rhd->cd", shares, values) / self.heads

    def _beside(self, own: Tensor, near: Tensor, to: Tensor, own_source: Tensor, near_source: Tensor) -> Tensor:
        """For nodes with one incoming link: between themselves and that neighbour."""
        logits = torch.stack([to + own_source, to + near_source.expand_as(to)], dim=0)
        shares = functional.dropout(
            torch.softmax(functional.leaky_relu(logits, 0.2), dim=0), self.dropout, self.training
        )
        return (shares[0][:, :, None] * own + shares[1][:, :, None] * near).mean(1)


REPRESENTATIONS = {"param": RelationTable, "gcn": WorldConvolution, "gat": WorldAttention}
COMPOSITIONS = {"rgcn": MixedConvolutions, "egat": GatedAttention}


class GraphLogModel(nn.Module):
    """`representation` makes relation vectors of a world, `composition` reads a graph with them."""

    def __init__(self, relations: int, representation: str, composition: str, width: int = 200) -> None:
        super().__init__()
        self.representation = REPRESENTATIONS[representation](relations, width)
        self.composition = COMPOSITIONS[composition](width)
        self.read = ReadOut(width, relations)

    def use(self, part: str, module: nn.Module) -> None:
        """Take another representation or composition, e.g. that of another world."""
        self._modules[part] = module

    def forward(self, batch: NetworkBatch, world: FoldedWorld) -> Tensor:
        vectors = batch.kinds @ self.representation(world)
        return self.read(self.composition(batch, vectors), batch)
