"""The table of what learns from CLUTRR's text, small: from the command to its rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbeam.cli import run


@pytest.mark.slow
def test_readers_and_models_stand_in_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        *("reproduce", "clutrr", "--from", "stories", "--out", str(tmp_path), "--seeds", "1", "--data-seed", "5"),
        *(
            "--set",
            "preset=generalization-k23-small",
            "--set",
            "epochs=1",
            "--model",
            "grammar",
            "--model",
            "rn",
            "--json",
        ),
    ]
    assert run(words) == 0
    printed = json.loads(capsys.readouterr().out)
    mean = {row["name"]: row["mean"] for row in printed["rows"] if row["group"] == "mean"}
    assert mean.keys() == {"grammar+algebra", "rn"}
    assert mean["grammar+algebra"] > mean["rn"] + 0.3
    table = (tmp_path / "generalization-k23-small" / "comparison.md").read_text(encoding="utf-8")
    assert "precision 1.000, recall 1.000, 0 stories unread" in table
