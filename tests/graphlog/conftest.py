"""Small datasets of the family, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.knowledge import LabelVocabulary, WorldRule
from hornbeam.graphlog.world import rule_sets


def first_rules(config: Config, seed: int) -> tuple[LabelVocabulary, tuple[WorldRule, ...]]:
    """The first vocabulary and rules that a seed draws."""
    return next(rule_sets(config, seed))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("graphlog")


@pytest.fixture(scope="session")
def tiny(made: Path) -> Dataset:
    """Four sound worlds."""
    return hornbeam.generate("graphlog", "tiny", out=made / "tiny", seed=5)


@pytest.fixture(scope="session")
def compat(made: Path) -> Dataset:
    """Three worlds with the published behaviour."""
    return hornbeam.generate("graphlog", "tiny-compat", out=made / "compat", seed=5)


@pytest.fixture(scope="session")
def noisy(made: Path) -> Dataset:
    """Sound worlds with all kinds of noise."""
    overrides = {"worlds": 2, "rows.train": 250, "rows.valid": 50, "rows.test": 50}
    return hornbeam.generate("graphlog", "noisy", out=made / "noisy", seed=5, overrides=overrides)
