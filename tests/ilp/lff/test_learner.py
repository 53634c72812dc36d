"""What the learner learns on small tasks with known answers, and how it behaves."""

from __future__ import annotations

import json

import pytest

from hornbeam.ilp import learner as registry
from hornbeam.ilp.lff.learner import LFF, LFFSettings
from hornbeam.ilp.watch import Watch
from hornbeam.tasks.bias import Mode
from hornbeam.tasks.problem import ExampleTask
from tests.ilp.lff.tasks import atoms, is_finished, learn, solves, task

TRAINS = """
has_car(t1,c11). has_car(t1,c12). has_car(t2,c21). has_car(t2,c22). has_car(t3,c31).
has_car(t4,c41). has_car(t4,c42). has_car(t5,c51). has_car(t6,c61). has_car(t6,c62).
short(c11). closed(c11). short(c21). closed(c21). short(c31). closed(c31). long(c12). long(c22).
short(c41). long(c42). closed(c42). long(c51). closed(c51). short(c61). short(c62). open(c41). open(c61). open(c62).
"""
CAR = ("has_car(+train,-car)", "short(+car)", "long(+car)", "closed(+car)", "open(+car)")

LISTS = """
head([X|_], X).
tail([_|T], T).
empty([]).
zero(0).
succ_of(X, Y) :- integer(X), X < 40, Y is X + 1.
pred_of(X, Y) :- integer(X), X > 0, Y is X - 1.
"""
FAMILY = """
parent(a,b). parent(b,c). parent(c,d). parent(a,e). parent(e,f).
"""


def trains(**limits: object) -> ExampleTask:
    return task("east(t1). east(t2). east(t3).", "east(t4). east(t5). east(t6).", TRAINS, "east(+train)", CAR, **limits)


def test_it_is_a_learner_by_name() -> None:
    assert isinstance(registry.get("lff"), LFF)


def test_a_rule_about_one_car() -> None:
    theory, watch = learn(trains())
    assert str(theory) == "east(A) :- has_car(A,B), short(B), closed(B).\n"
    assert is_finished(watch)


def test_rules_are_combined() -> None:
    made = task("p(a). p(b).", "p(c). p(d).", "q(a). r(b). s(c). s(a).", "p(+x)", ["q(+x)", "r(+x)", "s(+x)"])
    theory, watch = learn(made)
    assert sorted(str(theory).split("\n")) == ["", "p(A) :- q(A).", "p(A) :- r(A)."]
    assert is_finished(watch)


def test_at_most_so_many_clauses() -> None:
    made = task("p(a). p(b). p(c).", "p(d).", "q(a). q(b). r(c).", "p(+x)", ["q(+x)", "r(+x)"], max_clauses=1)
    theory, _ = learn(made)
    assert str(theory) == "p(A) :- q(A).\n"


def test_constants_stand_in_their_places() -> None:
    background = "colour(a,red). colour(b,blue). colour(c,red). colour(d,green)."
    theory, _ = learn(task("p(a). p(c).", "p(b). p(d).", background, "p(+x)", ["colour(+x,#shade)"]))
    assert str(theory) == "p(A) :- colour(A,red).\n"


def test_negation_over_known_predicates() -> None:
    made = task("p(a). p(b).", "p(c). p(d).", "q(c). q(d).", "p(+x)", [Mode.parse("q(+x)", negated=True)])
    theory, _ = learn(made)
    assert str(theory) == "p(A) :- \\+ q(A).\n"


def test_types_keep_variables_apart() -> None:
    made = task("p(a).", "p(b).", "q(a,b). r(b).", "p(+x)", ["q(+x,-y)", "r(+z)"])
    theory, _ = learn(made)
    assert str(theory) == "p(A) :- q(A,B).\n"


def test_a_variable_twice_where_it_is_allowed() -> None:
    made = task("p(a). p(b).", "p(c).", "q(a,a). q(b,b). q(c,a). q(a,c). q(b,c).", "p(+x)", ["q(?x,?x)"])
    theory, _ = learn(made, repeats=True)
    assert str(theory) == "p(A) :- q(A,A).\n"
    assert not solves(learn(made)[0], made)


# Recursion and invention --------------------------------------------------------------------------------------------


def test_ancestor() -> None:
    made = task(
        "anc(a,b). anc(a,c). anc(a,d). anc(b,d). anc(a,f).",
        "anc(b,a). anc(d,a). anc(e,c). anc(b,f). anc(a,a).",
        FAMILY,
        "anc(+p,+p)",
        ["parent(?p,?p)"],
        recursion=True,
        max_clauses=2,
        max_vars=4,
        max_body=3,
    )
    theory, watch = learn(made)
    assert solves(theory, made)
    assert theory.literals == 5
    assert is_finished(watch)


