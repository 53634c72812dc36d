"""The two reasoners agree, and leaving out what cannot matter changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.graphlog.config import Config
from hornbeam.graphlog.knowledge import Edge, GraphWorld, Question, WorldRule, WorldTheory, clingo_relations
from hornbeam.graphlog.proving import is_signed, question, relevant
from hornbeam.graphlog.world import windows
from tests.graphlog.conftest import first_rules


def _world(backwards: bool) -> GraphWorld:
    config = Config(relations=4, rules=6, rules_per_world=6, inverses=backwards)
    return windows(config, *first_rules(config, 2))[0]


_LABELS = [f"R_{base}_{sign}" for base in range(4) for sign in "+-"]
_edges = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(_LABELS)),
    max_size=12,
    unique_by=lambda edge: edge[:2],
)


@pytest.mark.parametrize("backwards", [True, False])
@given(graphs=st.lists(_edges, min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_prolog_and_clingo_derive_the_same_with_and_without_what_cannot_matter(
    backwards: bool, graphs: list[list[Edge]]
) -> None:
    world = _world(backwards)
    whole = [Question(tuple(edges), 0, 1) for edges in graphs]
    parts = [question(edges, 0, 1, backwards=backwards, signed=True) for edges in graphs]
    expected = [set(found) for found in WorldTheory(world).relations(whole)]
    assert clingo_relations(world, whole) == expected
    assert [set(found) for found in WorldTheory(world).relations(parts)] == expected
    assert clingo_relations(world, parts) == expected


def test_equal_questions_are_equal_whatever_the_nodes_are_called() -> None:
    one = question([(4, 7, "R_0_+"), (7, 2, "R_1_+"), (7, 9, "R_3_+")], 4, 2, backwards=True, signed=True)
    other = question([(1, 0, "R_1_+"), (5, 1, "R_0_+")], 5, 0, backwards=True, signed=True)
    assert one == other


def test_an_edge_read_backwards_can_matter() -> None:
    edges: list[Edge] = [(1, 0, "R_0_-"), (1, 2, "R_1_+"), (2, 3, "R_1_-")]
    assert relevant(edges, 0, 2, backwards=True) == edges[:2]
    assert relevant(edges, 0, 2, backwards=False) == []


def test_without_signs_nothing_is_left_out() -> None:
    world = GraphWorld("w", (WorldRule("a", "b_-", "c"),), (("a", "b_-"), ("b_-", "a")), True)
    assert not is_signed(world)
    edges: list[Edge] = [(0, 1, "a"), (5, 6, "a")]
    assert len(question(edges, 0, 1, backwards=True, signed=False).edges) == 2


def test_worlds_that_are_asked_in_turn_stay_apart() -> None:
    one = GraphWorld("one", (WorldRule("a", "b", "c"),), (), False)
    two = GraphWorld("two", (WorldRule("a", "b", "d"),), (), False)
    asked = Question(((0, 1, "a"), (1, 2, "b")), 0, 2)
    for world, relation in ((one, "c"), (two, "d"), (one, "c")):
        assert clingo_relations(world, [asked]) == [{relation}]
        assert WorldTheory(world).relations([asked]) == [(relation,)]
