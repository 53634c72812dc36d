"""A dataset in plain swipl, and checked, explained, audited and exported from Python."""

from __future__ import annotations

import csv
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.kandy.check import check, sample_checks
from hornbeam.kandy.curriculum import RuleText, Task
from hornbeam.kandy.explain import explain
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.logic import swipl

CURRICULUM = """
- name: red object
  gamma: 1.0
  beta: 1.0
  samples: 24
  train_split: 0.5
  val_split: 0.25
  noisy_color: true
  noisy_size: true
  positive_set:
    - in: [{shape: ~, color: red, size: ~}]
  negative_set:
    - in: [{shape: ~, color: not_red, size: ~}]
  positive_rule: |
    % A helper may have a name of the background knowledge. This is a sentence.
    valid(C) :- first(C, X), 1.5 > 1.0, extract_color(X, red).
    first(C, X) :- C =.. [_, [X|_]]
- name: house
  gamma: 1.0
  beta: 1.0
  samples: 24
  train_split: 0.5
  val_split: 0.25
  noisy_color: true
  noisy_size: true
  positive_set:
    - in: [{stack: [{shape: triangle, color: ~, size: small}, {shape: square, color: ~, size: small}]}]
  negative_set:
    - in: [{stack: [{shape: triangle, color: ~, size: small}, {shape: square, color: ~, size: large}]}]
  rule: easy_15_house
"""


HOUSE = "in([stack([triangle_red_small, square_red_small])])"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("kandy")
    (folder / "own.yml").write_text(CURRICULUM)
    return hornbeam.generate("kandy", folder / "own.yml", out=folder / "made", seed=3)


