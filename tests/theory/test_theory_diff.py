"""The difference of theories: clauses, facts, examples, and its forms."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from rich.console import Console

from hornbeam.errors import InferenceLimit
from hornbeam.logic import Limits
from hornbeam.logic.terms import Compound, Term, to_text
from hornbeam.report.diff_page import diff_page
from hornbeam.theory import Example, Theory, diff, judge
from tests.theory.random_theories import facts, theories

TRUE = """\
p0(X,Y) :- p1(X,Z), p2(Z,Y).
p0(X,Y) :- p9(X,Y).
p3(X) :- p4(X,a).
"""
LEARNED = """\
p0(A,B) :- p1(A,C), p2(B,C).
p3(X) :- p4(X,_).
p3(X) :- p4(X,a), p4(a,X).
p7(X) :- p1(X,X).
"""
FACTS = "p1(a,b). p2(b,c). p2(a,b). p9(d,e). p4(k,b). p4(m,a)."


@settings(max_examples=40, deadline=None)
@given(theories, facts)
def test_no_difference_to_itself(same: Theory, given_facts: list[Term]) -> None:
    made = diff(same, same, facts=given_facts)
    assert made.empty and made.equivalence.verdict is True
    assert made.rules.r_score == made.rules.r_precision == 1
    assert made.facts is not None and made.facts.h_score == 1
    assert not made.missing_facts and not made.extra_facts


def test_clauses_are_aligned_and_literals_marked() -> None:
    made = diff(TRUE, LEARNED)
    first, second = made.alignment.pairs
    assert (first.true, first.learned, first.relation) == (0, 0, "different")
    assert [change.kind for change in first.changes] == ["kept", "kept", "swapped"]
    assert first.changes[2].learned == "p2(Y,Z)"
    assert (second.true, second.learned, second.relation) == (2, 1, "general")
    assert made.alignment.missing == (1,) and made.alignment.extra == (2, 3)
    assert [found.number for found in made.redundant] == [2]


def test_extra_and_missing_literals() -> None:
    made = diff("p(X) :- q(X,Y), r(Y), s(X).", "p(A) :- t(A), q(A,B), r(A).")
    kinds = {(change.kind, change.true, change.learned) for change in made.alignment.pairs[0].changes}
    assert ("missing", "s(X)", None) in kinds and ("extra", None, "t(X)") in kinds
    assert ("changed", "r(Y)", "r(X)") in kinds and ("kept", "q(X,Y)", "q(X,Y)") in kinds


def test_assignment_is_the_best_of_all() -> None:
    made = diff("p(X) :- a(X), b(X). p(X) :- a(X).", "p(X) :- a(X). p(X) :- a(X), b(X), c(X).")
    assert [(pair.true, pair.learned) for pair in made.alignment.pairs] == [(0, 1), (1, 0)]


def test_facts_are_explained() -> None:
    made = diff(TRUE, LEARNED, facts=FACTS)
    missing = {to_text(found.fact): found for found in made.missing_facts}
    assert set(missing) == {"p0(a,c)", "p0(d,e)"}
    lost = missing["p0(a,c)"]
    assert (
        lost.clause == 0
        and lost.proof is not None
        and [to_text(p.atom) for p in lost.proof.premises] == ["p1(a,b)", "p2(b,c)"]
    )
    assert lost.broken[0].clause == 0 and to_text(lost.broken[0].literal) == "p2(c,b)"
    assert [to_text(held) for held in lost.broken[0].held] == ["p1(a,b)"]
    extra = {to_text(found.fact): found for found in made.extra_facts}
    assert set(extra) == {"p0(a,a)", "p3(k)"}
    assert extra["p3(k)"].clause == 1 and extra["p0(a,a)"].clause == 0


def test_blame_goes_to_the_step_that_left_the_truth() -> None:
    true = "a(X) :- b(X). c(X) :- a(X). d(X) :- c(X)."
    learned = "a(X) :- z(X). c(X) :- a(X). d(X) :- c(X)."
    made = diff(true, learned, facts="z(k). b(m).")
    extra = next(found for found in made.extra_facts if to_text(found.fact) == "d(k)")
    assert extra.clause == 0 and extra.step == Compound("a", ("k",))
    missing = next(found for found in made.missing_facts if to_text(found.fact) == "d(m)")
    assert missing.clause == 0 and missing.step == Compound("a", ("m",)) and missing.broken[0].clause == 0


def test_effect_of_each_clause() -> None:
    made = diff(TRUE, LEARNED, facts=FACTS)
    assert made.comparison is not None
    effects = [(effect.lost_right, effect.lost_wrong) for effect in made.comparison.effects]
    assert effects == [(0, 1), (1, 1), (0, 0), (0, 0)]


def test_json_has_the_promised_keys() -> None:
    made = json.loads(json.dumps(diff(TRUE, LEARNED, facts=FACTS).to_json()))
    assert made["equivalent"] is False
    assert {"h_score", "r_score", "precision", "recall", "f1"} <= set(made["scores"])
    assert made["clauses"][0]["relation"] == "different" and made["clauses"][0]["true"].startswith("p0(X,Y)")
    assert made["missing"] == ["p0(X,Y) :- p9(X,Y)."] and len(made["extra"]) == 2
    assert {entry["fact"] for entry in made["only_true"]} == {"p0(a,c)", "p0(d,e)"}
    assert made["only_learned"][0]["proof"]["by"] == "rule"


def test_text_reads_like_a_unified_diff() -> None:
    text = str(diff(TRUE, LEARNED, facts=FACTS))
    first, _, rest = text.partition("\n")
    assert first.startswith("refuted: ")
    assert rest.startswith("--- true\n+++ learned\n@@ true 1, learned 1: different @@\n p0(X,Y) :-\n     p1(X,Z)\n")
    assert "\n-    p2(Z,Y)\n+    p2(Y,Z)\n" in text
    assert all(line[:1] in {"-", "+", " ", "@", "#"} for line in rest.splitlines())


def test_terminal_shows_both_sides_in_colour() -> None:
    screen = io.StringIO()
    Console(file=screen, force_terminal=True, width=160, color_system="standard").print(
        diff(TRUE, LEARNED, facts=FACTS)
    )
    shown = screen.getvalue()
    assert "\x1b[31m" in shown and "\x1b[32m" in shown
    assert "learned clause 2 wrongly concludes p3(k)" in shown


def test_page_is_self_contained_and_escaped() -> None:
    page = diff_page(diff("p(X) :- q(X, '<b>&').", "p(X) :- q(X, '<i>').", facts="q(a,'<b>&')."))
    assert "&lt;b&gt;&amp;" in page and "<b>&" not in page
    assert "http" not in page.replace("http-equiv", "")


# List programs ------------------------------------------------------------------------------------------------------

LAST = "last([X],X).\nlast([_|T],X) :- last(T,X)."


def _goal(items: list[Term], value: Term) -> Term:
    return Compound("last", (items, value))


def test_list_programs_are_compared_on_examples() -> None:
    learned = "last([X],X).\nlast([X|T],X) :- last(T,_)."
    examples = [
        Example(_goal(["a"], "a"), True, "one"),
        Example(_goal(["a", "b"], "b"), True, "two"),
        Example(_goal(["a", "b"], "a"), False, "first"),
    ]
    made = diff(LAST, learned, examples=examples)
    assert made.behaviour is not None and made.equivalence.verdict is None
    assert [(found.example.name, found.clause) for found in made.behaviour.only_true] == [("two", 1)]
    assert [(found.example.name, found.clause) for found in made.behaviour.only_learned] == [("first", 1)]
    assert made.behaviour.labels == made.behaviour.scores
    assert made.behaviour.scores["accuracy"] == pytest.approx(1 / 3)
    assert made.alignment.pairs[1].relation == "different"


def test_variant_list_programs_are_equivalent() -> None:
    assert diff(LAST, "last([_|Rest],Y) :- last(Rest,Y). last([Z],Z).").equivalence.verdict is True


# Judging ----------------------------------------------------------------------------------------------------------


def test_a_looping_rule_costs_its_own_example_only() -> None:
    looping = Theory.parse("walk([]). walk([stop|_]) :- spin([a]). walk([_|T]) :- walk(T). spin(X) :- spin([a|X]).")
    found = judge(
        looping,
        [Compound("walk", (["a"],)), Compound("walk", (["stop"],)), Compound("walk", (["a", "b"],))],
        limits=Limits(inferences=100_000, seconds=10),
    )
    assert found.outcomes[0] is True and found.outcomes[2] is True
    assert isinstance(found.outcomes[1], InferenceLimit) and found.undecided == (1,)
    assert found.against([True, True, True])["fn"] == 1


def test_left_recursion_is_tabled() -> None:
    theory_ = Theory.parse("path(X,Y) :- path(X,Z), edge(Z,Y). path(X,Y) :- edge(X,Y).")
    goals = [Compound("path", ("a", target)) for target in ("b", "c", "z")]
    assert judge(theory_, goals, background="edge(a,b). edge(b,c). edge(c,a).").covered == (True, True, False)


def test_a_theory_can_do_no_harm(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    evil = Theory.parse(f"p(X) :- open('{mark}', write, X). p(_) :- shell('touch {mark}').\n:- halt.\n")
    found = judge(evil, [Compound("p", ("a",))])
    assert found.covered == (False,) and not mark.exists() and found.undecided == (0,)


def test_a_theory_covers_nothing_of_a_predicate_that_it_does_not_have() -> None:
    goals = [Compound("p", ("a",)), Compound("q", ("a",))]
    judged = judge(Theory.parse(""), goals, background="r(a).")
    assert (judged.outcomes, judged.unknown) == ((False, False), ())
    judged = judge(Theory.parse("p(X) :- q(X)."), goals, background="r(a).")
    assert (judged.outcomes, judged.unknown) == ((False, False), (("q", 1),))


def test_unknown_predicates_fail_and_are_named() -> None:
    found = judge(Theory.parse("p(a) :- nope(a). p(b)."), [Compound("p", ("a",)), Compound("p", ("b",))])
    assert found.covered == (False, True) and found.unknown == (("nope", 1),)
