"""World graphs, paths and descriptors: Algorithms 3 and 4."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import fmean

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.errors import UsageError
from hornbeam.graphlog import descriptors, generate
from hornbeam.graphlog.config import Config, Descriptors, Growth, Length, Likeness
from hornbeam.graphlog.descriptors import SPLITS, Pass, find_paths, split_of, split_sound
from hornbeam.graphlog.knowledge import GraphWorld, WorldTheory, is_backward
from hornbeam.graphlog.rows import cut_sound
from hornbeam.graphlog.world import WorldGraph, grow, windows
from hornbeam.seeds import fast_rng
from tests.graphlog.conftest import first_rules


def _worlds(profile: str, seed: int) -> list[GraphWorld]:
    config = Config(profile=profile, relations=8, rules=40, rules_per_world=12, stride=14)  # type: ignore[arg-type]
    return windows(config, *first_rules(config, seed))


@pytest.mark.parametrize("seed", [0, 1])
def test_every_path_of_a_sound_world_derives_its_edge(seed: int) -> None:
    for world in _worlds("sound", seed):
        graph = grow(world, Growth(cycles=4), fast_rng(seed, world.name), sound=True)
        paths = find_paths(graph, Length())
        asked = [(label, chain) for label, chains in paths.items() for chain in chains]
        verdicts = WorldTheory(world).verdicts([chain for _, chain in asked])
        assert len(asked) > 20
        assert all(label in verdict.by_rules for (label, _), verdict in zip(asked, verdicts, strict=True))


def test_compat_worlds_have_labels_that_do_not_follow() -> None:
    world = _worlds("compat", 0)[0]
    graph = grow(world, Config(profile="compat").growth, fast_rng(0, "x"), sound=False)
    paths = find_paths(graph, Length())
    asked = [(label, chain) for label, chains in paths.items() for chain in chains]
    verdicts = WorldTheory(world).verdicts([chain for _, chain in asked])
    derivable = sum(label in verdict.by_rules for (label, _), verdict in zip(asked, verdicts, strict=True))
    assert 0.1 < derivable / len(asked) < 0.95


@pytest.mark.parametrize("sound", [True, False])
def test_every_rule_is_used_in_each_cycle(sound: bool) -> None:
    world = _worlds("sound", 0)[0]
    graph = grow(world, Growth(cycles=3, reuse=0.5), fast_rng(1, "x"), sound=sound)
    assert set(graph.uses) == set(world.rules)
    assert min(graph.uses.values()) >= 3


def test_blocks_of_a_sound_world_have_one_sign_and_no_cycle() -> None:
    world = _worlds("sound", 1)[0]
    graph = grow(world, Growth(cycles=3), fast_rng(2, "x"), sound=True)
    for nodes in networkx.biconnected_components(networkx.Graph(list(graph.edges))):
        inside = [pair for pair in graph.edges if set(pair) <= nodes]
        assert len({is_backward(graph.edges[pair]) for pair in inside}) == 1
        assert networkx.is_directed_acyclic_graph(networkx.DiGraph(inside))


_labels = st.sampled_from(["R_0_+", "R_1_+", "R_0_-"])
_graphs = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] != pair[1]), _labels, max_size=16
)


@given(_graphs, st.integers(2, 3), st.integers(3, 5))
@settings(max_examples=60, deadline=None)
def test_paths_are_those_of_networkx(edges: dict[tuple[int, int], str], shortest: int, longest: int) -> None:
    found = find_paths(WorldGraph(dict(edges), 7), Length(min=shortest, max=longest))
    ours = Counter((label, path) for label, chains in found.items() for paths in chains.values() for path in paths)
    theirs: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for sign in (True, False):
        graph = networkx.DiGraph([pair for pair, label in edges.items() if is_backward(label) == sign])
        for (source, sink), label in edges.items():
            if source in graph and sink in graph:
                for path in networkx.all_simple_paths(graph, source, sink, cutoff=longest):
                    if shortest <= len(path) - 1:
                        theirs[label, tuple(path)] += 1
    assert ours == theirs


def test_a_descriptor_has_one_split_in_the_whole_suite() -> None:
    shares = Descriptors()
    starts = [(start, length) for start in range(40) for length in (2, 3, 4)]
    chains = [tuple(f"R_{number**2 % 23}_+" for number in range(start, start + length)) for start, length in starts]
    one = split_sound({"x": chains, "y": chains[:5]}, shares, seed=1)
    other = split_sound({"x": list(reversed(chains))}, shares, seed=1)
    assert {split: set(one[split].get("x", [])) for split in SPLITS} == {
        split: set(other[split].get("x", [])) for split in SPLITS
    }
    assert all(split_of(chain, shares, 1) == "train" for chain in chains if len(chain) == 2)


def test_shares_of_descriptors_are_kept() -> None:
    shares = Descriptors(train=0.5, valid=0.3, test=0.2)
    chains = [("a", "b", f"R_{number}_+") for number in range(3000)]
    counts = Counter(split_of(chain, shares, 9) for chain in chains)
    for split in SPLITS:
        assert counts[split] / 3000 == pytest.approx(getattr(shares, split), abs=0.04)


def test_compat_never_trains_on_what_another_world_tests() -> None:
    passing = Pass(Descriptors(train=0.8, valid=0.2, test=0.2))
    rng = fast_rng(0, "x")
    train, test = set(), set()
    for _ in range(6):
        chains = {tuple(rng.choice("abcd") for _ in range(rng.randint(2, 4))) for _ in range(60)}
        book = passing.split({"h": sorted(chains)}, rng)
        train |= set(book["train"]["h"])
        test |= set(book["test"]["h"])
        assert set(book["valid"]["h"]) <= set(book["train"]["h"])
        assert all(chain in book["train"]["h"] for chain in chains if len(chain) == 2)
    assert not train & test
    assert test


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_only_the_path_is_left_between_its_ends(seed: int) -> None:
    world = _worlds("sound", 0)[0]
    rng = fast_rng(seed, "cut")
    graph = grow(world, Growth(cycles=1), rng, sound=True)
    paths = [path for chains in find_paths(graph, Length()).values() for found in chains.values() for path in found]
    path = rng.choice(paths)
    pairs = [pair for pair in graph.edges if pair != (path[0], path[-1])]
    left = networkx.DiGraph(cut_sound(pairs, path, rng))
    assert list(networkx.all_simple_paths(left, path[0], path[-1])) == [list(path)]
    assert all(left.has_edge(*pair) for pair in pairwise(path))


def test_compat_tests_one_of_two_new_descriptors() -> None:
    passing = Pass(Descriptors(train=0.8, valid=0.2, test=0.2))
    book = passing.split({"h": [("a", "b", "c"), ("a", "c", "b")]}, fast_rng(0, "x"))
    assert (len(book["train"]["h"]), len(book["test"]["h"])) == (1, 1)


def test_the_rules_of_compat_are_drawn_until_the_means_hold() -> None:
    free = Config(profile="compat", stride=28, worlds=3)
    means = []
    for seed in range(4):
        for bounds in ((0.0, 20.0), (4.4, 5.0)):
            config = free.model_copy(update={"likeness": Likeness(resolution_length=bounds)})
            books = [descriptors.from_json(shard.work["descriptors"]) for shard in generate.plan(config, seed)]
            means.append(fmean(descriptors.length_of(book, config.rows) for book in books))
    assert all(4.4 <= mean <= 5.0 for mean in means[1::2])
    assert not all(4.4 <= mean <= 5.0 for mean in means[::2])
    none = Config(profile="compat", worlds=1, growth={"cycles": 1}, likeness=Likeness(classes=(21, 30)))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected wider bounds"):
        generate.plan(none, 0)


def test_only_a_compat_suite_as_published_is_drawn_like_the_published_one() -> None:
    assert Config(profile="compat").likeness is not None
    assert Config(profile="compat", worlds=3).likeness is None
    assert "likeness" not in Config().model_dump()
    off = Config(profile="compat", likeness=None)
    assert Config(**off.model_dump()) == off
