"""CTP: proofs against literal recursion, and tables learned from stories."""

from __future__ import annotations

from itertools import product
from math import exp, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.ilp import learner as learners
from hornbeam.ilp.runner import settings_of
from hornbeam.ilp.watch import Watch
from hornbeam.networks.network import Edge, Network
from hornbeam.networks.reasoning import answers
from hornbeam.networks.table import Table
from hornbeam.tasks.problem import NetworkTask
from hornbeam.theory import Theory
from hornbeam.theory.weights import weights

torch = pytest.importorskip("torch")
NAMES = ("zero", "one", "two", "three")
_PAIRS = tuple(product(range(4), repeat=2))


def _story(number: int, labels: tuple[int, ...]) -> Network:
    edges = tuple(Edge(at, (NAMES[label],), at + 1) for at, label in enumerate(labels))
    return Network(f"s{number}", edges, (0, len(labels)), (NAMES[sum(labels) % 4],), {"k": len(labels)})


def _fit(networks: list[Network], **more: Any) -> Theory:
    learner = learners.get("ctp")
    chosen = settings_of(learner, {"valid": 0.0, "width": 16, "modules": 6, "min_support": 1, "steps": 400, **more})
    return learner.fit(NetworkTask("t", NAMES, tuple(networks)), chosen, Watch())


@settings(deadline=None, max_examples=10)
@given(st.sampled_from(["linear", "attentive", "memory"]), st.integers(0, 99), st.integers(1, 4), st.integers(0, 3))
def test_scores_are_those_of_literal_recursion(kind: Any, seed: int, length: int, depth: int) -> None:
    from hornbeam.ilp.unification.reformulators import Reformulators

    torch.manual_seed(seed)
    model = Reformulators(3, 2, kind, 4, rows=3)
    path = torch.randint(3, (1, length))

    def near(one: Any, other: Any) -> float:
        return exp(-sqrt(min(1000.0, max(1e-6, float((one - other).square().sum())))))

    def proved(goal: Any, labels: list[int], left: int) -> float:
        if len(labels) == 1:
            return near(goal, model.relations[labels[0]])
        best = 0.0
        for module, cut in product(range(2), range(1, len(labels))) if left else ():
            first, second = model.sub_goals(goal[None])[:, 0, module]
            best = max(best, min(proved(first, labels[:cut], left - 1), proved(second, labels[cut:], left - 1)))
        return best

    with torch.no_grad():
        found = model.scores(model.relations, path, depth)[:, 0].tolist()
        assert found == pytest.approx([proved(goal, path[0].tolist(), depth) for goal in model.relations], abs=1e-5)
        deeper = model.scores(model.relations, path, depth + 1)[:, 0].tolist()
    assert all(more >= less for more, less in zip(deeper, found, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["linear", "memory"])
def test_other_reformulators_learn_most_of_the_table_and_nothing_wrong(kind: str) -> None:
    theory = _fit([_story(n, labels) for n, labels in enumerate(product(range(4), repeat=2))], kind=kind)
    table = Table.of(theory)
    names = {(a, b): table.names(table.cells[table.place[NAMES[a]]][table.place[NAMES[b]]]) for a, b in _PAIRS}
    assert all(whole in ((), (NAMES[(a + b) % 4],)) for (a, b), whole in names.items())
    assert sum(map(len, names.values())) >= 8


def test_the_table_of_a_group_is_learned_and_answers_longer_chains() -> None:
    theory = _fit([_story(n, labels) for n, labels in enumerate(_PAIRS)])
    table = Table.of(theory)
    for a, b in product(range(4), repeat=2):
        cell = table.cells[table.place[NAMES[a]]][table.place[NAMES[b]]]
        assert table.names(cell) == (NAMES[(a + b) % 4],)
    long = [_story(n, (n % 4, 1, 2, 3, n % 3, 3, 1, 1)) for n in range(12)]
    assert answers(theory, long) == [one.answer for one in long]
    assert sum(weight is not None for weight in weights(theory)) == 16


def test_same_seed_same_theory_and_the_order_of_networks_does_not_matter() -> None:
    networks = [_story(n, labels) for n, labels in enumerate(product(range(4), repeat=2))]
    one, other = (str(_fit(stories, steps=20, check="none")) for stories in (networks, networks[::-1]))
    assert one == other
    assert "% weight" in one


def test_paths_of_three_are_learned_from_if_proofs_are_deep_enough() -> None:
    networks = [_story(n, labels) for n, labels in enumerate([(1, 1, 1), (1, 1), (2, 1)])]
    watch, learner = Watch(), learners.get("ctp")
    for depth, used in ((1, 2), (2, 3)):
        chosen = settings_of(learner, {"valid": 0.0, "steps": 2, "depth": depth, "width": 4, "modules": 2})
        learner.fit(NetworkTask("t", NAMES, tuple(networks)), chosen, watch)
        assert [event.figures["used"] for event in watch.events if event.kind == "networks"][-1] == used
