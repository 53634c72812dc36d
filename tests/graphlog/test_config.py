"""Settings: presets, profiles, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from hornbeam import config as configuration
from hornbeam.errors import UsageError
from hornbeam.family import get
from hornbeam.graphlog import generate
from hornbeam.graphlog.config import Config


@pytest.mark.parametrize("preset", configuration.presets("graphlog"))
def test_presets_are_valid_and_can_be_planned(preset: str) -> None:
    config = get("graphlog").configure(preset)
    assert isinstance(config, Config)
    if config.profile == "sound":
        shards = generate.plan(config, 0)
        assert len(shards) == config.world_count
        assert [shard.index for shard in shards] == list(range(len(shards)))


def test_the_suite_is_the_published_one_in_size() -> None:
    config = get("graphlog").configure("suite")
    assert isinstance(config, Config)
    assert (config.world_count, config.rules, config.rules_per_world) == (57, 76, 20)
    splits = [config.world_split(f"rule_{index}", index) for index in range(57)]
    assert [splits.count(split) for split in ("train", "valid", "test")] == [51, 3, 3]


def test_a_profile_sets_what_is_not_set() -> None:
    compat = Config(profile="compat", growth={"cycles": 3})  # type: ignore[arg-type]
    assert (compat.growth.cycles, compat.growth.expansions, compat.growth.reuse) == (3, (2, 4), 0.5)
    assert not compat.backwards and Config().backwards


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rules": 200}, "10 relations have at most 90 rules"),
        ({"rules": 10}, "rules_per_world: 20 of 10 rules"),
        ({"worlds": 58}, "58 windows of 20 rules with stride 1 need 77 rules, there are 76"),
        ({"worlds": 3, "valid_worlds": 2, "test_worlds": 1}, "leave none of 3 worlds for training"),
        ({"descriptors": {"train": 0.5}}, "the shares add up to 0.9"),
        ({"descriptors": {"train": 0.8, "test": 0}}, "descriptors.test is 0, but rows.test is 1000"),
        ({"length": {"min": 5, "max": 4}}, "expected min <= max"),
        ({"growth": {"expansions": [5, 2]}}, "expected 1 <= fewest <= most"),
        ({"length": {"max": 2}}, "paths of 2 edges are for training only"),
        ({"growth": {"gamma": 0}}, "greater than 0"),
        ({"noise": {"kinds": ["neighbors"]}}, "neighbours"),
        ({"noise": {"kinds": ["supporting", "supporting"]}}, "named twice"),
        ({"profile": "compat", "noise": {"kinds": ["supporting"]}}, "compat has neighbours only"),
        ({"likeness": {"classes": [1, 2]}}, "only the profile compat"),
        ({"profile": "compat", "likeness": {"classes": [2, 1]}}, "expected least <= most"),
        ({"profile": "perfect"}, "'sound', 'compat'"),
        ({"rules_per_wrold": 3}, "Extra inputs"),
        ({"folder": "../x"}, "should match pattern"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Config.model_validate(settings)
    assert message in str(caught.value)


def test_the_place_of_a_wrong_setting_is_named() -> None:
    with pytest.raises(UsageError, match=r"a\.yml:2:15: rows\.train: expected greater than or equal to 1, found 0"):
        configuration.parse("rules: 60\nrows: {train: 0}\n", Config, file="a.yml")


def test_imported_is_no_profile_to_generate_with() -> None:
    with pytest.raises(UsageError, match="expected sound or compat"):
        generate.plan(Config(profile="imported"), 0)


def test_too_few_different_rows_are_refused_with_what_to_do() -> None:
    few: dict[str, Any] = {"growth": {"cycles": 1}, "noise": {"kinds": []}, "rows": {"train": 5000}}
    config = Config(relations=5, rules=6, rules_per_world=6, worlds=1, **few)
    shard = generate.plan(config, 0)[0]
    with pytest.raises(UsageError, match=r"has only \d+ train, .* ask for fewer rows"):
        generate.make(config, 0, shard)
