"""CLUTRR for learners: what they are given, the truth in the same words, and that it can be learned whole."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.ilp.algebra.learner import Algebra, AlgebraSettings
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Prolog, to_text
from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import reason
from hornbeam.networks.table import Table
from hornbeam.tasks.problem import ExampleTask, NetworkTask, Problem
from tests.networks.comparison import compare_tables


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    out: Path = tmp_path_factory.mktemp("clutrr") / "small"
    return hornbeam.generate("clutrr", "robust-supporting-small", out=out, seed=31, workers=1)


@pytest.fixture(scope="module")
def problem(dataset: Dataset) -> Problem:
    return dataset.family.learning_problem(dataset, "networks")


def share(table: Table, networks: tuple[Network, ...]) -> float:
    return sum(a.relations == n.answer for a, n in zip(reason(table, networks), networks, strict=True)) / len(networks)


class TestNetworks:
    def test_the_graph_is_what_the_story_says(self, dataset: Dataset, problem: Problem) -> None:
        assert isinstance(problem.task, NetworkTask)
        first, sample = problem.task.networks[0], dataset.train[0]
        assert first.name == sample.id
        assert first.answer == (sample.label,)
        assert [edge.relations[0] for edge in first.edges] == [word for _, word, _ in sample.input["edges"]]  # type: ignore[index,call-overload]
        assert len(problem.task.networks) == len(dataset.train)

    def test_groups(self, problem: Problem) -> None:
        groups = {(n.group["k"], n.group["noise"]) for n in problem.held["test"].networks}
        assert groups == {(2, "supporting"), (3, "none"), (3, "supporting"), (3, "irrelevant"), (3, "disconnected")}
        assert set(problem.held) == {"test"}

    def test_the_truth_answers_everything(self, problem: Problem) -> None:
        assert problem.truth is not None
        assert share(Table.of(problem.truth), problem.held["test"].networks) == 1.0

    def test_no_word_of_the_truth_is_impossible(self, problem: Problem) -> None:
        assert problem.truth is not None
        facts = set(problem.truth.texts)
        assert "compose(father,wife,mother)." in facts
        assert not any(fact.startswith("compose(mother,wife,") for fact in facts)
        assert {"converse(father,son).", "converse(father,daughter)."} <= facts

    def test_it_is_learned_from_little(self, problem: Problem) -> None:
        theory = Algebra().fit(problem.task, AlgebraSettings(), Watch())  # type: ignore[arg-type]
        assert problem.truth is not None
        report = compare_tables(theory, problem.truth)
        assert (len(report.wrong), len(report.extra)) == (0, 0)
        assert share(Table.of(theory), problem.held["test"].networks) == 1.0
        # What is said of converses is true, but not all of it can be seen.
        assert not report.laws_extra

    def test_a_task_narrows_what_is_judged(self, dataset: Dataset, problem: Problem) -> None:
        one = dataset.family.learning_problem(dataset, "networks", "4.3")
        assert one.task.networks == problem.task.networks  # type: ignore[union-attr]
        assert {n.group["noise"] for n in one.held["test"].networks} == {"disconnected"}
        with pytest.raises(UsageError, match=r"9\.9"):
            dataset.family.learning_problem(dataset, "networks", "9.9")


class TestExamples:
    def test_one_target(self, dataset: Dataset) -> None:
        problem = dataset.family.learning_problem(dataset, "examples", options={"target": "uncle"})
        task = problem.task
        assert isinstance(task, ExampleTask)
        assert [mode.name for mode in task.bias.head] == ["is_uncle"]
        assert len(task.positive) + len(task.negative) == len(dataset.train)
        assert len(task.positive) == sum(sample.label == "uncle" for sample in dataset.train)
        held = problem.held["test"]
        assert len(held.positive) + len(held.negative) == len(dataset.test)

    def test_a_true_rule_covers_positives_and_no_negatives(self, dataset: Dataset) -> None:
        problem = dataset.family.learning_problem(dataset, "examples", options={"target": "uncle"})
        task, held = problem.task, problem.held["test"]
        assert isinstance(task, ExampleTask)
        rule = "is_uncle(X, Z) :- father(X, Y), brother(Y, Z).\n"
        with Prolog.contained() as prolog:
            for given in (task, held):
                prolog.load_text(given.background + rule, module="user")
                covered = [[prolog.ask(to_text(atom)) for atom in atoms] for atoms in (given.positive, given.negative)]
                assert not any(covered[1])
                prolog.unload("user")
                if given is task:
                    assert any(covered[0])

    def test_all_targets(self, dataset: Dataset) -> None:
        task = dataset.family.learning_problem(dataset, "examples", options={"others": "3"}).task
        assert isinstance(task, ExampleTask)
        assert len(task.positive) == len(dataset.train)
        assert len(task.negative) == 3 * len(dataset.train)
        assert not set(map(to_text, task.positive)) & set(map(to_text, task.negative))
        assert (task.bias.max_body, task.bias.max_vars) == (3, 4)

    @pytest.mark.parametrize(("options", "message"), [({"target": "uncel"}, "uncle"), ({"others": "x"}, "others=x")])
    def test_bad_options_are_refused(self, dataset: Dataset, options: dict[str, str], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            dataset.family.learning_problem(dataset, "examples", options=options)

    def test_bad_views_are_refused(self, dataset: Dataset) -> None:
        with pytest.raises(UsageError, match="facts"):
            dataset.family.learning_problem(dataset, "facts")
