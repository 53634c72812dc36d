"""Programs from outside are read as terms, then loaded: what is refused is named with its line and does not run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hornbeam.cli import run
from hornbeam.errors import (
    HornbeamError,
    LimitExceeded,
    NotAllowed,
    PrologError,
    PrologSyntaxError,
    StackLimit,
    TimeLimit,
    UsageError,
)
from hornbeam.logic import Limits, Prolog
from hornbeam.theory import Theory
from hornbeam.theory.coverage import judge
from tests.hostile.planting import planted


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prolog]:
    with Prolog.contained(readable=[tmp_path_factory.getbasetemp()]) as prolog:
        yield prolog


REFUSED = {
    ":- if(true).": "if/1",
    ":- elif(true).": "elif/1",
    ":- initialization(main).": r"initialization\)?/1",
    ":- initialization(main, main).": r"initialization\)?/2",
    ":- assertz(q(1)).": "assertz/1",
    "?- assertz(q(1)).": "assertz/1",
    ":- use_foreign_library(foo).": "use_foreign_library/1",
    ":- [other].": "/2 is not allowed here",
    ":- dynamic(p/1), assertz(q(1)).": "assertz/1",
    ":- lists:dynamic(p/1).": "the module lists",
    ":- dynamic lists:p/1.": "name/arity",
    ":- dynamic message_hook/3.": "message_hook/3 is called by SWI-Prolog",
    ":- multifile portray/1.": "portray/1 is called by SWI-Prolog",
    ":- table p(po(shell)).": r"the mode po\(shell\)",
    ":- table p(_, lattice(shell/3)).": r"the mode lattice",
    ":- set_prolog_flag(stack_limit, 1).": "only double_quotes",
    ":- style_check(-all).": "style_check",
    ":- encoding(octet).": "the encoding octet",
    ":- use_module(library(process)).": r"library\(process\) is not among",
    ":- use_module(other).": "text may not load the file",
    ":- op(700, xfx, user:foo).": "names of this file",
    ":- module(user, []).": "module header",
    "user:p(1).": "a clause for the module user",
    "user:(portray(_) :- true).": "a clause for the module user",
    "mine:(user:p(X) :- q(X)).": "a clause for the module mine",
    "portray(_) :- true.": "called by SWI-Prolog itself",
    "message_hook(_, _, _) :- true.": "called by SWI-Prolog itself",
    "attr_unify_hook(_, _) :- true.": "called by SWI-Prolog itself",
    "attribute_goals(_) --> [].": "called by SWI-Prolog itself",
    "goal_expansion(a, b).": "called by SWI-Prolog itself",
    "'$tabled'(p, q).": "names that start with",
    "[other].": "a list loads files",
    "3.": "3 is no clause",
    "X.": "a variable",
    "X :- p.": "the head of a clause is a variable",
    "end_of_file.\n:- shell(x).": "there is text behind it",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(guest: Prolog, text: str) -> None:
    with pytest.raises(NotAllowed, match=REFUSED[text]) as caught:
        guest.load_text(f"p(1).\n{text}\n", "outside", name="theirs.pl")
    assert (caught.value.file, caught.value.line) == ("theirs.pl", 2)
    guest.unload("outside")


def test_hooks_of_user_are_refused_in_user(guest: Prolog) -> None:
    for head in ("file_search_path(a, b)", "exception(_, _, _)", "prolog_load_file(_, _)", "expand_query(_, _, _, _)"):
        with pytest.raises(NotAllowed, match="called by SWI-Prolog itself"):
            guest.load_text(f"{head}.", "user", name="theirs.pl")


def test_all_refused_lines_are_told_at_once(guest: Prolog) -> None:
    with pytest.raises(NotAllowed) as caught:
        guest.load_text(":- shell(a).\np(1).\n:- if(shell(b)).\nq.\n", "outside", name="theirs.pl")
    assert caught.value.line == 1 and "line 3: the directive if/1" in str(caught.value)


LOADED = {
    "p(X) :- q(X). q(1).": {"X": 1},
    ":- table p/1.\np(X) :- p(X). p(1).": {"X": 1},
    ":- table p(max).\np(1). p(3).": {"X": 3},
    "p(X) --> [X].\np(X) :- phrase(p(X), [7]).": {"X": 7},
    ":- use_module(library(lists)).\np(X) :- last([1, 2], X).": {"X": 2},
    ":- set_prolog_flag(double_quotes, codes).\np(X) :- X = \"a\".": {"X": [97]},
    ":- op(700, xfx, is_a).\np(X) :- X = (a is_a b), X = (_ is_a b).": {},
    "p(X), var(X) => X = 5.\np(_) => true.": {"X": 5},
    ":- dynamic p/1.\n:- discontiguous p/1.\np(1).\nq(2).\np(3).": {"X": 1},
    "p('%').\n/* :- shell(x). */\n% :- shell(x).\n": {"X": "%"},
}  # fmt: skip


@pytest.mark.parametrize("text", LOADED)
def test_what_is_loaded(guest: Prolog, text: str) -> None:
    guest.load_text(text, "outside")
    answer = guest.once("p(X)", module="outside")
    assert answer is not None and LOADED[text] in ({}, answer)
    guest.unload("outside")


def test_files_of_the_folder(guest: Prolog, tmp_path: Path) -> None:
    """A program loads the files of its folder, and no others; lines are those of the file that has them."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "load.pl").write_text("#!/usr/bin/swipl\n:- include('inner/facts').\n:- use_module('inner/rules').\n")
    (tmp_path / "inner/facts.pl").write_text("\ufeffp(1).\r\np(2).\r\n", encoding="utf-8")
    (tmp_path / "inner/rules.pl").write_text(":- module(rules, [r/1]).\nr(X) :- user:p(X).\n")
    guest.load(tmp_path / "load.pl")
    assert [answer["X"] for answer in guest.all("p(X)")] == [1, 2]
    guest.unload("user")
    (tmp_path / "inner/facts.pl").write_text("p(1).\n:- shell(x).\n")
    with pytest.raises(NotAllowed) as caught:
        guest.load(tmp_path / "load.pl")
    assert caught.value.file == str(tmp_path / "inner/facts.pl") and caught.value.line == 2


