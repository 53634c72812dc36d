"""From the command that trains to the page that shows what a model gets wrong, and to the list of runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.errors import DatasetError
from hornbeam.neural.run_reading import stored_run, trained_curves

CELLS = {"train.cells": "[{k: [2, 3], b: [1], rows: 3}]", "valid.cells": "[{k: [3], b: [1], rows: 1}]"}
CELLS |= {"test.cells": "[{k: [3, 4], b: [1], rows: 2}]"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of `hornbeam train` on small networks."""
    folder = tmp_path_factory.mktemp("runs")
    dataset = hornbeam.generate("star", "rcc8-small", out=folder / "regions", seed=4, overrides=CELLS)
    for name, epochs in (("short", 1), ("long", 3)):
        more = ["--set", f"epochs={epochs}", "--out", str(folder / "runs" / name)]
        assert run(["train", str(dataset.path), "--model", "rgcn", *more]) == 0
    return folder


def test_the_page_shows_what_the_model_gets_wrong(folder: Path) -> None:
    trained = stored_run(folder / "runs" / "long")
    answers = [one for one in trained.answers() if one.split == "test"]
    dataset = hornbeam.load(folder / "regions")
    assert sorted(one.sample for one in answers) == sorted(one.id for one in dataset.test)
    assert all(one.label == dataset.sample(one.sample).label for one in answers)
    wrong = [one for one in answers if not one.right]
    page = (folder / "runs" / "long" / "index.html").read_text(encoding="utf-8")
    assert wrong and f"wrong on {len(wrong)} of {len(answers)} test samples" in page
    shown = set(re.findall(r"<article><p><code>([^<]+)</code>", page))
    assert shown and shown <= {one.sample for one in wrong} and page.count("<svg") > len(shown)
    for words in ("k=4 b=1", "Confusions", "device", "cpu", "weight_decay", "Loss", "Accuracy"):
        assert words in page, words
    # The counts of the matrix are those of the answers, and what the tables say follows from them.
    assert sum(map(int, re.findall(r'<td class="(?:right|wrong)">(\d+)</td>', page))) == len(answers)
    by_group = [one for one in answers if one.group == "k=4 b=1"]
    assert f"{sum(one.right for one in by_group)} of {len(by_group)}" in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)


def test_curves_have_a_point_for_each_epoch(folder: Path) -> None:
    losses, accuracies = trained_curves(folder / "runs" / "long")
    assert [len(line.points) for line in losses] == [3]
    assert {line.name: len(line.points) for line in accuracies} == {"valid, seed 0": 3, "test, seed 0": 1}


def test_runs_are_listed_and_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["runs", str(folder)]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split("\t")[:4] == ["run", "model", "setting", "dataset"]
    assert {row.split("\t")[0] for row in rows} == {str(folder / "runs" / name) for name in ("short", "long")}
    assert run(["runs", str(folder), "--compare"]) == 0
    compared = capsys.readouterr().out
    assert "average accuracy" in compared and "task k=4 b=1" in compared
    assert run(["runs", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["runs"]
    means = [one["accuracy"]["mean"] for one in told]
    assert means == sorted(means, reverse=True) and told[0]["device"] == ["cpu"] and told[0]["seconds"] > 0


def test_no_run_and_a_damaged_one_are_errors(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["runs", str(tmp_path)]) == 2
    assert "no training run" in capsys.readouterr().err
    (tmp_path / "summary.json").write_text('{"model": 3}')
    with pytest.raises(DatasetError, match="not that of a training run"):
        stored_run(tmp_path)