def test_the_last_of_a_list() -> None:
    made = task(
        "last([1,2,3],3). last([5],5). last([7,8],8). last([4,1,2,6],6).",
        "last([1,2,3],2). last([7,8],7). last([4,1,2,6],4). last([4,1,2,6],1).",
        LISTS,
        "last(+list,-int)",
        ["head(+list,-int)", "tail(+list,-list)", "empty(+list)"],
        recursion=True,
        max_clauses=2,
        max_vars=4,
        max_body=3,
    )
    theory, watch = learn(made)
    assert solves(theory, made) and is_finished(watch)


@pytest.mark.parametrize(
    ("positive", "negative", "head", "body", "size"),
    [
        (
            "len([],0). len([a],1). len([a,b,c],3). len([c,b],2).",
            "len([a],0). len([a,b],1). len([a,b,c],2). len([],1). len([a,b],3).",
            "len(+list,-int)",
            ["tail(+list,-list)", "empty(+list)", "zero(-int)", "succ_of(+int,-int)"],
            7,
        ),
        (
            "drop([a,b,c],0,[a,b,c]). drop([a,b,c],1,[b,c]). drop([a,b,c,d],2,[c,d]). drop([x,y,z,a],3,[a]).",
            "drop([a,b,c],1,[a,b,c]). drop([a,b,c],2,[b,c]). drop([a,b,c],0,[]). drop([x,y,z,a],3,[z,a]).",
            "drop(+list,+int,-list)",
            ["tail(+list,-list)", "zero(+int)", "pred_of(+int,-int)", "same(+list,-list)"],
            7,
        ),
    ],
    ids=["length", "drop"],
)
def test_list_programs(positive: str, negative: str, head: str, body: list[str], size: int) -> None:
    limits = {"recursion": True, "max_clauses": 2, "max_vars": 5, "max_body": 4}
    made = task(positive, negative, LISTS + "same(X, X).", head, body, **limits)
    theory, watch = learn(made)
    assert solves(theory, made)
    assert theory.literals == size and is_finished(watch)


def test_invention_saves_literals() -> None:
    background = "mother(a,b). mother(c,d). mother(b,e). father(b2,d2). father(d,f). mother(d2,g). father(h,a)."
    made = task(
        "gp(a,e). gp(c,f). gp(b2,g). gp(h,b).",
        "gp(a,b). gp(e,a). gp(b,a). gp(d,f). gp(a,a).",
        background,
        "gp(?p,?p)",
        ["mother(?p,?p)", "father(?p,?p)"],
        invention=True,
        max_clauses=3,
        max_vars=3,
        max_body=2,
    )
    theory, watch = learn(made, invented_arities=(2,))
    assert solves(theory, made)
    assert theory.literals == 7 and len(theory) == 3
    assert is_finished(watch)


def test_even_by_an_invented_odd() -> None:
    made = task(
        "even(0). even(2). even(4). even(8).",
        "even(1). even(3). even(5). even(7).",
        LISTS,
        "even(+int)",
        ["zero(+int)", "pred_of(+int,-int)"],
        recursion=True,
        invention=True,
        max_clauses=3,
        max_vars=2,
        max_body=2,
    )
    theory, _ = learn(made, invented_arities=(1,))
    assert solves(theory, made)
    assert any(name.startswith("inv") for name, _ in theory.defines)


def test_a_program_that_does_not_end_is_not_accepted() -> None:
    made = task(
        "p(a). p(b).", "p(c).", "edge(a,b). edge(b,a). edge(c,c). good(b).", "p(+x)", ["edge(+x,-x)", "good(+x)"],
        recursion=True, max_clauses=2, max_vars=3, max_body=2,
    )  # fmt: skip
    theory, _ = learn(made, example_inferences=500)
    assert solves(theory, made)


# Noise --------------------------------------------------------------------------------------------------------------


def test_noise_is_left_uncovered() -> None:
    good, bad = [f"g{n}" for n in range(10)], [f"b{n}" for n in range(10)]
    background = " ".join([*(f"q({x})." for x in good), *(f"r({x})." for x in bad), "s(b3)."])
    positive = " ".join(f"p({x})." for x in [*good[1:], "b3"])
    negative = " ".join(f"p({x})." for x in [*bad[:3], *bad[4:], "g0"])
    made = task(positive, negative, background, "p(+x)", ["q(+x)", "r(+x)", "s(+x)"])
    theory, watch = learn(made, noise=True)
    assert str(theory) == "p(A) :- q(A).\n"
    figures = [event.figures for event in watch.events if event.kind == "best"][-1]
    assert (figures["tp"], figures["fn"], figures["fp"], figures["tn"]) == (9, 1, 1, 9)
    assert is_finished(watch)


