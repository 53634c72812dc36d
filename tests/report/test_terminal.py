"""What the command prints: tables for people and for programs."""

from __future__ import annotations

import io
import re
import sys

import pytest

from hornbeam.report.terminal import print_table

HEADER = ["run", "model", "accuracy"]
ROWS = [["runs/a-long-name-without-a-space", "edge-transformer", "0.590 ± 0.042"]]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [80, 40])
def test_no_word_of_a_table_is_broken(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """A table that does not fit is printed row by row."""
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", str(width))
    print_table("Runs", HEADER, ROWS)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", sys.stdout.getvalue())  # type: ignore[attr-defined]
    for word in (*HEADER, "runs/a-long-name-without-a-space", "edge-transformer", "0.590"):
        assert word in shown, shown
    assert width == 40 or all(len(line) <= width for line in shown.splitlines())


def test_a_table_in_a_pipe_has_its_headings(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Runs", HEADER, ROWS)
    assert capsys.readouterr().out == "\t".join(HEADER) + "\n" + "\t".join(ROWS[0]) + "\n"
