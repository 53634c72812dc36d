"""Answers to networks by reasoning with a theory of composition: nothing but the theory is looked at.

>>> from hornbeam.networks.network import Edge, Network
>>> theory = Theory.parse("compose(father,mother,grandmother). compose(grandmother,husband,grandfather).")
>>> edges = (Edge(0, ("father",), 1), Edge(1, ("mother",), 2), Edge(2, ("husband",), 3))
>>> answers(theory, [Network("n", edges, (0, 3), ())])
[('grandfather',)]

Closure decides; see :mod:`hornbeam.networks.closing`. Where it leaves several relations and the theory's answers are
single, the one that the theory lists first is taken: a learned theory lists the most frequent answer first. Where parts
of a network contradict each other, the relation that most parts allow is taken. Where nothing follows, it is
the first relation of all. Where a theory has hints, they decide instead of the order of the relations, see
:mod:`hornbeam.networks.hinting`. `reason` says of each answer which of these gave it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from hornbeam.bitsets import bits
from hornbeam.networks.closing import Elimination, derive, eliminate
from hornbeam.networks.hinting import guessed
from hornbeam.networks.network import ConstraintNetwork, Network
from hornbeam.networks.table import Table
from hornbeam.theory import Theory

By = Literal["closure", "first of several", "most votes", "first of all", "hints"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The relations that are answered, and what decided; with hints, how probable it is."""

    relations: tuple[str, ...]
    by: By
    confidence: float | None = field(default=None, compare=False)


def answers(theory: Theory, networks: Sequence[Network]) -> list[tuple[str, ...]]:
    """The answer to each network."""
    return [one.relations for one in reason(Table.of(theory), networks)]


def reason(table: Table, networks: Sequence[Network]) -> list[Answer]:
    """The answer to each network, and how it came about."""
    masks: dict[tuple[str, ...], int] = {}
    found = [answer(table, network.constraints(table, masks)) for network in networks]
    if not table.hints:
        return found
    return [_hinted(table, network, one, masks) for network, one in zip(networks, found, strict=True)]


def _hinted(table: Table, network: Network, found: Answer, masks: dict[tuple[str, ...], int]) -> Answer:
    """The answer with hints: they choose where the order of the relations would."""
    among = table.relations
    if found.by == "first of several":
        numbered = network.constraints(table, masks)
        left = eliminate(table, numbered).known[0][1] if table.reading == "sets" else derive(table, numbered)
        among = table.names(left)
    elif found.by != "first of all":
        return found
    guess = guessed(table, network, among)
    return Answer((guess.relation,), "hints", guess.confidence)


def answer(table: Table, network: ConstraintNetwork) -> Answer:
    """The answer to a network in numbers, whose query is (0, 1)."""
    if table.reading == "sets":
        return _left(table, eliminate(table, network))
    return _answer(table, derive(table, network))


def _left(table: Table, done: Elimination) -> Answer:
    """What elimination leaves of the query (0, 1)."""
    if not done.contradicted:
        return _answer(table, done.known[0][1])
    if "none" in table.answers:
        return Answer((), "closure")
    votes = Counter(place for mask in done.said if mask != table.universal for place in bits(mask))
    best = max(bits(done.known[0][1]), key=lambda place: (votes[place], -place))
    return Answer((table.relations[best],), "most votes")


def _answer(table: Table, mask: int) -> Answer:
    if not mask:
        return Answer(table.relations[:1], "first of all")
    if mask & (mask - 1) and "several" not in table.answers:
        return Answer(table.names(mask)[:1], "first of all" if mask == table.universal else "first of several")
    return Answer(table.names(mask), "closure")
