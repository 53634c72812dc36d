"""From the command to what a person wants to know: is the theory that was learned the true one?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import hornbeam as hb
from hornbeam.logic import swipl


def hornbeam(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hornbeam", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "ancestors"
    hb.generate("ancestors", "small", out=folder, seed=12, overrides={"samples": 80})
    return folder


@pytest.fixture(scope="module")
def learned(data: Path) -> Path:
    """Three rules in the words of an encoding: right on all samples of the dataset, and wrong beyond them."""
    file = data.parent / "learned.pl"
    arguments = ["--learner", "mdie", "--option", "encoding=generations", "--timeout", "20", "--fresh", "100"]
    done = hornbeam("learn", data, *arguments, "--out", file)
    assert done.returncode == 0, done.stderr
    assert "verdict     refuted: p0 is a parent of p1" in done.stdout
    return file


def test_a_learned_file_is_diffed_without_naming_truth_task_or_encoding(data: Path, learned: Path) -> None:
    done = hornbeam("diff", learned, "--dataset", data)
    first, *rest = done.stdout.splitlines()
    assert first.startswith("refuted: p0 is a parent of p1") and done.returncode == 0
    assert "# No difference on the dataset's own samples: 80 asked." in rest
    found = json.loads(hornbeam("diff", learned, "--dataset", data, "--json").stdout)
    assert (found["equivalent"], found["verdict"]["text"]) == (False, first)
    assert found["samples"]["splits"]["test"] == {"asked": 20, "differing": 0}


def test_a_learned_file_is_a_citizen_of_plain_swipl(data: Path, learned: Path) -> None:
    goal = "score, forall(sample(Id,_,test,_,_), mine(Id,_)), explain(mine, s000060)"
    done = subprocess.run(
        [str(swipl.find().executable), "-g", goal, "-t", "halt", str(data / "load.pl"), str(learned)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "20 of 20 right (1.000)" in done.stdout
    assert "is an ancestor of p" in done.stdout.splitlines()[-1]
    assert done.stderr == ""


def test_judge_says_the_same_of_the_same_file(data: Path, learned: Path) -> None:
    found = json.loads(hornbeam("judge", data, learned, "--json").stdout)
    assert (found["form"], found["task"], found["verdict"]["kind"]) == ("theory", "ancestor", "refuted")
    assert found["overall"]["accuracy"] == 1.0 and found["equivalent"] is False
    assert found["splits"]["test"]["count"] == 20
    done = hornbeam("judge", data, learned, "--split", "test", "--fresh", "20")
    assert done.stdout.startswith("verdict            refuted: ")
    assert "test\tall\t\t20\t20\t1.0000\t0.8389 to 1.0000" in done.stdout


def test_judge_scores_predictions(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    samples = hb.load(data).test
    file.write_text("id,label\n" + "".join(f"{sample.id},{int(bool(sample.label))}\n" for sample in samples))
    done = hornbeam("judge", data, file, "--split", "test")
    assert done.stdout.startswith("accuracy           1.0000 [0.8389, 1.0000] on 20 samples\n")
    done = hornbeam("judge", data, file)
    assert done.returncode == 2
    assert "60 samples have no prediction (train 40, valid 20)" in done.stderr


def test_a_proof_says_by_what_method(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "same.pl"
    file.write_text("ancestor(A,B,D) :- parent(A,B,C), ancestor(A,C,D).\nancestor(T,P,Q) :- parent(T,P,Q).\n")
    page = tmp_path / "page.html"
    done = hornbeam("diff", file, "--dataset", data, "--html", page)
    assert done.stdout.splitlines()[0] == "proven equal (by containment)"
    assert '<p class="good"><strong>proven equal (by containment)</strong></p>' in page.read_text()


def test_fresh_samples_can_be_chosen(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "below.pl"
    file.write_text("ancestor(T,X,Y) :- parent(T,X,Y).\nancestor(T,X,Z) :- parent(T,Y,Z), ancestor(T,X,Y).\n")
    found = json.loads(hornbeam("diff", file, "--dataset", data, "--fresh", "30", "--seed", "5", "--json").stdout)
    assert found["equivalent"] is None
    assert (found["verdict"]["kind"], found["verdict"]["fresh"]) == ("agrees", 30 + 4 + 9 + 16 + 25)


def test_a_learner_can_go_without_a_verdict(data: Path) -> None:
    done = hornbeam("learn", data, "--learner", "one-literal", "--timeout", "20", "--no-verdict", "--json")
    assert json.loads(done.stdout)["verdict"] is None


@pytest.mark.parametrize(
    ("theory", "arguments", "complaint"),
    [
        ("ancestor(T,X,Y) :- forebear(T,X,Y).\n", [], "mine.pl:1: the theory calls forebear/3, which neither it nor"),
        ("elder(T,X,Y) :- parent(T,X,Y).\n", [], "mine.pl: the theory defines none of ancestor/3"),
        ("ancestor(T,X,Y) :- parent(T,X,Y)\n", [], "mine.pl:1:33: Unexpected end of file"),
        ("ancestor(T,X,Y) :- parent(T,X,Y).\n", ["--task", "ancester"], "did you mean 'ancestor'"),
        ("ancestor(T,X,Y) :- parent(T,X,Y).\n", ["--encoding", "poetry"], "there is no encoding 'poetry'"),
        ("ancestor(T,X,Y) :- parent(T,X,Y).\n", ["--facts", "x.pl"], "cannot be used with --dataset"),
    ],
)
def test_asking_wrongly(data: Path, tmp_path: Path, theory: str, arguments: list[str], complaint: str) -> None:
    file = tmp_path / "mine.pl"
    file.write_text(theory)
    done = hornbeam("diff", file, "--dataset", data, *arguments)
    assert (done.returncode, complaint in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr


def test_one_theory_without_a_dataset_and_two_with_one(data: Path, learned: Path) -> None:
    done = hornbeam("diff", learned)
    assert (done.returncode, "expected TRUE.pl LEARNED.pl, or LEARNED.pl --dataset DIR" in done.stderr) == (2, True)
    done = hornbeam("diff", learned, learned, "--dataset", data)
    assert (done.returncode, "give only the learned theory" in done.stderr) == (2, True)
    done = hornbeam("diff", learned, learned)
    assert done.stdout.startswith("proven equal (")
