"""What a terminal would obey is printed as text: names, labels, goals' answers and messages of others."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hornbeam.characters import UNSEEN
from hornbeam.cli import run
from hornbeam.report import terminal
from tests.hostile.planting import with_samples

NASTY = "\x1b]0;owned\x07\x1b[2J\x1b]8;;http://127.0.0.1/\x1b\\click\x1b]8;;\x1b\\\r\b\x9b2J\u202egnp\u2066[bold]x[/]"


def _unseen(text: str) -> list[str]:
    return UNSEEN.findall(text)


def test_helpers(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.print_json({NASTY: [NASTY, {"a": NASTY}]})
    printed = capsys.readouterr().out
    assert not _unseen(printed)
    assert json.loads(printed) == {NASTY: [NASTY, {"a": NASTY}]}  # to a program it is the same
    terminal.print_table(NASTY, [NASTY], [[f"one\ntwo\tthree{NASTY}"]])
    terminal.print_figures({NASTY: NASTY})
    terminal.print_outline({NASTY: {NASTY: NASTY}})
    terminal.say(NASTY)
    printed = capsys.readouterr().out
    assert not _unseen(printed)
    assert printed.splitlines()[1].startswith("one\\ntwo\\tthree\\u001b]0;owned")


def test_a_table_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are no markup, and escapes are only those of the table itself."""

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal.print_table("Title", ["a"], [[NASTY], ["[/x] [link=http://127.0.0.1]y[/link]"]])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    assert not _unseen(plain)
    assert "[/x]" in plain and "[bold]x[/]" in plain.replace("\n", "")


def _renamed(dataset: Path, copy: Path) -> Path:
    """A dataset whose first sample, task and preset have names that a terminal would obey."""

    def change(sample: dict[str, Any]) -> None:
        sample["symbolic"]["prolog"] = f"ancestor({NASTY})"

    with_samples(dataset, copy, change)
    value = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    value["preset"] = NASTY
    (copy / "manifest.json").write_text(json.dumps(value), encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    "command",
    [
        ["explain", "{}", "s000000"], ["explain", "{}", NASTY], ["audit", "{}"], ["check", "{}"],
        ["audit", "{}", "--json"],
        ["query", "{}", "throw('\\x1b\\]0;\\x9b\\2J \\u202e')"], ["learn", "{}", "--learner", NASTY],
        ["judge", "{}", "{}/nothing", "--task", NASTY], ["show", "{}", "--out", "{}/../page.html"],
        ["generate", NASTY, NASTY, "--out", "{}/../new"], ["generate", "ancestors", "small", "--out", "{}"],
    ],
)  # fmt: skip
def test_commands(command: list[str], dataset_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = _renamed(dataset_folder, tmp_path / "data")
    code = run([part.replace("{}", str(folder)) for part in command])
    printed = "".join(capsys.readouterr())
    assert code in (0, 1, 2) and "internal error" not in printed
    assert _unseen(printed) == []


def test_a_terminal_itself(dataset_folder: Path, tmp_path: Path) -> None:
    """The command at a real terminal: it prints no escape of a name."""
    folder = _renamed(dataset_folder, tmp_path / "data")
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "hornbeam", "explain", str(folder), "s000000"]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        printed = b""
        while process.poll() is None or select.select([master], [], [], 0)[0]:
            try:
                printed += os.read(master, 1 << 16)
            except OSError:  # the other end is closed
                break
    os.close(master)
    assert b"\\u001b]0;owned" in printed
    assert b"\x1b]" not in printed and b"\x07" not in printed