@pytest.mark.parametrize("name", ["'../secret'", "'{}/secret'", "link", "nowhere", "alias(secret)"])
def test_files_beyond_the_folder(guest: Prolog, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.pl").write_text("secret(42).\n")
    (folder / "link.pl").symlink_to(tmp_path / "secret.pl")
    for directive in ("include", "use_module", "ensure_loaded"):
        (folder / "load.pl").write_text(f"p.\n:- {directive}({name.format(tmp_path)}).\n")
        with pytest.raises(NotAllowed) as caught:
            guest.load(folder / "load.pl")
        assert caught.value.line == 2


@pytest.mark.parametrize(
    "text",
    ["p(1).\n/* no end", "p(1). q('no end", "p(\x00).", "p(1)", "p([1,2).\nq(1).", "p(0'", "\x00\x01", "p(a) q."],
)
def test_broken_text_is_an_error_of_syntax(guest: Prolog, text: str) -> None:
    with pytest.raises(PrologSyntaxError):
        guest.load_text(text, "outside")


def test_a_hostile_dataset_at_the_command(
    dataset_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and the file and line of what is refused."""
    mark = tmp_path / "mark"
    copy = planted(dataset_folder, tmp_path / "copy", {"facts.pl": f"\n:- if(shell('touch {mark}')).\n:- endif.\n"})
    assert run(["query", str(copy), "true"]) == 2
    printed = capsys.readouterr().err
    assert f"{copy / 'facts.pl'}:2: the directive if/1 is not allowed here" in printed
    assert not mark.exists()


# Errors ---------------------------------------------------------------------------------------------------------------

FORGED = (
    "'$aborted'", "unwind(abort)", "unwind(keyboard_interrupt)", "hornbeam_interrupt", "time_limit_exceeded",
    "inference_limit_exceeded(5)", "hornbeam_limit(x, time, 1)", "error(resource_error(memory), _)",
    "error(io_error(write, s), context(_, 'Cannot allocate memory'))", "error(python_error('KeyboardInterrupt', x), _)",
    "unwind(halt(1))",
)  # fmt: skip


@pytest.mark.parametrize("ball", FORGED)
def test_what_looks_like_a_limit_is_the_goals_own(guest: Prolog, ball: str) -> None:
    with pytest.raises(PrologError) as caught:
        guest.ask(f"throw({ball})", limits=Limits(seconds=10, inferences=100_000))
    assert not isinstance(caught.value, LimitExceeded)
    assert "threw" in str(caught.value) or "python_error" in str(caught.value)
    assert guest.ask("true")


def test_real_limits_are_told_as_such(guest: Prolog) -> None:
    with pytest.raises(StackLimit):
        guest.ask("length(_, 100000000)", limits=Limits(stack=32 << 20))
    with pytest.raises(StackLimit):
        guest.ask("findall(X, between(1, inf, X), _)", limits=Limits(stack=32 << 20, seconds=20))


CAUGHT = (
    "catch(( repeat, fail ), _, true)",
    "catch(( repeat, fail ), _, fail) ; true",
    "\\+ catch(( repeat, fail ), _, fail)",
    "setup_call_cleanup(true, ( repeat, fail ), true)",
    "findall(x, catch(( repeat, fail ), _, true), _)",
    "ignore(catch(( repeat, fail ), _, fail))",
)


@pytest.mark.parametrize("goal", CAUGHT)
def test_a_limit_cannot_be_caught_away(guest: Prolog, goal: str) -> None:
    with pytest.raises(TimeLimit):
        guest.ask(goal, limits=Limits(seconds=0.05))
    rows = guest.ask_many(f"( {goal} ), X = X", over="X", rows=[1], limits=Limits(inferences=10_000, seconds=5))
    assert isinstance(rows[0], LimitExceeded)
    assert guest.ask("between(1, 3000, X), X >= 3000", limits=Limits(inferences=10_000, seconds=5))


def test_the_end_of_a_process_is_told_by_its_cause() -> None:
    import os
    import signal

    with Prolog.contained() as prolog:
        prolog.version()
        pid = prolog._bridge.pid  # type: ignore[attr-defined]
        os.kill(pid, signal.SIGSEGV)
        with pytest.raises(PrologError, match=r"ended unexpectedly \(killed by SIGSEGV\)"):
            prolog.version()
        assert prolog.ask("true")


def test_the_memory_of_this_process_is_not_that_of_a_process_that_died() -> None:
    """The operating system tells a new process' peak as at least what its parent had in memory."""
    import os
    import signal

    filled = bytearray(os.urandom(1 << 20) * 700)
    with Prolog.contained(memory=1 << 30) as prolog:
        prolog.version()
        os.kill(prolog._bridge.pid, signal.SIGSEGV)  # type: ignore[attr-defined]
        with pytest.raises(PrologError, match="killed by SIGSEGV"):
            prolog.version()
    assert filled


# Depth ----------------------------------------------------------------------------------------------------------------


def nested(levels: int) -> dict[str, str]:
    return {
        "functions": "f(" * levels + "a" + ")" * levels,
        "lists": "[" * levels + "]" * levels,
        "signs": "- " * levels + "a",
        "sums": "a+" * levels + "a",
    }


@pytest.mark.parametrize("kind", nested(0))
def test_deep_terms_are_refused_with_their_line(guest: Prolog, kind: str) -> None:
    for levels in (300, 20_000):
        text = f"q(a).\np({nested(levels)[kind]}) :- q."
        with pytest.raises(PrologSyntaxError, match="nested more than 200 levels deep") as caught:
            Theory.parse(text)
        assert caught.value.line == 2
        with pytest.raises(NotAllowed, match="nested more than 200 levels deep") as refused:
            guest.load_text(text, "outside")
        assert refused.value.line == 2
        with pytest.raises(HornbeamError, match=r"nested|C-stack"):
            guest.ask(f"X = {nested(levels)[kind]}")


@pytest.mark.slow
@pytest.mark.parametrize("kind", nested(0))
def test_a_million_levels(kind: str) -> None:
    with pytest.raises(PrologSyntaxError, match="nested more than 200 levels deep"):
        Theory.parse(f"p({nested(1_000_000)[kind]}) :- q.")


@pytest.mark.parametrize("kind", nested(0))
def test_terms_of_190_levels_come_through(guest: Prolog, kind: str) -> None:
    theory = Theory.parse(f"p({nested(190)[kind]}) :- q(X), r(X).")
    assert Theory.parse(str(theory)).clauses == theory.clauses
    assert judge(theory, [theory.clauses[0].head], background="q(1). r(1).").covered == (True,)
    answer = guest.once("X = Y", given={"Y": theory.clauses[0].head})
    assert answer is not None and answer["X"] == theory.clauses[0].head


def test_deep_answers(guest: Prolog) -> None:
    goal = "numlist(1, 20000, L), foldl([_, T, f(T)]>>true, L, x, D)"
    with pytest.raises(PrologError, match="nested more than 200 levels deep"):
        guest.once(goal)
    with pytest.raises(PrologError, match="an integer has more than 4,200 digits"):
        guest.once("X is 7 ** 20000")


def test_long_is_not_deep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = ", ".join(["q(a)"] * 20_000)
    theory = Theory.parse(f"p :- {body}.\nr([{','.join(['a'] * 20_000)}]).\n'{'a' * 20_000}'.")
    assert [len(clause.body) for clause in theory.clauses] == [20_000, 0, 0]


def test_diff_of_a_deep_theory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "true.pl").write_text("p(X) :- q(X).\n")
    (tmp_path / "learned.pl").write_text(f"p(X) :- q(X).\np({nested(20_000)['functions']}).\n")
    assert run(["diff", str(tmp_path / "true.pl"), str(tmp_path / "learned.pl")]) == 2
    assert "learned.pl:2:1: a term is nested more than 200 levels deep" in capsys.readouterr().err


# Theories that keep a state -------------------------------------------------------------------------------------------

IMPURE = {
    "retract(n(X)), Y is X + 1, assertz(n(Y))": "retract/1",
    "once(( q, nb_setval(k, 1) ))": "nb_setval/2",
    "maplist(assertz, [n(1)])": "assertz/1",
    "findall(X, ( q, flag(k, X, X + 1) ), _)": "flag/3",
    "forall(q, call(recordz, k, v))": "recordz/2",
    "X is random(2), X > 0": "random/1",
    "X is cputime, X > 1": "cputime/0",
    "catch(loop, _, true)": "catch/3",
    "foldl([X, A, A]>>assertz(n(X)), [1], 0, _)": "assertz/1",
    "system:assertz(n(1))": "assertz/1",
}


@pytest.mark.parametrize("body", IMPURE)
def test_a_theory_that_keeps_a_state_is_not_judged(body: str) -> None:
    theory = Theory.parse(f"p(0).\np(Z) :- q(Z), {body}.", name="learned.pl")
    with pytest.raises(UsageError, match=f"learned.pl:2: a theory that is judged may not call {IMPURE[body]}"):
        judge(theory, [theory.clauses[0].head], background="q(1). n(0).")


def test_a_counting_theory_at_the_command(
    dataset_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theory = tmp_path / "learned.pl"
    theory.write_text("ancestor(T, X, Y) :- parent(T, X, Y).\nancestor(T, X, _) :- parent(T, X, _), assertz(n(X)).\n")
    assert run(["judge", str(dataset_folder), str(theory), "--as", "theory"]) == 2
    assert "learned.pl:2: a theory that is judged may not call assertz/1" in capsys.readouterr().err
