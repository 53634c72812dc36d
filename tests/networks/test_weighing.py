"""Probabilities of answers and posteriors of edges: the same as by going through all readings one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from time import process_time

import pytest

from hornbeam.clutrr import knowledge
from hornbeam.clutrr.config import FamilySettings
from hornbeam.clutrr.learning import truth
from hornbeam.errors import UsageError
from hornbeam.networks.closing import derive, eliminate
from hornbeam.networks.network import Edge, Network
from hornbeam.networks.reasoning import reason
from hornbeam.networks.table import Table
from hornbeam.networks.weighing import answer_weighted, edge_posteriors
from hornbeam.networks.weighted import WeightedEdge, WeightedNetwork
from hornbeam.theory import Theory
from tests.networks.planted import intervals, points, random_function

EVERY = 1_000_000


def random_weighted(table: Table, rng: Random, nodes: int, edges: int, width: int = 2) -> WeightedNetwork:
    """Any graph with up to `width` alternatives an edge, some of them sets; at times nothing may have been said."""
    made = []
    for number in range(edges):
        source, target = rng.sample(range(nodes), 2)
        labels = ["|".join(sorted(rng.sample(table.relations, rng.choice((1, 1, 2))))) for _ in range(width)]
        parts = [rng.random() for _ in range(width + 1)]
        alternatives = {label: part / sum(parts) for label, part in zip(labels, parts, strict=False)}
        made.append(WeightedEdge(source, target, alternatives, number))
    first, second = rng.sample(range(nodes), 2)
    return WeightedNetwork("n", tuple(made), (first, second), (rng.choice(table.relations),))


def chain(labels: list[dict[str, float]], answer: str = "") -> WeightedNetwork:
    edges = tuple(WeightedEdge(at, at + 1, label, at) for at, label in enumerate(labels))
    return WeightedNetwork("chain", edges, (0, len(labels)), (answer,) if answer else ())


# The reference --------------------------------------------------------------------------------------------------------


def readings(network: WeightedNetwork) -> list[tuple[tuple[str | None, ...], float]]:
    """Every reading with its probability."""
    options = [
        [*edge.alternatives.items(), (None, 1 - sum(edge.alternatives.values()))] for edge in network.edges
    ]  # fmt: skip
    found = []
    for chosen in product(*options):
        weight = 1.0
        for _, chance in chosen:
            weight *= chance
        found.append((tuple(label for label, _ in chosen), weight))
    return found


def followed(table: Table, network: WeightedNetwork, labels: tuple[str | None, ...]) -> list[str] | None:
    """What follows from one reading by the plain closure; None: it contradicts itself."""
    read = network.read({number: label for number, label in enumerate(labels) if label is not None})
    numbered = read.constraints(table, {})
    if table.reading == "function":
        mask = derive(table, numbered)
    else:
        done = eliminate(table, numbered)
        if done.contradicted:
            return None
        mask = done.known[0][1]
    return [] if mask == table.universal else list(table.names(mask))


def brute_force(table: Table, network: WeightedNetwork) -> tuple[dict[str, float], float, float]:
    chances: dict[str, float] = {}
    undecided = contradicted = 0.0
    for labels, weight in readings(network):
        names = followed(table, network, labels)
        for name in names or ():
            chances[name] = chances.get(name, 0.0) + weight / len(names or ())
        contradicted += weight * (names is None)
        undecided += weight * (names == [])
    return chances, undecided, contradicted


def brute_posteriors(table: Table, network: WeightedNetwork, undecided: float) -> tuple[float, list[dict[str, float]]]:
    total = 0.0
    sums: list[dict[str, float]] = [dict.fromkeys(edge.alternatives, 0.0) for edge in network.edges]
    for labels, weight in readings(network):
        names = followed(table, network, labels)
        if names is None:
            continue
        weight *= (network.answer[0] in names) / len(names) if names else undecided
        total += weight
        for place, label in enumerate(labels):
            if label is not None:
                sums[place][label] += weight
    return total, [{label: mass / total for label, mass in row.items()} if total else row for row in sums]


CONVERSES = (
    "converse(up,down). converse(down,up). converse(over,under). converse(under,over). "
    "compose(up,up,over). compose(down,down,under). compose(over,down,up). compose(up,under,down)."
)
TABLES = {
    "function": random_function(Random(1), 5, 0.5),
    "function both ways": Table.of(Theory.parse(CONVERSES)),
    "points": points(),
    "intervals": intervals(),
    "sets without laws": replace(random_function(Random(2), 4, 0.6), reading="sets"),
}


@pytest.mark.parametrize("name", TABLES)
def test_probabilities_are_those_of_all_readings(name: str) -> None:
    table, rng = TABLES[name], Random(name)
    networks = [random_weighted(table, rng, rng.randint(3, 5), rng.randint(2, 6)) for _ in range(25)]
    decided = 0
    for network, answer in zip(networks, answer_weighted(table, networks, most=EVERY), strict=True):
        chances, undecided, contradicted = brute_force(table, network)
        assert answer.probabilities == pytest.approx(chances)
        assert (answer.undecided, answer.contradicted) == pytest.approx((undecided, contradicted))
        assert answer.left_out == pytest.approx(0, abs=1e-5)
        assert not chances or answer.probability == pytest.approx(max(chances.values()))
        decided += bool(chances)
    assert decided >= 8


@pytest.mark.parametrize("undecided", [0.0, 0.1])
@pytest.mark.parametrize("name", TABLES)
def test_posteriors_are_those_of_all_readings(name: str, undecided: float) -> None:
    table, rng = TABLES[name], Random(name)
    networks = [random_weighted(table, rng, rng.randint(3, 4), rng.randint(2, 5)) for _ in range(25)]
    told = 0
    for network, found in zip(networks, edge_posteriors(table, networks, most=EVERY, undecided=undecided), strict=True):
        likelihood, edges = brute_posteriors(table, network, undecided)
        assert found.likelihood == pytest.approx(likelihood, abs=1e-6)
        if likelihood > 1e-6:
            told += 1
            for ours, expected in zip(found.edges, edges, strict=True):
                assert dict(ours) == pytest.approx(expected, abs=1e-5)
        else:
            assert [dict(edge) for edge in found.edges] == [dict(edge.alternatives) for edge in network.edges]
    assert told > 3


@pytest.mark.parametrize("name", TABLES)
def test_proofs_rest_on_the_edges_that_they_name(name: str) -> None:
    """The edges of a proof alone, read as the proof reads them, lead to the answer."""
    table, rng = TABLES[name], Random(name)
    networks = [random_weighted(table, rng, rng.randint(3, 6), rng.randint(2, 7)) for _ in range(40)]
    shorter = 0
    for network, answer in zip(networks, answer_weighted(table, networks), strict=True):
        if not answer.probabilities:
            assert not answer.steps
            continue
        used = network.read({number: answer.reading[number] for number in answer.edges})
        assert answer.relation in table.names(_mask(table, used))
        assert answer.origins == tuple(network.edges[number].origin for number in answer.edges)
        assert not answer.steps or answer.steps[-1].target in network.query
        shorter += len(answer.edges) < len(answer.reading)
    assert shorter


def _mask(table: Table, network: Network) -> int:
    numbered = network.constraints(table, {})
    return derive(table, numbered) if table.reading == "function" else eliminate(table, numbered).known[0][1]


def test_a_certain_network_has_the_answer_of_the_reasoner() -> None:
    for name, table in TABLES.items():
        rng = Random(name)
        plain = []
        for _ in range(60):
            pairs = [rng.sample(range(5), 2) for _ in range(4)]
            plain.append(Network("n", tuple(Edge(u, (rng.choice(table.relations),), v) for u, v in pairs), (0, 1), ()))
        found = answer_weighted(table, [WeightedNetwork.of(network) for network in plain])
        for answer, expected in zip(found, reason(table, plain), strict=True):
            assert answer.relation == expected.relations[0]


def test_the_best_proof_takes_the_surer_way() -> None:
    table = Table.of(Theory.parse("compose(p,p,g)."))
    edges = [(0, 1, 0.6), (1, 3, 0.9), (0, 2, 0.8), (2, 3, 0.8)]
    network = WeightedNetwork("n", tuple(WeightedEdge(u, v, {"p": chance}, v) for u, v, chance in edges), (0, 3))
    [answer] = answer_weighted(table, [network])
    assert answer.edges == (2, 3)
    assert answer.origins == (2, 3)
    assert answer.probability == pytest.approx(1 - (1 - 0.54) * (1 - 0.64))


def test_what_was_not_looked_at_is_said() -> None:
    table = random_function(Random(3), 6, 0.7)
    flat = dict.fromkeys(table.relations, 1 / 6)
    [answer] = answer_weighted(table, [chain([flat] * 4)], most=100)
    assert answer.left_out == pytest.approx(1 - 100 / 6**4)
    assert sum(answer.probabilities.values()) + answer.undecided == pytest.approx(100 / 6**4)


def test_sets_as_answers_and_no_answer() -> None:
    table = replace(points(), answers=frozenset({"one", "several", "none"}))
    [answer] = answer_weighted(table, [chain([{"before": 1.0}, {"after": 0.75, "before": 0.25}])])
    assert answer.probabilities == {"before|same|after": 0.75, "before": 0.25}
    twice = (WeightedEdge(0, 1, {"before": 1.0}), WeightedEdge(0, 1, {"after": 0.5}))
    [answer] = answer_weighted(table, [WeightedNetwork("n", twice, (0, 1), ())])
    assert answer.probabilities == {"before": 0.5, "": 0.5}
    [found] = edge_posteriors(table, [WeightedNetwork("n", twice, (0, 1), ())])
    assert found.edges == ({"before": 1.0}, {"after": 1.0})


def test_bad_probabilities_and_unknown_relations_are_refused() -> None:
    with pytest.raises(UsageError, match="chain: expected probabilities with a sum of at most 1 for the edge 0 to 1"):
        chain([{"a": 0.9, "b": 0.2}])
    with pytest.raises(UsageError, match="no relation 'z'"):
        answer_weighted(points(), [chain([{"z": 1.0}])])


def test_an_empty_network_and_a_node_and_itself() -> None:
    table = points()
    empty, loop = WeightedNetwork("n", (), (0, 1)), replace(chain([{"before": 1.0}]), query=(0, 0))
    for answer in answer_weighted(table, [empty, loop]):
        assert (answer.relation, answer.undecided, answer.steps) == ("before", 1.0, ())


def kinship(rng: Random, count: int, k: int) -> tuple[Table, list[WeightedNetwork]]:
    """The true table of CLUTRR, and chains of k relations that derive something, each the surest of four."""
    table = Table.of(truth(knowledge.load(), FamilySettings()))
    networks: list[WeightedNetwork] = []
    while len(networks) < count:
        mask, labels = 0, [rng.choice(table.relations)]
        for _ in range(k - 1):
            mask = mask or table.mask(labels[:1])
            fitting = [name for name in table.relations if table.compose(mask, table.mask([name]))]
            if not fitting:
                break
            labels.append(rng.choice(fitting))
            mask = table.compose(mask, table.mask(labels[-1:]))
        if len(labels) == k:
            others = [rng.sample([name for name in table.relations if name != label], 3) for label in labels]
            networks.append(
                chain(
                    [
                        dict(zip((label, *other), (0.93, 0.04, 0.02, 0.01), strict=True))
                        for label, other in zip(labels, others, strict=True)
                    ]
                )
            )
    return table, networks


def test_a_thousand_chains_of_ten_edges_in_a_second() -> None:
    table, networks = kinship(Random(4), 1000, 10)
    start = process_time()
    answers = answer_weighted(table, networks)
    assert process_time() - start < 4  # about 1 s; the rest is room for busy machines
    assert sum(answer.left_out for answer in answers) / len(answers) < 0.1
    assert all(len(answer.steps) == 9 and answer.origins == tuple(range(10)) for answer in answers)


def test_sets_of_which_there_are_too_many_to_keep_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(5)
    table = random_function(rng, 9, 0.6)
    networks = [random_weighted(table, rng, 5, 7, width=3) for _ in range(30)]
    before = answer_weighted(table, networks)
    monkeypatch.setattr("hornbeam.networks.masks.MOST_KEPT", 5)
    assert answer_weighted(table, networks) == before
