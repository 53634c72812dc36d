"""The closure: equal to clingo's model in any order of facts, exact on the way back; proofs are smallest."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.rudas.closure import Closure, Fact, Refused, smallest_proofs
from hornbeam.rudas.proving import as_facts, program
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, RuleSet, V

PREDICATES, CONSTANTS = 4, 4
ARITIES = (2, 2, 1, 3)
X, Y, Z = V(0), V(1), V(2)


@st.composite
def atoms(draw: st.DrawFn, terms: st.SearchStrategy[V | int]) -> GraphAtom:
    predicate = draw(st.integers(0, PREDICATES - 1))
    return GraphAtom(predicate, tuple(draw(terms) for _ in range(ARITIES[predicate])))


@st.composite
def rules(draw: st.DrawFn) -> GraphRule:
    """A safe rule, with repeated variables and now and then a constant."""
    terms = st.one_of(st.sampled_from([X, Y, Z]), st.sampled_from([X, Y, Z]), st.integers(0, CONSTANTS - 1))
    body = tuple(draw(st.lists(atoms(terms), min_size=1, max_size=3)))
    bound = sorted({variable for atom in body for variable in atom.variables})
    choices: list[V | int] = [*bound, *([] if bound else [0])]
    return GraphRule(draw(atoms(st.sampled_from(choices))), body)


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    atom = atoms(st.integers(0, CONSTANTS - 1))
    drawn = draw(st.lists(atom, max_size=12))
    return [(a.predicate, *[arg for arg in a.args if isinstance(arg, int)]) for a in drawn]


def rule_set(some: list[GraphRule]) -> RuleSet:
    return RuleSet((Component("mixed", 1, tuple(some)),), ARITIES)


def clingo_model(some: list[GraphRule], support: list[Fact]) -> set[Fact]:
    names = rule_set(some)
    model = program(names).model(as_facts(support, names))
    rows = [(number, model.rows(f"p{number}")) for number in range(PREDICATES)]
    return {(number, *[int(str(arg)[1:]) for arg in row]) for number, found in rows for row in found}


@settings(max_examples=150, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=4), facts(), st.randoms(use_true_random=False))
def test_equal_to_clingo_in_any_order(some: list[GraphRule], support: list[Fact], order: object) -> None:
    expected = clingo_model(some, support)
    at_once = Closure(some, PREDICATES)
    at_once.add(support)
    assert set(at_once.facts) == expected
    one_by_one = Closure(some, PREDICATES)
    order.shuffle(support)
    for fact in support:
        one_by_one.add([fact])
    assert set(one_by_one.facts) == expected


@settings(max_examples=100, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=3), facts(), facts(), facts())
def test_the_way_back_is_exact(some: list[GraphRule], first: list[Fact], undone: list[Fact], then: list[Fact]) -> None:
    closure, plain = Closure(some, PREDICATES), Closure(some, PREDICATES)
    closure.add(first)
    plain.add(first)
    mark, before = closure.mark(), list(closure.facts)
    closure.add(undone)
    closure.undo(mark)
    assert list(closure.facts) == before
    closure.add(then)
    plain.add(then)
    assert list(closure.facts) == list(plain.facts)


def instances(rule: GraphRule, known: dict[Fact, int]) -> list[tuple[Fact, int]]:
    """All that a rule derives, by trying every assignment: (head, largest depth of a body fact)."""
    found = []
    for values in product(range(CONSTANTS), repeat=3):
        assignment = dict(zip((X, Y, Z), values, strict=True))
        body = [(a.predicate, *[assignment[x] if isinstance(x, V) else x for x in a.args]) for a in rule.body]
        if all(fact in known for fact in body):
            head = (rule.head.predicate, *[assignment[x] if isinstance(x, V) else x for x in rule.head.args])
            found.append((head, max(known[fact] for fact in body)))
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=3), facts())
def test_proofs_are_smallest_and_right(some: list[GraphRule], support: list[Fact]) -> None:
    depth = dict.fromkeys(support, 0)
    for round_ in range(1, 200):
        new = {head for rule in some for head, _ in instances(rule, depth)} - depth.keys()
        if not new:
            break
        depth.update(dict.fromkeys(new, round_))
    proofs = smallest_proofs(some, PREDICATES, support)
    assert {fact: proof.depth for fact, proof in proofs.items()} == {f: d for f, d in depth.items() if d}
    for fact, proof in proofs.items():
        premises = dict.fromkeys(proof.premises, 0)
        assert fact in [head for head, _ in instances(some[proof.rule], premises)]
        assert proof.depth == 1 + max(depth[premise] for premise in proof.premises)


NEGATION = [
    GraphRule(GraphAtom(1, (X, Y)), (GraphAtom(0, (X, Y)),), (GraphAtom(2, (X,)),)),
    GraphRule(GraphAtom(2, (X,)), (GraphAtom(3, (X, X, Y)),)),
]


def test_negation_refuses_what_would_take_a_consequence_away() -> None:
    closure = Closure(NEGATION, PREDICATES)
    closure.add([(0, 1, 2)])
    assert (1, 1, 2) in closure.facts
    mark = closure.mark()
    with pytest.raises(Refused, match="negation"):
        closure.add([(3, 1, 1, 0)])
    closure.undo(mark)
    assert set(closure.facts) == {(0, 1, 2), (1, 1, 2)} == clingo_model(NEGATION, [(0, 1, 2)])


def test_negation_knows_lower_strata_first() -> None:
    support = [(0, 1, 2), (3, 1, 1, 0), (0, 2, 1)]
    closure = Closure(NEGATION, PREDICATES)
    closure.add(support)
    assert set(closure.facts) == clingo_model(NEGATION, support)
    assert (1, 1, 2) not in closure.facts
    proofs = smallest_proofs(NEGATION, PREDICATES, support)
    assert set(proofs) == {(2, 1), (1, 2, 1)}


def test_functional_predicates_have_one_value() -> None:
    closure = Closure([], PREDICATES, functional=[0])
    closure.add([(0, 1, 2)])
    mark = closure.mark()
    with pytest.raises(Refused, match="functional"):
        closure.add([(0, 3, 3), (0, 1, 3)])
    closure.undo(mark)
    closure.add([(0, 1, 2), (0, 3, 1)])
    assert list(closure.facts) == [(0, 1, 2), (0, 3, 1)]


def test_a_limit_stops_an_explosion() -> None:
    cross = [GraphRule(GraphAtom(0, (X, Y)), (GraphAtom(2, (X,)), GraphAtom(2, (Y,))))]
    closure = Closure(cross, PREDICATES)
    with pytest.raises(Refused, match="too many"):
        closure.add([(2, number) for number in range(100)], limit=500)
