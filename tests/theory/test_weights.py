"""Theories with weights: in text, cut at a threshold, and as a weighted judge sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.cli import run
from hornbeam.theory import Theory, as_facts, herbrand_model, read
from hornbeam.theory.files import theory_text
from hornbeam.theory.weights import (
    MOST_LEVELS,
    average_precision,
    best_threshold,
    cut,
    degrees,
    is_weighted,
    levels,
    weights,
)

RULES = "anc(X,Y) :- par(X,Y).\nanc(X,Z) :- par(X,Y), anc(Y,Z).\nanc(X,Y) :- friend(X,Y).\n"


def _theory(*given: float) -> Theory:
    return Theory.of(Theory.parse(RULES).clauses, weights=given)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1, allow_subnormal=False), min_size=3, max_size=3))
def test_weights_survive_printing_and_reading(given: list[float]) -> None:
    theory = _theory(*given)
    again = Theory.parse(theory_text(theory, {"learner": "x", "weight": "1"}))
    assert weights(again) == weights(theory)
    assert again.clauses == theory.clauses


def test_a_comment_is_a_weight_only_right_before_its_clause() -> None:
    text = "% weight 0.5\n\n% who\np(a).\n% weight high\np(b).\n% weight 0.25 support=3\np(c).\np(d). % weight 0.1\n"
    assert weights(Theory.parse(text)) == (None, None, 0.25, None)
    assert not is_weighted(Theory.parse(RULES))


def test_weights_that_a_learner_printed_are_kept_in_prolog() -> None:
    printed = read("0.063 (0.194)\tp2(B, A) <-- inv_p6(B, A)\n", dialect="neural-lp")
    assert weights(Theory.parse(str(printed))) == (0.194,)


def test_a_cut_is_itself_a_theory_with_weights() -> None:
    theory = _theory(0.9, 0.5, 0.1)
    assert weights(cut(theory, 0.5)) == (0.9, 0.5)
    assert weights(Theory.parse(str(cut(theory, 0.2)))) == (0.9, 0.5)
    assert cut(theory, 2.0).texts == ()
    assert len(cut(Theory.parse(RULES), 0.7)) == 3  # clauses without weights are certain


def test_a_degree_is_the_highest_cut_that_derives_a_fact() -> None:
    theory = _theory(0.9, 0.5, 0.1)
    facts = as_facts("par(a,b). par(b,c). friend(c,d). friend(a,b).")
    found = {str(fact): degree for fact, degree in degrees(theory, facts).items()}
    assert found == {
        "anc(a,b)": 0.9, "anc(b,c)": 0.9, "anc(a,c)": 0.5, "anc(c,d)": 0.1, "anc(b,d)": 0.1, "anc(a,d)": 0.1,
    }  # fmt: skip
    for level in levels(theory):
        derived = set(herbrand_model(cut(theory, level), facts)) - set(facts)
        assert derived == {fact for fact, degree in degrees(theory, facts).items() if degree >= level}


def test_average_precision_rewards_order_and_not_a_threshold() -> None:
    right, wrong = ["p", "q"], ["r"]
    assert average_precision({"p": 0.9, "q": 0.8, "r": 0.1}, right) == 1.0
    assert average_precision({"r": 0.9, "p": 0.8, "q": 0.8}, right) == 2 / 3
    assert average_precision(dict.fromkeys([*right, *wrong], 0.5), right) == 2 / 3
    assert average_precision({"p": 0.9}, right) == 0.5
    assert average_precision({}, []) == 1.0


def test_the_best_threshold_keeps_no_clause_that_does_not_help() -> None:
    theory = _theory(0.9, 0.5, 0.1)
    assert best_threshold(theory, lambda one: min(len(one), 2)) == 0.5
    assert best_threshold(theory, lambda one: 0.0) == 0.9
    assert best_threshold(theory, lambda one: 0.0, keep=True) == 0.1
    assert best_threshold(Theory(()), len) == 0.0


def test_many_weights_are_looked_at_by_few_cuts() -> None:
    clauses = Theory.parse("".join(f"p(c{n}).\n" for n in range(100))).clauses
    theory = Theory.of(clauses, weights=[(n + 1) / 100 for n in range(100)])
    assert len(levels(theory)) == MOST_LEVELS
    assert min(levels(theory)) == 0.01


def test_the_diff_shows_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    true, learned = tmp_path / "true.pl", tmp_path / "learned.pl"
    true.write_text("anc(X,Y) :- par(X,Y).\nanc(X,Z) :- par(X,Y), anc(Y,Z).\n")
    learned.write_text(str(_theory(0.9, 0.5, 0.125)))
    assert run(["diff", str(true), str(learned), "--all"]) == 0
    shown = capsys.readouterr().out
    assert " anc(X,Y) :- par(X,Y).   # (weight 0.9)" in shown
    assert "@@ learned 3 (weight 0.125): not in the true theory @@" in shown
    assert run(["diff", str(true), str(learned), "--json"]) == 0
    read_back = json.loads(capsys.readouterr().out)
    assert read_back["weights"] == [0.9, 0.5, 0.125]
    assert [pair["learned_weight"] for pair in read_back["clauses"]] == [0.9, 0.5]
