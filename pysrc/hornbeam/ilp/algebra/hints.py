"""Learns hints: what the edges at the two nodes of a query speak for where nothing follows.

A logistic model over the relations that leave and enter the two nodes, with its weights in hundredths as facts; see
:mod:`hornbeam.networks.hinting`. It is learned where the table does not explain the answers of enough training
networks, and kept only if it answers these better than the most frequent answer does: judged by models of halves of the
data, each on the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from hornbeam.networks.hinting import Place, places
from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import reason
from hornbeam.networks.table import Hint, Table

Weights = npt.NDArray[np.float64]

# So many networks, and this share of them, have to be unexplained before hints are learned.
_FEWEST = 3
_LEAST_SHARE = 0.01
# So many networks are asked whether their answer follows, and learned from.
_MOST = 4000
# A network whose answer follows says less of those whose answer does not: it counts so much.
_EXPLAINED = 0.05
_STEPS = 120
_RATE = 0.5
_PENALTY = 1.0


def with_hints(table: Table, networks: Sequence[Network]) -> Table:
    """The table with hints, if there is something to learn and it helps."""
    some = [network for network in networks[:_MOST] if len(network.answer) == 1 and network.answer[0] in table.place]
    said = reason(table, some)
    unexplained = np.array(
        [one.by != "closure" or one.relations != network.answer for one, network in zip(said, some, strict=True)],
        np.bool_,
    )
    if unexplained.sum() < max(_FEWEST, _LEAST_SHARE * len(some)):
        return table
    model = _Model(table, some, np.where(unexplained, 1.0, _EXPLAINED))
    halves = np.arange(len(some)) % 2 == 0
    right = sum(
        int((model.said(model.fitted(~half), half & unexplained) == model.answers[half & unexplained]).sum())
        for half in (halves, ~halves)
    )
    majority = int((model.answers[unexplained] == 0).sum())  # the first relation is the most frequent answer
    if right <= majority:
        return table
    return replace(table, hints=model.hints(model.fitted(halves | True)))


class _Model:
    """Training networks in numbers: which places each has, and the place of its answer."""

    def __init__(self, table: Table, networks: Sequence[Network], counts: Weights) -> None:
        self._table = table
        self._counts = counts
        found = [places(network) for network in networks]
        self._places: list[Place] = sorted({place for some in found for place in some if place[1] in table.place})
        number = {place: at for at, place in enumerate(self._places)}
        self._has = np.zeros((len(networks), len(self._places)))
        for row, some in enumerate(found):
            self._has[row, [number[place] for place in some if place in number]] = 1.0
        self.answers = np.array([table.place[network.answer[0]] for network in networks], np.intp)

    def fitted(self, rows: npt.NDArray[np.bool_]) -> Weights:
        """The weights of the penalised maximum likelihood, by gradient steps of each weight's own size."""
        has, answers, counts = self._has[rows], self.answers[rows], self._counts[rows, None]
        weights = np.zeros((len(self._places), self._table.size))
        squares = np.full_like(weights, 1e-9)
        wanted = np.eye(self._table.size)[answers]
        for _ in range(_STEPS):
            scores = has @ weights
            chances = np.exp(scores - scores.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            slope = has.T @ (counts * (chances - wanted)) + _PENALTY * weights
            squares += slope * slope
            weights -= _RATE * slope / np.sqrt(squares)
        return np.round(100 * weights)

    def said(self, weights: Weights, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """The places of the answers to some networks."""
        best: npt.NDArray[np.intp] = np.argmax(self._has[rows] @ weights, axis=1)
        return best

    def hints(self, weights: Weights) -> tuple[Hint, ...]:
        names = self._table.relations
        return tuple(
            (*self._places[row], names[column], int(weights[row, column])) for row, column in np.argwhere(weights)
        )
