"""STaR for learners: both calculi are learned whole from small datasets."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.ilp.algebra.learner import Algebra, AlgebraSettings
from hornbeam.ilp.watch import Watch
from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import reason
from hornbeam.networks.table import Table
from hornbeam.tasks.problem import ExampleTask, Problem
from hornbeam.theory import Theory
from tests.networks.comparison import compare_tables

HARD = """
calculus: rcc8
width: 2
inconsistent: true
train: {cells: [{k: [2, 3], b: [2, 3], rows: 25}], tangles: [{nodes: [6], rows: 4}]}
test: {cells: [{k: [4, 7], b: [2, 3], rows: 4}], tangles: [{nodes: [8], rows: 2}]}
"""


def made(folder: Path, preset: str) -> Dataset:
    return hornbeam.generate("star", preset, out=folder / "made", seed=32, workers=1)


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("hard")
    (folder / "hard.yml").write_text(HARD)
    return made(folder, str(folder / "hard.yml"))


def share(theory: Theory, networks: tuple[Network, ...]) -> float:
    said = reason(Table.of(theory), networks)
    return sum(set(a.relations) == set(n.answer) for a, n in zip(said, networks, strict=True)) / len(networks)


def learned(problem: Problem) -> Theory:
    return Algebra().fit(problem.task, AlgebraSettings(), Watch())  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", ["rcc8-small", "interval-small", pytest.param("rcc8-sets", marks=pytest.mark.slow)])
def test_the_calculus_is_learned_whole(tmp_path: Path, preset: str) -> None:
    dataset = made(tmp_path, preset)
    problem = dataset.family.learning_problem(dataset, "networks")
    theory = learned(problem)
    assert problem.truth is not None
    assert compare_tables(theory, problem.truth).same
    for reasoned in (problem.truth, theory):
        assert share(reasoned, problem.held["test"].networks) == 1.0


def test_alternatives_on_edges_and_inconsistent_networks(hard: Dataset) -> None:
    problem = hard.family.learning_problem(hard, "networks")
    theory = learned(problem)
    assert problem.truth is not None
    test = problem.held["test"].networks
    # Closure may leave too much in a tangle of alternatives, with the true table as well.
    assert share(problem.truth, test) >= 0.98
    assert share(theory, test) == share(problem.truth, test)
    assert answers_of_kind(theory, test, ()) == [network.name for network in test if not network.answer]


def answers_of_kind(theory: Theory, networks: tuple[Network, ...], kind: tuple[str, ...]) -> list[str]:
    said = reason(Table.of(theory), networks)
    return [network.name for network, answer in zip(networks, said, strict=True) if answer.relations == kind]


class TestViews:
    def test_groups(self, hard: Dataset) -> None:
        problem = hard.family.learning_problem(hard, "networks")
        groups = {tuple(sorted(n.group.items())) for n in problem.held["test"].networks}
        assert (("b", 2), ("k", 7)) in groups
        assert (("nodes", 8),) in groups

    def test_alternatives_and_inconsistency(self, hard: Dataset) -> None:
        networks = hard.family.learning_problem(hard, "networks").task.networks  # type: ignore[union-attr]
        assert any(len(edge.relations) == 2 for n in networks for edge in n.edges)
        assert any(n.answer == () for n in networks)

    def test_a_cell_narrows_what_is_judged(self, hard: Dataset) -> None:
        problem = hard.family.learning_problem(hard, "networks", "k7_b3")
        assert {(n.group["k"], n.group["b"]) for n in problem.held["test"].networks} == {(7, 3)}
        assert len(problem.task.networks) == len(hard.train)  # type: ignore[union-attr]

    def test_examples(self, hard: Dataset) -> None:
        problem = hard.family.learning_problem(hard, "examples", options={"target": "inconsistent"})
        task = problem.task
        assert isinstance(task, ExampleTask)
        assert len(task.positive) == sum(sample.label == "inconsistent" for sample in hard.train)
        names = {mode.name for mode in task.bias.body}
        assert {"DC", "EC|PO"} <= names
        assert task.background.count("\n") == len(set(task.background.splitlines()))
