"""Rules of earlier tasks as background knowledge of later ones, from the command to the verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.kandy.learning import learning_problem
from hornbeam.kandy.learning.earlier import earlier_rules

HOUSE = "t02_house"
RULE = """% task: t00_red

valid(A) :- part(A, B), house(B).
part(A, B) :- contains(A, B).
"""


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "tour", out=tmp_path_factory.mktemp("tour") / "kandy", seed=3)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder in which an earlier task's rule says just what a later task asks for."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "t00_red.pl").write_text(RULE, encoding="utf-8")
    return folder


def hornbeam_json(*words: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "hornbeam", *words, "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    printed: dict[str, object] = json.loads(done.stdout)
    return printed


@pytest.mark.parametrize("way", ["folded/mid", pytest.param("natural/large", marks=pytest.mark.slow)])
def test_a_later_task_is_learned_with_an_earlier_rule(tour: Dataset, rules: Path, tmp_path: Path, way: str) -> None:
    encoding, _, size = way.partition("/")
    ways = ("--option", f"earlier={rules}", "--option", "max_body=1", "--encoding", encoding, "--background", size)
    file = tmp_path / "learned.pl"
    learned = hornbeam_json(
        *("learn", str(tour.path), "--learner", "mdie", "--task", HOUSE, "--timeout", "20", "--out", str(file), *ways)
    )
    assert str(learned["theory"]).strip() == "valid(A) :- earlier_t00_red(A)."
    assert learned["test"]["accuracy"] == 1.0  # type: ignore[index]
    # The file says what the test means: it is judged without the folder of rules.
    verdict = hornbeam_json("diff", str(file), "--dataset", str(tour.path))["verdict"]
    assert verdict["kind"] in ("equal", "agrees"), verdict  # type: ignore[index]


def test_only_rules_of_earlier_tasks_are_used(tour: Dataset, rules: Path) -> None:
    (rules / "t04.pl").write_text("% task: t04_shared_colour\n\nvalid(_).\n", encoding="utf-8")
    assert [rule.name for rule in earlier_rules(rules, tour, HOUSE)] == ["earlier_t00_red"]
    assert earlier_rules(rules, tour, "t00_red") == ()


def test_a_poor_rule_is_not_used(tour: Dataset, rules: Path) -> None:
    text = RULE.replace("t00_red\n", "t00_red\n% train: accuracy 0.9500, balanced_accuracy 0.7000\n")
    (rules / "t00_red.pl").write_text(text, encoding="utf-8")
    assert earlier_rules(rules, tour, HOUSE) == ()


def test_what_is_no_theory_of_a_task(tour: Dataset, rules: Path) -> None:
    (rules / "other.pl").write_text("valid(_).\n", encoding="utf-8")
    with pytest.raises(UsageError, match="expected a theory of a task"):
        earlier_rules(rules, tour, HOUSE)
    with pytest.raises(UsageError, match="pointer"):
        (rules / "other.pl").unlink()
        learning_problem(tour, "examples", HOUSE, {"encoding": "pointer", "earlier": str(rules)})


@pytest.mark.slow
def test_the_rules_of_a_comparison_are_kept_in_order(tour: Dataset, tmp_path: Path) -> None:
    out = tmp_path / "comparison"
    words = ("compare", str(tour.path), "--learners", "mdie", "--tasks", "t00_red,t02_house", "--timeout", "10")
    rows = hornbeam_json(*words, "--out", str(out), "--keep-rules")["rows"]
    assert [row["status"] for row in rows] == ["finished", "finished"]  # type: ignore[attr-defined]
    assert sorted(file.stem for file in out.rglob("rules/**/*.pl")) == ["t00_red", "t02_house"]
