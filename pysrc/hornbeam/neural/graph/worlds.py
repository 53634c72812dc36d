"""The extended world graph of GraphLog, folded together exactly.

In the extended graph every edge of the world is a node between its two ends. Nodes start with one of few vectors (one
for all entities, one for each relation), so nodes with the same surroundings have the same state: after one round an
edge's node knows only its relation, and an entity only how many edges of each relation lead to it. Two rounds need
states for kinds of entities and for pairs of a relation and a kind of entity, not for thousands of nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class World:
    """A world graph as far as two rounds can tell its nodes apart."""

    incoming: Tensor  # [kinds of entities, relations]: edges of each relation that lead to such an entity
    relation: Tensor  # [pairs]: the relation of an edge ...
    entity: Tensor  # [pairs]: ... and the kind of entity that it leaves
    share: Tensor  # [pairs]: the pair's share of all edges of its relation

    @property
    def relations(self) -> int:
        return self.incoming.shape[1]


def fold(edges: Sequence[tuple[object, int, object]], relations: int) -> World:
    """A world from its edges: source, number of the relation, target.

    >>> world = fold([("a", 0, "b"), ("b", 1, "c"), ("c", 0, "b")], relations=2)
    >>> world.incoming.tolist(), world.relation.tolist(), world.share.tolist()
    ([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0]], [0, 0, 1], [0.5, 0.5, 1.0])
    """
    counts: dict[object, list[int]] = {}
    for source, relation, target in edges:
        counts.setdefault(source, [0] * relations)
        counts.setdefault(target, [0] * relations)[relation] += 1
    kinds = {row: place for place, row in enumerate(sorted({tuple(row) for row in counts.values()}))}
    pairs = Counter((relation, kinds[tuple(counts[source])]) for source, relation, _ in edges)
    totals = Counter(relation for _, relation, _ in edges)
    order = sorted(pairs)
    return World(
        torch.tensor(list(kinds), dtype=torch.float).reshape(-1, relations),
        torch.tensor([relation for relation, _ in order], dtype=torch.long),
        torch.tensor([kind for _, kind in order], dtype=torch.long),
        torch.tensor([pairs[pair] / totals[pair[0]] for pair in order], dtype=torch.float),
    )
