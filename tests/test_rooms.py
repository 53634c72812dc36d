"""CONTRIBUTING's table of rooms against the tree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hornbeam.family import BUILT_IN
from tests.documents import ROOT

PACKAGE = ROOT / "pysrc" / "hornbeam"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def named() -> list[str]:
    """The folders that the table names, in its order."""
    rows = [line for line in GUIDE.splitlines() if line.startswith("| ")]
    return [path for row in rows for path in re.findall(r"`((?:kb|prolog|curricula|pysrc)/[\w/]*)`", row)]


def rooms() -> set[str]:
    return {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}


def layers() -> list[list[str]]:
    """The floors of import-linter's contract, the highest first."""
    settings: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    return [re.split(r"\s*[|:]\s*", layer) for layer in contract["layers"]]


@pytest.mark.parametrize("path", named())
def test_a_row_names_a_folder_that_is_there(path: str) -> None:
    assert (ROOT / path).is_dir()


def test_every_room_has_a_row() -> None:
    assert rooms() == {path.split("/")[2] for path in named() if path.startswith("pysrc/")}


def test_the_table_has_the_order_that_import_linter_holds() -> None:
    floor = {name: number for number, names in enumerate(reversed(layers())) for name in names}
    order = [floor[path.split("/")[2]] for path in named() if path.startswith("pysrc/")]
    assert order == sorted(order)


def test_every_module_of_the_package_stands_on_a_floor() -> None:
    known = {name for names in layers() for name in names}
    files = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert rooms() | files <= known


@pytest.mark.parametrize("family", BUILT_IN)
def test_a_family_has_the_file_names_that_are_the_same_in_all(family: str) -> None:
    (told,) = re.findall(r"All families use the same file names: (.*?)\n\n", GUIDE, flags=re.DOTALL)
    names = re.findall(r"`(\w+\.py)`", told)
    assert len(names) >= 10
    modules = {path.name for path in (PACKAGE / family).glob("*.py")}
    modules |= {f"{path.parent.name}.py" for path in (PACKAGE / family).glob("*/__init__.py")}  # fuller than a file
    assert set(names) <= modules


def test_a_sample_can_be_followed_from_its_preset_to_its_page() -> None:
    """The files that the guide names are there, each is named once, and the family's come in the order of the work."""
    section = GUIDE.partition("### Follow a sample")[2].partition("\n\n")[2].partition("\n\nRules of the house")[0]
    paths = re.findall(r"`((?:curricula|clutrr|data|report)/[\w/]+\.(?:py|yml))`", section)
    helpers = [f"clutrr/{name}" for name in re.findall(r"`(\w+\.py)`", section)]
    assert len(paths) >= 8 and len({*paths, *helpers}) == len(paths) + len(helpers)
    for path in (*paths, *helpers):
        assert ((ROOT if path.startswith("curricula") else PACKAGE) / path).is_file(), path
    steps = [path for path in paths if path.startswith("clutrr/")]
    assert [Path(step).stem for step in steps[:4]] == ["config", "generate", "record", "proving"]