def test_recursion_under_noise() -> None:
    made = task(
        "anc(a,b). anc(a,c). anc(a,d). anc(b,d). anc(a,f). anc(b,c). anc(c,d). anc(e,f). anc(f,a).",
        "anc(b,a). anc(d,a). anc(e,c). anc(b,f). anc(a,a). anc(c,a). anc(f,e).",
        FAMILY, "anc(+p,+p)", ["parent(?p,?p)"], recursion=True, max_clauses=2, max_vars=3, max_body=2,
    )  # fmt: skip
    theory, watch = learn(made, noise=True)
    figures = [event.figures for event in watch.events if event.kind == "best"][-1]
    assert (figures["fn"], figures["fp"], theory.literals) == (1, 0, 5)


# Behaviour ----------------------------------------------------------------------------------------------------------


def hard() -> ExampleTask:
    """A task without an answer in a space too large to be searched."""
    names = [f"o{number}" for number in range(24)]
    links = " ".join(
        f"{relation}({names[a]},{names[(a * step + shift) % 24]})."
        for relation, step, shift in (("r", 5, 1), ("s", 7, 2), ("u", 11, 5), ("w", 13, 3))
        for a in range(24)
    )
    marks = " ".join(f"{mark}({names[a]})." for mark, step in (("m", 3), ("n", 5)) for a in range(0, 24, step))
    positive = " ".join(f"p({name})." for name in names[::2])
    negative = " ".join(f"p({name})." for name in names[1::2])
    modes = ["r(?x,?x)", "s(?x,?x)", "u(?x,?x)", "w(?x,?x)", "m(?x)", "n(?x)"]
    return task(positive, negative, f"{links} {marks}", "p(+x)", modes, max_body=8, max_vars=6, depth=6)


def test_the_time_limit_is_obeyed_and_the_best_is_kept() -> None:
    theory, watch = learn(hard(), seconds=1.5)
    assert watch.seconds() < 4
    assert not is_finished(watch)
    best = [event for event in watch.events if event.kind == "best"]
    assert best and best[-1].figures["theory"] == str(theory).strip()
    gained = [(-int(str(event.figures["fn"])), -int(str(event.figures["size"]))) for event in best]
    assert gained == sorted(gained)


def test_the_trace_is_the_same_every_time() -> None:
    def events() -> list[str]:
        _, watch = learn(trains(max_body=4))
        return [json.dumps({**event.to_json(), "seconds": 0}) for event in watch.events]

    first = events()
    assert first == events()
    assert len(first) > 3


def test_no_certificate_where_a_test_was_cut_off() -> None:
    slow = "q(X) :- between(1, 100000, N), N >= 100000, r(X). r(a). s(a). s(b)."
    made = task("p(a).", "p(b).", slow, "p(+x)", ["q(+x)", "s(+x)"])
    assert is_finished(learn(made)[1])
    assert not is_finished(learn(made, inferences=5000)[1])


def test_claims_are_the_true_counts() -> None:
    made = task("p(a). p(b). p(c).", "p(d). p(e).", "q(a). q(b). q(d). r(a).", "p(+x)", ["q(+x)", "r(+x)"])
    watch = Watch()
    LFF().fit(made, LFFSettings(noise=False), watch)
    figures = [event.figures for event in watch.events if event.kind == "best"][-1]
    assert (figures["tp"], figures["fn"], figures["fp"], figures["tn"]) == (1, 2, 0, 2)


def test_a_predicate_without_facts_does_no_harm() -> None:
    made = task("p(a).", "p(b).", "q(a).", "p(+x)", ["q(+x)", "nothing(+x)"])
    assert str(learn(made)[0]) == "p(A) :- q(A).\n"


def test_several_targets_are_learned_one_after_the_other() -> None:
    from dataclasses import replace

    made = task("p(a). s(b).", "p(b). s(a).", "q(a). r(b).", "p(+x)", ["q(+x)", "r(+x)"])
    made = replace(made, bias=replace(made.bias, head=(*made.bias.head, Mode.parse("s(+x)"))))
    theory, _ = learn(made)
    assert [str(clause) for clause in theory] == ["p(A) :- q(A).", "s(A) :- r(A)."]


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="inferences"):
        LFFSettings(inferences=1)


def test_atoms_are_read() -> None:
    assert len(atoms("p(a). p(b).")) == 2
