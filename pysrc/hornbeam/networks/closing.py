"""Closure of many graphs at once: derivation for functions, elimination for alternatives.

A function adds up: what every bracketing of every walk derives holds. Its table need not be associative, so all pairs
of nodes are closed. Alternatives cut down: nodes are eliminated one after the other, and what their neighbours said of
each other through them stays. For base relations of a distributive calculus, and for series-parallel graphs of an
associative table, elimination leaves exactly what is possible; else it leaves at least that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.networks.composing import Composer, Masks
from hornbeam.networks.graphs import Graph, eliminate
from hornbeam.networks.table import Table

# So many numbers are held at a time.
_ROOM = 4_000_000


@dataclass(frozen=True, slots=True)
class Left:
    """What closure leaves of the query. `contradicted`: two parts of the graph exclude each other.

    Then `mask` is what at least one part says of the query, and `votes` how many say each.
    """

    mask: int
    contradicted: bool = False
    votes: tuple[int, ...] = ()


# Functions ----------------------------------------------------------------------------------------------------------


def derive(table: Table, graphs: Sequence[Graph], *, backwards: bool) -> list[Left]:
    """The relations that follow for each query."""
    compose = Composer(table.cells, unknown=0)
    found: list[Left | None] = [None] * len(graphs)
    sizes: dict[int, list[int]] = {}
    for number, graph in enumerate(graphs):
        sizes.setdefault(graph.nodes, []).append(number)
    for nodes, numbers in sorted(sizes.items()):
        room = max(1, _ROOM // nodes**2)
        for start in range(0, len(numbers), room):
            part = numbers[start : start + room]
            known = _matrices(table, [graphs[number] for number in part], nodes, backwards)
            _close(known, compose)
            for number, mask in zip(part, known[:, 0, 1].tolist(), strict=True):
                found[number] = Left(mask)
    return [left for left in found if left is not None]


def _matrices(table: Table, graphs: Sequence[Graph], nodes: int, backwards: bool) -> Masks:
    known = np.zeros((len(graphs), nodes, nodes), np.uint64)
    for row, graph in zip(known, graphs, strict=True):
        for (u, v), mask in graph.known.items():
            row[u, v] |= np.uint64(mask)
            if backwards:
                row[v, u] |= np.uint64(turned(table, mask))
    return known


def turned(table: Table, mask: int) -> int:
    """The converses of the members of a mask; everything where one has none and sets are read."""
    made = 0
    for place, converse in enumerate(table.converse):
        if mask >> place & 1:
            made |= converse or (table.universal if table.reading == "sets" else 0)
    return made


def _close(known: Masks, compose: Composer) -> None:
    """Compose over every middle node until nothing new comes; nobody is related to themselves."""
    nodes = known.shape[1]
    off_diagonal = ~np.eye(nodes, dtype=bool)
    active = np.arange(len(known))
    while len(active):
        work = known[active]
        before = work.copy()
        for middle in range(nodes):
            new = compose(work[:, :, middle, None], work[:, None, middle, :])
            work |= new * off_diagonal
        known[active] = work
        active = active[(work != before).any(axis=(1, 2))]


# Alternatives -------------------------------------------------------------------------------------------------------


def cut_down(table: Table, graphs: Sequence[Graph]) -> list[Left]:
    """What is left of each query. Step i of every graph's elimination is done at once."""
    compose = Composer(table.cells, unknown=table.universal)
    plans = [eliminate(graph.nodes, frozenset(graph.known)) for graph in graphs]
    starts = np.cumsum([0, *(len(plan.pairs) for plan in plans)])[:-1]
    told = [_masks(table, graph, plan.pairs) for graph, plan in zip(graphs, plans, strict=True)]
    known = np.array([mask for masks in told for mask in masks], np.uint64)
    told_twice = np.flatnonzero(known == 0)  # edges between the same nodes that exclude each other
    known[told_twice] = table.universal
    contradicted = np.zeros(len(graphs), bool)
    contradicted[np.searchsorted(starts, told_twice, side="right") - 1] = True
    votes = np.zeros((len(graphs), len(table.relations)), np.int32)
    _vote(votes, np.arange(len(graphs)), known[starts], table.universal)
    order = sorted(range(len(plans)), key=lambda number: -len(plans[number].steps))
    lengths = np.array([len(plans[number].steps) for number in order])
    steps = [np.array(plan.steps, np.intp).reshape(-1, 3) + start for plan, start in zip(plans, starts, strict=True)]
    for step in range(lengths[0] if len(lengths) else 0):
        active = np.array(order[: int((lengths > step).sum())], np.intp)
        at = np.array([steps[number][step] for number in active], np.intp)
        made = compose(known[at[:, 1]], known[at[:, 2]])
        old = known[at[:, 0]]
        new = old & made
        empty = new == 0
        known[at[:, 0]] = np.where(empty, old | made, new)
        contradicted[active[empty]] = True
        asked = at[:, 0] == starts[active]
        _vote(votes, active[asked], made[asked], table.universal)
    answers = known[starts].tolist()
    return [
        Left(mask, bool(broken), tuple(row) if broken else ())
        for mask, broken, row in zip(answers, contradicted, votes.tolist(), strict=True)
    ]


def _masks(table: Table, graph: Graph, pairs: Sequence[tuple[int, int]]) -> list[int]:
    known = graph.known
    masks = []
    for u, v in pairs:
        mask = known.get((u, v), table.universal)
        if (v, u) in known:
            mask &= turned(table, known[v, u])
        masks.append(mask)
    return masks


def _vote(votes: npt.NDArray[np.int32], numbers: npt.NDArray[np.intp], masks: Masks, universal: int) -> None:
    says = masks != np.uint64(universal)
    for relation in range(votes.shape[1]):
        votes[numbers, relation] += (((masks >> np.uint64(relation)) & np.uint64(1)) * says).astype(np.int32)
