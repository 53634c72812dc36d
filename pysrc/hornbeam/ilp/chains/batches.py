"""Chains of operators, applied to many queries at once.

A batch knows the edges that its queries may use. A step moves what stands at each place along all edges, each edge
weighted by the attention of its query to the edge's operator: cost and memory are the number of edges times that of
queries, whatever the number of constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

_LEAST = 1e-20


class Batch(Protocol):
    """Queries with the edges that they may use. States have a row for each place."""

    symbols: Tensor  # the symbol of each query

    def start(self) -> Tensor:
        """All weight at the second argument of each query."""

    def step(self, state: Tensor, attention: Tensor) -> Tensor:
        """The state moved along the edges; `attention` has a row for each query, a column for each operator."""

    def spread(self, values: Tensor) -> Tensor:
        """A value of each query where its places stand in a state."""

    def normalised(self, state: Tensor) -> Tensor:
        """The state of each query, brought to the sum of 1 where many paths compete."""

    def answers(self, state: Tensor) -> Tensor:
        """What stands at the first argument of each query."""


@dataclass(frozen=True)
class EdgeTensors:
    """The edges of a world: from `source` to `target` by `operator`, over so many `places`."""

    places: int
    operator: Tensor
    source: Tensor
    target: Tensor

    def moved(self, state: Tensor, weights: Tensor) -> Tensor:
        """What each place receives, given the weights of the edges for each column of the state."""
        return torch.zeros_like(state).index_add(0, self.target, state.index_select(0, self.source) * weights)


class SharedBatch:
    """Queries to one world: each is a column of the state. Each hides the edges of its own fact from itself.

    Args:
        edges: The edges of the world.
        symbols: The symbol of each query.
        firsts: The first argument of each query.
        seconds: The second argument of each query.
        hidden: For each query the edges that it must not use, as two columns.
    """

    def __init__(self, edges: EdgeTensors, symbols: Tensor, firsts: Tensor, seconds: Tensor, hidden: Tensor) -> None:
        self._edges = edges
        self.symbols = symbols
        self._firsts, self._seconds = firsts, seconds
        self._columns = torch.arange(len(symbols))
        self._hidden = (hidden.flatten(), self._columns.repeat_interleave(hidden.shape[1]))

    def start(self) -> Tensor:
        state = torch.zeros(self._edges.places, len(self.symbols))
        state[self._seconds, self._columns] = 1.0
        return state

    def step(self, state: Tensor, attention: Tensor) -> Tensor:
        weights = attention.t().index_select(0, self._edges.operator)
        weights = weights.index_put(self._hidden, torch.zeros(()))
        return self._edges.moved(state, weights)

    def spread(self, values: Tensor) -> Tensor:
        return values[None, :]

    def normalised(self, state: Tensor) -> Tensor:
        return state / state.sum(0, keepdim=True).clamp_min(_LEAST)

    def answers(self, state: Tensor) -> Tensor:
        return state[self._firsts, self._columns]


class ApartBatch:
    """Queries that each have a world of their own, e.g. networks: the state is one column, place after place.

    Args:
        edges: The edges of all worlds; their places are numbered through.
        owner: The query that each place belongs to.
        symbols: The symbol of each query.
        firsts: The place of the first argument of each query.
        seconds: The place of its second argument.
    """

    def __init__(self, edges: EdgeTensors, owner: Tensor, symbols: Tensor, firsts: Tensor, seconds: Tensor) -> None:
        self._edges, self._owner = edges, owner
        self.symbols = symbols
        self._firsts, self._seconds = firsts, seconds
        self._edge_owner = owner[edges.source]

    def start(self) -> Tensor:
        state = torch.zeros(self._edges.places, 1)
        state[self._seconds] = 1.0
        return state

    def step(self, state: Tensor, attention: Tensor) -> Tensor:
        return self._edges.moved(state, attention[self._edge_owner, self._edges.operator][:, None])

    def spread(self, values: Tensor) -> Tensor:
        return values[self._owner][:, None]

    def normalised(self, state: Tensor) -> Tensor:
        # A network has few paths, often one: scaled, any attention that leads to the node would be as good as another.
        return state

    def answers(self, state: Tensor) -> Tensor:
        return state[self._firsts, 0]
