"""RuDaS again: the table by group beside the paper's, on data that is made or given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hornbeam
from hornbeam.errors import UsageError
from hornbeam.reproductions.reproduction import REPRODUCTIONS, ReproductionPlan
from hornbeam.reproductions.rudas import RudasReproduction


def test_a_given_dataset_is_compared_by_group(tmp_path: Path) -> None:
    cells = json.dumps([{"category": ["chain", "rdg"], "size": "xs", "depth": 2, "open_world": 0.3, "noise": 0.1}])
    data = hornbeam.generate("rudas", "v0", out=tmp_path / "data", seed=5, overrides={"datasets": cells})
    plan = ReproductionPlan(tmp_path / "run", models=("amie",), overrides={"data": str(data.path), "timeout": "10"})
    found = RudasReproduction().run(plan)
    groups = ["all", "chain", "rdg", "xs-2", "noise 0.1", "open world 0.3"]
    assert found.header == ["score", "learner", "data", *groups]
    rows = {(row[0], row[1], row[2]): row[3:] for row in found.rows}
    ours = [json.loads(line) for line in (tmp_path / "run/data/rows/rows.jsonl").read_text().splitlines()]
    by_task = {row["task"]: row for row in ours}
    chain, rdg = (by_task[f"{name}-XS-2-0"]["h_score"] for name in ("CHAIN", "RDG"))
    expected = [(chain + rdg) / 2, chain, rdg]
    assert [float(cell) for cell in rows["H-score", "amie", "data"][:3]] == pytest.approx(expected, abs=0.005)
    assert rows["H-score", "Neural-LP", "published"] == ["0.10", "0.13", "0.10", "0.12", "-", "-"]
    assert rows["R-score", "NTP", "published"][0] == "0.18"
    assert json.loads((tmp_path / "run/comparison.json").read_text())["tables"]["data"]["amie"]["sets"] == 2


@pytest.mark.slow
def test_all_learners_on_one_set_of_each_cell(tmp_path: Path) -> None:
    steps = {"neural-lp.steps": "20", "drum.steps": "10", "ntp.epochs": "5", "timeout": "20", "count": "1"}
    plan = ReproductionPlan(tmp_path, settings=("sound", "compat"), overrides=steps)
    found = RudasReproduction().run(plan)
    here = [row for row in found.rows if row[0] == "H-score" and row[2] != "published"]
    assert [(row[1], row[2]) for row in here] == [
        (name, profile) for profile in ("sound", "compat") for name in ("foil", "amie", "neural-lp", "ntp", "drum")
    ]
    assert found.header[3:11] == ["all", "chain", "rdg", "drdg", "xs-2", "xs-3", "s-2", "s-3"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"settings": ("noisy",)}, "noisy"),
        ({"preset": "large"}, "large"),
        ({"overrides": {"speed": "1"}}, "speed"),
        ({"overrides": {"count": "none"}}, "whole number"),
        ({"overrides": {"amie.speed": "1"}}, "speed"),
        ({"models": ("nobody",)}, "nobody"),
    ],
)
def test_what_cannot_be_run_is_said(tmp_path: Path, more: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RudasReproduction().run(ReproductionPlan(tmp_path, **more))  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_it_is_known_by_its_name() -> None:
    assert "rudas" in REPRODUCTIONS.names()
