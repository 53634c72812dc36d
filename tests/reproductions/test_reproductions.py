"""The relational experiments again, small: tables, files, and that nothing is done twice."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from hornbeam.errors import UsageError
from hornbeam.reproductions import relational, reproduction
from hornbeam.reproductions.relational import ClutrrReproduction, GraphlogReproduction
from hornbeam.reproductions.results import Result, Results, published, with_mean

QUICK = {"epochs": "1", "batch": "16", "width": "8", "facets": "2"}


class SmallClutrr(ClutrrReproduction):
    preset: ClassVar[str] = "tiny"
    data: ClassVar[Mapping[str, str]] = {"train": '{"1.2": 40, "1.3": 40}', "test": '{"1.2": 8, "1.4": 8}'}


class SmallGraphLog(GraphlogReproduction):
    preset: ClassVar[str] = "tiny"
    data: ClassVar[Mapping[str, str]] = {
        "rows": "{train: 40, valid: 10, test: 10}",
        "worlds": "2",
        "valid_worlds": "0",
        "test_worlds": "0",
    }


@pytest.mark.slow
def test_clutrr_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relational, "LEARNERS", ("algebra", "r5"))
    plan = reproduction.ReproductionPlan(tmp_path, seeds=2, models=("epignn",), overrides=QUICK)
    first = SmallClutrr().run(plan)
    assert first.header == ["model", "k=2", "k=4", "mean"]
    elsewhere = "CTP, one run, trained on k 2-4 (elsewhere)"
    assert [row[0] for row in first.rows][:4] == ["epignn", "algebra", "r5", elsewhere]
    assert "±" in first.rows[0][1] and first.rows[3][1:] == ["1.00", "0.74", "–"]
    lines = list(csv.DictReader((tmp_path / "comparison.csv").read_text().splitlines()))
    ours = [line for line in lines if line["name"] == "epignn" and line["group"] == "k=4"]
    kept = json.loads((tmp_path / "epignn" / "summary.json").read_text())["metrics"]["test"]["tasks"]["k=4 noise=none"]
    assert float(ours[0]["mean"]) == pytest.approx(kept["mean"], abs=1e-4) and ours[0]["seeds"] == "2"
    assert (tmp_path / "plots" / "clutrr.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "algebra" / "all.pl").stat().st_size > 0

    def again(*_: object, **__: object) -> None:
        raise AssertionError("it was learned already")

    monkeypatch.setattr(relational, "fit", again)
    assert SmallClutrr().run(plan).text() == first.text()


@pytest.mark.slow
def test_worlds_are_columns(tmp_path: Path) -> None:
    plan = reproduction.ReproductionPlan(tmp_path, seeds=1, models=("param-rgcn",), overrides={**QUICK, "facets": "1"})
    found = SmallGraphLog().run(plan)
    assert found.header == ["model", "rule_0", "rule_1", "mean"]
    worlds = {row[0]: row for row in found.rows}
    assert worlds["param-rgcn (elsewhere)"][1:] == ["–", "–", "0.54"]
    mean = sum(float(cell) for cell in worlds["algebra"][1:3]) / 2
    assert float(worlds["algebra"][3]) == pytest.approx(mean, abs=0.01)


def test_blocks_are_panels_and_cells_that_nobody_measured_are_dashes(tmp_path: Path) -> None:
    ours = Result("m", with_mean({("b=1", "k=2"): (0.5, 0.7), ("b=1", "k=10"): (1.0, 1.0), ("b=2", "k=2"): (0.0, 0.0)}))
    theirs = Result("m", {("b=1", "k=10"): (0.25,), ("b=7", "k=2"): (1.0,)}, source="a paper")
    results = Results([ours, theirs])
    assert results.header() == ["model", "block", "k=2", "k=10", "mean"]
    assert results.table() == [
        ["m", "b=1", "0.60 ± 0.14", "1.00 ± 0.00", "0.80 ± 0.07"],
        ["m (elsewhere)", "b=1", "–", "0.25", "–"],
        ["m", "b=2", "0.00 ± 0.00", "–", "0.00 ± 0.00"],
    ]
    results.draw(tmp_path / "plot.svg", "title")
    assert "title, b=2" in (tmp_path / "plot.svg").read_text()  # matplotlib names what it draws as curves


@pytest.mark.parametrize("family", ["clutrr", "star", "graphlog"])
def test_published_figures_have_a_source(family: str) -> None:
    found = published(family)
    assert found and all(result.source for result in found)
    assert all(0 <= value <= 1 for result in found for values in result.accuracy.values() for value in values)


def test_it_is_found_by_name_and_says_what_it_does_not_know(tmp_path: Path) -> None:
    assert {"clutrr", "graphlog", "star"} <= set(reproduction.REPRODUCTIONS.names())
    star = reproduction.REPRODUCTIONS.get("star")
    with pytest.raises(UsageError, match="edge-transformer"):
        star.run(reproduction.ReproductionPlan(tmp_path, models=("edge-transfomer",)))
    with pytest.raises(UsageError, match="supervised"):
        star.run(reproduction.ReproductionPlan(tmp_path, settings=("continual",)))
    assert not any(tmp_path.iterdir())
