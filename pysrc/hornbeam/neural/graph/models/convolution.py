"""Relational graph convolutions: GraphLog's, whose relation vectors mix shared bases, and the plain one.

A relation's matrix is made once; edges are taken relation by relation, so that no matrix is ever made for an edge.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.graph.models.parts import RandomNodes, ReadOut
from hornbeam.neural.graph.store import GraphBatch


class MixedConvolution(nn.Module):
    """One layer: a node's own vector and those of its neighbours, each through the matrix of its relation.

    The matrix of a relation is the sum of `bases` matrices weighted by the relation's vector.
    """

    def __init__(self, width: int, bases: int, out: int | None = None) -> None:
        super().__init__()
        out = out or width
        self.bases = nn.Parameter(torch.empty(bases, width * out))
        self.root = nn.Linear(width, out)
        self.out = out
        # As glorot would for a relation's matrix, whatever the length of its vector.
        nn.init.normal_(self.bases, std=(2.0 / (width + out)) ** 0.5)

    def forward(self, states: Tensor, relations: Tensor, batch: GraphBatch) -> Tensor:
        matrices = (relations @ self.bases).view(len(relations), states.shape[1], self.out)
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
        self.layers = nn.ModuleList(MixedConvolution(width, width) for _ in range(layers))

    def forward(self, batch: GraphBatch, relations: Tensor) -> Tensor:
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
        self.layer = MixedConvolution(width, width)
        self.norm = nn.LayerNorm(width)
        self.read = ReadOut(width, relations, with_mean=False)

    def forward(self, batch: GraphBatch) -> Tensor:
        graph = batch.both_ways()
        kinds = graph.kinds @ self.relations
        states = self.nodes(batch)
        for _ in range(self.rounds):
            states = functional.relu(self.norm(self.layer(states, kinds, graph)))
        return self.read(states, batch)
