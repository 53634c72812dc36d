"""The learnability report: copies of a predicate, rules without an example, rules that fit better by chance."""

from __future__ import annotations

from hornbeam.rudas.learnability import judge, totals
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, RuleSet, V, rule_text

X, Y, Z = V(0), V(1), V(2)
GRAND = GraphRule(GraphAtom(0, (X, Z)), (GraphAtom(1, (X, Y)), GraphAtom(2, (Y, Z))))


def rule_set(*rules: GraphRule) -> RuleSet:
    return RuleSet((Component("chain", 1, rules),), (2, 2, 2, 2))


def chain(first: int, second: int) -> list[tuple[int, ...]]:
    there: list[tuple[int, ...]] = [(first, number, number + 10) for number in range(5)]
    return [*there, *((second, number + 10, number) for number in range(5))]


HEADS: list[tuple[int, ...]] = [(0, number, number) for number in range(4)]


def test_a_copy_of_a_predicate_cannot_be_told_apart() -> None:
    copy = [(3, *fact[1:]) for fact in chain(1, 2) if fact[0] == 1]
    (verdict,) = judge(rule_set(GRAND), chain(1, 2) + HEADS + copy)
    assert [rule_text(rule) for rule in verdict.same] == ["p0(X0,X2) :- p3(X0,X1),p2(X1,X2)."]
    assert (verdict.covered, verdict.predicted, verdict.better) == (4, 1, ())


def test_without_the_copy_it_can() -> None:
    (verdict,) = judge(rule_set(GRAND), [*chain(1, 2), *HEADS, (3, 0, 10)])
    assert verdict.same == verdict.better == ()


def test_a_rule_that_does_better_on_the_data() -> None:
    copy = [(3, number, number + 10) for number in range(4)]
    (verdict,) = judge(rule_set(GRAND), chain(1, 2) + HEADS + copy)
    assert [rule_text(rule) for rule in verdict.better] == ["p0(X0,X2) :- p3(X0,X1),p2(X1,X2)."]


def test_a_rule_without_an_example() -> None:
    rules = rule_set(GRAND)
    (verdict,) = judge(rules, chain(1, 2))
    assert (verdict.covered, verdict.predicted) == (0, 5)
    assert totals([verdict.to_json(rules)]) == {"rules": 1, "without_example": 1, "with_same": 0, "with_better": 0}


def test_an_atom_that_makes_no_difference() -> None:
    longer = GraphRule(GraphAtom(0, (X, Z)), (*GRAND.body, GraphAtom(3, (X, Z))))
    facts = chain(1, 2) + HEADS + [(3, number, number) for number in range(5)]
    (verdict,) = judge(rule_set(longer), facts)
    assert rule_text(GRAND) in [rule_text(rule) for rule in verdict.same]


def test_a_negation_that_makes_no_difference() -> None:
    negated = GraphRule(GRAND.head, GRAND.body, (GraphAtom(3, (X, Z)),))
    (verdict,) = judge(rule_set(negated), chain(1, 2) + HEADS)
    assert rule_text(GRAND) in [rule_text(rule) for rule in verdict.same]
    (decided,) = judge(rule_set(negated), [*chain(1, 2), *HEADS[1:], (3, 0, 0)])
    assert rule_text(GRAND) not in [rule_text(rule) for rule in (*decided.same, *decided.better)]


def test_a_fact_is_no_evidence_for_itself() -> None:
    recursive = GraphRule(GraphAtom(0, (X, Y)), (GraphAtom(1, (X, Y)), GraphAtom(0, (Y, Z))))
    facts: list[tuple[int, ...]] = [(1, 1, 2), (0, 2, 3), (0, 1, 2)]
    (verdict,) = judge(rule_set(recursive), facts)
    assert verdict.covered == 1
    assert "p0(X0,X1) :- p1(X0,X1),p0(X2,X1)." not in [rule_text(rule) for rule in (*verdict.same, *verdict.better)]
