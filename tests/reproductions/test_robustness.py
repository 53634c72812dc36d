"""Accuracy under noise: what counts, and the whole experiment in small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.errors import UsageError
from hornbeam.reproductions.reproduction import ReproductionPlan
from hornbeam.reproductions.robustness import CLEAN, Answer, KandyNoise, Noise, NoiseTest, balanced, unread, wrong


def test_an_unread_picture_counts_as_wrong() -> None:
    read = [Answer("a", True, True), Answer("a", False, False), Answer("b", True, True), Answer("b", False, False)]
    assert balanced(read) == 1.0 and unread(read) == 0.0
    some = [*read[:3], Answer("b", False, None)]
    assert balanced(some) == 0.75 and unread(some) == 0.25 and wrong(some) == 0.0
    assert wrong([*read[:3], Answer("b", False, True)]) == 0.25


def test_the_pictures_of_a_test_are_of_both_labels_and_the_same_under_all_noise(tmp_path: Path) -> None:
    hornbeam.generate("kandy", "tour", out=tmp_path / "tour", seed=4, overrides={"samples": "12"})
    dataset = hornbeam.load(tmp_path / "tour")
    test = NoiseTest.of(dataset, 2, [CLEAN, Noise("patch", 3)], seed=0)
    assert set(test.samples) == set(dataset.tasks)
    for samples in test.samples.values():
        assert sorted(bool(one.label) for one in samples) == [False, True]
    samples = test.samples[dataset.tasks[0]]
    clean, noisy = (test.pictures(samples, noise) for noise in test.noises)
    assert [one.id for one in clean] == [one.id for one in noisy]
    assert all((one.pixels != other.pixels).any() for one, other in zip(clean, noisy, strict=True))


def test_wrong_requests(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind of noise 'fog'"):
        KandyNoise().run(ReproductionPlan(tmp_path, settings=("fog",)))
    with pytest.raises(UsageError, match="did you mean 'pictures'"):
        KandyNoise().run(ReproductionPlan(tmp_path, overrides={"picture": "3"}))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_noise_makes_pictures_unread_and_that_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["reproduce", "kandy-noise", "--out", str(tmp_path), "--model", "inverse", "--seeds", "1", "--json"]
    arguments += ["--setting", "jpeg", "--setting", "brightness", "--set", "curriculum=tour", "--set", "timeout=5"]
    assert run(arguments) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]["inverse"]
    (clean,), (jpeg,), (dark,) = rows["clean 0"], rows["jpeg 3"], rows["brightness 2"]
    assert clean["accuracy"] > 0.9 and clean["unread"] == 0
    assert dark["accuracy"] > 0.9 and dark["unread"] == 0  # the background may be lighter or darker
    assert jpeg["unread"] > 0.9 and jpeg["accuracy"] < 0.1 and jpeg["wrong"] < 0.1
    assert (tmp_path / "plots" / "noise.svg").is_file()
    assert "Unread pictures count as wrong" in (tmp_path / "comparison.md").read_text()
    monkeypatch.setattr("hornbeam.reproductions.robustness._trained", None)  # a finished curve is not made again
    assert run(arguments) == 0
    assert json.loads(capsys.readouterr().out)["rows"]["inverse"] == rows
