"""GraphLog for learners: each world is a task, and its rules are learned whole."""

from __future__ import annotations

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.ilp.algebra.learner import Algebra, AlgebraSettings
from hornbeam.ilp.watch import Watch
from hornbeam.networks.reasoning import answers
from hornbeam.tasks.problem import ExampleTask, NetworkTask
from tests.networks.comparison import compare_tables


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("graphlog", "tiny", out=tmp_path_factory.mktemp("graphlog") / "tiny", seed=33, workers=1)


def test_every_world_is_learned(dataset: Dataset) -> None:
    assert len(dataset.tasks) == 4
    for world in dataset.tasks:
        problem = dataset.family.learning_problem(dataset, "networks", world)
        assert isinstance(problem.task, NetworkTask)
        assert problem.truth is not None
        theory = Algebra().fit(problem.task, AlgebraSettings(), Watch())
        report = compare_tables(theory, problem.truth)
        assert (len(report.wrong), len(report.extra)) == (0, 0), str(report)
        for split in ("valid", "test"):
            networks = problem.held[split].networks
            assert {network.group["world"] for network in networks} == {world}
            wanted = [network.answer for network in networks]
            assert answers(problem.truth, networks) == wanted
            assert answers(theory, networks) == wanted


def test_a_world_must_be_named(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="4 tasks: name one"):
        dataset.family.learning_problem(dataset, "networks")


def test_the_path_is_not_told(dataset: Dataset) -> None:
    problem = dataset.family.learning_problem(dataset, "networks", dataset.tasks[0])
    first, sample = problem.task.networks[0], dataset.task(dataset.tasks[0]).split("train")[0]  # type: ignore[union-attr]
    assert len(first.edges) == len(sample.input["edges"])  # type: ignore[index,call-overload,arg-type]
    assert not hasattr(first, "path")


def test_examples(dataset: Dataset) -> None:
    world = dataset.tasks[1]
    task = dataset.family.learning_problem(dataset, "examples", world, {"others": "1"}).task
    assert isinstance(task, ExampleTask)
    rows = len(dataset.task(world).split("train"))
    assert len(task.positive) == rows
    assert len(task.negative) == rows
    assert task.facts
    assert task.bias.max_body == 5
