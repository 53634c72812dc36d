"""A dataset of every kind of story, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The preset tiny."""
    return hornbeam.generate("clutrr", "tiny", out=tmp_path_factory.mktemp("clutrr") / "tiny", seed=7)


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    """A place for a configuration."""
    return tmp_path / "stories.yml"
