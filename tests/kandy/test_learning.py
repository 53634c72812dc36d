"""KANDY tasks for learners: every encoding says the same of the same pictures, held-out ones too."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.kandy import learning
from hornbeam.kandy.learning import learning_problem
from hornbeam.tasks.problem import ExampleTask, Held, Problem
from hornbeam.theory import Theory, judge

SEED = 41


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "easy", out=tmp_path_factory.mktemp("kandy") / "easy", seed=SEED)


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "hard", out=tmp_path_factory.mktemp("kandy") / "hard", seed=SEED)


def problem(dataset: Dataset, start: str, **options: str) -> Problem:
    task = next(name for name in dataset.tasks if name.startswith(start))
    return dataset.family.learning_problem(dataset, "examples", task, options)


def errors(made: Problem, theory: Theory, split: str) -> tuple[int, int]:
    """False positives and false negatives on a split; nothing that the theory calls may be unknown."""
    assert isinstance(made.task, ExampleTask)
    part: Held | ExampleTask = made.task if split == "train" else made.held[split]
    found = judge(theory, [*part.positive, *part.negative], background=part.background)
    assert not found.unknown and not found.undecided
    figures = found.against([True] * len(part.positive) + [False] * len(part.negative))
    return int(figures["fp"]), int(figures["fn"])


def is_true(made: Problem, theory: str) -> bool:
    parsed = Theory.parse(theory)
    return all(errors(made, parsed, split) == (0, 0) for split in ("train", "test"))


@pytest.mark.parametrize("encoding", ["natural", "pointer"])
@pytest.mark.parametrize("task", ["t11", "t17"])
def test_the_truth_of_easy_tasks_holds_over_the_text_alone(easy: Dataset, task: str, encoding: str) -> None:
    made = problem(easy, task, encoding=encoding)
    assert made.truth is not None
    assert is_true(made, str(made.truth))


@pytest.mark.parametrize("encoding", ["natural", "pointer"])
@pytest.mark.parametrize("task", ["t14", pytest.param("t09", marks=pytest.mark.slow)])
def test_the_truth_of_hard_tasks_brings_the_helpers_that_the_knowledge_lacks(
    hard: Dataset, task: str, encoding: str
) -> None:
    made = problem(hard, task, encoding=encoding, background="minimal")
    assert made.truth is not None
    assert is_true(made, str(made.truth))


@pytest.mark.parametrize(
    ("task", "rule"),
    [
        ("t09", "valid(N) :- extract_children(N, L), last(L, X), extract_shape(X, triangle), extract_color(X, red)."),
        ("t13", "valid(N) :- recursive_contains(N, X), extract_shape(X, triangle), recursive_contains(N, Y), "
                "extract_shape(Y, square), extract_color(X, C), extract_color(Y, C)."),
        ("t14", "valid(N) :- extract_children(N, L), reverse(L, L)."),
        ("t15", "valid(N) :- contains(N, G), extract_op_and_chld(G, stack, L), list_length(L, 2), nth0(0, L, X), "
                "nth0(1, L, Y), extract_shape(X, triangle), extract_shape(Y, square), same_size(_, L)."),
    ],
)  # fmt: skip
def test_rules_of_the_natural_encoding_hold_over_the_relational_facts(easy: Dataset, task: str, rule: str) -> None:
    assert is_true(problem(easy, task, encoding="relational"), rule)


@pytest.mark.parametrize(("task", "said"), [("t15", True), ("t13", False), ("t17", False)])
def test_the_relational_truth_is_given_where_it_can_be_said(easy: Dataset, task: str, said: bool) -> None:
    made = problem(easy, task, encoding="relational")
    assert (made.truth is not None) == said
    if made.truth is not None:
        assert is_true(made, str(made.truth))


GROUP = "valid(A) :- contains_or_member(A, B), "


@pytest.mark.parametrize(
    ("task", "rule"),
    [
        ("t12", "valid(A) :- last_shape_triangle(A), last_color_red(A), exists_color_blue(A)."),
        ("t13", "valid(A) :- recursive_contains(A, B), shape_triangle(B), recursive_contains(A, C), shape_square(C), "
                "pair_same_color(B, C)."),
        ("t14", "valid(A) :- reverse_itself(A)."),
        ("t15", GROUP + "operator_stack(B), length_2(B), first_shape_triangle(B), last_shape_square(B), same_size(B)."),
        ("t15", GROUP + "operator_stack(B), shape_triangle_square(B), same_size(B)."),
        ("t16", GROUP + "operator_side_by_side(B), length_2(B), same_shape_circle(B), same_size(B), same_color(B)."),
    ],
)  # fmt: skip
def test_easy_truths_are_short_in_the_folded_encoding(easy: Dataset, task: str, rule: str) -> None:
    made = problem(easy, task)
    assert is_true(made, rule)
    assert_inside(made, rule)


@pytest.mark.parametrize(
    ("task", "rule"),
    [
        ("t00", GROUP + "length_2(B), same_color(B)."),
        pytest.param("t09", "".join(f"valid(A) :- every_contains_exists_shape_{shape}(A).\n"
                                    for shape in ("circle", "square", "triangle")), marks=pytest.mark.slow),
        pytest.param("t13", "valid(A) :- first_last_same_non_size(A), middle_of(A, B), first_last_same_non_size(B).",
                     marks=pytest.mark.slow),
        ("t15", "valid(A) :- has_dropmiddle(A), same_color(A).\nvalid(A) :- \\+ has_dropmiddle(A), same_shape(A)."),
    ],
)  # fmt: skip
def test_hard_truths_are_short_in_the_folded_encoding(hard: Dataset, task: str, rule: str) -> None:
    made = problem(hard, task)
    assert is_true(made, rule)
    assert_inside(made, rule)


def assert_inside(made: Problem, rule: str) -> None:
    """The rule is in the language: its predicates have modes, negated ones may be, and it is not too long."""
    assert isinstance(made.task, ExampleTask)
    bias = made.task.bias
    modes = {mode.indicator: mode for mode in bias.body}
    for clause in Theory.parse(rule).clauses:
        assert len(clause.body) <= bias.max_body
        for literal in map(str, clause.body):
            name = literal.removeprefix("\\+ ").split("(")[0]
            found = [mode for (known, _), mode in modes.items() if known == name]
            assert found, name
            assert not literal.startswith("\\+") or any(mode.negated for mode in found)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["natural", "pointer", "relational"])
@pytest.mark.parametrize("curriculum", ["easy", "hard"])
def test_every_truth_that_is_given_holds(request: pytest.FixtureRequest, curriculum: str, encoding: str) -> None:
    dataset: Dataset = request.getfixturevalue(curriculum)
    for task in dataset.tasks:
        made = problem(dataset, task, encoding=encoding)
        assert made.truth is not None or encoding == "relational"
        assert made.truth is None or is_true(made, str(made.truth)), task


def test_a_wrong_rule_is_told_from_the_truth(easy: Dataset) -> None:
    assert not is_true(problem(easy, "t15"), GROUP + "operator_stack(B), length_2(B).")


def test_more_pictures_than_fit_into_memory_are_refused(easy: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "_MOST", 5)
    monkeypatch.setattr(learning, "MOST_TABLE_ROWS", 2_000)
    with pytest.raises(UsageError, match=r"encoding would have tables of some .* --samples \d+") as caught:
        learning_problem(easy, "examples", easy.tasks[0], {"encoding": "folded"})
    most = int(str(caught.value).rpartition(" ")[2])
    learning_problem(easy.drawn(most), "examples", easy.tasks[0], {"encoding": "folded"})


def test_folded_tests_differ_from_each_other_and_from_everything(easy: Dataset) -> None:
    made = problem(easy, "t15").task
    assert isinstance(made, ExampleTask)
    holds: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for head in Theory.parse(made.background).heads:
        name, _, rest = str(head).partition("(")
        holds[name, rest.count(",") + 1].add(rest)
    unary = [frozenset(rows) for (_, arity), rows in holds.items() if arity == 1]
    assert len(unary) == len(set(unary)) > 50
    assert all(mode.indicator in holds for mode in made.bias.body)


@pytest.mark.slow
def test_a_node_has_all_its_children_in_a_table_or_none(hard: Dataset) -> None:
    natural, tables = problem(hard, "t04", encoding="natural").task, problem(hard, "t04", encoding="relational").task
    assert isinstance(natural, ExampleTask) and isinstance(tables, ExampleTask)
    facts = Theory.parse(tables.background).heads
    children: defaultdict[str, set[str]] = defaultdict(set)
    for fact in map(str, facts):
        if fact.startswith("contains("):
            one, other = fact.removeprefix("contains(").removesuffix(")").split(",")
            children[one].add(other)
    for tree, root in zip(natural.positive, tables.positive, strict=True):
        whole = tree.args[0].args[0]  # type: ignore[union-attr]
        name = str(root.args[0])  # type: ignore[union-attr]
        assert len(children[name]) == len({str(child) for child in whole})  # type: ignore[union-attr]


def test_only_supervised_samples_of_the_training_split_are_examples(easy: Dataset) -> None:
    made = problem(easy, "t03", encoding="pointer")
    assert isinstance(made.task, ExampleTask)
    names = {str(atom) for atom in (*made.task.positive, *made.task.negative)}
    task = made.task.name
    assert names == {f"valid({one.id})" for one in easy.samples.task(task).split("train") if one.supervised}
    assert not any(one.id in made.task.background for one in easy.samples.task(task).split("test"))
    assert len(made.held["test"].positive) == sum(bool(one.label) for one in easy.samples.task(task).split("test"))


def test_large_knowledge_names_the_objects(hard: Dataset) -> None:
    made = problem(hard, "t16", background="large")
    assert is_true(
        made,
        "valid(A) :- contains_or_member(A,B), is_named_object_traffic_light(B), contains_or_member(A,C), "
        "is_named_object_car(C).\n"
        "valid(A) :- contains_or_member(A,B), is_named_object_house(B), contains_or_member(A,C), "
        "is_named_object_tower(C).\n"
        "valid(A) :- \\+ (contains_or_member(A,B), (is_named_object_house(B) ; is_named_object_traffic_light(B))).",
    )


def test_sizes_can_be_set_and_wrong_options_are_refused(easy: Dataset) -> None:
    made = problem(easy, "t00", max_body="3", max_vars="2", depth="1").task
    assert isinstance(made, ExampleTask)
    assert (made.bias.max_body, made.bias.max_vars, made.bias.depth) == (3, 2, 1)
    with pytest.raises(UsageError, match="encoding"):
        problem(easy, "t00", encodin="natural")
    with pytest.raises(UsageError, match="natural"):
        problem(easy, "t00", encoding="nat")
    with pytest.raises(UsageError, match="view"):
        learning_problem(easy, "facts", easy.tasks[0])


@pytest.mark.slow
def test_the_same_text_whatever_the_order_of_sets(easy: Dataset, run_python) -> None:  # type: ignore[no-untyped-def]
    code = (
        "import hashlib, hornbeam\n"
        f"ds = hornbeam.load({str(Path(easy.path))!r})\n"
        "made = [ds.family.learning_problem(ds, 'examples', ds.tasks[13], {'encoding': one}) "
        "for one in ('relational', 'folded')]\n"
        "print([hashlib.sha256(repr((one.task, one.held)).encode()).hexdigest() for one in made])"
    )
    assert run_python(code, PYTHONHASHSEED="1") == run_python(code, PYTHONHASHSEED="77")
