"""What the shell completes, asked as a shell asks; and the groups of the help."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("completing") / "tour"
    return hornbeam.generate("kandy", "tour", out=out, seed=5, overrides={"samples": 8}).path


def completed(line: str) -> list[str]:
    """What bash is told for a line that ends at the word to complete."""
    words = line.split(" ")
    asked = {"_HORNBEAM_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    command = [sys.executable, "-c", "from hornbeam.cli import main; main()"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(("line", "wanted"), [
    ("hornbeam generate st", "star"),
    pytest.param("hornbeam generate star rcc8-sm", "rcc8-small", marks=pytest.mark.slow),
    ("hornbeam generate star rcc8-small --set wi", "width="),
    ("hornbeam learn DIR --task t01", "t01_last_is_a_red_triangle"),
    pytest.param("hornbeam learn DIR --learner m", "mdie", marks=pytest.mark.slow),
    ("hornbeam learn DIR --learner mdie --set no", "nodes="),
    ("hornbeam train DIR --model c", "cnn"),
    pytest.param("hornbeam train DIR --model cnn --setting j", "joint", marks=pytest.mark.slow),
    pytest.param("hornbeam train DIR --model cnn --set l", "lr=", marks=pytest.mark.slow),
])  # fmt: skip
def test_names_are_completed(dataset: Path, line: str, wanted: str) -> None:
    assert wanted in completed(line.replace("DIR", str(dataset)))


def test_what_cannot_be_read_completes_nothing(tmp_path: Path) -> None:
    assert completed(f"hornbeam learn {tmp_path} --task t") == []


def test_the_help_has_every_command_in_a_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    told = capsys.readouterr().out
    assert "Further:" not in told, "name a new command in a group of cli/app.py"
    for words in ("Datasets:", "Models:", "  runs ", "  studio ", "lint, expand, schema, shards"):
        assert words in told, words
