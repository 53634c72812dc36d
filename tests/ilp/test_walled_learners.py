"""Learners load background knowledge that anybody may have written: nothing of it gets out of their process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hornbeam.ilp import fit
from hornbeam.ilp import learner as learners
from hornbeam.tasks.problem import ExampleTask, Problem
from hornbeam.wall import support
from tests.ilp.problems import cards
from tests.wall.test_system_calls import snapshot

pytestmark = pytest.mark.skipif(not support().whole, reason="this kernel cannot hold a wall")


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "secret.txt").write_text("s3cr3t", encoding="utf-8")
    monkeypatch.setenv("SECRET_TOKEN", "s3cr3t")
    return tmp_path


def test_a_learner_s_process_holds_whatever_runs_in_it(outside: Path) -> None:
    before = snapshot(outside)
    learned = fit(cards(), "burglar", settings={"outside": outside}, timeout=20, trace=True)
    assert learned.status == "finished", learned.message
    kinds = [(event.kind, event.figures["what"]) for event in learned.trace.events if "what" in event.figures]
    assert [what for kind, what in kinds if kind == "through"] == []
    assert len(kinds) == 12
    assert snapshot(outside) == before


# The burglar stands for those in a process of ours in the quick tests. Popper has to be installed.
OTHERS = ("mdie", "lff", "one-literal", "popper")


def hostile(outside: Path) -> Problem:
    """The cards, with directives that run a command, write and read when the background is loaded."""
    problem = cards()
    assert isinstance(problem.task, ExampleTask)
    directives = f"""
:- shell('touch {outside}/ran').
:- catch(process_create('/usr/bin/touch', ['{outside}/ran2'], []), _, true).
:- catch((open('{outside}/written', write, S), close(S)), _, true).
:- catch((open('{outside}/secret.txt', read, S), read_term(S, T, []), assertz(leaked(T))), _, true).
:- initialization(catch(shell('touch {outside}/ran3'), _, true)).
:- table po_(lattice(shell/3)).
user:portray(_) :- shell('touch {outside}/ran4').
user:message_hook(_, _, _) :- shell('touch {outside}/ran5'), fail.
"""
    return replace(problem, task=replace(problem.task, background=problem.task.background + directives))


@pytest.mark.parametrize("name", ["aleph", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_hostile_background_knowledge_does_nothing(name: str, outside: Path) -> None:
    missing = learners.get(name).available()
    if missing:
        pytest.skip(missing)
    before = snapshot(outside)
    fit(hostile(outside), name, timeout=5)
    assert snapshot(outside) == before
