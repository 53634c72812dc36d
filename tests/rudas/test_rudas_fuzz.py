"""Any settings give a dataset that clingo confirms, of about the size asked for, or an error that says why not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from hornbeam.errors import UsageError
from hornbeam.rudas.check import check_task
from hornbeam.rudas.config import RudasConfig
from hornbeam.rudas.family import Rudas
from hornbeam.rudas.record import TaskTheory, numbered_rules


def settings(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    category = rng.choice(["chain", "rdg", "drdg", "mixed"])
    return {
        "category": category,
        "depth": rng.randint(1 if category == "chain" else 2, 4),
        "max_atoms": rng.randint(2, 4),
        "max_alternatives": rng.randint(2, 4),
        "recursion": rng.choice(["none", "allowed", "required"]),
        "cross_products": rng.random() < 0.2,
        "rule_constant": rng.choice([0, 0, 0.2]),
        "min_arity": rng.randint(1, 2),
        "max_arity": rng.randint(2, 3),
        "negation": rng.choice([0, 0, 0.4]),
        "transitive": rng.choice([0, 0, 1]),
        "symmetric": rng.choice([0, 0, 1]),
        "functional": rng.choice([0, 0, 1]),
        "facts": rng.choice([40, 300, 900]),
        "constants": rng.choice([None, None, 50]),
        "full_every": rng.randint(0, 4),
        "skip": rng.randint(0, 6),
        "node_support": rng.choice([None, 0, 4]),
        "unfold": rng.randint(1, 6),
        "open_world": rng.choice([0, 0.3, 0.9]),
        "noise": rng.choice([0, 0.2, 0.7]),
        "missing": rng.choice([0, 0.2, 0.9]),
        "split_targets": rng.random() < 0.7,
        "profile": rng.choice(["sound", "sound", "compat"]),
        "max_components": 3 if category == "mixed" else rng.choice([1, 1, 2]),
        "shared_target": rng.random() < 0.2,
        "overlap": rng.random() < 0.2,
        "block": rng.choice([20_000, 150]),
        "eval_support": rng.choice([0, 20]),
    }


def confirmed(seed: int, folder: Path) -> bool:
    """Make the dataset of a seed's settings and check it; False where the settings allow none."""
    family = Rudas()
    config = RudasConfig.model_validate(settings(seed))
    (spec,) = config.specs()
    try:
        batches = [family.make(config, seed, shard) for shard in family.plan(config, seed)]
    except UsageError as error:
        assert spec.name in str(error)
        return False
    samples = [sample for batch in batches for sample in batch.samples]
    (folder / "rules.txt").write_bytes(batches[0].files[f"{spec.name}/rules.txt"])
    outcome = check_task(TaskTheory([clause for _, clause in numbered_rules(folder / "rules.txt")]), samples)
    assert (outcome.wrong, outcome.unknown) == ([], []), settings(seed)
    if spec.sound:
        wanted, found = spec.settings.facts or 0, sum(sample.split == "train" for sample in samples)
        assert 0.75 * wanted - 10 <= found <= 1.25 * wanted + 40, settings(seed)
    return True


def test_some_settings(tmp_path: Path) -> None:
    assert sum(confirmed(seed, tmp_path) for seed in range(12)) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100, 500, 50))
def test_many_settings(start: int, tmp_path: Path) -> None:
    assert sum(confirmed(seed, tmp_path) for seed in range(start, start + 50)) >= 30
