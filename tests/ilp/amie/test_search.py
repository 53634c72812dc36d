"""Which rules are found: all of the space, each once."""

from __future__ import annotations

from itertools import product

import numpy as np

from hornbeam.ilp.amie.rules import MinedRule, canonical, measure
from hornbeam.ilp.amie.search import Miner, RuleSpace
from hornbeam.ilp.relations import FactBase, TableAtom, components
from hornbeam.logic.terms import Clause
from hornbeam.theory import Theory
from tests.ilp.amie.worlds import planted


def mined(world: FactBase, space: RuleSpace) -> list[MinedRule]:
    miner = Miner(world, space)
    return [rule for start in miner.heads() for rule, _ in miner.rules(start)]


def every_rule(world: FactBase, space: RuleSpace) -> set[MinedRule]:
    """By brute force: all heads and bodies over the variables that a rule can have."""
    variables = range(space.max_vars)
    atoms = [
        TableAtom(predicate, args)
        for predicate, (_, arity) in enumerate(world.predicates)
        for args in product(variables, repeat=arity)
    ]
    bodies = [(one,) for one in atoms] + [(one, other) for one, other in product(atoms, repeat=2) if one < other]
    found = set()
    for head in atoms:
        if head != canonical(MinedRule(head, ())).head:
            continue
        for body in bodies:
            rule = canonical(MinedRule(head, body))
            linked = len(components([head, *body])) == 1
            if (
                linked
                and space.admits(rule)
                and rule not in found
                and measure(world, rule).support >= space.min_support
            ):
                found.add(rule)
    return found


def test_all_rules_of_the_space_are_found_and_each_once() -> None:
    facts = planted("p(X,Y) :- q(X,Z), q(Z,Y).", {"q": 8, "p": 2}, constants=5, seed=3)
    world = FactBase.of(facts)
    space = RuleSpace(max_vars=4, min_support=2, min_coverage=0.0)
    rules = mined(world, space)
    assert len(rules) == len(set(rules)) > 50
    assert set(rules) == every_rule(world, space)


def test_unary_and_wider_relations_are_mined() -> None:
    text = "".join(f"big(a{n}). sits(a{n},b{n},t). near(b{n},a{n}). low(c{n}). sits(c{n},d{n},u)." for n in range(4))
    world = FactBase.of(Theory.parse(text.replace(").", "). ")).heads)
    clauses = {str(world.clause(rule.head, rule.body)) for rule in mined(world, RuleSpace())}
    assert "near(A,B) :- big(B), sits(B,A,C)." in clauses
    assert "big(A) :- near(B,A)." in clauses


def test_limits_of_the_space_hold() -> None:
    facts = planted("p(X,Y) :- q(X,Z), r(Z,Y).", {"q": 12, "r": 12, "p": 3}, constants=6, seed=4)
    world = FactBase.of(facts)
    everything = mined(world, RuleSpace())
    closed = mined(world, RuleSpace(existential=False))
    assert closed and all(rule.closed for rule in closed)
    assert set(closed) == {rule for rule in everything if rule.closed}
    connected = mined(world, RuleSpace(cross_products=False))
    assert set(connected) == {rule for rule in everything if rule.connected} < set(everything)
    assert not any(rule.recursive for rule in mined(world, RuleSpace(recursion=False)))
    assert all(len(rule.body) == 1 for rule in mined(world, RuleSpace(max_body=1)))


def test_a_typed_variable_stands_in_places_of_one_type() -> None:
    rows = [f"at(x{n},x{n + 1}). by(x{n + 1},x{n}). on(x{n},x{n + 1})." for n in range(5)]
    world = FactBase.of(Theory.parse("\n".join(rows)).heads)
    types = {0: ("man", "town"), 1: ("town", "man"), 2: ("man", "town")}
    rules = mined(world, RuleSpace(types=types))
    assert rules and all(RuleSpace(types=types).well_typed(rule) for rule in rules)
    assert len(rules) < len(mined(world, RuleSpace()))


def test_more_columns_than_one_number_holds_are_joined_rightly() -> None:
    wide = [Clause(fact) for fact in Theory.parse("w(a,b,c,d,e,f). w(a,b,c,d,e,g). v(a,b,c,d,e,f).").heads]
    world = FactBase.of([clause.head for clause in wide])
    many = FactBase(world.predicates, (*world.constants, *map(str, range(3000))), world.tables)
    args = tuple(range(6))
    assert many.solve([TableAtom(0, args), TableAtom(1, args)], args).tolist() == [list(range(6))]
    assert np.array_equal(many.contains(0, many.tables[1]), [True, False])
