"""R5: the memory's invariants, episodes, and tables learned from stories."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.cli import run
from hornbeam.ilp.r5.learner import R5, R5Settings
from hornbeam.ilp.r5.memory import RuleMemory
from hornbeam.ilp.r5.search import Policy, TreeSearch, answer_of, episode, moves_of, shortened
from hornbeam.ilp.watch import Watch
from hornbeam.networks.network import Edge, Network
from hornbeam.networks.reasoning import answers
from hornbeam.networks.table import Table
from hornbeam.tasks.problem import NetworkTask
from hornbeam.theory import Theory
from hornbeam.theory.weights import weights

NAMES = ("zero", "one", "two", "three", "four")


def _story(number: int, labels: list[int], answer: int, names: tuple[str, ...] = NAMES) -> Network:
    edges = tuple(Edge(at, (names[label],), at + 1) for at, label in enumerate(labels))
    return Network(f"s{number}", edges, (0, len(labels)), (names[answer],), {"k": len(labels)})


def _sums(length: int, modulus: int = 5) -> list[Network]:
    """All chains of a length in a cyclic group: the answer is the sum."""
    return [
        _story(n, list(labels), sum(labels) % modulus)
        for n, labels in enumerate(product(range(modulus), repeat=length))
    ]


# The memory -------------------------------------------------------------------------------------------------------


Told = list[tuple[list[int], int]]
chains = st.lists(st.tuples(st.lists(st.integers(0, 3), min_size=2, max_size=4), st.integers(0, 3)), max_size=40)


@settings(deadline=None, max_examples=60)
@given(chains, st.integers(1, 4), st.integers(0, 9))
def test_the_memory_stays_consistent_whatever_it_is_told(
    told: list[tuple[list[int], int]], free: int, seed: int
) -> None:
    memory = RuleMemory(observed=4, invented=free)
    search = TreeSearch(memory, Policy(), Random(seed), playouts=3, explore=0.3)
    for chain, answer in told:
        episode(search, [tuple(chain)], answer)
        heads = set(memory.rules.values())
        invented = [head for head in memory.rules.values() if head >= 4]
        assert len(invented) == len(set(invented))  # an invented relation is nobody else's head
        assert all(one in heads for pair in memory.rules for one in pair if one >= 4)  # and none is called that is free
        assert all(0 <= head < 4 + free for head in heads)
        assert memory.rules.keys() == memory.scores.keys() == memory.uses.keys()


def test_an_invented_relation_is_rewritten_when_it_is_known() -> None:
    memory = RuleMemory(3, 3, rules={(0, 0): 3, (1, 3): 4, (3, 1): 2}, scores={}, uses={})
    memory.scores = dict.fromkeys(memory.rules, 0.5)
    memory.uses = {pair: [0, 0] for pair in memory.rules}
    memory.identify(3, 1)
    assert memory.rules == {(0, 0): 1, (1, 1): 2}  # (3,1) and (1,3) fall together: an observed head wins
    memory = RuleMemory(3, 3, rules={(0, 0): 3, (3, 1): 2}, scores={(0, 0): 0.5, (3, 1): 0.5}, uses={})
    memory.uses = {pair: [0, 0] for pair in memory.rules}
    memory.identify(3, 1)
    assert memory.rules == {(0, 0): 1, (1, 1): 2}


def test_a_rule_that_is_contradicted_again_and_again_is_revised() -> None:
    memory = RuleMemory(3, 3)
    search = TreeSearch(memory, Policy(), Random(0), playouts=0, explore=0.0)
    episode(search, [(0, 1)], 2)
    assert memory.rules == {(0, 1): 2}
    for _ in range(30):
        episode(search, [(0, 1)], 1)
    assert memory.rules == {(0, 1): 1}


# Moves ------------------------------------------------------------------------------------------------------------


def test_a_move_shortens_the_paths_that_have_its_pair_and_gives_up_the_others() -> None:
    position = ((0, 1, 2), (2, 2))
    assert moves_of(position) == {(0, 1): 1, (1, 2): 1, (2, 2): 1}
    assert shortened(position, (1, 2), 4, Random(0)) == ((0, 4),)
    assert answer_of(shortened(((2, 2),), (2, 2), 1, Random(0))) == 1


def test_the_search_prefers_the_pair_that_leads_to_the_answer() -> None:
    memory = RuleMemory(4, 2, rules={(0, 1): 2, (2, 3): 1, (1, 3): 0, (0, 0): 3})
    memory.scores, memory.uses = dict.fromkeys(memory.rules, 0.0), {pair: [0, 0] for pair in memory.rules}
    search = TreeSearch(memory, Policy(), Random(0), playouts=40, explore=0.0)
    assert search.choose(((0, 1, 3),), 1) == (0, 1)
    assert search.choose(((0, 1, 3),), 3) == (1, 3)


def test_the_policy_learns_what_the_search_found() -> None:
    memory, policy = RuleMemory(3, 2, rules={(0, 1): 2}, scores={(0, 1): 0.0}, uses={(0, 1): [0, 0]}), Policy()
    moves = {(0, 1): 1, (1, 1): 1}
    before = policy.prior(memory, moves)[0, 1]
    for _ in range(50):
        policy.learn(memory, moves, {(0, 1): 1.0, (1, 1): 0.0})
    assert policy.prior(memory, moves)[0, 1] > max(before, 0.8)
    assert policy.prior(memory, {(0, 1): 1, (2, 2): 1})[0, 1] > 0.5  # known rules are better, whatever the pair


# Theories ---------------------------------------------------------------------------------------------------------


def _fit(networks: list[Network], names: tuple[str, ...] = NAMES, **more: object) -> Theory:
    return R5().fit(
        NetworkTask("t", names, tuple(networks)), R5Settings.model_validate({"valid": 0.0, **more}), Watch()
    )


@pytest.mark.parametrize("playouts", [0, 8])
def test_the_table_of_a_group_is_learned_and_answers_longer_chains(playouts: int) -> None:
    theory = _fit(_sums(2) + _sums(3), playouts=playouts)
    table = Table.of(theory)
    cells = {
        (a, b): table.names(table.cells[table.place[NAMES[a]]][table.place[NAMES[b]]])
        for a in range(5)
        for b in range(5)
    }
    assert cells == {(a, b): (NAMES[(a + b) % 5],) for a in range(5) for b in range(5)}
    long = [_story(n, [n % 5, 1, 4, 2, 2, n % 3, 3, 1, 0, 1], (n + 14 + n % 3) % 5) for n in range(15)]
    assert [one.answer for one in long] == answers(theory, long)
    assert all(weight is None or 0 < weight <= 1 for weight in weights(theory))


def test_a_relation_that_no_answer_names_is_invented() -> None:
    """Steps of a and b: two of a never occur as an edge, yet what follows on them does."""
    names = ("a", "b", "end", "other")
    stories = [_story(0, [0, 0, 1], 2, names), _story(1, [0, 0, 0], 3, names)] * 5
    theory = _fit([Network(f"n{n}", one.edges, one.query, one.answer) for n, one in enumerate(stories)], names)
    assert any("invented_1" in text for text in theory.texts)
    assert answers(theory, stories[:2]) == [("end",), ("other",)]


def test_same_seed_same_theory_and_the_order_of_networks_does_not_matter() -> None:
    networks = _sums(3)
    assert str(_fit(networks, seed=3)) == str(_fit(networks[::-1], seed=3))


def test_wrong_labels_are_outvoted() -> None:
    networks = [
        Network(f"{n}-{i}", one.edges, one.query, one.answer) for i in range(4) for n, one in enumerate(_sums(2))
    ]
    wrong = [Network(f"w{n}", one.edges, one.query, (NAMES[0],)) for n, one in enumerate(_sums(2)) if n % 3 == 0]
    theory = _fit([*networks, *wrong])
    assert answers(theory, _sums(3)) == [one.answer for one in _sums(3)]


def test_from_the_command_to_the_answer_on_long_stories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = str(tmp_path / "data"), str(tmp_path / "learned.pl")
    assert run(["generate", "clutrr", "tiny", "--out", data, "--seed", "5"]) == 0
    capsys.readouterr()
    assert run(["learn", data, "--learner", "r5", "--timeout", "20", "--no-verdict", "--out", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "finished"
    assert told["test"]["accuracy"] > 0.6
    assert any(weight is not None for weight in weights(Theory.load(out)))
