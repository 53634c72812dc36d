"""Training: batches of queries drawn from facts or networks, and gradient descent on the attention."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from hornbeam.ilp.chains.attention import ChainModel
from hornbeam.ilp.chains.batches import ApartBatch, Batch, EdgeTensors, SharedBatch
from hornbeam.ilp.chains.operators import Edges, Operator, edges_of
from hornbeam.ilp.relations import FactBase
from hornbeam.networks.network import Network
from hornbeam.seeds import rng

# A batch has no more than so many edges times queries, so that a step stays within some hundred megabytes.
_MOST_CELLS = 4_000_000


@contextmanager
def denormals_flushed() -> Iterator[None]:
    """Products of many small weights would be slow. Afterwards floating-point numbers are what others expect."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


class Queries(ABC):
    """The questions that the attention is trained on. `allowed` says which operators a symbol may use."""

    count: int
    allowed: Tensor

    @abstractmethod
    def batch(self, numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Batch:
        """The queries of these numbers."""

    def most(self, wanted: int) -> int:
        """How many queries a batch may have."""
        return wanted


class FactQueries(Queries):
    """Each fact of a head asks for its first argument, and turned round for its second.

    Symbol h is the h-th head, and after all heads the same ones are read from their other end.
    """

    def __init__(self, world: FactBase, heads: Sequence[int], operators: Sequence[Operator], recursion: bool) -> None:
        edges = edges_of(world, operators)
        columns = map(torch.from_numpy, (edges.operator, edges.source, edges.target))
        self._edges = EdgeTensors(len(world.constants), *columns)
        self._size = max(1, len(edges.operator))
        rows = [(symbol, world.tables[head], _own_edges(edges, head, len(world.tables[head])))
                for symbol, head in enumerate(heads)]  # fmt: skip
        symbols = np.concatenate([np.full(len(table), symbol) for symbol, table, _ in rows])
        facts = np.concatenate([table for _, table, _ in rows])
        self._symbols, self._facts = torch.from_numpy(symbols), torch.from_numpy(facts)
        self._hidden = torch.from_numpy(np.concatenate([own for _, _, own in rows]))
        self._heads = len(heads)
        self.count = len(facts)
        usable = [[_usable(operator, head, recursion) for operator in operators] for head in (*heads, *heads)]
        self.allowed = torch.tensor(usable, dtype=torch.float32)

    def most(self, wanted: int) -> int:
        return max(1, min(wanted, _MOST_CELLS // (2 * self._size)))

    def batch(self, numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Batch:
        chosen = torch.from_numpy(numbers)
        symbols, facts, hidden = self._symbols[chosen], self._facts[chosen], self._hidden[chosen]
        return SharedBatch(
            self._edges,
            torch.cat([symbols, symbols + self._heads]),
            torch.cat([facts[:, 0], facts[:, 1]]),
            torch.cat([facts[:, 1], facts[:, 0]]),
            torch.cat([hidden, hidden]),
        )


def _own_edges(edges: Edges, head: int, facts: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """For each fact of a head its edges in both directions; an edge that no graph has stands for none."""
    starts = [edges.starts.get(Operator(kind, head)) for kind in ("walk", "back")]
    own = [np.arange(facts) + start for start in starts if start is not None]
    return np.stack(own, axis=1) if own else np.zeros((facts, 0), np.int64)


def _usable(operator: Operator, head: int, recursion: bool) -> bool:
    """A test of the head's own relation would ask for the fact itself."""
    return operator.predicate != head or (recursion and operator.moves)


@dataclass(frozen=True)
class _PlacedNetwork:
    """A network in numbers: its edges by operator, and the query."""

    places: int
    operator: Tensor
    source: Tensor
    target: Tensor
    query: tuple[int, int]
    symbol: int


class NetworkQueries(Queries):
    """Each network asks for the first node of its query. A symbol is a relation; edges are walked backwards."""

    def __init__(self, networks: Sequence[Network], relations: Sequence[str]) -> None:
        place = {name: number for number, name in enumerate(relations)}
        self._networks = [_placed(network, place) for network in networks]
        self.count = len(self._networks)
        self.allowed = torch.ones(len(relations), len(relations))

    def batch(self, numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Batch:
        chosen = [self._networks[number] for number in numbers.tolist()]
        offsets = np.cumsum([0, *(one.places for one in chosen)]).tolist()
        pairs = list(zip(chosen, offsets, strict=False))
        edges = EdgeTensors(
            offsets[-1],
            torch.cat([one.operator for one in chosen]),
            torch.cat([one.source + offset for one, offset in pairs]),
            torch.cat([one.target + offset for one, offset in pairs]),
        )
        owner = torch.repeat_interleave(torch.arange(len(chosen)), torch.tensor([one.places for one in chosen]))
        symbols = torch.tensor([one.symbol for one in chosen])
        firsts = torch.tensor([one.query[0] + offset for one, offset in pairs])
        seconds = torch.tensor([one.query[1] + offset for one, offset in pairs])
        return ApartBatch(edges, owner, symbols, firsts, seconds)


def _placed(network: Network, place: dict[str, int]) -> _PlacedNetwork:
    named = {*network.query, *(node for edge in network.edges for node in (edge.source, edge.target))}
    nodes = {node: number for number, node in enumerate(sorted(named))}
    edges = sorted({(place[edge.relations[0]], nodes[edge.target], nodes[edge.source]) for edge in network.edges})
    columns = torch.tensor(edges, dtype=torch.long).reshape(-1, 3)
    first, second = network.query
    return _PlacedNetwork(
        len(nodes), columns[:, 0], columns[:, 1], columns[:, 2], (nodes[first], nodes[second]), place[network.answer[0]]
    )


# Steps ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Descent:
    """How the attention is trained."""

    steps: int
    batch: int
    rate: float
    clip: float
    seed: int


def train(model: ChainModel, queries: Queries, how: Descent) -> Iterator[float]:
    """Train; the loss after each step."""
    optimiser = torch.optim.Adam(model.parameters(), how.rate)
    size = queries.most(how.batch)
    drawn = _numbers(queries.count, size, how)
    for _ in range(how.steps):
        loss = model.loss(queries.batch(next(drawn)), queries.allowed)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_value_(model.parameters(), how.clip)
        optimiser.step()
        yield float(loss.detach())


def _numbers(count: int, size: int, how: Descent) -> Iterator[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Numbers of queries, batch by batch, each epoch in another order."""
    draw = rng(how.seed, "chains", "order")
    while True:
        order = draw.permutation(count)
        for start in range(0, count, size):
            yield np.sort(order[start : start + size])
