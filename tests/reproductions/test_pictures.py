"""The table of what learns from pixels, small: from the command to its rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_networks_and_rules_stand_in_one_table(tmp_path: Path) -> None:
    words = [
        *("reproduce", "kandy-pictures", "--out", str(tmp_path), "--seeds", "1", "--data-seed", "5", "--json"),
        *("--set", "curriculum=tour", "--set", "timeout=4", "--set", "fresh=50", "--set", "epochs=1"),
        *("--model", "mlp", "--model", "inverse", "--setting", "task-incremental"),
    ]
    command = [sys.executable, "-m", "hornbeam", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    network, rules = json.loads(done.stdout)["rows"]
    assert network["who"] == "mlp" and network["rules_right"] is None
    assert rules["who"] == "mdie from pictures (inverse)" and rules["tasks"] == 5 and rules["training_pictures"] == 100
    assert rules["balanced_accuracy"][0] > network["balanced_accuracy"][0] + 0.1
    assert rules["rules_right"][0] >= 2
    kept = sorted(file.stem for file in tmp_path.rglob("rules/**/*.pl"))
    assert kept[:3] == ["t00_red", "t01_last_is_a_red_triangle", "t02_house"]
    table = (tmp_path / "comparison.md").read_text(encoding="utf-8")
    assert "rules right on 50 fresh pictures" in table
