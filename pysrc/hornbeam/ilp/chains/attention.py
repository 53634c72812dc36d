"""The networks that choose operators: Neural-LP's (Yang et al., NIPS 2017) and DRUM's (Sadeghian et al., NeurIPS 2019).

The attention depends on the symbol of a query only, so it is computed once for each symbol and not for each query.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import torch
from torch import Tensor, nn

from hornbeam.ilp.chains.batches import Batch
from hornbeam.ilp.chains.bodies import Plan

_LEAST = 1e-20


class ChainModel(nn.Module, ABC):
    """A distribution over chains of at most `steps` operators, for each symbol of a query."""

    def __init__(self, symbols: int, operators: int, steps: int, width: int) -> None:
        super().__init__()
        self.steps = steps
        self.operators = operators
        # One symbol more: it marks the end of the chain.
        self.embedding = nn.Parameter(nn.functional.normalize(torch.rand(symbols + 1, width) * 2 - 1))

    def loss(self, batch: Batch, allowed: Tensor) -> Tensor:
        """The mean of -log p of the right first argument; see `scores`."""
        return -self.scores(batch, allowed).clamp_min(_LEAST).log().mean()

    @abstractmethod
    def scores(self, batch: Batch, allowed: Tensor, *, normalise: bool = True) -> Tensor:
        """The weight that the chains leave at the first argument of each query.

        Args:
            batch: The queries.
            allowed: For each symbol and operator 1, or 0 where the symbol must not use the operator.
            normalise: Whether what a step leaves is brought to the sum of 1, so that frequent relations do not
                drown others.
        """

    @abstractmethod
    def plans(self, allowed: Tensor) -> list[list[Plan]]:
        """For each symbol the plans whose mean is its distribution over chains."""


class NeuralLpModel(ChainModel):
    """An LSTM attends to operators, and to the results of all earlier steps."""

    def __init__(self, symbols: int, operators: int, steps: int, width: int) -> None:
        super().__init__(symbols, operators, steps, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        _remember(self.lstm)
        self.weight = nn.Parameter(torch.randn(width, operators))
        self.bias = nn.Parameter(torch.zeros(operators))

    def attention(self, allowed: Tensor) -> tuple[Tensor, list[Tensor]]:
        """For each symbol the weights of operators at each step, and of earlier results at each step and at the end."""
        symbols = len(self.embedding) - 1
        words = self.embedding[:-1, None].expand(-1, self.steps, -1)
        end = self.embedding[-1].expand(symbols, 1, -1)
        hidden, _ = self.lstm(torch.cat([words, end], 1))
        operators = _masked_softmax(hidden[:, :-1] @ self.weight + self.bias, allowed[:, None])
        memory = [
            torch.softmax((hidden[:, at : at + 1] * hidden[:, : at + 1]).sum(-1), -1) for at in range(self.steps + 1)
        ]
        return operators, memory

    def scores(self, batch: Batch, allowed: Tensor, *, normalise: bool = True) -> Tensor:
        operators, memory = self.attention(allowed)
        results = [batch.start()]
        for step in range(self.steps):
            moved = batch.step(_mixed(batch, results, memory[step]), operators[:, step][batch.symbols])
            results.append(batch.normalised(moved) if normalise else moved)
        return batch.answers(_mixed(batch, results, memory[-1]))

    def plans(self, allowed: Tensor) -> list[list[Plan]]:
        with torch.no_grad():
            operators, memory = self.attention(allowed)
        shares = [part.double().tolist() for part in memory]
        return [
            [Plan(rows.double().numpy(), tuple(tuple(part[at]) for part in shares))]
            for at, rows in enumerate(operators)
        ]


class DrumModel(ChainModel):
    """Several chains, each chosen by a bidirectional LSTM of its own; the identity makes chains shorter."""

    def __init__(self, symbols: int, operators: int, steps: int, width: int, rank: int = 3) -> None:
        super().__init__(symbols, operators, steps, width)
        self.lstms = nn.ModuleList(nn.LSTM(width, width, batch_first=True, bidirectional=True) for _ in range(rank))
        for lstm in self.lstms:
            _remember(lstm)
        self.weight = nn.Parameter(torch.randn(2 * width, operators + 1))
        self.bias = nn.Parameter(torch.zeros(operators + 1))

    def attention(self, allowed: Tensor) -> list[Tensor]:
        """For each chain and symbol the weights of the operators, and of the identity, at each step."""
        words = self.embedding[:-1, None].expand(-1, self.steps, -1)
        usable = nn.functional.pad(allowed, (0, 1), value=1.0)[:, None]
        return [_masked_softmax(lstm(words)[0] @ self.weight + self.bias, usable) for lstm in self.lstms]

    def scores(self, batch: Batch, allowed: Tensor, *, normalise: bool = True) -> Tensor:
        total = torch.zeros(len(batch.symbols))
        for operators in self.attention(allowed):
            state = batch.start()
            for step in range(self.steps):
                weights = operators[:, step][batch.symbols]
                state = batch.step(state, weights[:, :-1]) + batch.spread(weights[:, -1]) * state
                state = batch.normalised(state) if normalise else state
            total = total + batch.answers(state)
        return total / len(self.lstms)

    def plans(self, allowed: Tensor) -> list[list[Plan]]:
        with torch.no_grad():
            ranks = [part.double().numpy() for part in self.attention(allowed)]
        return [[Plan(np.asarray(part[at])) for part in ranks] for at in range(len(self.embedding) - 1)]


def _mixed(batch: Batch, results: list[Tensor], shares: Tensor) -> Tensor:
    mine = shares[batch.symbols]
    mixed = batch.spread(mine[:, 0]) * results[0]
    for at in range(1, len(results)):
        mixed = mixed + batch.spread(mine[:, at]) * results[at]
    return mixed


def _masked_softmax(logits: Tensor, allowed: Tensor) -> Tensor:
    return torch.softmax(logits.masked_fill(allowed == 0, -torch.inf), -1)


def _remember(lstm: nn.Module) -> None:
    """Forget gates that are open at first, as the original's are."""
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias_ih"):
            width = len(parameter) // 4
            with torch.no_grad():
                parameter[width : 2 * width] += 1.0
