"""Whole datasets: the same bytes on any number of workers and for any hash seed; commands; the contact sheet."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.kandy.commands import write_shards
from hornbeam.kandy.family import FAMILY
from hornbeam.kandy.show import sections

CUSTOM = """
config:
  profile: compat
  canvas_size: [64, 48]
  colors: [{dark_red: "#880000"}, {"light blue": "#88aaff"}]
  shapes: [circle, star, {kite: [[0, -1], [1, 0], [0, 1], [-1, 0]]}]
  sizes: [{tiny: 5}, {big: 11}]
  size_noise: 1
tasks:
  - name: A star!
    gamma: 0.8
    beta: 0.2
    samples: 30
    train_split: 0.5
    val_split: 0.2
    noisy_color: true
    noisy_size: true
    positive_rule: |
      % at least one star
      valid(C) :- contains(C, X), extract_shape(X, star).
    positive_set:
      - random: [{shape: star, color: ~, size: ~}, {shape: ~, color: ~, size: ~}]
      - stack: [{shape: ~, color: not_dark_red, size: ~}, {shape: star|kite, color: ~, size: ~}]
    negative_set:
      - any_composition: [{shape: circle|kite, color: light blue, size: ~}, {shape: not_star, color: ~, size: big}]
"""


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run(
        [sys.executable, "-m", "hornbeam", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **environment},
    )


def digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def tour(tmp_path_factory) -> Dataset:
    return hornbeam.generate("kandy", "tour", out=tmp_path_factory.mktemp("tour") / "d", seed=3, workers=1)


@pytest.fixture(scope="module")
def custom_file(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("custom") / "custom.yml"
    file.write_text(CUSTOM, encoding="utf-8")
    return file


def test_workers_and_hash_seeds_do_not_change_a_byte(tour, tmp_path):
    for number, (workers, hash_seed) in enumerate([("1", "0"), ("2", "4711")]):
        out = tmp_path / str(number)
        made = ("generate", "kandy", "tour", "--out", str(out), "--seed", "3", "--workers", workers)
        done = command(*made, PYTHONHASHSEED=hash_seed)
        assert done.returncode == 0, done.stderr
        assert digests(out) == digests(tour.path)


def test_another_seed_gives_another_dataset(tour, tmp_path):
    other = hornbeam.generate("kandy", "tour", out=tmp_path / "d", seed=4, workers=1)
    assert digests(other.path) != digests(tour.path)


def test_a_large_task_is_the_same_in_parts(tmp_path, monkeypatch):
    whole = hornbeam.generate("kandy", "tour", out=tmp_path / "whole", seed=5, workers=1)
    monkeypatch.setattr("hornbeam.kandy.family._ROWS_IN_A_SHARD", 7)
    parts = hornbeam.generate("kandy", "tour", out=tmp_path / "parts", seed=5, workers=1)
    assert digests(whole.path) == digests(parts.path)


def test_samples_say_what_they_are(tour):
    assert (len(tour.train), len(tour.valid), len(tour.test)) == (100, 50, 50)
    sample = tour.train[0]
    assert re.fullmatch(r"t00_red_train_\d{4}", sample.id)
    assert tour.file(sample.input["image"]).read_bytes().startswith(b"\x89PNG")
    assert sample.input["image"] == "sets/train/0/0000.png"
    assert set(sample.input["objects"][0]) == {"name", "path", "box", "rgb", "visible", "mask"}
    assert FAMILY().check(tour).ok


def test_the_report_tells_how_the_samples_were_found(tour):
    report = tour.manifest.report["tasks"]["t04_shared_colour"]
    assert report["rule"] == "hard_10_shared_colour"
    assert report["positives"] == {"train": 10, "valid": 5, "test": 5}
    for side in ("positive", "negative"):
        tally = report[side]
        assert tally["tried"] == tally["taken"] + tally["repeated"] + tally["twins"] + tally["refused"]


def test_a_curriculum_of_ones_own_with_a_rule_as_text(custom_file, tmp_path):
    dataset = hornbeam.generate("kandy", custom_file, out=tmp_path / "d", seed=1, workers=1)
    assert dataset.tasks == ["t00_a_star"]
    assert FAMILY().check(dataset).ok
    supervised = [sample.supervised for sample in dataset.samples]
    assert 0 < sum(supervised) < 30
    assert dataset.config.curriculum.config.geometry == "compat"


def test_a_dataset_can_be_made_again_from_its_manifest(custom_file, tmp_path):
    dataset = hornbeam.generate("kandy", custom_file, out=tmp_path / "d", seed=1, workers=1, overrides={"samples": "9"})
    family = FAMILY()
    config = dataset.config
    batches = [family.make(config, 1, shard) for shard in family.plan(config, 1)]
    assert [sample for batch in batches for sample in batch.samples] == list(dataset.samples)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("random:", "randon:", r"custom.yml:22:9: task 0 'A star!': unknown operator 'randon'; did you mean 'random'"),
        ("extract_shape(X, star)", "extract_shape(X star)", r"custom.yml:20:\d+: task 0 'A star!': "),
        ("contains(C, X)", "contians(C, X)", r"custom.yml:19.*: task 0 'A star!': .*did you mean 'contains/2'\?"),
        ("samples: 30", "samples: 0", r"custom.yml:13:14: task 0 'A star!': samples: expected a number from 1"),
    ],
)
def test_a_wrong_file_leaves_nothing_behind(tmp_path, old, new, expected):
    file = tmp_path / "custom.yml"
    assert old in CUSTOM
    file.write_text(CUSTOM.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        hornbeam.generate("kandy", file, out=tmp_path / "d", seed=1, workers=1)
    assert re.search(expected, str(caught.value).replace("\n", " ")), str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["custom.yml"]


# Commands ---------------------------------------------------------------------------------------------------------


def test_the_commands(custom_file, tmp_path, tour):
    done = command("kandy", "lint", str(custom_file), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ok"] is True
    done = command("kandy", "expand", str(custom_file), "0", "--json")
    assert json.loads(done.stdout)["valid"] is True, done.stderr
    done = command("kandy", "schema", "--out", str(tmp_path / "s.json"))
    assert done.returncode == 0
    assert json.loads((tmp_path / "s.json").read_text())["title"] == "KANDY curriculum"
    done = command("kandy", "shards", str(tour.path), "--out", str(tmp_path / "shards"), "--size", "60")
    assert sorted(path.name for path in (tmp_path / "shards").iterdir()) == [
        "test-000000.tar", "train-000000.tar", "train-000001.tar", "valid-000000.tar",
    ]  # fmt: skip


def test_lint_of_a_broken_file_exits_with_two_and_lists_all(tmp_path):
    file = tmp_path / "broken.yml"
    file.write_text(CUSTOM.replace("random:", "randon:").replace("stack:", "stak:"), encoding="utf-8")
    done = command("kandy", "lint", str(file))
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    assert "Traceback" not in done.stdout + done.stderr
    done = command("kandy", "expand", str(file), "0")
    assert done.returncode == 2
    assert "did you mean 'random'?" in done.stderr
    assert "Traceback" not in done.stderr


def test_expand_shows_the_three_stages(tmp_path):
    done = command("kandy", "expand", "tour", "palindrome", "--seed", "1")
    assert done.returncode == 0, done.stderr
    stages = re.findall(r"^# (\d\. .*)$", done.stdout, flags=re.MULTILINE)
    assert stages == [
        "1. expanded before grounding", "2. grounded", "3. expanded after grounding: the symbol",
    ]  # fmt: skip
    assert "palindrome:" in done.stdout.split("# 3.")[0]
    assert "palindrome:" not in done.stdout.split("# 3.")[1]
    assert "satisfies the rule: kept" in done.stdout


# Sheets and shards ------------------------------------------------------------------------------------------------


def test_the_contact_sheet_is_self_contained(tour):
    parts = sections(tour)
    assert [part.title for part in parts[1:]] == [f"Task {task.index}: {task.name}" for task in tour.config.tasks]
    for part in parts[1:]:
        assert part.html.count("data:image/png;base64,") == 24
        assert "valid(" in part.html
        assert not re.search(r'(src|href)="(?!data:)', part.html)


def test_the_page_of_show(tour, tmp_path):
    done = command("show", str(tour.path), "--out", str(tmp_path / "page.html"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<section ") == page.count("</section>") > 6
    assert "http" not in re.sub(r"base64,[^\"]*|http-equiv", "", page)


def test_shards_hold_every_sample_once_and_are_repeatable(tour, tmp_path):
    first = write_shards(tour, tmp_path / "a", size=60)
    second = write_shards(tour, tmp_path / "b", size=60)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    names: list[str] = []
    for path in first:
        with tarfile.open(path) as archive:
            names += archive.getnames()
            member = archive.extractfile(next(name for name in archive.getnames() if name.endswith(".json")))
            assert json.loads(member.read())["split"] == path.name.split("-")[0]
    assert len(names) == len(set(names)) == 2 * len(tour.samples)
    with pytest.raises(UsageError, match="not empty"):
        write_shards(tour, tmp_path / "a")