def ask(folder: Path, *goals: str) -> str:
    """What plain swipl prints for goals on a dataset; any warning or error of loading it fails."""
    arguments = [argument for goal in goals for argument in ("-g", goal)]
    done = subprocess.run(
        [swipl.find().executable, "-f", "none", "--no-packs", "--on-error=status", "--on-warning=status", "-q",
         *arguments, "-t", "halt", "load.pl"],
        cwd=folder, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_plain_swipl_needs_nothing_but_the_dataset(dataset: Dataset, tmp_path: Path) -> None:
    shutil.copytree(dataset.path, tmp_path / "copy")
    text = ask(
        tmp_path / "copy",
        "forall(sample(_, T, _, L, Tree), ( holds(T, Tree) -> L == 1 ; L == 0 ))",
        f"call_cleanup(holds(1, {HOUSE}), Done = true), Done == true",
        f"call_cleanup(holds(t01_house, {HOUSE}), Done = true), Done == true",
        "aggregate_all(count, sample(_, t01_house, train, _, _), N), format('~d samples~n', [N])",
        "assertz((valid(P) :- contains(P, X), extract_shape(X, circle)))",
        "wrong(1)",
        "score(1)",
        "explain(mine, t01_house_train_0000)",
        "explain(t01_house_valid_0000)",
        "explain_tree(1, in([stack([triangle_red_small, square_red_large])]))",
        "forall(sample(Id, _, _, L, _), ( true_answer(Id, L), mine_answer(Id, _) ))",
        "rule(0)",
        "encode_scenes(1), kandy_scenes:sample_is(t01_house_train_0000, C), kandy_scenes:defined_as(C, in, [_])",
    )
    assert "wrong(0)" in text and "the proof, or the first literal that fails" in text  # the banner
    assert "12 samples\n" in text
    assert " is 1, mine says 0\n" in text
    assert " of 24 samples are wrong." in text
    assert "  t01_house train   " in text
    assert "- extract_shape(A, circle)" in text
    assert "- same_size(_, [triangle_red_small, square_red_large])" in text
    assert "first(C, X)," in text


def test_rules_that_a_person_types_are_asked_as_those_of_a_file(dataset: Dataset, tmp_path: Path) -> None:
    learned = tmp_path / "learned.pl"
    learned.write_text(":- module(mine, []).\nvalid(X) :- contains(X, Y), extract_color(Y, red).\n")
    typed = f"""score(0).
[user].
valid(Picture) :- contains(Picture, Object), extract_shape(Object, circle).
end_of_file.
wrong(0).
explain(mine, t00_red_object_train_0000).
mine.
mine('{learned}').
score(0).
explain(mine, nobody).
score(nothing).
"""
    done = subprocess.run(
        [swipl.find().executable, "-f", "none", "--no-packs", "-q", "load.pl"],
        cwd=dataset.path, input=typed, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    text = done.stdout
    assert "There is no theory of your own yet." in text
    assert "of 24 samples are wrong." in text and "0 of 24 samples are wrong." not in text
    assert "extract_shape(" in text and ", circle)" in text
    assert text.count("valid(A) :-\n    contains(A, B),\n    extract_shape(B, circle).") == 1
    assert "kandy_easy_15_house:valid" not in text
    assert "12 of 12 right (1.000)" in text
    assert "There is no sample nobody." in text
    assert "There is no task nothing." in text
    assert "Warning" not in done.stderr + text and "trace" not in text


def test_a_dataset_answers_in_the_sandbox(dataset: Dataset) -> None:
    found = dataset.query("holds(Task, in([circle_red_small]))")
    assert found == [{"Task": "t00_red_object"}]


def test_every_label_is_confirmed(dataset: Dataset) -> None:
    done: list[tuple[int, int]] = []
    found = check(dataset, lambda now, of: done.append((now, of)))
    assert found.ok and found.samples == 48 and done[-1] == (48, 48)
    assert "clingo for 1 of 2 tasks" in found.reasoner
    assert "the proof interpreter in place of the pointer encoding for 1" in found.reasoner


def test_what_is_wrong_with_a_sample_is_found(dataset: Dataset) -> None:
    task = dataset.config.tasks[1]
    good = next(sample for sample in dataset.task(task.id) if sample.label)
    other = next(sample for sample in dataset.task(task.id) if not sample.label)
    bad = [
        replace(good, label=False),
        replace(good, symbolic={**_fields(good.symbolic), "prolog": _fields(other.symbolic)["prolog"]}),
        replace(good, symbolic={**_fields(good.symbolic), "tree": _fields(other.symbolic)["tree"]}),
        replace(good, proof={**_fields(good.proof), "holds": False}),
    ]
    with KandyLogic() as logic:
        assert [checked.confirmed for checked in sample_checks(task, [good, other], logic)] == [True, True]
        assert [checked.confirmed for checked in sample_checks(task, bad, logic)] == [False] * 4
        (unlabelled,) = sample_checks(task, [replace(good, label=None)], logic)
        assert not unlabelled.decided
        (without_rule,) = sample_checks(replace(task, rule=None), [good], logic)
        assert not without_rule.decided


def _fields(value: Any) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value


def test_an_explanation_names_rule_and_reason(dataset: Dataset) -> None:
    samples = {bool(sample.label): sample for sample in dataset.task("t01_house")}
    assert "valid(Picture) holds:" in explain(dataset, samples[True])
    assert "- same_size(_, [triangle_" in explain(dataset, samples[False])
    assert "house(Object)." in explain(dataset, samples[True])


def test_the_files_of_the_original(dataset: Dataset) -> None:
    with (dataset.path / "sets" / "val" / "annotations.csv").open(newline="") as stream:
        raw = stream.read()
    assert raw.splitlines()[0] == '"filename","task_id","label","supervised","symbol"'
    rows = list(csv.DictReader(raw.splitlines()))
    assert len(rows) == 12 and {row["label"] for row in rows} == {"0", "1"}
    assert rows[0]["symbol"].startswith("{'in': [{'shape': '")
    assert raw.splitlines()[1].startswith('"0/0000.png",0,')
    assert all((dataset.path / "sets" / "val" / row["filename"]).is_file() for row in rows)
    stats = (dataset.path / "sets" / "stats.txt").read_text()
    assert "Task 1: house" in stats and "train: 12 samples" in stats


def test_the_original_files_come_back_as_they_were(dataset: Dataset, tmp_path: Path) -> None:
    options = {"curriculum": str(dataset.path.parent / "own.yml")}
    again = hornbeam.import_dataset("kandy", [dataset.path / "sets"], out=tmp_path / "again", options=options)
    assert check(again).ok
    ours, theirs = (
        {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("sets/**/*.*")}
        for folder in (dataset.path, again.path)
    )
    assert ours == theirs


def test_a_task_without_rule_stays_undecided() -> None:
    from hornbeam.kandy.knowledge import rule_name

    assert rule_name(Task(0, "x")) == "none"
    assert rule_name(Task(4, "Own one", rule=RuleText("valid(_)."))) == "rule_of_t04_own_one"
