"""Small datasets of pictures for the tests of models, and one thread for each worker's torch."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import hornbeam
from hornbeam.data.dataset import Dataset


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without a network; the variable of the environment is read when the library is imported."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


@pytest.fixture(scope="session")
def pictures_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small KANDY dataset: 5 tasks of 16 pictures."""
    folder = tmp_path_factory.mktemp("pictures") / "tour"
    small = {"samples": "16", "canvas_size": "[96, 96]"}
    hornbeam.generate("kandy", "tour", out=folder, seed=3, overrides=small)
    return folder


@pytest.fixture(scope="session")
def sparse_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a label on about half of the pictures."""
    folder = tmp_path_factory.mktemp("pictures") / "sparse"
    small = {"samples": "16", "canvas_size": "[96, 96]", "gamma": "0.5", "beta": "0.5"}
    hornbeam.generate("kandy", "tour", out=folder, seed=3, overrides=small)
    return folder


@pytest.fixture
def pictures_dataset(pictures_folder: Path) -> Dataset:
    return hornbeam.load(pictures_folder)
