"""Rules and windows: Algorithms 1 and 2."""

from __future__ import annotations

import pytest

from hornbeam.errors import UsageError
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.descriptors import draw_worlds, split_of
from hornbeam.graphlog.knowledge import (
    GraphWorld,
    LabelVocabulary,
    WorldRule,
    WorldTheory,
    clash,
    is_backward,
    label_ids,
)
from hornbeam.graphlog.world import jaccard, similarity, windows
from hornbeam.seeds import fast_rng
from tests.graphlog.conftest import first_rules


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rules_are_as_many_as_asked_and_keep_the_laws(seed: int) -> None:
    vocabulary, rules = first_rules(Config(), seed)
    inverse = dict(vocabulary.inverses())
    assert len(rules) == len({rule.body for rule in rules}) == 76
    bodies = {rule.body for rule in rules}
    for rule in rules:
        bases = [label.split("_")[1] for label in (*rule.body, rule.head)]
        assert bases[2] not in bases[:2]
        assert len({is_backward(label) for label in (*rule.body, rule.head)}) == 1
        assert (inverse[rule.second], inverse[rule.first]) not in bodies
    assert {is_backward(rule.head) for rule in rules} == {True, False}


def test_the_vocabulary_has_the_published_pairs() -> None:
    vocabulary = LabelVocabulary.draw(10, 0.5, fast_rng(0, "x"))
    swapped = [base for base, partner in enumerate(vocabulary.partners) if base != partner]
    assert len(swapped) == 4
    inverse = dict(vocabulary.inverses())
    assert all(inverse[other] == label and is_backward(label) != is_backward(other) for label, other in inverse.items())


def test_a_number_of_rules_that_is_rarely_drawn_is_reached() -> None:
    _, rules = first_rules(Config(relations=6, rules=9, rules_per_world=4), 0)
    assert len(rules) == 9


def test_too_many_rules_are_refused() -> None:
    with pytest.raises(UsageError, match=r"2000 draws over 6 relations gave \d+ rules at most, 30 were asked for"):
        first_rules(Config(relations=6, rules=30, rules_per_world=4), 0)


def test_windows_share_what_their_distance_leaves() -> None:
    config = Config()
    worlds = windows(config, *first_rules(config, 3))
    assert [world.name for world in worlds] == [f"rule_{index}" for index in range(57)]
    for distance in (0, 1, 7, 20, 40):
        assert similarity(worlds[0], worlds[distance]) == pytest.approx(max(0, 1 - distance / 20))
    assert jaccard(worlds[0], worlds[10]) == jaccard(worlds[10], worlds[0]) == pytest.approx(10 / 30)


def test_stride_moves_the_window() -> None:
    config = Config(rules=40, rules_per_world=10, stride=10)
    worlds = windows(config, *first_rules(config, 0))
    assert len(worlds) == 4
    assert similarity(worlds[0], worlds[1]) == 0


def _world(*rules: tuple[str, str, str], inverses: tuple[tuple[str, str], ...] = ()) -> GraphWorld:
    return GraphWorld("w", tuple(WorldRule(*rule) for rule in rules), inverses, bool(inverses))


def test_clingo_finds_the_shortest_chain_with_two_relations() -> None:
    world = _world(("a", "a", "b"), ("b", "a", "c"), ("a", "b", "d"))
    found = clash(world, 6)
    assert found is not None
    assert found.chain == ("a", "a", "a")
    assert set(found.relations) == {"c", "d"}
    assert set(WorldTheory(world).verdicts([found.chain])[0].by_theory) == {"c", "d"}


def test_clingo_shows_that_there_is_none() -> None:
    assert clash(_world(("a", "b", "c"), ("c", "b", "d")), 6) is None


def test_reading_backwards_can_make_a_second_relation() -> None:
    rules = (("a+", "a+", "b+"), ("a-", "a-", "c-"))
    inverses = (("a+", "a-"), ("a-", "a+"), ("b+", "b-"), ("b-", "b+"), ("c+", "c-"), ("c-", "c+"))
    assert clash(_world(*rules), 5) is None
    found = clash(_world(*rules, inverses=inverses), 5)
    assert found is not None and len(found.chain) == 2


def test_published_label_numbers() -> None:
    ids = label_ids(["R_2_+", "R_3_+"])
    assert (ids["UNK_REL"], ids["R_2_+"], ids["R_3_+"], len(ids)) == (0, 1, 20, 21)
    assert label_ids(["R_11_-", "R_2_+"]) == {"UNK_REL": 0, "R_2_+": 1, "R_11_-": 2}


@pytest.mark.slow
def test_every_sound_world_of_a_large_suite_can_be_validated_and_tested() -> None:
    config = Config(relations=16, rules=120, rules_per_world=16, stride=4)
    vocabulary, rules = first_rules(config, 0)
    drawn = windows(config, vocabulary, rules)
    worlds = draw_worlds(config, 0)

    def splits(world: GraphWorld) -> set[str]:
        return {split_of(chain, config.descriptors, 0) for chain in WorldTheory(world).triples()}

    assert all({"valid", "test"} <= splits(world) for world in worlds)
    assert {rule for world in worlds for rule in world.rules} <= set(rules)
    # The draw alone would not do.
    assert not all({"valid", "test"} <= splits(world) for world in drawn)


def test_worlds_too_small_to_test_are_refused() -> None:
    with pytest.raises(UsageError, match="ask for more rules per world"):
        draw_worlds(Config(relations=12, rules=2, rules_per_world=1), 0)
