"""Tables that resemble a known one answer as they do when each is reasoned with from the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import reason
from hornbeam.networks.repeating import Repeated
from hornbeam.networks.table import Table
from tests.networks.planted import intervals, points, random_function
from tests.networks.test_reasoning import random_network


def _plain(table: Table, networks: Sequence[Network]) -> list[frozenset[str]]:
    return [frozenset(answer.relations) for answer in reason(table, networks)]


def _at_once(asked: Repeated, tables: Sequence[Table]) -> list[list[frozenset[str]]]:
    return [
        [frozenset(("?",) if relations is None else relations) for relations in own] for own in asked.answers(tables)
    ]


def _changed(table: Table, rng: Random, count: int) -> Table:
    cells = [list(row) for row in table.cells]
    for _ in range(count):
        cells[rng.randrange(table.size)][rng.randrange(table.size)] = rng.randint(0, table.universal)
    return replace(table, cells=tuple(map(tuple, cells)))


def _networks(table: Table, rng: Random) -> list[Network]:
    width = 2 if table.reading == "sets" else 1
    return [random_network(table, rng, rng.randint(2, 7), rng.randint(1, 10), width) for _ in range(40)]


def _turned_back(known: Table, rng: Random) -> Table:
    """A function whose edges are read both ways."""
    places = rng.sample(range(known.size), known.size)
    return replace(known, converses=tuple(1 << place for place in places))


FUNCTION = random_function(Random(2), 6, 0.4)
KNOWN = {"points": points(), "intervals": intervals(6), "one way": FUNCTION, "both": _turned_back(FUNCTION, Random(3))}


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("count", [0, 1, 4, 100])
def test_the_answers_are_those_of_plain_reasoning(name: str, count: int) -> None:
    rng, known = Random(count), KNOWN[name]
    networks = _networks(known, rng)
    asked = Repeated(known, networks)
    tables = [_changed(known, rng, count) for _ in range(5)]
    tables += [table.in_order(tuple(rng.sample(known.relations, known.size))) for table in tables]
    tables += [replace(table, answers=frozenset({"one", "several", "none"})) for table in tables[3:7]]
    expected = [_plain(table, networks) for table in tables]
    assert _at_once(asked, tables) == expected
    true = _plain(known, networks)
    for table, own in zip(tables, expected, strict=True):
        other = {at for at, (one, two) in enumerate(zip(own, true, strict=True)) if one != two}
        assert other <= set(asked.concerned(table))


def test_tables_of_several_kinds_are_asked_together() -> None:
    """Other readings, converses that are missing or several, and relations that the known table does not have."""
    known, rng = KNOWN["both"], Random(5)
    networks = _networks(known, rng)
    wider = replace(random_function(rng, 8, 0.5), reading="sets")
    tables = [
        known,
        replace(known, converses=(0, *known.converses[1:])),
        replace(known, reading="sets"),
        replace(known, converses=(known.universal,) * known.size),
        replace(known, reading="sets", converses=(known.universal,) * known.size),
        wider,
        replace(known, cells=((known.universal,) * known.size,) * known.size),
    ]
    asked = Repeated(known, networks)
    assert _at_once(asked, tables) == [_plain(table, networks) for table in tables]
    assert len(asked.concerned(tables[3])) == len(networks)


def test_a_table_answers_nothing_where_it_does_not_know_a_relation() -> None:
    known = FUNCTION
    networks = _networks(known, Random(7))
    fewer = Table(known.relations[:4], tuple(row[:4] for row in _narrow(known, 4).cells[:4]))
    (found,) = Repeated(known, networks).answers([fewer])
    for network, relations in zip(networks, found, strict=True):
        if {name for edge in network.edges for name in edge.relations} <= set(fewer.relations):
            assert relations == reason(fewer, [network])[0].relations
        else:
            assert relations is None


def _narrow(table: Table, count: int) -> Table:
    """Only what the first relations compose to among themselves."""
    kept = (1 << count) - 1
    return replace(table, cells=tuple(tuple(mask & kept for mask in row) for row in table.cells))


def test_a_table_in_another_order_is_the_same_table() -> None:
    known = intervals(6)
    assert known.in_order(known.relations[::-1]).in_order(known.relations) == known
