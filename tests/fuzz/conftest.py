"""The tiny datasets that are damaged, made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import hornbeam
from hornbeam import resources
from tests.fuzz.cases import Bench
from tests.fuzz.kept import KeptBench
from tests.fuzz.pages import PageBench
from tests.fuzz.runs import RunBench

RUDAS = "size: xs\ndepth: 2\nrecursion: required\ncategory: chain\nfacts: 40\neval_support: 10\n"
TREES = "\n".join(
    [
        "config: {balance: exact, canvas_size: [64, 64]}",
        "set: {gamma: 1.0, beta: 1.0, samples: 8, train_split: 0.5, val_split: 0.25,",
        "      noisy_color: true, noisy_size: true}",
        "tasks:",
        "  - name: red",
        "    rule: easy_03_red",
        "    positive_set: [{quadrant_or_center: [{shape: ~, color: red, size: ~}]}]",
        "    negative_set: [{quadrant_or_center: [{shape: ~, color: not_red, size: ~}]}]",
        "  - name: last is a red triangle",
        "    rule: easy_10_last_red_triangle_long",
        "    positive_set:",
        "      - side_by_side:",
        "          - random_repeat_before: {min: 2, max: 4, list: [{shape: ~, color: ~, size: ~}]}",
        "          - {shape: triangle, color: red, size: ~}",
        "    negative_set:",
        "      - side_by_side:",
        "          - random_repeat_before: {min: 3, max: 5, list: [{shape: ~, color: not_red, size: ~}]}",
        "",
    ]
)
SETTINGS: dict[str, tuple[str, ...]] = {
    "clutrr": ('train={"1.2": 4, "5.3": 3}', 'valid={"1.3": 2}', 'test={"1.4": 2}'),
    "graphlog": ("worlds=3", "rows.train=5", "rows.valid=2", "rows.test=2", "growth.cycles=3"),
    "star": (
        "train={cells: [{k: [2, 3], b: [1, 2], rows: 1}]}",
        "valid={cells: [{k: [3], b: [2], rows: 1}]}",
        "test={cells: [{k: [4], b: [1], rows: 1}]}",
    ),
    "rudas": ("learnability=true",),
    "kandy": (),
}
PRESETS = {"clutrr": "tiny.yml", "graphlog": "tiny.yml", "star": "rcc8-small.yml"}
# What an importer reads of a dataset: the folder, and the files in it that are damaged.
PUBLISHED = {
    "clutrr": ("original", ("*.csv",)),
    "graphlog": ("original", ("**/*.json", "**/*.jsonl")),
    "star": ("data/rcc8", ("*.csv",)),
    "rudas": ("tiny", ("*.txt",)),
    "kandy": ("sets", ("**/*.csv",)),
}


def make_bench(family: str, work: Path) -> Bench:
    """A small dataset of a family, and all that its damaged inputs are made from."""
    preset = work / "preset.yml"
    if family in PRESETS:
        preset.write_bytes(resources.curricula(family, PRESETS[family]).read_bytes())
    else:
        preset.write_text({"rudas": f"name: tiny\n{RUDAS}", "kandy": TREES}[family], encoding="utf-8")
    settings = dict(setting.split("=", 1) for setting in SETTINGS[family])
    dataset = hornbeam.generate(family, preset, out=work / "dataset", seed=3, overrides=settings)
    folder, patterns = PUBLISHED[family]
    by_file = family == "star"
    return Bench(family, dataset.path, preset, work, patterns, folder, SETTINGS[family], by_file)


@pytest.fixture(scope="session")
def run_bench(tmp_path_factory: pytest.TempPathFactory) -> RunBench:
    pytest.importorskip("torch")
    work = tmp_path_factory.mktemp("runs")
    benches = {family: make_bench(family, tmp_path_factory.mktemp(family)) for family in ("kandy", "rudas")}
    preset = resources.curricula("neural", "kandy", "quick.yml")
    return RunBench(benches["kandy"].dataset, benches["rudas"].dataset, benches["rudas"].tasks[0], preset, work)


@pytest.fixture(scope="session")
def kept_bench(tmp_path_factory: pytest.TempPathFactory) -> KeptBench:
    networks, pictures = (make_bench(family, tmp_path_factory.mktemp(family)).dataset for family in ("star", "kandy"))
    return KeptBench(networks, pictures, tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="session")
def page_bench(run_bench: RunBench, tmp_path_factory: pytest.TempPathFactory) -> PageBench:
    kept = tmp_path_factory.mktemp("left")
    for name in ("finished", "comparison"):
        shutil.copytree(run_bench.work / name, kept / name)
    (kept / "theory.pl").write_text("% task: red\n\nvalid(X) :- contains(X, Y), extract_color(Y, blue).\n")
    return PageBench(run_bench.pictures, kept, tmp_path_factory.mktemp("pages"))
