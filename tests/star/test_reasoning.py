"""Closure, clingo and table-free models agree on thousands of random networks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from hornbeam.bitsets import bits
from hornbeam.errors import UsageError
from hornbeam.networks.closing import algebraic_closure, eliminate, possible_mask
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.knowledge import load_calculus
from hornbeam.star.proving import certify, minimal_conflict, possible
from hornbeam.star.record import read_network
from hornbeam.star.solving import decide, witnesses
from tests.star.networks import chain, random_network

CALCULI = ("rcc8", "allen", "rcc5", "point")


def _many(name: str, count: int, seed: int, width: int = 1) -> list[ConstraintNetwork]:
    rng = random.Random(f"{name}{seed}")
    calculus = load_calculus(name)
    sizes = [rng.randint(3, 7) for _ in range(count)]
    nets = [random_network(calculus, rng, n, rng.randint(n - 1, n + 2), width) for n in sizes]
    return sorted(nets, key=lambda net: net.nodes)


@pytest.mark.parametrize("name", CALCULI)
def test_elimination_leaves_of_the_query_what_closure_leaves(name: str) -> None:
    calculus = load_calculus(name)
    inconsistent = 0
    for network in _many(name, 800, 1):
        closed = algebraic_closure(calculus, network)
        inconsistent += closed is None
        assert possible_mask(calculus, network) == (closed[0][-1] if closed else 0)
    assert 100 < inconsistent < 700


@pytest.mark.parametrize("name", CALCULI)
def test_a_lawful_table_composes_one_direction_of_a_pair(name: str) -> None:
    """The other direction is its converse: composing both leaves the same."""
    calculus = load_calculus(name)
    assert calculus.lawful
    both_ways = replace(calculus)
    both_ways.__dict__["lawful"] = False
    for network in _many(name, 300, 8, width=2):
        assert eliminate(both_ways, network) == eliminate(calculus, network)


@pytest.mark.parametrize("name", CALCULI)
def test_closure_and_clingo_agree_on_base_relations(name: str) -> None:
    calculus = load_calculus(name)
    networks = _many(name, 1000, 2)
    closure = [possible_mask(calculus, network) for network in networks]
    assert certify(calculus, networks) == closure
    assert possible(calculus, networks[::10]) == closure[::10]
    assert possible(calculus, networks[::40], complete=True) == closure[::40]


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_table_free_models_agree_with_closure(name: str) -> None:
    calculus = load_calculus(name)
    networks = _many(name, 1200, 3)
    models = witnesses(calculus, networks)
    for network, model in zip(networks, models, strict=True):
        assert (model is None) == (possible_mask(calculus, network) == 0)


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_table_free_models_decide_each_answer(name: str) -> None:
    """Each relation between the query's nodes has a model exactly if closure leaves it."""
    calculus = load_calculus(name)
    networks = [net for net in _many(name, 120, 4) if possible_mask(calculus, net)]
    trials = [
        ConstraintNetwork(net.nodes, (*net.edges, net.query), (*net.labels, 1 << r), net.query)
        for net in networks
        for r in range(calculus.size)
    ]
    models = iter(witnesses(calculus, trials))
    for network in networks:
        found = sum(1 << r for r in range(calculus.size) if next(models) is not None)
        assert found == possible_mask(calculus, network)


@pytest.mark.parametrize("name", ["rcc8", "allen", "rcc5", "point"])
def test_disjunctive_labels_pruned_and_not_pruned(name: str) -> None:
    calculus = load_calculus(name)
    networks = _many(name, 300, 5, width=3)
    reference = possible(calculus, networks)
    assert certify(calculus, networks) == reference
    assert possible(calculus, networks[::20], complete=True) == reference[::20]
    for network, exact in zip(networks, reference, strict=True):
        assert possible_mask(calculus, network) & exact == exact


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_closure_and_clingo_agree_on_many_more(name: str) -> None:
    calculus = load_calculus(name)
    for seed in range(10, 20):
        networks = _many(name, 2000, seed)
        assert certify(calculus, networks) == [possible_mask(calculus, network) for network in networks]
        models = witnesses(calculus, networks)
        assert [m is None for m in models] == [possible_mask(calculus, network) == 0 for network in networks]


def test_edges_between_the_same_nodes_that_exclude_each_other_leave_nothing() -> None:
    rcc8 = load_calculus("rcc8")
    labels = (rcc8.parse("NTPP"), rcc8.parse("NTPP"), rcc8.parse("PO|EC"))
    for query in ((0, 1), (0, 2), (2, 1)):
        network = ConstraintNetwork(3, ((0, 1), (1, 0), (1, 2)), labels, query)
        assert possible_mask(rcc8, network) == 0
        assert certify(rcc8, [network]) == possible(rcc8, [network]) == [0]


