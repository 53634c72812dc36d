"""Popper's task directories: what we write is read back as the same task, and what we cannot say is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import clingo.ast
import pytest

from hornbeam.errors import UsageError
from hornbeam.ilp.popper.files import plain_task, write_task
from hornbeam.logic.terms import Compound
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Theory, judge
from tests.ilp.popper.reading import read_bias, read_task
from tests.ilp.problems import cards

TRAINS = ExampleTask(
    "trains",
    (Compound("east", ("t1",)), Compound("east", ("t2",))),
    (Compound("east", ("t3",)),),
    "has(t1,c1).\nhas(t2,c2).\nhas(t3,c3).\nshort(c1).\nshort(c2).\n",
    Bias(
        (Mode.parse("east(+train)"),),
        (Mode.parse("has(+train,-car)"), Mode.parse("short(+car)")),
        max_body=3,
        max_vars=4,
        depth=3,
    ),
    facts=True,
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    made = write_task(TRAINS, tmp_path / "trains")
    assert made.task == TRAINS
    again = read_task(tmp_path / "trains")
    assert again.task == TRAINS
    assert again.not_understood == ()


def test_recursion_invention_and_the_lack_of_directions_come_back(tmp_path: Path) -> None:
    bias = Bias(
        (Mode.parse("anc(?any,?any)"),), (Mode.parse("par(?any,?any)"),), max_body=3, depth=3, max_clauses=3,
        recursion=True, invention=True,
    )  # fmt: skip
    task = ExampleTask("family", (Compound("anc", ("a", "b")),), (), "par(a,b).\n", bias, facts=True)
    write_task(task, tmp_path / "family")
    assert "direction" not in (tmp_path / "family" / "bias.pl").read_text()
    assert "type" not in (tmp_path / "family" / "bias.pl").read_text()
    assert read_task(tmp_path / "family").task == task


def test_constants_become_predicates_and_come_back_in_theories(tmp_path: Path) -> None:
    task = cards().task
    assert isinstance(task, ExampleTask)
    made = write_task(task, tmp_path / "cards")
    again = read_task(tmp_path / "cards").task
    assert {mode.indicator for mode in again.bias.body} >= {("colour", 2), ("colour_red", 1), ("shape_square", 1)}
    assert (again.bias.max_body, again.bias.max_vars) == (task.bias.max_body + 2, task.bias.max_vars + 2)
    learned = Theory.parse("good(V0) :- colour_red(V1), colour(V0,V1), shape(V0,V2), shape_square(V2).")
    assert str(made.original(learned)) == "good(V0) :- colour(V0,red), shape(V0,square).\n"
    examples = [*task.positive, *task.negative]
    over_both = [
        judge(theory, examples, background=text).covered
        for theory, text in ((learned, again.background), (made.original(learned), task.background))
    ]
    assert over_both[0] == over_both[1] == (True, True, False, False, False)


def test_a_name_with_two_arities_and_one_with_capitals_get_names_of_their_own() -> None:
    body = tuple(map(Mode.parse, ("p(+t)", "p(+t,-t)", "p(-t,+t)", "'Big one'(+t)")))
    task = replace(TRAINS, bias=replace(TRAINS.bias, body=body), background="p(a).\np(a,b).\n'Big one'(a).\n")
    made = plain_task(task)
    names = [mode.name for mode in made.task.bias.body]
    assert names == ["p", "p_2", "p_3", "big_one"]
    facts = [Compound("p_2", ("a", "b")), Compound("p_3", ("a", "b")), Compound("big_one", ("a",))]
    assert judge(Theory(()), facts, background=made.task.background).covered == (True, True, True)
    found = made.original(Theory.parse("east(A) :- p_3(A,B), big_one(B), p(A)."))
    assert str(found) == "east(A) :- p(A,B), 'Big one'(B), p(A).\n"


def test_two_constants_in_one_place_can_never_hold() -> None:
    task = cards().task
    assert isinstance(task, ExampleTask)
    made = plain_task(task)
    clause = Theory.parse("good(A) :- colour(A,B), colour_red(B), colour_blue(B).")
    assert "fail" in str(made.original(clause))


def test_a_bias_is_an_asp_program() -> None:
    made = read_bias(
        "% names\nname(a;b). body_pred(P,1) :- name(P).\nhead_pred(f,1). type(f,(t,)). type(P,(t,)) :- name(P).\n"
        "direction(f,(in,)). direction(P,(in,)) :- name(P). max_vars(3). non_datalog.\n"
        ":- clause(C), #count{V : var_type(C,V,t)} != 1.\n:- body_literal(0,a,_,_).\n",
        "bias.pl",
    )
    assert [str(mode) for mode in made.bias.body] == ["a(+t)", "b(+t)"]
    assert made.non_datalog and made.single_types == ("t",) and made.bias.max_vars == 3
    assert [(one.line, "body_literal" in one.text) for one in made.not_understood] == [(6, True)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("head_pred(f,1).\nbody_pred(p,\n", "not ASP"),
        ("body_pred(p,1).", "head_pred"),
        ("head_pred(f,1). type(f,t).", "(t,)"),
        ("head_pred(f,1). direction(f,(inward,)).", "in or out"),
        ("head_pred(f,2). type(f,(t,)).", "expected 2 elements"),
        ("head_pred(f,x).", "a number"),
    ],
)
def test_a_wrong_bias_is_refused_with_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_bias(text, "bias.pl")
    assert message in str(caught.value) and "bias.pl" in str(caught.value)


def test_a_folder_that_is_no_task_and_a_wrong_example_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"exs\.pl"):
        read_task(tmp_path)
    write_task(TRAINS, tmp_path)
    (tmp_path / "exs.pl").write_text("pos(east(t1)).\nmaybe(east(t2)).\n")
    with pytest.raises(UsageError) as caught:
        read_task(tmp_path)
    assert caught.value.line == 2


def test_several_targets_are_refused() -> None:
    bias = replace(TRAINS.bias, head=(*TRAINS.bias.head, Mode.parse("west(+train)")))
    with pytest.raises(UsageError, match="one predicate"):
        plain_task(replace(TRAINS, bias=bias))


def test_many_predicates_keep_popper_from_looking_for_laws(tmp_path: Path) -> None:
    write_task(TRAINS, tmp_path / "few", analysed=2)
    write_task(TRAINS, tmp_path / "many", analysed=1)
    few, many = ((tmp_path / name / "bk.pl").read_text() for name in ("few", "many"))
    assert few == TRAINS.background and many.endswith(few)
    with pytest.raises(RuntimeError):
        clingo.ast.parse_string(many, lambda _: None, logger=lambda *_: None)
    assert judge(Theory(()), [Compound("short", ("c1",)), "is_prolog"], background=many).covered == (True, True)


def test_a_head_that_asp_cannot_read_gets_a_name_of_its_own(tmp_path: Path) -> None:
    bias = Bias((Mode.parse("'is_son-in-law'(+n,+n)"),), (Mode.parse("son(+n,-n)"),), recursion=True)
    atom = Compound("is_son-in-law", ("a", "b"))
    made = write_task(ExampleTask("kin", (atom,), (), "son(a,b).\n", bias, facts=True), tmp_path / "kin")
    again = read_task(tmp_path / "kin").task
    assert again.bias.targets == (("is_son_in_law", 2),)
    assert again.positive == (Compound("is_son_in_law", ("a", "b")),)
    assert again.facts
    learned = Theory.parse("is_son_in_law(A,B) :- son(A,C), is_son_in_law(C,B).")
    assert str(made.original(learned)) == "'is_son-in-law'(A,B) :- son(A,C), 'is_son-in-law'(C,B).\n"


def test_a_new_name_is_none_of_the_background() -> None:
    bias = Bias((Mode.parse("f(+t)"),), (Mode.parse("has(+t,#colour)"),), {"colour": ("red",)})
    made = plain_task(ExampleTask("x", (), (), "has(a,red).\n  colour_red(everything).\n", bias))
    assert [mode.name for mode in made.task.bias.body] == ["has", "colour_red_2"]
    assert str(made.original(Theory.parse("f(A) :- has(A,B), colour_red_2(B)."))) == "f(A) :- has(A,red).\n"


def test_a_call_of_the_head_is_left_to_popper() -> None:
    bias = Bias((Mode.parse("f(+t,+t)"),), (Mode.parse("g(?t,?t)"), Mode.parse("f(?t,?t)")), recursion=True)
    assert [str(mode) for mode in plain_task(ExampleTask("x", (), (), "", bias)).task.bias.body] == ["g(?t,?t)"]
