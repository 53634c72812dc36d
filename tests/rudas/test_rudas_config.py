"""Settings: what presets make, and errors that name the place."""

from __future__ import annotations

from collections import Counter

import pytest

from hornbeam import config as configuration
from hornbeam.errors import UsageError
from hornbeam.rudas.config import RudasConfig
from hornbeam.rudas.family import Rudas

# Table 1 of the paper: datasets of each category, size and depth.
TABLE_1 = {
    ("chain", "xs", 2): 10, ("chain", "xs", 3): 10, ("chain", "s", 2): 10, ("chain", "s", 3): 10,
    ("rdg", "xs", 2): 22, ("rdg", "xs", 3): 12, ("rdg", "s", 2): 22, ("rdg", "s", 3): 22,
    ("drdg", "xs", 2): 22, ("drdg", "xs", 3): 12, ("drdg", "s", 2): 22, ("drdg", "s", 3): 22,
}  # fmt: skip


@pytest.mark.parametrize("preset", ["v0", "v0-compat"])
def test_v0_is_table_1(preset: str) -> None:
    specs = Rudas().configure(preset).specs()
    assert Counter((spec.category, spec.size, spec.depth) for spec in specs) == TABLE_1
    assert len({spec.name for spec in specs}) == 196
    for spec in specs:
        if spec.category == "chain":
            assert (spec.open_world, spec.missing, spec.noise) == (0.3, 0.2, 0.1)
        assert spec.open_world in (0.2, 0.3, 0.4)
        assert spec.missing in (0.15, 0.2, 0.3)
        assert spec.noise in (0.1, 0.2, 0.3)
        assert spec.settings.max_atoms == spec.settings.max_arity == spec.settings.min_arity == 2


@pytest.mark.parametrize("preset", configuration.presets("rudas"))
def test_every_preset_gives_a_plan(preset: str) -> None:
    family = Rudas()
    config = family.configure(preset)
    shards = family.plan(config, 3)
    assert {shard.work["task"] for shard in shards} == set(range(len(config.specs())))
    assert RudasConfig.model_validate(config.model_dump(mode="json")) == config


def test_sizes_are_those_of_the_paper() -> None:
    family = Rudas()
    for preset, least, most in (("xs", 50, 100), ("m", 1001, 10_000), ("xl", 100_001, 500_000)):
        config = family.configure(preset)
        totals = {family.plan(config, seed)[0].work["total"] for seed in range(20)}
        assert len(totals) > 10
        assert all(least <= total <= most for total in totals)


def test_large_datasets_are_made_in_blocks() -> None:
    family = Rudas()
    shards = family.plan(family.configure("l", {"facts": "50001"}), 1)
    assert [shard.work["facts"] for shard in shards] == [16667, 16667, 16667]
    one = family.plan(family.configure("l", {"facts": "50001", "cross_products": "true"}), 1)
    assert len(one) == 1, "facts of a cross product may meet across blocks"


def test_a_group_changes_some_settings() -> None:
    config = configuration.parse(
        "noise: 0.1\ndatasets:\n- category: [rdg, drdg]\n  count: 2\n- {name: ODD, depth: 4}\n",
        RudasConfig,
        file="a.yml",
    )
    assert [spec.name for spec in config.specs()] == ["RDG-S-2-0", "RDG-S-2-1", "DRDG-S-2-0", "DRDG-S-2-1", "ODD"]
    assert config.specs()[4].depth == 4
    assert all(spec.noise == 0.1 for spec in config.specs())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("datasets:\n- depht: 3\n", "a.yml:2:10: unknown setting"),
        ("depth: 0", "a.yml:1:8: depth.0: expected greater than or equal to 1"),
        ("category: chian", "a.yml:1:11: category.0: expected 'chain', 'rdg', 'drdg' or 'mixed'"),
        ("noise: 1.0", "a.yml:1:8: noise.0: expected less than 1"),
        ("min_arity: 3", "min_arity is 3, above max_arity, which is 2"),
        ("datasets:\n- {min_rules: 4, max_rules: 2}", "min_rules is 4, above max_rules, which is 2"),
        ("category: mixed", "category mixed needs max_components of 2 or more"),
        ("category: [chain, rdg]\ndepth: [1, 2]", "categories rdg and drdg need a depth of 2 or more"),
        ("category: rdg\nmax_atoms: 1", "category rdg needs max_atoms of 2 or more"),
        ("name: a/b", "a.yml:1:7: name"),
        ("category: []", "a.yml:1:11: category: expected one value or more"),
        ("datasets:\n- {noise: []}", "noise: expected one value or more"),
        ("datasets:\n- {name: A, count: 2}\n- {name: A-0}", "2 datasets would be called A-0"),
    ],
)
def test_errors_name_the_place(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        configuration.parse(text, RudasConfig, file="a.yml")
    assert message in str(error.value)
