"""Answers to networks by reasoning with a theory of composition: nothing but the theory is looked at.

>>> from hornbeam.networks.network import Edge, Network
>>> theory = Theory.parse("compose(father,mother,grandmother). compose(grandmother,husband,grandfather).")
>>> edges = (Edge(0, ("father",), 1), Edge(1, ("mother",), 2), Edge(2, ("husband",), 3))
>>> answers(theory, [Network("n", edges, (0, 3), ())])
[('grandfather',)]

Closure decides; see :mod:`hornbeam.networks.closing`. Where it leaves several relations and the theory's answers are
single, the one that the theory lists first is taken: a learned theory lists the most frequent answer first. Where parts
of a network contradict each other, the relation that most parts allow is taken. Where nothing follows, it is
the first relation of all. `reason` says of each answer which of these gave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hornbeam.bitsets import bits
from hornbeam.networks.closing import Left, cut_down, derive
from hornbeam.networks.graphs import read
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.theory import Theory

By = Literal["closure", "first of several", "most votes", "first of all"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The relations that are answered, and what decided."""

    relations: tuple[str, ...]
    by: By


def answers(theory: Theory, networks: Sequence[Network]) -> list[tuple[str, ...]]:
    """The answer to each network."""
    return [answer.relations for answer in reason(Table.of(theory), networks)]


def reason(table: Table, networks: Sequence[Network]) -> list[Answer]:
    """The answer to each network, and how it came about."""
    masks: dict[tuple[str, ...], int] = {}
    if table.reading == "sets":
        left = cut_down(table, [read(network, table, masks, backwards=True) for network in networks])
    else:
        # A converse that is not unique derives nothing by itself.
        backwards = all(converse.bit_count() == 1 for converse in table.converse)
        graphs = [read(network, table, masks, backwards=backwards) for network in networks]
        left = derive(table, graphs, backwards=backwards)
    return [_answer(table, one) for one in left]


def _answer(table: Table, left: Left) -> Answer:
    if left.contradicted and "none" in table.answers:
        return Answer((), "closure")
    if left.contradicted:
        best = max(bits(left.mask), key=lambda place: (left.votes[place], -place))
        return Answer((table.relations[best],), "most votes")
    if not left.mask:
        return Answer(table.relations[:1], "first of all")
    if left.mask & (left.mask - 1) and "several" not in table.answers:
        by: By = "first of all" if left.mask == table.universal else "first of several"
        return Answer(table.names(left.mask)[:1], by)
    return Answer(table.names(left.mask), "closure")
