"""What holds for SWI-Prolog in this process, whichever bridge; test_prolog.py runs this once per bridge."""

from __future__ import annotations

import os
import signal
import threading
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam import errors
from hornbeam.logic import Compound, Limits, Prolog, String, Var, to_text

pl = Prolog()


def test_the_chosen_bridge() -> None:
    assert pl.bridge == os.environ["HORNBEAM_PROLOG"]


# Terms ----------------------------------------------------------------------------------------------------------------

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_ATOMIC = st.one_of(
    _TEXT,
    _TEXT.map(String),
    st.integers(),
    st.integers(min_value=2**70, max_value=2**90),
    st.floats(allow_nan=False),
    st.fractions().filter(lambda value: value.denominator > 1),
    st.sampled_from(["[]", "{}", "true", "false", "null", "none", "a b", "B", "'", '"', "\\", "", "-", "é", "😀", "!"]),
    st.sampled_from(["is", "mod", "dynamic", ":-", ",", "|", ";", "*", "\\+"]),
)
_OPERATORS = st.sampled_from(
    [":-", ",", ";", "->", "=", "is", "<", "=..", "@>=", "+", "-", "*", "/", ":", "^", "mod", "|", "-->", "dynamic"]
)
_TERMS = st.recursive(
    _ATOMIC,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.builds(lambda name, args: Compound(name, tuple(args)), _TEXT, st.lists(inner, max_size=3)),
        st.builds(lambda name, left, right: Compound(name, (left, right)), _OPERATORS, inner, inner),
        st.builds(lambda name, only: Compound(name, (only,)), st.sampled_from(["\\+", "-", "+", ":-", "?-"]), inner),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(_TERMS)
def test_any_term_comes_back_the_same(term: object) -> None:
    answer = pl.once("Y = X", given={"X": term})
    assert answer is not None
    assert answer["Y"] == term
    assert type(answer["Y"]) is type(term)


@settings(max_examples=800, deadline=None)
@given(_TERMS)
def test_printed_text_is_read_back_the_same(term: object) -> None:
    assert pl.parse(to_text(term)) == term  # type: ignore[arg-type]


def test_atoms_and_strings_are_told_apart() -> None:
    assert pl.once("atom(A), string(S)", given={"A": "x", "S": String("x")}) is not None
    assert pl.once('X = "s", Y = s') == {"X": String("s"), "Y": "s"}


def test_kinds_of_numbers() -> None:
    assert pl.once("X is 2 ** 100, Y is 1 rdiv 3, Z is 1.5") == {"X": 2**100, "Y": Fraction(1, 3), "Z": 1.5}


def test_infinite_floats() -> None:
    answer = pl.once("X is inf, Y is -inf, Z is nan")
    assert answer is not None
    assert (answer["X"], answer["Y"], str(answer["Z"])) == (float("inf"), float("-inf"), "nan")


def test_variables_keep_their_names_and_their_sharing() -> None:
    assert pl.once("X = f(Y, Z, Y)") == {
        "X": Compound("f", (Var("Y"), Var("Z"), Var("Y"))),
        "Y": Var("Y"),
        "Z": Var("Z"),
    }


def test_what_is_no_term_is_refused() -> None:
    with pytest.raises(TypeError, match="not a Prolog term"):
        pl.once("X = Y", given={"X": True})
    with pytest.raises(errors.PrologError, match="portable_term"):
        pl.once("current_output(X)")


# Programs -------------------------------------------------------------------------------------------------------------


def test_load_and_unload_text() -> None:
    assert pl.load_text("p(1).\np(2).", "loaded") == "loaded"
    assert pl.all("p(X)", module="loaded") == [{"X": 1}, {"X": 2}]
    pl.load_text("p(3).", "loaded")
    assert pl.all("p(X)", module="loaded") == [{"X": 3}]
    pl.unload("loaded")
    with pytest.raises(errors.UnknownPredicate):
        pl.all("p(X)", module="loaded")


def test_two_modules_with_text_of_the_same_name() -> None:
    pl.load_text("p(1).", "one", name="rules.pl")
    pl.load_text("p(2).", "two", name="rules.pl")
    assert pl.all("p(X)", module="one") == [{"X": 1}]
    assert pl.all("p(X)", module="two") == [{"X": 2}]


def test_load_a_file(tmp_path: Path) -> None:
    plain = tmp_path / "plain.pl"
    plain.write_text("q(a).\n", encoding="utf-8")
    assert pl.load(plain, "plain_module") == "plain_module"
    assert pl.ask("q(a)", module="plain_module")
    module = tmp_path / "own.pl"
    module.write_text(":- module(own, [r/1]).\nr(b).\n", encoding="utf-8")
    assert pl.load(module, "plain_module") == "own"
    assert pl.load(module, "plain_module") == "own"
    assert pl.load(module, "another_module") == "own"
    assert pl.ask("r(b)", module="plain_module") and pl.ask("r(b)", module="another_module")


def test_tables_go_with_their_module() -> None:
    pl.load_text(":- table t/1.\n:- dynamic f/1.\nf(1).\nt(X) :- f(X).", "tabled")
    assert pl.all("t(X)", module="tabled") == [{"X": 1}]
    pl.unload("tabled")
    pl.load_text(":- table t/1.\n:- dynamic f/1.\nf(2).\nt(X) :- f(X).", "tabled")
    assert pl.all("t(X)", module="tabled") == [{"X": 2}]


def test_a_syntax_error_in_a_file_names_file_and_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pl"
    broken.write_text("p(1).\np(2) :- q(.\np(3).\n", encoding="utf-8")
    with pytest.raises(errors.PrologSyntaxError):
        pl.load(broken, "broken_module")
    with pytest.raises(errors.PrologSyntaxError) as caught:  # it does not pass for loaded
        pl.load(broken, "broken_module")
    assert caught.value.file == str(broken)
    assert caught.value.line == 2


def test_a_warning_is_an_error_unless_told_otherwise() -> None:
    program = "p(1).\np(X) :- q(Y).\nq(1).\n"
    with pytest.raises(errors.PrologError, match="Singleton") as caught:
        pl.load_text(program, "warned", name="mine.pl")
    assert (caught.value.file, caught.value.line) == ("mine.pl", 2)
    pl.load_text(program, "warned", name="mine.pl", strict=False)
    assert pl.ask("p(1)", module="warned")


def test_a_missing_file() -> None:
    with pytest.raises(errors.UsageError, match="no such Prolog file"):
        pl.load("nowhere/at_all.pl")


# Goals that misbehave: each a clean exception, and the next call still works ------------------------------------------


@pytest.mark.parametrize(
    ("goal", "limits", "error"),
    [
        ("repeat, fail", Limits(seconds=0.2), errors.TimeLimit),
        ("repeat, fail", Limits(inferences=50_000), errors.InferenceLimit),
        ("length(_, 100000000)", Limits(stack=8_000_000), errors.StackLimit),
        ("X = f(X)", Limits(), errors.CyclicTerm),
        ("halt", Limits(), errors.HaltRefused),
        ("halt(3)", Limits(), errors.HaltRefused),
        ("foo(", Limits(), errors.PrologSyntaxError),
        ("there_is_no_such_predicate(1)", Limits(), errors.UnknownPredicate),
        ("atom_length(_, _)", Limits(), errors.PrologError),
        ("throw(my_own_ball)", Limits(), errors.PrologError),
        ("throw(_)", Limits(), errors.PrologError),
        ("X = Y", Limits(), None),
    ],
)
def test_a_goal_that_misbehaves(goal: str, limits: Limits, error: type[Exception] | None) -> None:
    if error is not None:
        with pytest.raises(error):
            pl.once(goal, limits=limits)
    assert pl.once("X = 1") == {"X": 1}


def test_a_variable_that_the_goal_does_not_have() -> None:
    with pytest.raises(errors.PrologError, match="'W''"):
        pl.once("X = 1", given={"W": 1})


def test_the_error_carries_the_printed_message() -> None:
    with pytest.raises(errors.PrologError, match="Arithmetic: evaluation error"):
        pl.once("X is 1 / 0")


def test_limits_must_be_positive() -> None:
    with pytest.raises(errors.UsageError, match="seconds"):
        Limits(seconds=0)


def test_answer_limit() -> None:
    assert len(pl.all("between(1, inf, X)", limits=Limits(answers=7))) == 7


def test_ctrl_c_interrupts_a_running_goal() -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        pl.ask("repeat, fail", limits=Limits(seconds=30))
    timer.join()
    assert pl.once("X = 1") == {"X": 1}


def test_threads() -> None:
    results: list[object] = []

    def work(number: int) -> None:
        for _ in range(20):
            results.append(pl.once("numlist(1, N, _L), sum_list(_L, X)", given={"N": number}))

    threads = [threading.Thread(target=work, args=(number,)) for number in (10, 20, 30, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result["X"] for result in results) == sorted([55, 210, 465, 820] * 20)  # type: ignore[index]


# Bulk -----------------------------------------------------------------------------------------------------------------


def test_ask_many() -> None:
    assert pl.ask_many("X > 2", over="X", rows=[1, 2, 3]) == [False, False, True]
    assert pl.ask_many("X = Y", over=("X", "Y"), rows=[(1, 1), ("a", "b")]) == [True, False]
    assert pl.ask_many("X = f(_)", over="X", rows=[Compound("f", (1,)), "f"]) == [True, False]


def test_once_many() -> None:
    assert pl.once_many("Y is X * X", over="X", get="Y", rows=[2, 3]) == [4, 9]
    rows = [["a", "b"], []]
    assert pl.once_many("member(Y, X)", over="X", get="Y", rows=rows) == ["a", None]
    assert pl.once_many("Y = X, Z = b", over="X", get=("Y", "Z"), rows=[String("s")]) == [(String("s"), "b")]
    assert pl.once_many("Y = X", over=["X"], get=["Y"], rows=[(1,), ("a",)]) == [(1,), ("a",)]


def test_all_many() -> None:
    assert pl.all_many("member(Y, X)", over="X", get="Y", rows=[[1, 2], []]) == [[1, 2], []]
    assert pl.all_many("member(Y, X)", over="X", get="Y", rows=[[1, 2, 3]], limits=Limits(answers=2)) == [[1, 2]]


def test_a_row_of_another_length_is_refused() -> None:
    for rows in ([(1, 2), (1, 2, 3)], [(1,)]):
        with pytest.raises(ValueError, match=r"row \d has \d values for the 2 variables X, Y"):
            pl.ask_many("X < Y", over=("X", "Y"), rows=rows)
    with pytest.raises(ValueError, match="row 0 has 2 values for the 1 variables X"):
        pl.ask_many("atom(X)", over=("X",), rows=[(1, 2)])


def test_a_row_with_a_variable() -> None:
    assert pl.once_many("X = f(A), A = 1, Y = X", over="X", get="Y", rows=[Compound("f", (Var("Q"),))]) == [
        Compound("f", (1,))
    ]


def test_a_row_that_breaks_a_limit_costs_only_itself() -> None:
    pl.load_text("loop(1) :- loop(1).\nloop(2).", "looping")
    results = pl.ask_many("loop(X)", over="X", rows=[1, 2, 3], module="looping", limits=Limits(inferences=10_000))
    assert isinstance(results[0], errors.InferenceLimit)
    assert results[1:] == [True, False]


def test_without_limits_an_error_ends_the_batch() -> None:
    with pytest.raises(errors.PrologError):
        pl.once_many("Y is 1 / X", over="X", get="Y", rows=[1, 0])


def test_thousands_of_rows() -> None:
    rows = list(range(20_000))
    assert pl.once_many("Y is X + 1", over="X", get="Y", rows=rows) == [row + 1 for row in rows]
