"""Elimination of nodes, as :func:`hornbeam.networks.closing.eliminate`, in many networks by many tables at once.

What is known of each pair of nodes, both ways, is a row of an array; its columns are the tables. The n-th triangles of
all networks are one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.networks.closing import triangulate
from hornbeam.networks.composing import Masks, Places
from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.networks.stacked import ONE, Stack

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Step:
    """What is known of `over` is cut down by what `left` and `right` compose to, first forwards, then backwards."""

    networks: Places
    left: Places
    right: Places
    over: Places
    saying: Places  # which of the first half speak of the query


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left of each query by each table, whether parts contradict each other, and who voted for a relation."""

    left: Masks
    contradicted: Flags
    votes: npt.NDArray[np.int16]  # network, table, relation


class Cutter:
    """The steps of elimination in some networks; none of them depends on a table."""

    def __init__(self, networks: Sequence[ConstraintNetwork]) -> None:
        self._rows = 0
        self._starts: list[int] = []
        self._labels: dict[int, int] = {}
        # Row, row of the way back, number of the label; apart those of pairs that also have an edge the other way.
        self._edges: tuple[list[tuple[int, int, int]], ...] = ([], [])
        self._queries: list[int] = []
        steps: list[list[tuple[int, ...]]] = []
        for number, network in enumerate(networks):
            rows = self._pairs(network)
            self._queries.append(rows[network.query])
            for at, (a, v, c) in enumerate(triangulate(network.nodes, network.edges, network.query).triangles):
                if at == len(steps):
                    steps.append([])
                sides = (rows[a, v], rows[v, c], rows[a, c], rows[c, v], rows[v, a], rows[c, a])
                steps[at].append((number, *sides, (a, c) == network.query))
        self._steps = [_step(np.array(step, np.intp)) for step in steps]

    def _pairs(self, network: ConstraintNetwork) -> dict[Pair, int]:
        """Rows for the pairs of a network."""
        rows: dict[Pair, int] = {}
        self._starts.append(self._rows)
        added = triangulate(network.nodes, network.edges, network.query).added
        for u, v in (*network.edges, *added):
            for pair in ((u, v), (v, u)):
                rows.setdefault(pair, self._rows + len(rows))
        seen: set[Pair] = set()
        for (u, v), label in zip(network.edges, network.labels, strict=True):
            number = self._labels.setdefault(label, len(self._labels))
            self._edges[(v, u) in seen].append((rows[u, v], rows[v, u], number))
            seen.add((u, v))
        self._rows += len(rows)
        return rows

    def __call__(self, stack: Stack) -> Cut:
        count = len(stack.tables)
        known: Masks = np.repeat(stack.present[None], self._rows, axis=0)
        self._tell_edges(known, stack)
        contradicted = np.zeros((len(self._queries), count), bool)
        none = known == 0
        if none.any():
            contradicted |= np.logical_or.reduceat(none, self._starts, axis=0)
            known = np.where(none, stack.present, known)
        queries = np.array(self._queries, np.intp)
        votes = np.zeros((len(queries), count, len(stack.names)), np.int16)
        _vote(votes, np.arange(len(queries)), known[queries], stack)
        which = np.arange(count)
        for step in self._steps:
            through = stack.compose(known[step.left], known[step.right], which)
            old = known[step.over]
            new = old & through
            none = new == 0
            known[step.over] = np.where(none, old | through, new)
            half = len(step.networks)
            contradicted[step.networks] |= none[:half] | none[half:]
            if len(step.saying):
                _vote(votes, step.networks[step.saying], through[step.saying], stack)
        return Cut(known[queries], contradicted, votes)

    def _tell_edges(self, known: Masks, stack: Stack) -> None:
        labels = np.array(list(self._labels), np.uint64)
        back = np.array([stack.converse(label) for label in self._labels]).reshape(-1, len(stack.tables))
        for there, here, numbers in (np.array(edges, np.intp).T for edges in self._edges if edges):
            known[there] &= labels[numbers][:, None]
            known[here] &= back[numbers]


def _step(rows: Places) -> _Step:
    """From rows of a network, the sides of a triangle forwards and backwards, and whether it speaks of the query."""
    forwards, backwards = rows[:, 1:4], rows[:, 4:7]
    left, right, over = np.concatenate([forwards, backwards]).T
    return _Step(rows[:, 0], left, right, over, np.flatnonzero(rows[:, 7]))


def _vote(votes: npt.NDArray[np.int16], networks: Places, said: Masks, stack: Stack) -> None:
    """Whoever says anything votes for all that it leaves."""
    told = np.where(said == stack.present, np.uint64(0), said)
    if told.any():
        places = np.arange(len(stack.names), dtype=np.uint64)
        votes[networks] += (told[:, :, None] >> places & ONE).astype(np.int16)
