"""The ladder: twenty levels that never become easier, and new items of each."""

from __future__ import annotations

import base64
from itertools import pairwise
from typing import Any

import pytest

import hornbeam
from hornbeam.errors import UsageError
from hornbeam.language import ladder
from hornbeam.language.drawn import DrawnDataset
from hornbeam.language.fresh import FreshItems
from hornbeam.language.prompts.asking import Asker

FAMILIES = ("clutrr", "graphlog", "kandy", "rudas", "star")
LEVELS = range(ladder.LOWEST, ladder.HIGHEST + 1)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_level_is_a_pure_function_to_settings(family: str) -> None:
    rungs = [ladder.rung(family, level) for level in LEVELS]
    assert [ladder.settings(family, level, 100) for level in LEVELS] == [
        ladder.settings(family, level, 100) for level in LEVELS
    ]
    assert all(one != other for one, other in pairwise(rungs))
    for measure in ("k", "least", "width", "sets", "noise"):
        values = [rung[measure] for rung in rungs if measure in rung]
        assert values == sorted(values), measure


def test_what_is_no_level_is_named() -> None:
    for level in (0, 21):
        with pytest.raises(UsageError, match="expected 1 to 20"):
            FreshItems("star", level=level)
    with pytest.raises(UsageError, match="family with a ladder"):
        FreshItems("ancestors", level=1)


@pytest.mark.parametrize("family", ["clutrr", "star", "rudas", "graphlog"])
def test_new_items_depend_on_seed_and_index_only(family: str) -> None:
    some = FreshItems(family, level=2, seed=5, shard=60)
    later = FreshItems(family, level=2, seed=5, shard=60)[57]
    assert some[57] == later and {item.level for item in some.take(5)} == {2}
    texts = {item.text for item in some.take(60)}
    others = {item.text for item in FreshItems(family, level=2, seed=6, shard=60).take(60)}
    assert len(texts) == 60 and not texts & others


@pytest.mark.parametrize("family", FAMILIES)
def test_in_memory_are_the_samples_of_the_dataset_on_disk(family: str) -> None:
    items = FreshItems(family, level=2, seed=5, shard=60)
    dataset = items.dataset(0)
    made = DrawnDataset(dataset.family, dataset.config, dataset.manifest.seed or 0)
    assert made.samples == list(dataset.samples)
    on_disk = {item.text for item in Asker(dataset, items.settings, split="test")}
    assert all(item.meta["sample"] == "" or dataset.sample(str(item.meta["sample"])) for item in items.take(60))
    assert family != "kandy" or {item.text for item in items.take(60)} <= on_disk


def test_a_picture_is_that_of_the_dataset_on_disk() -> None:
    """A picture is painted for prompts that show it, and then the shots have theirs, too."""
    items = FreshItems("kandy", level=4, seed=8, shard=40, picture="both", shots=2)
    item, dataset = items[3], items.dataset(3)
    shown = [part.value for part in item.prompt if part.kind == "image"]
    image: Any = dataset.sample(str(item.meta["sample"])).input
    assert len(shown) == 3
    assert shown[-1].partition(",")[2] == base64.b64encode(dataset.read(image["image"])).decode()


def test_rules_without_a_world_are_drawn_again() -> None:
    """At this level a third of the rule sets have no training world of the wanted size; a shard needs many worlds."""
    items = FreshItems("rudas", level=9, seed=77, shard=640)
    assert len({item.meta["task"] for item in items.take(640)}) == 8
    dataset = items.dataset(0)
    rejected: Any = dataset.manifest.report["rejected"]
    assert rejected["rules: no world of the wanted size"] > 0
    task = dataset.tasks[0]
    assert dataset.family.court(dataset, task).verdict(dataset.truth_of(task)).equivalent


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_level_is_proven_and_none_is_easier(family: str) -> None:
    """The second reasoner, as the reference solver, is right on all questions; proofs never become shorter."""
    shortest = []
    for level in LEVELS:
        items = FreshItems(family, level=level, seed=31, shard=200)
        drawn = list(items.take(200))
        assert len({item.text for item in drawn}) >= 200 or family == "kandy"
        shortest.append(min(int(str(item.meta["steps"])) for item in drawn))
        assert hornbeam.check(items.dataset(0)).ok
    assert shortest == sorted(shortest)
