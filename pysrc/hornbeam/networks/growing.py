"""What follows for functions, as :func:`hornbeam.networks.closing.derive`, in many networks by many tables at once.

What is known of each pair of nodes is a row of an array; its columns are the tables. Edges are composed with edges
first, which is the same for all that have the same labels. Then whatever is new is composed with all that is known at
its ends, until nothing is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hornbeam.networks.composing import Masks, Places
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.networks.stacked import Stack

_AT_ONCE = 1 << 20  # compositions


@dataclass(frozen=True, slots=True)
class _Partners:
    """With what rows are composed: row r with those from place starts[r] on, degrees[r] of them.

    `rows` are the partners, `over` the rows of which both together tell, `ahead` says whether the partner comes second.
    """

    starts: Places
    degrees: Places
    rows: Places
    over: Places
    ahead: npt.NDArray[np.bool_]


class Grower:
    """The pairs of nodes of some networks; none of them depends on a table.

    Args:
        networks: The networks.
        backwards: Whether edges are read both ways.
    """

    def __init__(self, networks: Sequence[ConstraintNetwork], *, backwards: bool) -> None:
        self._labels: dict[tuple[int, bool], int] = {}  # a mask, and whether it is read backwards
        self._backwards = backwards
        rows = 0
        told: tuple[list[tuple[int, int]], ...] = ([], [])  # row and label, of edges forwards and backwards
        queries, partners, first = [], [], []
        for network in networks:
            grid = _Grid(network.nodes, rows)
            edges = self._edges(network)
            for number, (u, v, label) in enumerate(edges):
                told[backwards and number % 2].append((grid.row(u, v), label))
            first += [(one, other, grid.row(u, w)) for u, v, one in edges for x, w, other in edges if v == x and u != w]
            queries.append(grid.row(*network.query))
            partners.append(grid.partners())
            rows += grid.size
        self._rows = rows
        self._told = [np.array(some, np.intp) for some in told if some]
        self._first = np.array(first, np.intp).reshape(-1, 3)
        self._queries = np.array(queries, np.intp)
        degrees = np.concatenate([degrees for degrees, _ in partners])
        others, over, ahead = np.concatenate([found for _, found in partners]).T.copy()
        self._partners = _Partners(np.cumsum(degrees) - degrees, degrees, others, over, ahead.astype(bool))

    def _edges(self, network: ConstraintNetwork) -> list[tuple[int, int, int]]:
        """The edges with the numbers of their labels."""
        ways = (False, True) if self._backwards else (False,)
        return [
            (*((v, u) if turned else (u, v)), self._labels.setdefault((label, turned), len(self._labels)))
            for (u, v), label in zip(network.edges, network.labels, strict=True)
            if u != v
            for turned in ways
        ]

    def __call__(self, stack: Stack) -> Masks:
        """What follows for each query (row) by each table (column)."""
        count = len(stack.tables)
        known = np.zeros(self._rows * count, np.uint64)
        if self._told:
            labels = np.array([self._label(*label, stack) for label in self._labels])
            for rows, numbers in (some.T for some in self._told):  # no row twice
                known.reshape(-1, count)[rows] |= labels[numbers]
            new = self._by_edges(labels, known, stack)
            while len(new):
                new = self._extended(new, known, stack)
        left: Masks = known.reshape(-1, count)[self._queries]
        return left

    def _label(self, mask: int, turned: bool, stack: Stack) -> Masks:
        return stack.converse(mask) if turned else np.full(len(stack.tables), mask, np.uint64)

    def _by_edges(self, labels: Masks, known: Masks, stack: Stack) -> Places:
        """Compose edges with edges; returns the places of `known` that have more than before."""
        count = len(stack.tables)
        composed = stack.compose(labels[:, None], labels[None], np.arange(count)).reshape(-1, count)
        cells = self._first[:, 0] * len(labels) + self._first[:, 1]
        useful = (composed != 0).any(axis=1)[cells]
        masks = composed[cells[useful]]
        row, table = np.nonzero(masks)
        return _told(known, self._first[useful, 2][row] * count + table, masks[row, table])

    def _extended(self, new: Places, known: Masks, stack: Stack) -> Places:
        """Compose what is new with what is known at its ends; returns the places that have more than before."""
        row, table = np.divmod(new, len(stack.tables))
        degrees = self._partners.degrees[row]
        parts = np.cumsum(degrees) // _AT_ONCE
        ends = [*np.flatnonzero(np.diff(parts)) + 1, len(new)]
        found = [
            self._partly_extended(row[start:end], table[start:end], degrees[start:end], known, stack)
            for start, end in pairwise([0, *ends])
        ]
        return np.unique(np.concatenate(found)) if len(found) > 1 else found[0]

    def _partly_extended(self, row: Places, table: Places, degrees: Places, known: Masks, stack: Stack) -> Places:
        count, partners = len(stack.tables), self._partners
        before = np.cumsum(degrees) - degrees
        slots = np.repeat(partners.starts[row] - before, degrees) + np.arange(degrees.sum())
        theirs = known[partners.rows[slots] * count + np.repeat(table, degrees)]
        useful = np.flatnonzero(theirs)
        at = np.searchsorted(before, useful, side="right") - 1
        slots, theirs, table = slots[useful], theirs[useful], table[at]
        own, ahead = known[row[at] * count + table], partners.ahead[slots]
        masks = stack.compose(np.where(ahead, own, theirs), np.where(ahead, theirs, own), table)
        return _told(known, partners.over[slots] * count + table, masks)


def _told(known: Masks, places: Places, masks: Masks) -> Places:
    """Add masks to what is known; returns the places that have more than before."""
    more = np.flatnonzero(masks & ~known[places])
    np.bitwise_or.at(known, places[more], masks[more])
    return np.unique(places[more])


class _Grid:
    """The rows of the ordered pairs of a network's nodes."""

    def __init__(self, nodes: int, start: int) -> None:
        self._nodes, self._start = nodes, start
        self.size = nodes * nodes

    def row(self, u: int, v: int) -> int:
        return self._start + u * self._nodes + v

    def partners(self) -> tuple[Places, Places]:
        """For each pair (u, v), with what it is composed, of which pair that tells, and whether it comes first.

        These are (v, w), which tells of (u, w), and (w, u), which tells of (w, v).
        """
        nodes, every = self._nodes, np.arange(self._nodes)
        u, v, w = (axis.ravel() for axis in np.meshgrid(every, every, every, indexing="ij"))
        apart = (u != v) & (v != w) & (u != w)
        u, v, w = u[apart], v[apart], w[apart]
        ahead = np.stack([v * nodes + w, u * nodes + w, np.ones_like(u)], axis=1)
        behind = np.stack([w * nodes + u, w * nodes + v, np.zeros_like(u)], axis=1)
        found = np.stack([ahead, behind], axis=1).reshape(-1, 3)
        found[:, :2] += self._start
        counts = np.where(np.eye(nodes, dtype=bool), 0, 2 * max(0, nodes - 2)).ravel()
        return counts, found
