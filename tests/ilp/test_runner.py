"""Learners in their processes: one that behaves, and those that do not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hornbeam
from hornbeam.errors import EngineUnavailable, HornbeamError, UsageError
from hornbeam.ilp import fit
from hornbeam.ilp import learner as learners
from hornbeam.ilp.learned import Learned
from hornbeam.ilp.runner import judge_apart
from hornbeam.ilp.watch import divergence
from hornbeam.tasks.verdicts import Case
from hornbeam.theory import Theory
from hornbeam.theory.files import read_header
from tests.ilp.problems import cards
from tests.test_processes import alive


def learn(name: str, *, timeout: float = 0.3, memory: int = 400 << 20, trace: bool = False) -> Learned:
    return fit(cards(), name, timeout=timeout, memory=memory, trace=trace)


def test_learners_of_another_package_are_known() -> None:
    assert {"one-literal", "looper", "mdie", "lff"} <= set(learners.names())
    with pytest.raises(UsageError, match="did you mean 'looper'"):
        learners.get("loopr")


@pytest.fixture(scope="module")
def behaved() -> Learned:
    return learn("one-literal", timeout=20, trace=True)


def test_one_that_behaves(behaved: Learned) -> None:
    found = behaved
    assert (found.status, found.message) == ("finished", "")
    assert (found.complete, found.tried) == (True, 7)
    assert str(found.theory).strip() == "good(V0) :- red(V0)."
    assert found.train is not None and found.test is not None
    assert [found.train.details[name] for name in ("tp", "fp", "fn", "tn")] == [2, 1, 0, 2]
    assert found.test.accuracy == pytest.approx(2 / 3)
    assert found.test.balanced == pytest.approx(3 / 4)
    assert [event.kind for event in found.trace.search] == ["best", "finished"]


def test_the_same_seed_gives_the_same_events(behaved: Learned) -> None:
    assert len(behaved.trace.search) == 2
    assert divergence(behaved.trace, learn("one-literal", timeout=20, trace=True).trace) is None


@pytest.mark.parametrize(
    ("name", "status", "complaint"),
    [
        ("looper", "timeout", "of CPU time"),
        pytest.param("delegate", "timeout", "of CPU time", marks=pytest.mark.slow),
        ("eater", "memory", "400 MB"),
        ("crasher", "crashed", "RuntimeError: the bottom fell out"),
        ("killed", "crashed", "status -6"),
        ("liar", "false_claim", "claimed fp 0, verified 3; tn 3, verified 0"),
    ],
)
def test_the_last_best_theory_outlives_its_learner(name: str, status: str, complaint: str) -> None:
    found = learn(name)
    assert found.status == status
    assert complaint in found.message
    assert str(found.theory).strip() == "good(_V0)."
    assert found.test is not None and found.test.recall == 1.0


def test_nonsense_is_no_theory() -> None:
    found = learn("babbler", timeout=10)
    assert (found.status, len(found.theory)) == ("crashed", 0)
    assert "cannot be judged" in found.message
    assert found.test is not None and found.test.recall == 0.0


def test_no_theory_is_judged_as_the_empty_one() -> None:
    found = learn("silent")
    assert found.status == "no_theory"
    assert found.test is not None and found.test.accuracy == pytest.approx(2 / 3)


def test_a_child_in_its_own_session_does_not_survive() -> None:
    found = learn("runaway", trace=True)
    child = found.trace.last("child")
    assert child is not None
    assert not alive(int(str(child.figures["pid"])))


def test_one_that_is_not_installed() -> None:
    found = learn("absent")
    assert (found.status, found.message, found.test) == ("unavailable", "pip install nothing-of-the-kind", None)


def test_settings_are_checked() -> None:
    with pytest.raises(UsageError, match="did you mean 'min_pos'"):
        fit(cards(), "one-literal", settings={"minpos": 2})
    with pytest.raises(UsageError, match="min_pos: Input should be greater than or equal to 1"):
        fit(cards(), "one-literal", settings={"min_pos": 0})
    assert fit(cards(), "one-literal", settings={"min_pos": 3}, timeout=20).status == "no_theory"


@pytest.fixture(scope="module")
def dataset_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with enough ancestors that are parents."""
    folder = tmp_path_factory.mktemp("data") / "ancestors"
    hornbeam.generate("ancestors", "small", out=folder, seed=12, overrides={"samples": 80})
    return folder


