"""Verdicts on theories of a family from another package: what is proven, refuted, open, and what cannot be compared."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.logic import swipl
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.tasks.verdicts import Case, own_differences
from hornbeam.theory import Theory, Verdict
from hornbeam.theory.files import save_theory

PARENT = "ancestor(T, X, Y) :- parent(T, X, Y)."
FROM_BELOW = PARENT + " ancestor(T, X, Z) :- parent(T, Y, Z), ancestor(T, X, Y)."


@pytest.fixture(scope="module")
def dataset(dataset_folder: Path) -> Dataset:
    return hornbeam.load(dataset_folder)


def verdict(dataset: Dataset, theory: Theory, **more: int) -> Verdict:
    return dataset.family.court(dataset, None).verdict(theory, **more)


@pytest.mark.parametrize(
    "theory",
    [
        "ancestor(A, B, D) :- parent(A, B, C), ancestor(A, C, D). ancestor(T, P, Q) :- parent(T, P, Q).",
        "ancestor(T, X, Y) :- one_generation(T, X, Y). ancestor(T, X, Z) :- one_generation(T, X, Y), ancestor(T,Y,Z).",
    ],
    ids=["renamed and reordered", "in the words of an encoding"],
)
def test_the_truth_in_other_words_is_proven_equal(dataset: Dataset, theory: str) -> None:
    found = verdict(dataset, Theory.parse(theory))
    assert (str(found), found.equivalent) == ("proven equal (by containment)", True)


def test_a_refuted_theory_has_a_counterexample_that_prolog_confirms(dataset: Dataset, tmp_path: Path) -> None:
    found = verdict(dataset, Theory.parse("ancestor(T, X, Y) :- person(T, X), person(T, Y)."))
    example = found.counterexample
    assert example is not None and found.blame == "ancestor(T, X, Y) :- person(T, X), person(T, Y)."
    assert (example.true, example.learned) == ("false", "true")
    copy = Path(shutil.copytree(dataset.path, tmp_path / "copy"))
    (copy / "facts.pl").write_text(example.prolog)
    theory = tmp_path / "wide.pl"
    save_theory(Theory.parse("ancestor(T, X, Y) :- person(T, X), person(T, Y)."), theory, {})
    asked = in_swipl(copy, theory, "sample(Id,_,_,_,_), true_answer(Id, True), mine(Id, Mine), print(True-Mine), nl")
    assert asked.splitlines()[-1] == "false-true"


def test_the_smallest_difference_is_shown(dataset: Dataset) -> None:
    found = verdict(dataset, Theory.parse(PARENT))
    assert found.counterexample is not None
    assert found.counterexample.text == "p0 is a parent of p1, p1 is a parent of p2; is p0 an ancestor of p2?"


def test_what_is_neither_proven_nor_refuted_is_no_difference_in_so_many_samples(dataset: Dataset) -> None:
    found = verdict(dataset, Theory.parse(FROM_BELOW), fresh=60)
    built = len(dataset.family.court(dataset, None).suspects(Theory.parse(FROM_BELOW)))
    assert (found.kind, found.fresh, found.ok, found.equivalent) == ("agrees", 60 + built, False, None)


def test_without_a_generator_there_is_nothing_fresh_to_draw(dataset: Dataset, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(dataset.path, tmp_path / "copy"))
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "seed": None}))
    found = verdict(hornbeam.load(copy), Theory.parse(FROM_BELOW))
    assert str(found) == "not comparable: the dataset was imported, so there is no generator of fresh samples"


@pytest.mark.parametrize(
    ("theory", "complaint"),
    [
        ("ancestor(T, X, Y) :- forebear(T, X, Y).", "calls forebear/3, which neither it nor the dataset defines"),
        ("elder(T, X, Y) :- parent(T, X, Y).", "defines none of ancestor/3"),
    ],
)
def test_undefined_predicates_are_an_error(dataset: Dataset, theory: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        verdict(dataset, Theory.parse(theory))


def test_a_case_can_be_sent_to_another_process(dataset: Dataset) -> None:
    case: Case = pickle.loads(pickle.dumps(Case.of(dataset, "ancestor", {"encoding": "parents"}, fresh=5)))
    assert case.verdict(Theory.parse(FROM_BELOW)).kind == "agrees"
    with pytest.raises(UsageError, match="there is no encoding 'poetry'"):
        Case.of(dataset, None, {"encoding": "poetry"}).verdict(Theory.parse(PARENT))


def test_plain_swipl_gives_the_same_answers(dataset: Dataset, tmp_path: Path) -> None:
    theory = Theory.parse(PARENT)
    file = tmp_path / "mine.pl"
    save_theory(theory, file, {"learner": "a person"})
    shown = in_swipl(dataset.path, file, "compare")
    listed = re.findall(r"(\w+): (s\d+): the true theory says (\w+), mine says (\w+)", shown)
    own = own_differences(dataset.family.court(dataset, None), theory)
    assert listed == [(one.split, one.sample, one.true, one.learned) for one in own.differences]
    assert sum(own.asked.values()) == len(dataset.samples)
    with Courtroom(dataset) as room:
        names = [sample.id for sample in dataset.samples]
        assert room.truth(names) == [str(sample.label).lower() for sample in dataset.samples]


def in_swipl(folder: Path, theory: Path, goal: str) -> str:
    """What a goal prints in plain `swipl`, with a dataset and a theory loaded as a person loads them."""
    done = subprocess.run(
        [str(swipl.find().executable), "-g", goal, "-t", "halt", str(folder / "load.pl"), str(theory)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "Warning" not in done.stderr
    return done.stdout
