"""Minimal labels of many networks at once, in numpy.

For networks of base relations of a distributive calculus one pass of elimination and one pass back give the algebraic
closure of the complete graph, which is minimal. Networks of one batch have the same number of nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from hornbeam.errors import UsageError
from hornbeam.star.calculus import Calculus
from hornbeam.star.network import Network

Masks = npt.NDArray[np.uint16]
# The number of a mask that is no closed relation; what has a number of its own is below.
_OPEN = 255


@dataclass(frozen=True)
class Tables:
    """The closed relations of a calculus as arrays: a mask's number, and compositions by number."""

    number: npt.NDArray[np.uint8]  # mask -> number, or _OPEN
    compositions: Masks  # number * count + number -> mask
    converses: Masks  # mask -> mask
    count: int


@cache
def tables(calculus: Calculus) -> Tables:
    if calculus.size > 16:
        raise UsageError(f"{calculus.name} has more than 16 relations, too many for the batched closure")
    closed = (0, *calculus.closed_relations())
    if len(closed) > _OPEN:
        raise UsageError(f"{calculus.name} has {len(closed)} closed relations, too many for the batched closure")
    number = np.full(1 << calculus.size, _OPEN, dtype=np.uint8)
    number[list(closed)] = np.arange(len(closed), dtype=np.uint8)
    compositions = np.array([calculus.compose(a, b) for a in closed for b in closed], dtype=np.uint16)
    converses = np.zeros(1 << calculus.size, dtype=np.uint16)
    converses[list(closed)] = [calculus.converse(a) for a in closed]
    return Tables(number, compositions, converses, len(closed))


def minimal_labels(calculus: Calculus, networks: Sequence[Network]) -> Masks:
    """The minimal label of every pair: array [u, v, network]; a network that is inconsistent is 0 throughout."""
    if not calculus.distributive():
        raise UsageError(f"{calculus.name} is not distributive: closure does not give minimal labels, ask clingo")
    known, places = _matrix(calculus, networks)
    _forward(tables(calculus), known)
    _back(tables(calculus), known)
    known[:, :, (known == 0).any(axis=(0, 1))] = 0
    return known[places][:, places]


def answer_masks(calculus: Calculus, networks: Sequence[Network]) -> list[int]:
    """What can hold between the two nodes of each query; 0 for an inconsistent network. Half the closure's work."""
    known, _ = _matrix(calculus, networks)
    _forward(tables(calculus), known)
    answers = known[-2, -1].copy()
    answers[(known == 0).any(axis=(0, 1))] = 0
    return [int(mask) for mask in answers]


def _matrix(calculus: Calculus, networks: Sequence[Network]) -> tuple[Masks, npt.NDArray[np.intp]]:
    """Masks [place, place, network], with the two nodes of the query at the last places, and each node's place."""
    n = networks[0].nodes
    query = networks[0].query
    if any(net.nodes != n or net.query != query for net in networks):
        raise UsageError("the networks of a batch must have the same number of nodes and the same query")
    order = [v for v in range(n) if v not in query] + list(query)
    places = np.empty(n, dtype=np.intp)
    places[order] = np.arange(n)
    known = np.full((n, n, len(networks)), calculus.universal, dtype=np.uint16)
    known[np.arange(n), np.arange(n)] = calculus.identity_mask
    converse = tables(calculus).converses
    ends = np.array([end for net in networks for edge in net.edges for end in edge], dtype=np.intp).reshape(-1, 2)
    labels = np.array([label for net in networks for label in net.labels], dtype=np.uint16)
    if (tables(calculus).number[labels] == _OPEN).any():
        raise UsageError("a label is not a closed relation of the calculus: closure does not decide it, ask clingo")
    which = np.repeat(np.arange(len(networks)), [len(net.edges) for net in networks])
    u, v = places[ends[:, 0]], places[ends[:, 1]]
    np.bitwise_and.at(known, (u, v, which), labels)
    np.bitwise_and.at(known, (v, u, which), converse[labels])
    return known, places


def _forward(table: Tables, known: Masks) -> None:
    """Eliminate place after place: what two later places must be to one another, because of this one."""
    for v in range(len(known) - 2):
        to_v = table.number[known[v + 1 :, v]].astype(np.uint16) * table.count
        from_v = table.number[known[v, v + 1 :]]
        known[v + 1 :, v + 1 :] &= table.compositions[to_v[:, None] + from_v[None]]


def _back(table: Tables, known: Masks) -> None:
    """Go back in reverse: what each place must be to later ones, whose labels are minimal by now."""
    for v in range(len(known) - 3, -1, -1):
        from_v = table.number[known[v, v + 1 :]].astype(np.uint16) * table.count
        among = table.number[known[v + 1 :, v + 1 :]]
        known[v, v + 1 :] &= np.bitwise_and.reduce(table.compositions[from_v[:, None] + among], axis=0)
        known[v + 1 :, v] = table.converses[known[v, v + 1 :]]
