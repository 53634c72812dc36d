"""Every command and code block of the README and of docs/ is run; what makes the results, by test_results.py.

The pages of docs/ are run by slow tests.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from hornbeam.cli.app import app
from tests.documents import DOCS, README, ROOT, blocks, console_commands, inline_commands, run


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the README's commands have run, in order."""
    return run_pages([README], tmp_path_factory.mktemp("readme"))


def run_pages(pages: Sequence[Path], folder: Path) -> Path:
    """The folder, in which the commands of the pages have run, in order."""
    shutil.copytree(ROOT / "curricula", folder / "curricula")
    for command in console_commands(pages):
        run(command, folder)
    return folder


@pytest.mark.slow
def test_the_commands_and_the_python_of_docs(tmp_path: Path) -> None:
    folder = run_pages(DOCS, tmp_path / "docs")
    assert blocks("python", DOCS)
    for block in blocks("python", DOCS):
        run(f"python -c {shlex.quote(block)}", folder)


def test_the_readme_s_commands(workplace: Path) -> None:
    for made in ("data/clutrr/manifest.json", "kandy.html", "comparison/comparison.html", "tables", "graphs"):
        assert (workplace / made).exists(), made


def test_the_readme_s_python(workplace: Path) -> None:
    assert blocks("python", [README])
    for block in blocks("python", [README]):
        run(f"python -c {shlex.quote(block)}", workplace)


def test_the_readme_s_session_in_swipl(workplace: Path) -> None:
    (session,) = blocks("prolog", [README])
    printed = run("swipl -q data/kandy/load.pl", workplace, typed=as_typed(session))
    assert "Warning" not in printed and "ERROR" not in printed, printed
    assert re.search(r"^Id = t02_house_train_\d{4},$", printed, flags=re.MULTILINE)
    assert "valid(Picture) does not hold:" in printed
    found = re.search(r"(\d+) of 40 samples are wrong\.", printed)
    assert found and 0 < int(found[1]) < 20, "the rule of the session is better than chance, and still wrong"
    assert re.search(r"^(\d+) of 40 samples differ\.$", printed, flags=re.MULTILINE)


def as_typed(session: str) -> str:
    """Each question with an Enter, which takes the first answer; Ctrl-D after the lines behind a `|:`."""
    questions = re.sub(r"\s*%.*$", "", session, flags=re.MULTILINE)
    told = re.sub(r"((?:^\|: .*\n)+)", r"\1end_of_file.\n", questions, flags=re.MULTILINE)
    return re.sub(r"^(?:\?-|\|:) (.*)$", r"\1\n", told, flags=re.MULTILINE)


def found_in(group: Any, words: list[str]) -> tuple[Any, list[str]]:
    """The command that the first words name, and the words behind them."""
    while isinstance(group, TyperGroup):
        found = group.get_command(Context(group), words[0])
        assert found is not None, f"there is no command {' '.join(words)}"
        group, words = found, words[1:]
    return group, words


@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines()])
def test_a_command_that_takes_long_is_understood(line: str) -> None:
    """test_results.py runs it."""
    program, *words = shlex.split(line)
    command, arguments = found_in(get_command(app), words)
    assert program == "hornbeam" and command.make_context(command.name, arguments)


@pytest.mark.parametrize("line", inline_commands())
def test_a_command_within_a_sentence_is_there(line: str) -> None:
    command, words = found_in(get_command(app), shlex.split(line)[1:])
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words if word.startswith("-")} <= known
