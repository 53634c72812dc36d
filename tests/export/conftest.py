"""Small datasets to export."""

from __future__ import annotations

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "tour", out=tmp_path_factory.mktemp("export") / "tour", seed=3)


@pytest.fixture(scope="session")
def regions(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("star", "rcc8-small", out=tmp_path_factory.mktemp("export") / "rcc8", seed=3)
