"""Figures of rules: against counts by hand, and against Prolog on random worlds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.ilp.amie.rules import MinedRule, body_size, canonical, measure
from hornbeam.ilp.amie.search import Miner, RuleSpace
from hornbeam.ilp.relations import FactBase, TableAtom, count_distinct, distinct
from hornbeam.logic import Prolog, to_text
from hornbeam.theory import Theory
from tests.ilp.amie.worlds import facts_of

FAMILY = """
    lives(ann,rome). lives(bob,rome). lives(cy,oslo). lives(dan,lima).
    born(ann,rome). born(bob,oslo). born(cy,oslo). born(eve,lima). born(fay,bonn).
"""


def world_of(text: str) -> FactBase:
    return FactBase.of(Theory.parse(text).heads)


def test_the_figures_are_those_counted_by_hand() -> None:
    world = world_of(FAMILY)
    assert world.predicates == (("born", 2), ("lives", 2))
    found = measure(world, MinedRule(TableAtom(1, (0, 1)), (TableAtom(0, (0, 1)),)))
    # Of five births ann's and cy's are where they live; bob lives elsewhere; nothing is known of eve and fay.
    assert (found.support, len(found.predicted)) == (2, 5)
    assert found.head_coverage == 2 / 4
    assert found.confidence == 2 / 5
    assert found.pca_confidence == 2 / 3


def test_a_fact_is_no_evidence_for_itself() -> None:
    world = world_of("p(a,a). p(a,b). p(b,a).")
    found = measure(world, MinedRule(TableAtom(0, (0, 1)), (TableAtom(0, (1, 0)),)))
    assert found.support == len(found.predicted) == 2


def test_the_size_of_a_cross_product_is_counted_without_its_table() -> None:
    world = world_of("p(a,b). q(a,x). q(b,x). q(c,x). r(a,y). r(b,y). r(b,z).")
    rule = MinedRule(TableAtom(0, (0, 1)), (TableAtom(1, (0, 2)), TableAtom(2, (1, 3))))
    assert body_size(world, rule) == len(measure(world, rule).predicted) == 6


def test_a_unary_head_has_no_partial_completeness() -> None:
    world = world_of("big(a). big(b). near(a,b). near(b,c). near(c,d).")
    found = measure(world, MinedRule(TableAtom(0, (0,)), (TableAtom(1, (0, 1)),)))
    assert (found.support, found.confidence, found.pca_confidence) == (2, 2 / 3, 2 / 3)


def test_the_atom_1_is_not_the_number_1() -> None:
    world = world_of("p(1,'1'). p('f(a)',f(a)).")
    assert (len(world.constants), len(world.tables[0])) == (4, 2)
    assert "p(1,'1').\n" in facts_of(world)


def test_variants_have_one_form() -> None:
    one = MinedRule(TableAtom(0, (0, 1)), (TableAtom(1, (0, 7)), TableAtom(1, (7, 1))))
    other = MinedRule(TableAtom(0, (4, 2)), (TableAtom(1, (9, 2)), TableAtom(1, (4, 9))))
    assert canonical(one) == canonical(other)
    assert canonical(one) != canonical(MinedRule(TableAtom(0, (0, 1)), (TableAtom(1, (1, 7)), TableAtom(1, (7, 0)))))


facts = st.lists(
    st.tuples(st.sampled_from("pqr"), st.sampled_from("abcde"), st.sampled_from("abcde")), min_size=4, max_size=22
)


@settings(max_examples=15, deadline=None)
@given(facts)
def test_support_and_confidence_are_what_prolog_counts(rows: list[tuple[str, str, str]]) -> None:
    world = world_of("".join(f"{name}({one},{other})." + "\n" for name, one, other in rows))
    miner = Miner(world, RuleSpace(min_support=1, min_coverage=0.0))
    mined = [rule for start in miner.heads() for rule, _ in miner.rules(start)][::7][:40]
    prolog = Prolog()
    module = prolog.load_text(":- dynamic([p/2, q/2, r/2]).\n" + "".join(facts_of(world)), module="counted")
    try:
        for rule in mined:
            clause = world.clause(rule.head, rule.body)
            apart = [
                f"{to_text(atom)} \\== {to_text(clause.head)}"
                for atom in clause.body
                if to_text(atom)[0] == to_text(clause.head)[0]
            ]
            goal = ", ".join([*map(to_text, clause.body), *apart])
            counted = prolog.once(
                f"findall({to_text(clause.head)}, ({goal}), _L), sort(_L, _S), length(_S, Predicted), "
                "aggregate_all(count, (member(_F, _S), catch(call(_F), _, fail)), Known)",
                module=module,
            )
            found = measure(world, rule)
            assert counted is not None
            assert (counted["Predicted"], counted["Known"]) == (len(found.predicted), found.support), clause
    finally:
        prolog.unload(module)


@settings(max_examples=15, deadline=None)
@given(facts)
def test_the_miner_counts_the_support_that_the_rule_has(rows: list[tuple[str, str, str]]) -> None:
    world = world_of("".join(f"{name}({one},{other})." + "\n" for name, one, other in rows))
    miner = Miner(world, RuleSpace(min_support=2, min_coverage=0.0))
    for start in miner.heads():
        for rule, support in miner.rules(start):
            assert measure(world, rule).support == support >= 2


@pytest.mark.parametrize("largest", [9, 10**10])
def test_distinct_rows_are_sorted_and_whole_also_where_one_number_cannot_hold_them(largest: int) -> None:
    rows = np.array([[largest, 1, 2], [0, largest, 1], [largest, 1, 2], [0, 3, largest]], dtype=np.int64)
    assert distinct(rows).tolist() == [[0, 3, largest], [0, largest, 1], [largest, 1, 2]]
    assert count_distinct(rows) == 3
