"""Folders of the original as datasets: the labels come back, and bad files are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.rudas.record import fact_text
from hornbeam.tasks.problem import FactTask

RULES = "p0(X0,X1) :- p1(X0,X2),p2(X2,X1).\np1(X0,X2) :- p3(X2,X0)."
FILES = {
    "rules": RULES,
    "train-support": "p3(c2,c1).\np2(c2,c3).\np3(c5,c4).",
    "train-conseqs": "p1(c1,c2).\np0(c1,c3).\np1(c4,c5).",
    "train-cw": "p3(c2,c1).\np2(c2,c3).\np1(c1,c2).\np0(c1,c3).\np3(c5,c4).\np1(c4,c5).",
    "train": "p3(c2,c1).\np2(c2,c3).\np1(c1,c2).\np9(c7,c7).\np1(c4,c5).",
    "test": "p0(c1,c3).",
    "eval-support": "p3(c8,c9).",
    "eval-conseqs": "p1(c9,c8).",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "published" / "CHAIN-XS-2-5"
    path.mkdir(parents=True)
    for name, text in FILES.items():
        (path / f"{name}.txt").write_text(text)
    return path


def imported(folder: Path) -> Dataset:
    return hornbeam.import_dataset("rudas", [folder], out=folder.parent.parent / "out")


def labels(dataset: Dataset) -> dict[str, str]:
    return {f"{sample.split} {fact_text(sample)}": str(sample.label) for sample in dataset.samples}


EXPECTED = {
    "train p3(c2,c1)": "support", "train p2(c2,c3)": "support", "train p1(c1,c2)": "consequence",
    "train p9(c7,c7)": "noise", "train p1(c4,c5)": "consequence", "valid p0(c1,c3)": "removed",
    "valid p3(c5,c4)": "missing", "test p3(c8,c9)": "support", "test p1(c9,c8)": "consequence",
}  # fmt: skip


def test_labels_are_worked_out(folder: Path) -> None:
    dataset = imported(folder)
    assert labels(dataset) == EXPECTED
    assert hornbeam.check(dataset).ok
    assert dataset.file("CHAIN-XS-2-5/rules.txt").read_text() == RULES
    (spec,) = dataset.config.specs()
    assert (spec.name, spec.category, spec.depth) == ("CHAIN-XS-2-5", "chain", 2)
    assert dataset.query("component(T, 1, C, D, P)") == [{"T": "CHAIN-XS-2-5", "C": "chain", "D": 2, "P": "p0"}]


@pytest.mark.parametrize("absent", [["train-support"], ["train-conseqs"], ["train-support", "train-conseqs"]])
def test_folders_that_lack_some_files(folder: Path, absent: list[str]) -> None:
    for name in absent:
        (folder / f"{name}.txt").unlink()
    assert labels(imported(folder)) == EXPECTED


def test_older_names_and_a_folder_of_folders(folder: Path) -> None:
    (folder / "train-cw.txt").rename(folder / "train-cwa.txt")
    shutil.copytree(folder, folder.with_name("RDG-XS-2-0"))
    dataset = hornbeam.import_dataset("rudas", [folder.parent], out=folder.parent.parent / "out")
    assert dataset.tasks == ["CHAIN-XS-2-5", "RDG-XS-2-0"]
    assert labels(Dataset(dataset.path)) == EXPECTED


def test_a_consequence_that_does_not_follow_is_refuted(folder: Path) -> None:
    (folder / "train-conseqs.txt").write_text(FILES["train-conseqs"] + "\np0(c4,c4).")
    (folder / "train.txt").write_text(FILES["train"] + "\np0(c4,c4).")
    dataset = imported(folder)
    (false,) = [sample.id for sample in dataset.samples if fact_text(sample) == "p0(c4,c4)"]
    assert hornbeam.check(dataset).failures == (false,)
    assert "but it has no proof" in dataset.family.explain(dataset, dataset.sample(false))


def test_a_folder_without_facts_is_refused(folder: Path) -> None:
    for name in FILES:
        if name != "rules":
            (folder / f"{name}.txt").write_text("")
    with pytest.raises(UsageError, match="CHAIN-XS-2-5: the folder has no training fact"):
        imported(folder)


def test_what_was_made_comes_back(tmp_path: Path) -> None:
    made = hornbeam.generate("rudas", "demo", out=tmp_path / "made", seed=3)
    again = hornbeam.import_dataset("rudas", [made.path], out=tmp_path / "again")
    for task in made.tasks:
        ours = {(s.split, fact_text(s), s.label, str(s.proof.get("depth"))) for s in made.task(task)}
        theirs = {(s.split, fact_text(s), s.label, str(s.proof.get("depth"))) for s in again.task(task)}
        assert ours == theirs
    assert hornbeam.check(again).ok


def test_quoted_names_and_numbers(folder: Path) -> None:
    for path in folder.glob("*.txt"):
        path.write_text(path.read_text().replace("c2", "'New York'").replace("c3", "17"))
    dataset = imported(folder)
    assert hornbeam.check(dataset).ok
    assert "p2('New York','17')" in {fact_text(sample) for sample in dataset.samples}
    assert dataset.query("sample(Id, _, _, support, p2(X, Y))")[0]["X"] == "New York"


def test_a_rule_graph_of_no_category_is_mixed(folder: Path) -> None:
    two_roots = "p0(X0,X1) :- p1(X0,X1).\np4(X0,X1) :- p1(X0,X1).\np1(X0,X2) :- p3(X2,X0)."
    (folder / "rules.txt").write_text(two_roots)
    (spec,) = imported(folder).config.specs()
    assert spec.category == "mixed"


def test_rules_may_be_deeper_and_longer_than_ours(folder: Path) -> None:
    chain = [f"q{level}(X0,X1) :- q{level + 1}(X0,X1)." for level in range(30)]
    (folder / "rules.txt").write_text("\n".join([*chain, "q30(X0,X3) :- p1(X0,X1),p2(X1,X2),p3(X2,X3)."]))
    dataset = imported(folder)
    assert dataset.query("component(T, 1, C, D, P)") == [{"T": "CHAIN-XS-2-5", "C": "chain", "D": 31, "P": "q0"}]
    problem = dataset.family.learning_problem(dataset, "facts")
    assert isinstance(problem.task, FactTask)
    assert problem.task.bias.max_body == 3


@pytest.mark.parametrize("open_world", [0.3, 0])
def test_folders_without_noise_have_no_train_file(open_world: float, tmp_path: Path) -> None:
    overrides = {"profile": "compat", "noise": 0, "open_world": open_world}
    made = hornbeam.generate("rudas", "xs", out=tmp_path / "made", seed=3, overrides=overrides)
    assert not (made.path / made.tasks[0] / "train.txt").exists()
    again = hornbeam.import_dataset("rudas", [made.path], out=tmp_path / "again")
    assert labels(again) == labels(made)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rules", "p0(X0,X1) :- p1(X0,X1)", r"rules\.txt:1: expected a clause that ends in a full stop"),
        ("rules", RULES + "\np0(X0 :- .", r"rules\.txt:3: not Prolog"),
        ("rules", "p0(c1,c2).", r"rules\.txt:1: expected a rule"),
        ("rules", "", r"rules\.txt: there is no rule"),
        ("rules", RULES + "\np4(X0,X1) :- p1(X0,X2).", r"rules\.txt:3: expected a safe rule: .* the variable X1"),
        ("rules", "p4(X) :- p5(X), \\+ p6(Y).", r"rules\.txt:1: expected a safe rule: .* the variable Y"),
        ("rules", "p4(X) :- p5(X), \\+ p6(X).\np6(X) :- p5(X), \\+ p4(X).", "depends on its own negation"),
        ("rules", RULES + "\np4(f(X)) :- p5(X).", r"rules\.txt:3: expected a variable or a constant, found f\(X\)"),
        ("rules", RULES + "\np4(X) :- p3(X).", r"rules\.txt:3: p3 has 1 arguments here, 2 before"),
        ("train", "p3(c1,c2).\np3(X,c2).", r"train\.txt:2: expected a fact such as"),
        ("train", "p3(c1,c2).\np3(c1).", r"train\.txt:2: p3 has 1 arguments here, 2 before"),
        ("train", "p3(c1,c2).\np3(c 1,c2).", r"train\.txt:2: not Prolog"),
        ("train", None, r"expected a file train\.txt"),
        ("train-cw", None, r"expected a file train-cw\.txt"),
    ],
)
def test_bad_files_are_named(folder: Path, name: str, text: str | None, message: str) -> None:
    path = folder / f"{name}.txt"
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(UsageError, match=message):
        imported(folder)
    assert not (folder.parent.parent / "out").exists()


def test_a_folder_without_rules_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a folder with rules\.txt"):
        hornbeam.import_dataset("rudas", [tmp_path], out=tmp_path / "out")
