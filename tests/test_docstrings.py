"""The examples in docstrings are run, and every module can be imported."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import hornbeam

# Modules whose import starts something, or needs an engine that another holds or a package of another environment.
ADAPTERS = {"hornbeam.language.adapters.inspect", "hornbeam.language.adapters.verifiers"}
NOT_HERE = {"hornbeam.__main__", "hornbeam.logic.bridges.pyswip", *ADAPTERS}


def modules() -> list[str]:
    names = [module.name for module in pkgutil.walk_packages(hornbeam.__path__, "hornbeam.")]
    return ["hornbeam", *(name for name in names if name not in NOT_HERE)]


def with_examples() -> list[str]:
    """The modules whose source has an example that is run."""
    sources = {name: find_spec(name) for name in modules()}
    return [
        name
        for name, spec in sources.items()
        if spec is not None and spec.origin is not None
        if any(">>> " in line and "+SKIP" not in line for line in Path(spec.origin).read_text().splitlines())
    ]


def test_every_module_can_be_imported() -> None:
    assert [name for name in modules() if import_module(name).__name__ != name] == []


@pytest.mark.parametrize("name", with_examples())
def test_docstrings(name: str, dataset_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"dataset_folder": dataset_folder, "ds": hornbeam.load(dataset_folder), "folder": tmp_path}
    result = doctest.testmod(import_module(name), extraglobs=names, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0 and result.failed == 0
