"""Equivalence that is decided without data, its counterexamples, subsumption and redundancy."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings

from hornbeam.logic.terms import Compound, Term
from hornbeam.theory import Theory, decide, herbrand_model
from hornbeam.theory.equivalence import redundant
from hornbeam.theory.subsumption import relations
from tests.theory.random_theories import CONSTANTS, PREDICATES, facts, layered_theories, theories

TRUE_CASES = {
    "renamed and reordered": ("p(X) :- q(X,Y), r(Y).", "p(B) :- r(A), q(B,A)."),
    "superfluous literal": ("p(X) :- q(X,Y).", "p(A) :- q(A,B), q(A,_)."),
    "superfluous clause": ("p(X) :- q(X).", "p(X) :- q(X). p(X) :- q(X), r(X)."),
    "helper predicate": ("p(X) :- q(X,Y), r(Y).", "p(X) :- h(X). h(X) :- q(X,Y), r(Y)."),
    "cases": ("p(X,Y) :- q(X,Y).", "p(X,Y) :- q(X,Y), X \\= Y. p(X,X) :- q(X,X)."),
    "equation": ("p(X) :- q(X,a).", "p(X) :- q(X,Y), Y = a."),
    "recursion said twice": (
        "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z).",
        "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z). p(X,Z) :- e(X,Y), p(Y,Z).",
    ),
    "list programs": ("p(X) :- q([X|T]), r(T).", "p(Y) :- r(S), q([Y|S])."),
    "a number is no atom": ("p(X) :- q(X), Y = 1, Z = '1', Y \\= Z.", "p(X) :- q(X)."),
    "empty": ("", ""),
}
FALSE_CASES = {
    "more general": ("p(X) :- q(X,Y), r(Y).", "p(X) :- q(X,Y).", 1),
    "swapped": ("p(X,Z) :- q(X,Y), q(Y,Z).", "p(X,Z) :- q(X,Y), q(Z,Y).", 1),
    "negation": ("p(X) :- q(X), \\+ r(X).", "p(X) :- q(X).", 2),
    "inequality": ("p(X,Y) :- q(X,Y), X \\= Y.", "p(X,Y) :- q(X,Y).", 1),
    "free head variable": ("p(X,Y) :- q(X).", "p(X,X) :- q(X).", 1),
    "no rule": ("p(X) :- q(X).", "", 1),
    "numbers of two kinds": ("p(X) :- q(X), X \\= 1.", "p(X) :- q(X), X \\= 1.0.", 1),
    "three facts needed": ("p(X) :- a(X), b(X), c(X).", "p(X) :- a(X), b(X), c(X), d(X).", 3),
}


@pytest.mark.parametrize("case", TRUE_CASES)
def test_equivalent(case: str) -> None:
    one, other = map(Theory.parse, TRUE_CASES[case])
    assert decide(one, other).verdict is True


@pytest.mark.parametrize("case", FALSE_CASES)
def test_smallest_counterexample(case: str) -> None:
    one, other = map(Theory.parse, FALSE_CASES[case][:2])
    found = decide(one, other)
    assert found.verdict is False and found.counterexample is not None
    assert found.counterexample.smallest and len(found.counterexample.facts) == FALSE_CASES[case][2]


def test_all_that_is_learned_counts_where_nothing_is_true() -> None:
    found = decide(Theory.parse(""), Theory.parse("p(X) :- q(X)."))
    assert found.verdict is False and found.counterexample is not None
    assert [str(fact) for fact in found.counterexample.facts] == ["q(c1)"]


def test_derived_predicates_may_be_given_or_not() -> None:
    true, learned = Theory.parse("p(X) :- q(X). q(X) :- r(X)."), Theory.parse("p(X) :- r(X). q(X) :- r(X).")
    assert decide(true, learned).verdict is False
    assert decide(true, learned, inputs_only=True).verdict is True


def test_what_cannot_be_decided_stays_open() -> None:
    left = Theory.parse("p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), e(Y,Z).")
    right = Theory.parse("p(X,Y) :- e(X,Y). p(X,Z) :- e(X,Y), p(Y,Z).")
    assert decide(left, right, inputs_only=True).verdict is None
    assert decide(Theory.parse("p(X) :- X > 1, q(X)."), Theory.parse("p(X) :- X > 0, q(X).")).verdict is not True
    shorter = Theory.parse("p([X|T]) :- p(T).")
    assert decide(shorter, Theory.parse("p([X,Y|T]) :- p(T).")).verdict is None


def _visible(theory: Theory, true: Theory, given_facts: list[Term]) -> set[Term]:
    known = {name for name, _ in true.predicates} | {fact.functor for fact in given_facts}  # type: ignore[union-attr]
    return {fact for fact in herbrand_model(theory, given_facts) if fact.functor in known}  # type: ignore[union-attr]


@settings(max_examples=50, deadline=None)
@given(theories, theories, facts)
def test_verdicts_hold_on_data(true: Theory, learned: Theory, given_facts: list[Term]) -> None:
    found = decide(true, learned, given=[(fact.functor, len(fact.args)) for fact in given_facts])  # type: ignore[union-attr]
    universe = [Compound("universe", (constant,)) for constant in CONSTANTS]
    if found.verdict is True:
        database = [*given_facts, *universe]
        assert _visible(true, true, database) == _visible(learned, true, database)
    elif found.verdict is False:
        assert found.counterexample is not None
        _check_counterexample(
            true, learned, found.counterexample.facts, found.counterexample.fact, found.counterexample.by
        )


@settings(max_examples=30, deadline=None)
@given(layered_theories(), layered_theories())
def test_counterexamples_with_negation_hold(true: Theory, learned: Theory) -> None:
    found = decide(true, learned)
    if found.counterexample is not None:
        _check_counterexample(
            true, learned, found.counterexample.facts, found.counterexample.fact, found.counterexample.by
        )


def _check_counterexample(true: Theory, learned: Theory, database: tuple[Term, ...], fact: Term, by: str) -> None:
    """Only one theory derives the fact. All constants are known to both, for free variables range over them."""
    constants = {arg for atom in (*database, fact) for arg in atom.args}  # type: ignore[union-attr]
    constants |= {
        arg
        for theory in (true, learned)
        for clause in theory
        for literal in (clause.head, *clause.body)
        for arg in getattr(literal, "args", ())
        if isinstance(arg, str)
    }
    known = [*database, *(Compound("universe", (constant,)) for constant in constants)]
    derived = {"true": fact in herbrand_model(true, known), "learned": fact in herbrand_model(learned, known)}
    assert derived == {"true": by == "true", "learned": by == "learned"}


@pytest.mark.parametrize(
    ("true", "learned"),
    [
        ("p(X,Y) :- q(X,Z), s(Z,Y), t(Z).", "p(X,Y) :- q(X,Z), s(Z,Y), r(Z)."),
        ("p(X,Y) :- q(X,Y), s(Y,X).", "p(X,Y) :- q(X,Y), s(Y,X), r(X)."),
        ("r(X) :- q(X,Y), \\+ t(Y).", "r(X) :- q(X,Y), t(Y)."),
    ],
)
def test_no_smaller_database_tells_them_apart(true: str, learned: str) -> None:
    one, other = Theory.parse(true), Theory.parse(learned)
    found = decide(one, other).counterexample
    assert found is not None and found.smallest
    visible = sorted(one.predicates | other.predicates)
    base = [Compound(name, args) for name, arity in visible for args in product(["c1", "c2"], repeat=arity)]
    assert set(PREDICATES) >= {name for name, _ in visible}
    for size in range(len(found.facts)):
        for database in combinations(base, size):
            assert set(herbrand_model(one, database)) == set(herbrand_model(other, database))


# Clauses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("true", "learned", "relation"),
    [
        ("p(X) :- q(X,Y), r(Y).", "p(B) :- r(A), q(B,A).", "variant"),
        ("p(X) :- q(X,Y).", "p(X) :- q(X,Y), q(X,Z).", "equivalent"),
        ("p(X) :- q(X,Y), r(Y).", "p(X) :- q(X,Y).", "general"),
        ("p(X) :- q(X,Y).", "p(X) :- q(X,X).", "specific"),
        ("p(X) :- q(X,Y).", "p(X) :- q(Y,X).", "different"),
        ("p(X) :- q([X|T]).", "p(X) :- q(L).", "general"),
        ("p(X) :- \\+ q(X).", "p(X) :- q(X).", "different"),
        ("p(X) :- q(X,Y), q(Y,Z).", "p(X) :- q(X,Y), q(Y,Y).", "specific"),
    ],
)
def test_relations(true: str, learned: str, relation: str) -> None:
    one, other = Theory.parse(true).clauses[0], Theory.parse(learned).clauses[0]
    assert relations([(one, other)]) == [relation]


def test_hard_subsumption_ends() -> None:
    """A cycle of 25 edges does not map into a graph of two-way edges that is bipartite."""
    odd = "p :- " + ", ".join(f"e(X{n},X{(n + 1) % 25})" for n in range(25)) + "."
    even = "p :- " + ", ".join(f"e(Y{n},Y{m})" for n in range(6) for m in range(6) if (n + m) % 2) + "."
    assert relations([(Theory.parse(even).clauses[0], Theory.parse(odd).clauses[0])]) in (["different"], ["specific"])


def test_redundant_clauses() -> None:
    theory = Theory.parse("p(X) :- q(X). q(X) :- s(X). p(X) :- s(X). p(X) :- p(X), r(X), p(X). p(Y) :- q(Y), r(Y).")
    assert {found.number for found in redundant(theory)} == {2, 3, 4}
    assert redundant(Theory.parse("p(X) :- q(X). p(X) :- r(X).")) == ()
