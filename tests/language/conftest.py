"""Small datasets of all families, made once for all tests of language models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import hornbeam as hb
from hornbeam.data.dataset import Dataset

PRESETS = {"kandy": "tour", "clutrr": "tiny", "graphlog": "tiny", "rudas": "demo", "star": "rcc8-small"}
Made = Callable[[str], Dataset]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The dataset of a family."""
    known: dict[str, Dataset] = {}
    folder: Path = tmp_path_factory.mktemp("language")

    def of(family: str) -> Dataset:
        if family not in known:
            known[family] = hb.generate(family, PRESETS[family], out=folder / family, seed=3)
        return known[family]

    return of
