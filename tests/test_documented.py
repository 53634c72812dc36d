"""What the documentation says is run: examples in docstrings, and every command and code block of the README."""

from __future__ import annotations

import doctest
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import hornbeam

ROOT = Path(__file__).parents[1]
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


def blocks(language: str) -> list[str]:
    text = "\n".join(path.read_text() for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))))
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the README's commands have run, in order; `make` lines are what calls these tests."""
    folder = tmp_path_factory.mktemp("readme")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shutil.copytree(ROOT / "curricula", folder / "curricula")
    for command in commands():
        shell = ["bash", "-c", command]
        done = subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, input="", check=False)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}\n{done.stderr}"
    return folder


def commands() -> list[str]:
    lines = [line for block in blocks("console") for line in re.findall(r"^\$ (.*)$", block, flags=re.MULTILINE)]
    return [line for line in lines if not line.startswith(("make ", "git ", "cd ", ". "))]


def test_the_readme_s_commands(workplace: Path) -> None:
    assert len(commands()) >= 5


def test_the_readme_s_python(workplace: Path) -> None:
    for block in blocks("python"):
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=workplace, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    assert blocks("python")


@pytest.mark.parametrize("command", [line for block in blocks("sh") for line in block.splitlines() if line.strip()])
def test_commands_that_take_long_are_understood(command: str) -> None:
    """They make the tables of results; here their names and options are read, and nothing is run."""
    from typer.main import get_command

    from hornbeam.cli.app import app

    program, *words = shlex.split(command, comments=True)
    assert program == "hornbeam"
    group = get_command(app)
    context = group.make_context("hornbeam", words)
    name, chosen, rest = group.resolve_command(context, [*context._protected_args, *context.args])
    assert chosen is not None
    chosen.make_context(name, rest, parent=context)