# On a dataset ---------------------------------------------------------------------------------------------------------


def test_hb_learn_gives_a_theory_to_diff(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    theory = hornbeam.learn(dataset, "one-literal", timeout=20)
    assert str(theory).strip() == "ancestor(V0,V1,V2) :- parent(V0,V1,V2)."
    made = hornbeam.diff(theory, dataset=dataset)
    assert made.verdict.kind == "refuted"
    assert made.own is not None and made.own.differing == {"train": 3, "valid": 0, "test": 0}
    assert [pair.relation for pair in made.alignment.pairs] == ["variant"]
    assert len(made.alignment.missing) == 1


def test_hb_learn_says_why_there_is_no_theory(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    with pytest.raises(EngineUnavailable, match="pip install nothing-of-the-kind"):
        hornbeam.learn(dataset, "absent")
    with pytest.raises(HornbeamError, match="cannot be judged"):
        hornbeam.learn(dataset, "babbler", timeout=10)
    with pytest.raises(UsageError, match="stranger takes dreams; the family ancestors offers examples"):
        hornbeam.learn(dataset, "stranger")


def test_a_verdict_is_given_unless_nobody_asked(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    found = fit(dataset, "one-literal", timeout=20, fresh=100)
    assert found.verdict is not None and found.verdict.counterexample is not None
    assert (found.equivalent, found.verdict.counterexample.kind) == (False, "graph")
    assert fit(dataset, "one-literal", timeout=20, fresh=None).verdict is None
    assert fit(cards(), "one-literal", timeout=20).verdict is None, "a problem alone has no truth to ask"


def test_a_theory_that_cannot_be_judged_costs_its_verdict_only(dataset_folder: Path) -> None:
    case = Case.of(hornbeam.load(dataset_folder), None, fresh=10)
    hostile = Theory.parse("ancestor(T, X, Y) :- shell(ls), parent(T, X, Y).")
    verdict = judge_apart(case, hostile)
    assert (verdict.kind, verdict.equivalent) == ("incomparable", None)
    assert "No permission to call sandboxed" in verdict.method
    unknown = judge_apart(case, Theory.parse("ancestor(T, X, Y) :- forebear(T, X, Y)."))
    assert "calls forebear/3, which neither it nor the dataset defines" in unknown.method


def test_definitions_of_an_encoding_go_with_the_theory(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    theory = hornbeam.learn(dataset, "one-literal", timeout=20, options={"encoding": "generations"})
    assert str(theory).strip() == "ancestor(V0,V1,V2) :- one_generation(V0,V1,V2)."
    assert [statement.text for statement in theory.definitions] == ["one_generation(Id,X,Y) :- parent(Id,X,Y)."]


def test_ctrl_c_keeps_the_best_theory_and_ends_the_learner(dataset_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "best.pl"
    command = [sys.executable, "-m", "hornbeam", "learn", str(dataset_folder), "--learner", "looper", "--timeout", "60"]
    process = subprocess.Popen(
        [*command, "--out", str(file), "--fresh", "10", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    workers: list[int] = []
    deadline = time.monotonic() + 60
    while not (workers and cpu_seconds(workers[0]) > 2) and time.monotonic() < deadline:
        time.sleep(0.1)
        workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    printed, complaint = process.communicate(timeout=120)
    found = json.loads(printed)
    assert (found["status"], found["theory"]) == ("interrupted", "ancestor(_V0,_V1,_V2).")
    assert found["verdict"]["kind"] == "refuted"
    assert Theory.load(file).texts == ("ancestor(_V0,_V1,_V2).",)
    assert read_header(file.read_text())["status"].startswith("interrupted: ended by Ctrl-C")
    assert process.returncode == 130
    assert "interrupted" in complaint
    assert workers and not any(map(alive, workers))


def test_nothing_survives_a_parent_that_is_killed(dataset_folder: Path) -> None:
    command = [sys.executable, "-m", "hornbeam", "learn", str(dataset_folder), "--learner", "looper", "--timeout", "60"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    workers: list[int] = []
    deadline = time.monotonic() + 60
    while not (workers and cpu_seconds(workers[0]) > 0.6) and time.monotonic() < deadline:
        time.sleep(0.1)
        workers = children(process.pid)
    process.kill()
    process.wait()
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers and not any(map(alive, workers))


def children(pid: int) -> list[int]:
    """Those of all its threads."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
