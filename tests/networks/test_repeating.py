"""Tables that resemble a known one answer as they do when each is reasoned with from the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import Answer, reason
from hornbeam.networks.repeating import Repeated
from hornbeam.networks.table import Table
from tests.networks.planted import intervals, points, random_function
from tests.networks.test_reasoning import random_network


def _plain(answers: Sequence[Answer]) -> list[tuple[frozenset[str], str]]:
    return [(frozenset(answer.relations), answer.by) for answer in answers]


def _changed(table: Table, rng: Random, count: int) -> Table:
    cells = [list(row) for row in table.cells]
    for _ in range(count):
        cells[rng.randrange(table.size)][rng.randrange(table.size)] = rng.randint(0, table.universal)
    return replace(table, cells=tuple(map(tuple, cells)))


def _networks(table: Table, rng: Random) -> list[Network]:
    width = 2 if table.reading == "sets" else 1
    return [random_network(table, rng, rng.randint(2, 7), rng.randint(1, 10), width) for _ in range(40)]


@pytest.mark.parametrize("known", [points(), intervals(6), random_function(Random(2), 6, 0.4)], ids=["p", "i", "f"])
@pytest.mark.parametrize("count", [0, 1, 4, 100])
def test_the_answers_are_those_of_plain_reasoning(known: Table, count: int) -> None:
    rng = Random(count)
    networks = _networks(known, rng)
    asked = Repeated(known, networks)
    names = list(known.relations)
    for _ in range(5):
        table = _changed(known, rng, count)
        assert _plain(asked.answers(table)) == _plain(reason(table, networks))
        rng.shuffle(names)
        turned = table.in_order(tuple(names))
        expected = _plain(reason(turned, networks))
        assert _plain(asked.answers(turned)) == expected
        pairs = zip(expected, _plain(reason(known, networks)), strict=True)
        assert {at for at, (one, other) in enumerate(pairs) if one != other} <= set(asked.concerned(turned))


def test_other_converses_concern_all_networks() -> None:
    known = points()
    networks = _networks(known, Random(1))
    table = replace(known, converses=(known.universal,) * known.size)
    asked = Repeated(known, networks)
    assert _plain(asked.answers(table)) == _plain(reason(table, networks))
    assert len(asked.concerned(table)) == len(networks)


def test_a_table_in_another_order_is_the_same_table() -> None:
    known = intervals(6)
    assert known.in_order(known.relations[::-1]).in_order(known.relations) == known
