"""RuDaS tasks as learners take them."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.ilp.amie.learner import Amie, AmieSettings
from hornbeam.ilp.evaluation import evaluate
from hornbeam.ilp.foil.learner import Foil, FoilSettings
from hornbeam.ilp.watch import Watch
from hornbeam.rudas.record import facts
from hornbeam.tasks.problem import ExampleTask, FactTask
from hornbeam.theory import as_facts
from hornbeam.theory.theory import indicator


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder: Path = tmp_path_factory.mktemp("rudas") / "data"
    overrides = {"category": "[chain, rdg]", "size": "s", "facts": "200", "count": "1", "learnability": "false"}
    return hornbeam.generate("rudas", "s", out=folder, seed=23, overrides=overrides)


def test_the_facts_view_gives_the_training_facts_and_nothing_of_the_truth(dataset: Dataset) -> None:
    name = dataset.tasks[0]
    problem = dataset.family.learning_problem(dataset, "facts", name)
    task = problem.task
    assert isinstance(task, FactTask)
    assert set(task.facts) == set(facts(dataset, name, "train"))
    hidden = {*facts(dataset, name, "test"), *facts(dataset, name, "eval-cw")} - set(task.facts)
    assert hidden and not hidden & set(task.facts)
    # Every predicate may be a head: which are derived is not told.
    assert set(task.bias.targets) == {indicator(fact) for fact in task.facts}
    assert set(problem.held["test"].support) == set(facts(dataset, name, "eval-support"))
    assert set(problem.held["test"].expected) == set(facts(dataset, name, "eval-conseqs"))


def test_the_true_rules_get_the_best_score_and_amie_a_good_one(dataset: Dataset) -> None:
    name = dataset.tasks[0]
    problem = dataset.family.learning_problem(dataset, "facts", name)
    assert problem.truth is not None
    best = evaluate(problem, problem.truth).test
    assert best is not None and best.headline == 1.0
    assert isinstance(problem.task, FactTask)
    mined = evaluate(problem, Amie().fit(problem.task, AmieSettings(), Watch())).test
    assert mined is not None and mined.headline > 0.4642


def test_the_examples_view_is_about_one_predicate(dataset: Dataset) -> None:
    name = dataset.tasks[1]
    training = set(facts(dataset, name, "train"))
    for target in sorted({fact.functor for fact in training})[:3]:
        problem = dataset.family.learning_problem(dataset, "examples", name, {"target": target, "negatives": "3"})
        task = problem.task
        assert isinstance(task, ExampleTask) and task.facts
        assert set(task.positive) == {fact for fact in training if fact.functor == target}
        assert set(as_facts(task.background)) == training - set(task.positive)
        assert not set(task.negative) & training
        assert len(set(task.negative)) == len(task.negative) <= 3 * len(task.positive)
        assert {indicator(fact) for fact in task.negative} == {(target, 2)}
        known = {arg for fact in training for arg in fact.args}
        assert {arg for fact in task.negative for arg in fact.args} <= known  # type: ignore[union-attr]


def test_false_examples_are_the_same_each_time_and_held_ones_are_false(dataset: Dataset) -> None:
    name = dataset.tasks[1]
    one, other = (dataset.family.learning_problem(dataset, "examples", name) for _ in range(2))
    assert one.task == other.task
    world = set(facts(dataset, name, "eval-cw"))
    held = one.held["test"]
    assert set(held.positive) <= world and held.negative and not set(held.negative) & world


def test_the_true_rules_of_a_target_are_right_on_held_out_examples_and_foil_learns_it(dataset: Dataset) -> None:
    problem = dataset.family.learning_problem(dataset, "examples", dataset.tasks[0])
    assert problem.truth is not None and isinstance(problem.task, ExampleTask)
    judged = evaluate(problem, problem.truth).test
    assert judged is not None and judged.precision == 1.0
    theory = Foil().fit(problem.task, FoilSettings(), Watch())
    found = evaluate(problem, theory).test
    assert found is not None and found.accuracy >= judged.accuracy - 0.1


def test_without_a_fresh_world_there_is_no_test_split(tmp_path: Path) -> None:
    dataset = hornbeam.generate("rudas", "xs", out=tmp_path / "data", seed=1, overrides={"eval_support": "0"})
    assert set(dataset.family.learning_problem(dataset, "facts").held) == {"valid"}
    assert not dataset.family.learning_problem(dataset, "examples").held


@pytest.mark.parametrize(
    ("view", "options", "message"),
    [
        ("networks", {}, "view"),
        ("facts", {"target": "p1"}, "no options"),
        ("examples", {"target": "zzz"}, "target"),
        ("examples", {"negatives": "0"}, "from 1 to 1000"),
        ("examples", {"recursion": "maybe"}, "true or false"),
        ("examples", {"targets": "p1"}, "target"),
    ],
)
def test_bad_requests_say_what_was_expected(dataset: Dataset, view: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dataset.family.learning_problem(dataset, view, dataset.tasks[0], options)
