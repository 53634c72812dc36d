"""The examples in docstrings are run."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import hornbeam

# A module whose import starts something or needs an engine that another holds.
NOT_HERE = {"hornbeam.__main__", "hornbeam.logic.bridges.pyswip"}


def modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(hornbeam.__path__, "hornbeam.")]
    return ["hornbeam", *(name for name in found if name not in NOT_HERE)]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str, dataset_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"dataset_folder": dataset_folder, "ds": hornbeam.load(dataset_folder), "folder": tmp_path}
    result = doctest.testmod(import_module(name), extraglobs=names, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
