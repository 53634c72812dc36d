"""From pixels to rules: the command, the Python interface, feedback to the readings. Symbols are never seen."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import hornbeam as hb
from hornbeam.cli import run
from hornbeam.data import manifest as manifests
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import TimeLimit
from hornbeam.ilp.perceived import Sight, SightSettings, fit_seen
from hornbeam.perception.perceiver import Alternative, Reading
from hornbeam.perception.readings import Perception
from hornbeam.progress import no_progress

TASKS = """\
config: {}
set: {gamma: 1.0, beta: 1.0, samples: 60, train_split: 0.5, val_split: 0.2, noisy_color: true, noisy_size: true}
tasks:
  - name: red
    rule: easy_03_red
    positive_set: [{quadrant_or_center: [{shape: ~, color: red, size: ~}]}]
    negative_set: [{quadrant_or_center: [{shape: ~, color: not_red, size: ~}]}]
  - name: tower
    rule: easy_17_tower
    positive_set: [{quadrant_or_center: [{stack: [{repeat: {n: 2, list: [{shape: square, color: ~, size: ~}]}}]}]}]
    negative_set: [{quadrant_or_center: [{stack: [{shape: ~, color: ~, size: ~}, {shape: circle, color: ~, size: ~}]}]}]
"""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("two")
    (folder / "two.yml").write_text(TASKS)
    return hb.generate("kandy", folder / "two.yml", out=folder / "data", seed=4)


def answered(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert run([*map(str, arguments), "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def test_the_command_learns_a_rule_from_pixels_and_judges_it(
    pictures: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--readings", tmp_path / "readings", "--out", tmp_path / "learned.pl")
    options = ("--from", "pictures", "--learner", "mdie", "--task", "t00_red", "--timeout", 8, "--fresh", 200)
    result = answered(capsys, "learn", pictures.path, *options, *where)
    assert result["verdict"]["kind"] == "equal"
    assert result["test"]["accuracy"] == 1.0
    assert result["perception"]["unread"] == 0 and result["perception"]["pictures"] == 60
    assert len(list((tmp_path / "readings").glob("inverse-*.jsonl"))) == 1
    # The theory is in the language of the true one.
    assert answered(capsys, "diff", tmp_path / "learned.pl", "--dataset", pictures.path)["equivalent"] is True


@pytest.mark.slow
def test_learners_are_compared_on_pictures_and_the_run_resumes(
    pictures: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("compare", pictures.path, "--learners", "mdie", "--timeout", 5, "--fresh", 100, "--tasks", "t01_tower")
    seen = answered(capsys, *common, "--from", "pictures", "--out", tmp_path)
    (row,) = seen["rows"]
    assert row["accuracy"] == 1.0 and row["perceiver"] == "inverse" and row["perception"]["unread"] == 0
    before = (tmp_path / "rows.jsonl").read_bytes()
    again = answered(capsys, *common, "--from", "pictures", "--out", tmp_path)
    assert again["rows"] == seen["rows"] and (tmp_path / "rows.jsonl").read_bytes() == before
    assert "from pictures (inverse)" in (tmp_path / "table.md").read_text(encoding="utf-8")


def test_perceive_says_how_well_pictures_were_read(
    pictures: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = answered(capsys, "perceive", pictures.path, "--readings", tmp_path, "--split", "test")
    assert result["trees_up_to_looks"] == result["objects"] == 1.0 and result["unread"] == 0
    assert run(["perceive", str(pictures.path), "--readings", str(tmp_path), "--perceiver", "invers"]) == 2
    assert "did you mean 'inverse'" in capsys.readouterr().err


def test_a_perceiver_of_another_package_is_found_by_its_entry_point(
    pictures: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "lone-object" in {one["name"] for one in answered(capsys, "perceivers")["perceivers"]}
    chosen = ("--perceiver", "lone-object", "--readings", tmp_path)
    read = answered(capsys, "perceive", pictures.path, *chosen, "--task", "t00_red")
    assert read["unread"] == 0 and read["objects"] > 0.95
    # Pictures of two objects are not for this perceiver, and it says so.
    refused = answered(capsys, "perceive", pictures.path, *chosen, "--task", "t01_tower", "--split", "test")
    assert refused["unread"] == refused["pictures"] > 0
    options = ("--from", "pictures", "--learner", "mdie", "--task", "t00_red", "--timeout", 8, "--fresh", 200)
    learned = answered(capsys, "learn", pictures.path, *options, *chosen)
    assert learned["verdict"]["kind"] == "equal" and learned["test"]["accuracy"] == 1.0
    unknown = ("--perceiver-set", "larg=12")
    assert run([*map(str, ("perceive", pictures.path, *chosen, *unknown))]) == 2
    assert "did you mean 'large'" in capsys.readouterr().err


def test_a_source_that_is_none(pictures: Dataset, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["learn", str(pictures.path), "--learner", "mdie", "--task", "t00_red", "--from", "pixels"]) == 2
    assert "unknown source 'pixels'" in capsys.readouterr().err


LAST_TRIANGLE = """\
config: {}
set: {gamma: 1.0, beta: 1.0, samples: 80, train_split: 0.6, val_split: 0.1, noisy_color: true, noisy_size: true}
tasks:
  - name: last
    rule: easy_09_last_red_triangle
    positive_set: [{side_by_side: [{shape: ~, color: ~, size: ~}, {shape: triangle, color: red, size: ~}]}]
    negative_set: [{side_by_side: [{shape: ~, color: ~, size: ~}, {shape: ~, color: not_red, size: ~}]}]
  - name: red
    rule: easy_03_red
    positive_set: [{side_by_side: [{shape: ~, color: red, size: ~}, {shape: ~, color: red, size: ~}]}]
    negative_set: [{side_by_side: [{shape: ~, color: not_red, size: ~}, {shape: ~, color: not_red, size: ~}]}]
