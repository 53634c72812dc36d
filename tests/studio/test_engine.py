"""The engine of the studio: verdicts on rules while they are typed, a console, the predicates that rules may call."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import hornbeam
from hornbeam.studio.engine import console as consoles
from hornbeam.studio.engine.console import Console
from hornbeam.studio.engine.judge import LiveJudge
from hornbeam.studio.engine.knowledge import documented
from hornbeam.studio.engine.verdicts import Answer

RED = "valid(Picture) :-\n    contains(Picture, Object),\n    extract_color(Object, red)."
BLUE = RED.replace("red", "blue")


@pytest.fixture(scope="module")
def judge(made: Path) -> Iterator[LiveJudge]:
    with LiveJudge(hornbeam.load(made / "pictures"), "t00_red") as judge:
        yield judge


# Verdicts -------------------------------------------------------------------------------------------------------------


def test_the_true_rule_is_right_and_another_is_wrong_where_labels_say_so(judge: LiveJudge) -> None:
    right = judge.judge(RED)
    assert right.problem is None and right.right == right.total == 16 and right.wrong == ()
    wrong = judge.judge(BLUE)
    labels = {sample.id: sample.label for sample in judge.samples.values()}
    assert wrong.wrong and all(labels[one.sample] is (one.expected == "1") for one in wrong.answers)
    assert {one.said for one in wrong.answers} <= {"0", "1"}
    assert sum(wrong.confusion.values()) == 16 and sum(one.count for one in wrong.by_split.values()) == 16
    turned_right, turned_wrong = wrong.turned(right)
    assert turned_right == () and turned_wrong == wrong.wrong


def test_the_smallest_counterexample_and_the_literal_that_fails(judge: LiveJudge) -> None:
    wrong = judge.judge(BLUE)
    missed = [one for one in wrong.wrong if one.said == "0"]
    smallest = judge.smallest(missed)
    assert smallest is not None
    assert judge.size(smallest.sample) == min(judge.size(one.sample) for one in missed)
    assert (judge.why(BLUE, smallest) or "").startswith("extract_color(Object,blue) fails in valid(Picture) :-")
    covered = judge.judge("valid(_).").wrong[0]
    assert judge.why("valid(_).", covered) == "valid(_)."
    assert judge.judge(RED).right == 16  # asking why leaves nothing behind


@pytest.mark.parametrize(
    ("text", "kind", "line", "column", "words"),
    [
        ("valid(X) :-\n  contains(X, Y) extract_color(Y, red).", "syntax", 2, 17, "Operator expected"),
        ("valid(X) :-\n  contains(X, Y),\n  extract_colr(Y, red).", "rule", 3, 3, "did you mean extract_color/2?"),
        ("good(X) :- contains(X, _).", "rule", None, None, "defines none of valid/1"),
        ("% nothing yet\n", "empty", None, None, "no rule"),
        ("valid(X) :- contains(X, Y), halt.", "rule", 1, 29, "may not call halt/0"),
        ("valid(X) :- contains(X, _),\n  shell('touch /tmp/hornbeam-was-here').", "rule", 2, 3, "may not call shell/1"),
        ("valid(_) :- open('/etc/passwd', read, _).", "rule", 1, 13, "may not call open/3"),
        ("valid(X) :- assertz(seen(X)).", "rule", 1, 13, "may not call assertz/1"),
        ("valid(X) :- G = halt, call(G), X = X.", "rule", 1, 23, "call/1"),
        ("valid(_) :- consult('/etc/passwd').", "rule", 1, 13, "consult/1"),
    ],
)
def test_what_cannot_be_judged_is_told_at_its_place(
    judge: LiveJudge, text: str, kind: str, line: int | None, column: int | None, words: str
) -> None:
    problem = judge.judge(text).problem
    assert problem is not None
    assert (problem.kind, problem.line, problem.column) == (kind, line, column), problem
    assert words in problem.message
    assert not Path("/tmp/hornbeam-was-here").exists()
    assert judge.judge(RED).right == 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("valid(X) :- loop(f(X)).\nloop(X) :- loop(f(X)).", "inferences"),
        ("valid(_) :- length(L, 300000000), L = [].", "memory"),
        ("valid(_) :- atom_length(f(x), 3).", "raise an error"),
    ],
)
def test_a_loop_a_bomb_or_an_error_costs_a_note(judge: LiveJudge, text: str, words: str) -> None:
    judged = judge.judge(text, patience=0.5)
    assert judged.problem is None and judged.right == 0 and judged.undecided == judged.wrong
    assert any(words in note.message for note in judged.notes), judged.notes
    assert judge.judge(RED).right == 16


def test_a_directive_is_not_run_and_a_lonely_variable_is_noted(judge: LiveJudge) -> None:
    judged = judge.judge(f"{RED}\nvalid(X) :- fail.\n:- initialization(halt).")
    assert judged.right == 16
    told = [(note.line, note.column) for note in judged.notes if "X stands only once" in note.message]
    assert told == [(4, 7)] and any("not run" in note.message for note in judged.notes)


def test_a_process_that_dies_is_started_again(judge: LiveJudge) -> None:
    assert judge.judge(RED).right == 16
    pid = judge._open()._prolog.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert judge.judge(RED).right == 16
    assert judge._open()._prolog.pid not in (None, pid)


def test_a_newer_text_ends_an_older_one(judge: LiveJudge) -> None:
    slow = "valid(X) :- loop(f(X)).\nloop(X) :- loop(f(X))."
    got = []
    thread = threading.Thread(target=lambda: got.append(judge.judge(slow, page="p", patience=60.0)))
    thread.start()
    while not judge._newest.get("p"):
        time.sleep(0.01)
    assert judge.judge(RED, page="p").right == 16
    thread.join()
    assert got[0].superseded


def test_tables_and_rules_of_networks(made: Path) -> None:
    dataset = hornbeam.load(made / "nested" / "regions")
    with LiveJudge(dataset, None) as judge:
        table = str(judge.court.truth)
        assert judge.judge(table).right == len(dataset.samples)
        without = "\n".join(line for line in table.splitlines() if not line.startswith("compose('NTPP','DC'"))
        wrong = judge.judge(without)
        assert wrong.problem is None
        rules = judge.judge(judge.court.starter())
        assert rules.problem is None and rules.total == len(dataset.samples)
        silent = next(one for one in rules.wrong if one.said == "nothing")
        assert "fails in" in (judge.why(judge.court.starter(), silent) or "") or "no rule gives" in (
            judge.why(judge.court.starter(), silent) or ""
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "preset"), [("clutrr", "tiny"), ("graphlog", "tiny"), ("rudas", "xs"), ("star", "rcc8-small")]
)
def test_every_family_judges_its_truth_right_and_the_starter_wrong(family: str, preset: str, tmp_path: Path) -> None:
    dataset = hornbeam.generate(family, preset, out=tmp_path / family, seed=3)
    task = dataset.family.learning_tasks(dataset)[0]
    with LiveJudge(dataset, task) as judge:
        right = judge.judge(str(judge.court.truth), patience=60.0)
        assert right.problem is None and right.right == len(right.answers) == right.total > 100
        starter = judge.court.starter()
        wrong = judge.judge(starter, patience=60.0)
        assert wrong.problem is None and wrong.wrong
        smallest = judge.smallest(wrong.wrong)
        assert smallest is not None and judge.why(starter, smallest)
        assert judge.judge("nonsense(X) :- halt.").problem is not None


# Knowledge ------------------------------------------------------------------------------------------------------------


def test_the_background_knowledge_is_documented_and_the_truth_is_not_in_it(made: Path) -> None:
    entries = {entry.indicator: entry for entry in documented(hornbeam.load(made / "pictures"))}
    assert entries["contains/2"].text == "Child is a direct child of Node."
    assert (
        entries["contains/2"].head == "contains(+Node, ?Child)" and "extract_children" in entries["contains/2"].source
    )
    assert "valid/1" not in entries and "true_answer/2" not in entries
    assert all("tasks" not in entry.file and "theory" not in entry.file for entry in entries.values())


# The console ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def console(made: Path) -> Iterator[Console]:
    with Console(hornbeam.load(made / "pictures")) as console:
        yield console


def test_answers_come_page_by_page(console: Console) -> None:
    first = console.ask("sample(Id, t00_red, _, _, _).", size=10)
    assert first.names == ("Id",) and len(first.rows) == 10 and first.more and first.holds
    second = console.ask("sample(Id, t00_red, _, _, _)", number=1, size=10)
    assert len(second.rows) == 6 and not second.more and not set(first.rows) & set(second.rows)


def test_the_suggestions_that_can_run_do(console: Console) -> None:
    runnable = [one for one in console.suggestions() if one.runs]
    assert runnable
    for one in runnable:
        assert console.ask(one.goal).error == "", one.goal


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("foo(", "Unexpected end"),
        ("no_such_thing(X)", "does not exist"),
        ("halt", "not allowed"),
        ("shell(ls)", "sandbox"),
        ("open('/etc/passwd', read, S)", "sandbox"),
        ("read_term(X, [])", "sandbox"),
        ("X = f(X)", "acyclic"),
        ("", "no goal"),
    ],
)
def test_a_goal_that_cannot_run_is_told_why(console: Console, goal: str, words: str) -> None:
    assert words in console.ask(goal).error
    assert console.ask("X = 1").rows == (("1",),)


def test_loops_and_bombs_meet_limits_and_the_next_goal_works(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consoles, "SECONDS", 0.5)
    with Console(hornbeam.load(made / "pictures")) as console:
        assert "limit" in console.ask("repeat, fail").error
        assert console.ask("between(1, inf, X)", size=3).rows == (("1",), ("2",), ("3",))
        assert "limit" in console.ask("length(L, 200000000), L = []").error
        printed = console.ask("format('a <b> ~w~n', [c])")
        assert printed.printed == "a <b> c\n"
        assert not console.ask("fail").holds


@pytest.mark.slow
def test_filling_memory_outside_the_stacks_ends_the_process_only(made: Path) -> None:
    with Console(hornbeam.load(made / "pictures")) as console:
        assert console.ask("repeat, assertz(user:filled(aaaaaaaa, [1, 2, 3])), fail").error
        assert console.ask("X = 1").rows == (("1",),)


def test_an_answer_says_whether_it_is_right() -> None:
    assert Answer("a", "t", "train", "1", "1").right and not Answer("a", "t", "train", "1", "undecided").right
