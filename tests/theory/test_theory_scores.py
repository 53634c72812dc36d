"""Scores against their definitions, and against the other reasoner."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.errors import PrologError, TimeLimit
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Clause, Compound, Term, Var, variables
from hornbeam.theory import (
    Budget,
    Theory,
    as_facts,
    compare,
    fact_scores,
    herbrand_model,
    means,
    r_score,
    rule_distance,
    rule_scores,
    score_runs,
)
from hornbeam.theory.distance import assign, rule_match
from hornbeam.theory.reading import MODULE, engine
from hornbeam.theory.subsumption import as_term
from tests.theory.random_theories import (
    clauses,
    facts,
    layered_theories,
    one_predicate_clauses,
    renamed,
    theories,
    variable_clauses,
)

ONE = "p1(A,B) :- p2(A,A), p3(B,B), p4(A,B)."
OTHER = "p1(X,X) :- p2(Y,X), p2(X,X)."


# R-score ----------------------------------------------------------------------------------------------------------


def test_examples_5_1_to_5_3_of_the_paper() -> None:
    one, other = Theory.parse(ONE), Theory.parse(OTHER)
    assert rule_distance(one.clauses[0], other.clauses[0]) == Fraction(9, 16) == Fraction("0.5625")
    assert rule_scores(one, other).r_score == 1 - 0.5625


def brute_force(one: Clause, other: Clause) -> Fraction:
    """The definition: all injective renamings, all pairings."""
    longer = max(len(one.body), len(other.body))
    bodies = [[*clause.body, *[None] * (longer - len(clause.body))] for clause in (one, other)]
    best = Fraction(longer + 1)
    for names in _renamings(variables(one), variables(other)):
        head = _atom_distance(one.head, other.head, names)
        for order in permutations(bodies[1]):
            cost = head + sum(_atom_distance(a, b, names) for a, b in zip(bodies[0], order, strict=True))
            best = min(best, cost)
    return best / (longer + 1)


def _renamings(ones: list[str], others: list[str]) -> list[dict[str, str]]:
    if len(ones) <= len(others):
        return [dict(zip(ones, chosen, strict=True)) for chosen in permutations(others, len(ones))]
    return [dict(zip(chosen, others, strict=True)) for chosen in permutations(ones, len(others))]


def _atom_distance(one: Term | None, other: Term | None, names: dict[str, str]) -> Fraction:
    if not isinstance(one, Compound) or not isinstance(other, Compound) or one.functor != other.functor:
        return Fraction(1)
    pairs = zip(one.args, other.args, strict=True)
    wrong = sum(not (isinstance(a, Var) and isinstance(b, Var) and names.get(a.name) == b.name) for a, b in pairs)
    return Fraction(wrong, 2 * len(one.args))


@settings(max_examples=150, deadline=None)
@given(variable_clauses, variable_clauses)
def test_distance_is_that_of_the_definition(one: Clause, other: Clause) -> None:
    assert rule_distance(one, other) == brute_force(one, other)


@settings(max_examples=100, deadline=None)
@given(one_predicate_clauses, one_predicate_clauses)
def test_distance_of_rules_of_one_predicate_is_that_of_the_definition(one: Clause, other: Clause) -> None:
    assert rule_distance(one, other) == brute_force(one, other)


@settings(max_examples=100, deadline=None)
@given(one_predicate_clauses, one_predicate_clauses)
def test_the_pairing_and_the_renaming_give_the_distance(one: Clause, other: Clause) -> None:
    found = rule_match(one, other)
    assert len(set(found.renaming.values())) == len(found.renaming)
    costs = [_atom_distance(one.body[a], other.body[b], found.renaming) for a, b in found.pairs]
    alone = max(len(one.body), len(other.body)) - len(found.pairs)
    total = _atom_distance(one.head, other.head, found.renaming) + sum(costs) + alone
    assert found.distance == total / (max(len(one.body), len(other.body)) + 1)


def test_shares_of_compound_terms() -> None:
    same, constant, other = "p(A) :- q(f(A, a), [B]).", "p(A) :- q(f(A, b), [B]).", "p(A) :- q(g, C)."
    one, *others = Theory.parse(f"p(X) :- q(f(X, a), [Y]). {same} {constant} {other}")
    assert [rule_distance(one, other) for other in others] == [0, Fraction(1, 16), Fraction(1, 4)]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(clauses, clauses), min_size=5, max_size=10))
def test_distance_is_that_of_the_definition_in_prolog(pairs: list[tuple[Clause, Clause]]) -> None:
    prolog = Prolog()
    definition = prolog.load(Path(__file__).with_name("rules.pl"))
    distances = prolog.once_many(
        "rule_distance(A, B, D)",
        module=definition,
        over=("A", "B"),
        get="D",
        rows=[(as_term(one), as_term(other)) for one, other in pairs],
    )
    assert distances == [rule_distance(one, other) for one, other in pairs]


@settings(max_examples=60, deadline=None)
@given(theories, theories, facts, st.permutations(["X", "Y", "Z", "W"]), st.randoms(use_true_random=False))
def test_renaming_and_reordering_change_no_score(
    true: Theory, learned: Theory, given_facts: list[Term], names: list[str], random: object
) -> None:
    renaming = dict(zip(["X", "Y", "Z", "W"], names, strict=True))
    shuffled = [renamed(clause, renaming) for clause in learned.clauses]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    turned = [Clause(clause.head, tuple(reversed(clause.body))) for clause in shuffled]
    assert rule_scores(true, Theory.of(turned)) == rule_scores(true, learned)
    before, after = (fact_scores(compare(true, one, given_facts)) for one in (learned, Theory.of(turned)))
    assert after == before


def test_extra_rules_cost_precision_only() -> None:
    true = Theory.parse("p(X) :- q(X).")
    learned = Theory.parse("p(A) :- q(A). p(A) :- z(A). w(A) :- q(A).")
    assert r_score(true, learned) == 1
    assert r_score(learned, true) == Fraction(1, 3) * (1 + Fraction(1, 2))


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=n, max_size=n)
    )
)
def test_assignment_is_the_cheapest(costs: list[list[int]]) -> None:
    chosen = assign(costs)
    assert len(set(chosen)) == len(chosen)
    best = min(
        sum(row[at] for row, at in zip(costs, order, strict=True)) for order in permutations(range(5), len(costs))
    )
    assert sum(row[at] for row, at in zip(costs, chosen, strict=True)) == best


# Facts ------------------------------------------------------------------------------------------------------------

TRUE = Theory.parse("p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), e(Y,Z).")
PATH = Theory.parse("e(a,b). e(b,c). e(c,d).").heads


def test_counts_by_hand() -> None:
    learned = Theory.parse("p(X,Y) :- e(Y,X). p(X,Y) :- e(X,Y).")
    scores = fact_scores(compare(TRUE, learned, PATH))
    assert (scores.tp, scores.fp, scores.fn) == (3, 3, 3)
    base = 2 * 4**2
    assert scores.tn == base - 3 - 9
    assert scores.h_distance == 6 and scores.h_accuracy == 1 - 6 / base
    assert scores.h_score == 3 / 9 and scores.precision == scores.confidence == 0.5 == scores.recall
    assert scores.accuracy == 1 - 6 / (base - 3)
    assert scores.f1 == 0.5 and scores.h_score == pytest.approx(scores.f1 / (2 - scores.f1))


def test_nothing_learned_scores_0_and_nothing_to_learn_scores_1() -> None:
    empty = Theory.of([])
    assert fact_scores(compare(TRUE, empty, PATH)).h_score == 0
    assert fact_scores(compare(empty, empty, PATH)).h_score == 1


def test_helper_predicates_do_not_count_but_help() -> None:
    learned = Theory.parse("h(X,Y) :- e(X,Y). h(X,Z) :- h(X,Y), e(Y,Z). p(X,Y) :- h(X,Y).")
    scores = fact_scores(compare(TRUE, learned, PATH))
    assert scores.h_score == 1 and scores.fp == 0


def test_compat_counts_as_the_original_evaluator() -> None:
    true = Theory.parse("p0(X,Y) :- p1(X,Y). p2(X,Y) :- p9(X,Y).")
    given_facts = Theory.parse("p1(a,b). p0(b,b).").heads
    learned = Theory.parse("p0(X,Y) :- p1(Y,X). p2(X,Y) :- p1(X,Y).")
    found = compare(true, learned, given_facts)
    assert fact_scores(found).fp == 2 and fact_scores(found, compat=True).fp == 1
    # p0 is given and derived: the original counts it twice, and p2 and p9, of which there is no fact, not at all.
    assert found.base == 4 * 4 and found.base_double == 3 * 4


def test_an_integer_and_a_float_of_its_value_are_two_constants() -> None:
    model = herbrand_model(Theory.parse("r(1) :- q(a). r(1.0) :- q(a). s(2) :- s(2.0)."), as_facts("q(a). s(2.0)."))
    assert sorted(map(str, model)) == ["q(a)", "r(1)", "r(1.0)", "s(2)", "s(2.0)"]
    found = compare(Theory.parse("r(X) :- p(X)."), Theory.parse("r(1) :- p(1)."), as_facts("p(1). p(1.0)."))
    assert (found.tp, found.fp, found.fn, found.constants) == (1, 0, 1, 2)


def test_a_free_head_variable_may_be_the_empty_list() -> None:
    model = herbrand_model(Theory.parse("p(X, Y) :- q(X)."), as_facts("q([]). r(a)."))
    assert sorted(map(str, model)) == ["p([],[])", "p([],a)", "q([])", "r(a)"]


def test_a_predicate_may_have_two_arities() -> None:
    true = Theory.parse("p(X) :- q(X,Y). p(X,Y) :- q(X,Y), q(Y).")
    found = compare(true, Theory.parse("p(X) :- q(X,Y)."), Theory.parse("q(a,b). q(b).").heads)
    assert (found.tp, found.fn) == (1, 1)
    assert found.only_true == (Compound("p", ("a", "b")),)


def _prolog_scores(true: Theory, learned: Theory, given_facts: list[Term]) -> dict[str, float]:
    answer = engine().once(
        "herbrand_scores(T, L, F, _S), get_dict(tp, _S, TP), get_dict(fp, _S, FP), "
        "get_dict(fn, _S, FN), get_dict(h_score, _S, H), get_dict(f1, _S, F1)",
        module=MODULE,
        given={
            "T": [as_term(clause) for clause in true.clauses],
            "L": [as_term(clause) for clause in learned.clauses],
            "F": given_facts,
        },
    )
    assert answer is not None
    return {name: answer[name] for name in ("TP", "FP", "FN", "H", "F1")}  # type: ignore[misc]


@settings(max_examples=40, deadline=None)
@given(theories, theories, facts)
def test_scores_by_clingo_and_by_prolog(true: Theory, learned: Theory, given_facts: list[Term]) -> None:
    universe = {arg for fact in given_facts for arg in fact.args}  # type: ignore[union-attr]
    constants = {
        arg
        for theory in (true, learned)
        for clause in theory
        for atom in (clause.head, *clause.body)
        for arg in atom.args
        if isinstance(arg, str)
    }  # type: ignore[union-attr]
    if not constants <= universe:
        # Free head variables range over the constants of both theories here, of one theory there.
        return
    scores = fact_scores(compare(true, learned, given_facts))
    other = _prolog_scores(true, learned, given_facts)
    assert (scores.tp, scores.fp, scores.fn) == (other["TP"], other["FP"], other["FN"])
    assert scores.h_score == pytest.approx(other["H"]) and scores.f1 == pytest.approx(other["F1"])


@settings(max_examples=30, deadline=None)
@given(layered_theories(), layered_theories(), facts)
def test_scores_with_negation_by_clingo_and_by_prolog(true: Theory, learned: Theory, given_facts: list[Term]) -> None:
    scores = fact_scores(compare(true, learned, given_facts))
    other = _prolog_scores(true, learned, given_facts)
    assert (scores.tp, scores.fp, scores.fn) == (other["TP"], other["FP"], other["FN"])


@settings(max_examples=40, deadline=None)
@given(theories, facts)
def test_projection_of_independent_parts_keeps_the_model(theory: Theory, given_facts: list[Term]) -> None:
    """Against all instances over all constants, to the fixpoint."""
    constants = sorted(
        {
            arg
            for atom in [*given_facts, *(a for c in theory for a in (c.head, *c.body))]
            for arg in atom.args
            if isinstance(arg, str)
        }
    )  # type: ignore[union-attr]
    ground = []
    for clause in theory:
        names = variables(clause)
        for values in product(constants, repeat=len(names)):
            table = dict(zip(names, values, strict=True))
            ground.append(
                [
                    Compound(a.functor, tuple(table[x.name] if isinstance(x, Var) else x for x in a.args))  # type: ignore[union-attr]
                    for a in (clause.head, *clause.body)
                ]
            )
    model = set(given_facts)
    while True:
        grown = {head for head, *body in ground if model.issuperset(body)} - model
        if not grown:
            break
        model |= grown
    assert set(herbrand_model(theory, given_facts)) == model


# Runs -------------------------------------------------------------------------------------------------------------


def test_failed_runs_keep_their_rows() -> None:
    wide = [Compound("e", (f"c{n}", f"c{n + 1}")) for n in range(60)]
    product_of_four = Theory.parse("p(A,B) :- f(A,B,C,D). f(A,B,C,D) :- e(A,_), e(B,_), e(C,_), e(D,_).")
    runs = {"good": TRUE, "crashed": PrologError("it crashed"), "boom": product_of_four}
    rows = score_runs(TRUE, runs, wide, budget=Budget(seconds=1))
    assert [row.name for row in rows] == ["good", "crashed", "boom"]
    assert rows[0].status == "ok" and rows[0].facts is not None and rows[0].facts.h_score == 1
    assert "crashed" in rows[1].status and "not found within 1 s" in rows[2].status
    table = means(rows)
    assert table["finished"]["h_score"] == 1 and table["all"]["h_score"] == pytest.approx(1 / 3)


def test_a_model_past_its_budget_is_a_clear_error() -> None:
    wide = [Compound("e", (f"c{n}", f"c{n + 1}")) for n in range(400)]
    with pytest.raises(TimeLimit, match="not found within 1 s"):
        compare(
            TRUE,
            Theory.parse("p(A,B) :- f(A,B,C). f(A,B,C) :- e(A,_), e(B,_), e(C,_)."),
            wide,
            budget=Budget(seconds=1),
        )