"""


@pytest.mark.slow
def test_a_rule_that_is_too_general_is_tightened_by_what_its_positives_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "last.yml").write_text(LAST_TRIANGLE)
    data = hb.generate("kandy", tmp_path / "last.yml", out=tmp_path / "data", seed=3).path
    options = ("--from", "pictures", "--learner", "mdie", "--task", "t00_last", "--timeout", 8, "--fresh", 100)
    where = ("--readings", tmp_path / "readings")
    general = answered(capsys, "learn", data, *options, *where)
    # No negative ends in red, so red is enough for the examples.
    assert general["theory"].startswith("valid(A) :- last_color_red(A).") and general["verdict"]["kind"] == "refuted"
    narrow = answered(capsys, "learn", data, *options, *where, "--tighten")
    assert narrow["verdict"]["kind"] == "equal", narrow["theory"]
    assert narrow["perception"]["literals_added"] == 1 and narrow["test"]["accuracy"] == 1.0
    assert run(["learn", str(data), "--learner", "mdie", "--task", "t00_last", "--tighten"]) == 2
    assert "--tighten needs --from pictures" in capsys.readouterr().err


# Pixels only ----------------------------------------------------------------------------------------------------------


def scrambled(dataset: Dataset, out: Path) -> Dataset:
    """A copy in which the symbols of each sample are those of another one, and no other file has any."""
    shutil.copytree(dataset.path, out)
    samples = list(dataset.samples)
    others = [*samples[7:], *samples[:7]]
    lines = [
        replace(
            sample,
            symbolic=other.symbolic,
            proof=other.proof,
            input={**other.input, "image": sample.input["image"]},  # type: ignore[dict-item,index,call-overload]
        ).line()
        for sample, other in zip(samples, others, strict=True)
    ]
    (out / "samples.jsonl").write_text("".join(lines), encoding="utf-8")
    _index(dataset, lines, samples, out)
    (out / "facts.pl").write_text(":- dynamic sample/5.\n")
    for table in out.rglob("annotations.csv"):
        table.write_text("nothing\n")
    _refresh(out)
    return Dataset(out)


def _index(dataset: Dataset, lines: Sequence[str], samples: Sequence[Sample], out: Path) -> None:
    from hornbeam.data.index import IndexWriter

    writer = IndexWriter(
        {name: n for n, name in enumerate(dataset.tasks)}, {s: n for n, s in enumerate(dataset.splits)}
    )
    for line, sample in zip(lines, samples, strict=True):
        writer.add(line.encode(), sample.task, sample.split)
    writer.save(out)


def _refresh(folder: Path) -> None:
    """Write the sizes and hashes of the files into the manifest."""
    file = folder / manifests.NAME
    content = json.loads(file.read_text(encoding="utf-8"))
    for name, entry in content["files"].items():
        data = (folder / name).read_bytes()
        entry.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    file.write_text(json.dumps(content), encoding="utf-8")


def test_scrambled_symbols_change_nothing_for_who_sees_pixels(pictures: Dataset, tmp_path: Path) -> None:
    other = scrambled(pictures, tmp_path / "scrambled")
    assert other.train[0].symbolic != pictures.train[0].symbolic
    learned = [hb.learn(data, "mdie", task="t00_red", timeout=5, source="pictures") for data in (pictures, other)]
    assert str(learned[0]) == str(learned[1]) and len(learned[0])


def test_pixels_do_change_something(pictures: Dataset, tmp_path: Path) -> None:
    """Without pictures to read there is no theory, and what is unread counts as wrong."""
    blank = tmp_path / "blank"
    shutil.copytree(pictures.path, blank)
    for sample in pictures.test:
        Image.fromarray(np.full((224, 224, 3), 127, np.uint8)).save(blank / sample.input["image"])  # type: ignore[index,call-overload]
    _refresh(blank)
    dataset = Dataset(blank)
    sight = Sight.of(dataset, "t00_red", Perception.of("pictures", "inverse", {}, tmp_path / "readings"), no_progress)
    count = len(dataset.task("t00_red").split("test"))
    assert sight.unread() == {"test": count}
    learned = fit_seen(sight, "mdie", SightSettings(timeout=8, fresh=None))
    assert learned.perception["unread_by_split"] == {"test": count}
    assert learned.test is not None and learned.test.accuracy == 0.0 and learned.test.details["unread"] == count
    assert learned.train is not None and learned.train.accuracy == 1.0


# Uncertain readings ---------------------------------------------------------------------------------------------------


def recolored(alternative: Alternative, color: str) -> Alternative:
    """The same picture of one object, in another colour."""
    text = json.dumps(dict(alternative.symbolic))
    tree: Any = alternative.symbolic["tree"]
    ((((_, own),),),) = ([[(op, child["color"]) for op, (child,) in tree.items()]],)
    return replace(alternative, symbolic=json.loads(text.replace(own, color)))


def misread(sight: Sight, names: Mapping[str, float], color: str) -> Sight:
    """The sight with some pictures read wrongly: the true reading is an alternative of the given log-probability."""
    readings = dict(sight.readings)
    for name, second in names.items():
        best = sight.readings[name].best
        assert best is not None
        wrong = replace(recolored(best, color), log_probability=-0.2)
        readings[name] = Reading(name, (wrong, replace(best, log_probability=second)))
    return replace(sight, readings=readings)


@pytest.fixture(scope="module")
def sight(pictures: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Sight:
    perception = Perception.of("pictures", "inverse", {}, tmp_path_factory.mktemp("readings"))
    return Sight.of(pictures, "t00_red", perception, no_progress)


@pytest.mark.parametrize("learner", ["mdie", pytest.param("lff", marks=pytest.mark.slow)])
def test_misread_pictures_are_read_again_with_the_rules_expectation(sight: Sight, learner: str) -> None:
    reds = [sample.id for sample in sight.training if sample.label][:2]
    wrong = misread(sight, dict.fromkeys(reds, -1.8), "blue")
    assert wrong.misread == pytest.approx(2 * 0.168, abs=0.01)
    learned = fit_seen(wrong, learner, SightSettings(timeout=8, fresh=None))
    assert str(learned.theory).startswith("valid(A) :- exists_color_red(A).") and len(learned.theory) == 1
    assert learned.perception["read_again"] == 2 and learned.perception["rounds_of_reading_again"] == 1
    assert learned.train is not None and learned.train.accuracy == 1.0


def test_a_reading_that_is_out_of_the_question_is_not_taken_to_please_the_rule(sight: Sight) -> None:
    red = next(sample.id for sample in sight.training if sample.label)
    sure = misread(sight, {red: -9.0}, "blue")
    learned = fit_seen(sure, "mdie", SightSettings(timeout=8, settings={"noise": 1}, fresh=None))
    # The rule is not lost; the picture stays as it was read.
    assert str(learned.theory).startswith("valid(A) :- exists_color_red(A).") and len(learned.theory) == 1
    assert learned.perception["read_again"] == 0
    assert learned.train is not None and learned.train.accuracy < 1.0


def test_a_theory_that_cannot_be_asked_about_alternatives_is_kept(
    sight: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise TimeLimit("no time")

    monkeypatch.setattr("hornbeam.ilp.perceived.Bench", failing)
    learned = fit_seen(sight, "mdie", SightSettings(timeout=8, fresh=None))
    assert str(learned.theory).startswith("valid(A) :- exists_color_red(A).")
    assert learned.perception["rounds_of_reading_again"] == 0