def test_closure_is_not_complete_for_disjunctive_labels() -> None:
    """Where it is weaker than clingo, `reason` gives clingo's answer."""
    allen = load_calculus("allen")
    networks = _many("allen", 600, 6, width=4)
    weaker = [net for net in networks if possible_mask(allen, net) != certify(allen, [net])[0]]
    assert weaker
    for network in weaker[:5]:
        found = decide(allen, network)
        assert (found.mask, found.exact) == (possible(allen, [network], complete=True)[0], True)


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_a_minimal_conflict_is_inconsistent_and_no_part_of_it_is(name: str) -> None:
    calculus = load_calculus(name)
    broken = [net for net in _many(name, 80, 7, width=2) if not certify(calculus, [net])[0]][:12]
    assert len(broken) >= 8
    for network in broken:
        conflict = set(minimal_conflict(calculus, network))
        others = set(range(len(network.edges))) - conflict
        assert possible(calculus, [network.without(others)]) == [0]
        assert all(possible(calculus, [network.without(others | {edge})])[0] for edge in conflict)


def test_a_consistent_network_has_no_conflict() -> None:
    rcc8 = load_calculus("rcc8")
    assert minimal_conflict(rcc8, read_network(rcc8, [(0, 1), (1, 2)], ["DC", "PO"], (0, 2))) == []


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_a_thousand_nodes_get_an_answer(name: str) -> None:
    calculus = load_calculus(name)
    rng = random.Random(name)
    line = chain(calculus, rng, 1000)
    expected = line.labels[0]
    for label in line.labels[1:]:
        expected = calculus.compose(expected, label)
    assert decide(calculus, line).mask == expected
    # Shortcuts that repeat what is known make the graph no tree; a forbidden one is found out.
    closed_pairs = [(v, v + 2) for v in range(0, 990, 3)]
    known = tuple(calculus.compose(line.labels[u], line.labels[u + 1]) for u, _ in closed_pairs)
    wide = ConstraintNetwork(1000, (*line.edges, *closed_pairs), (*line.labels, *known), line.query)
    assert decide(calculus, wide).mask == expected
    u = next(i for i, mask in enumerate(known) if mask != calculus.universal)
    excluded = bits(calculus.universal & ~known[u])[0]
    wrong = (*known[:u], 1 << excluded, *known[u + 1 :])
    assert decide(calculus, ConstraintNetwork(1000, wide.edges, (*line.labels, *wrong), line.query)).mask == 0


def test_a_network_too_large_for_clingo_says_that_its_answer_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    allen = load_calculus("allen")
    network = read_network(allen, [(0, 1), (1, 2), (0, 3), (3, 2)], ["<|m", "d|o", "o|s", "di|fi"], (0, 2))
    assert decide(allen, network).exact
    monkeypatch.setattr("hornbeam.star.solving.CLAUSES", 1)
    assert not decide(allen, network).exact


@pytest.mark.parametrize(
    ("edges", "labels", "query", "message"),
    [
        ([(0, 1), (1, 2)], ["DC", "XX"], (0, 2), r"edge \(1, 2\): unknown rcc8 relation 'XX'"),
        ([(0, 1), (1, 0), (1, 2)], ["TPP", "TPP", "DC"], (0, 2), r"edge \(1, 0\) is TPP, but an earlier edge"),
        ([(0, 1), (1, 3)], ["DC", "DC"], (0, 3), "node 2 is missing"),
        ([(0, 1), (1, 2)], ["DC", "DC"], (0, 5), r"asks about node 5, which no edge has"),
        ([(0, 1), (1, 1)], ["DC", "EQ"], (0, 1), r"edge \(1, 1\) goes from a node to itself"),
        ([(0, 1)], ["DC", "EC"], (0, 1), "1 edges but 2 labels"),
        ([(0, 1), (1, 2)], ["DC", "DC"], (1, 1), "asks about one node"),
        ([(0, 1), (1, 2)], ["DC", "DC"], (0, []), r"asks about node \[\]"),
        ([(0, 1), (1, 10**12)], ["DC", "DC"], (0, 1), "node 2 is missing"),
    ],
)
def test_a_wrong_network_is_refused_and_the_edge_named(
    edges: list[tuple[int, int]], labels: list[str], query: Any, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        read_network(load_calculus("rcc8"), edges, labels, query)
