"""Graph models on small datasets of the three families, from Python and by the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hornbeam as hb
from hornbeam.cli.app import invoke
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.neural.graph.domain import Graphs

QUICK = {"epochs": "1", "batch": "16", "width": "8"}
STAR = {
    "train.cells": "[{k: [2, 3], b: [1, 2], rows: 3}]",
    "test.cells": "[{k: [2, 4], b: [1, 2], rows: 2}]",
}
GRAPHLOG = {"rows": "{train: 40, valid: 10, test: 10}"}


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    folder = tmp_path_factory.mktemp("relational")
    return {
        "clutrr": hb.generate("clutrr", "tiny", out=folder / "clutrr", seed=21),
        "star": hb.generate("star", "rcc8-compat", out=folder / "star", seed=21, overrides=STAR),
        "graphlog": hb.generate("graphlog", "tiny", out=folder / "graphlog", seed=21, overrides=GRAPHLOG),
    }


@pytest.mark.parametrize("model", sorted(Graphs().built_in_models()))
def test_each_model_trains_on_clutrr(datasets: dict[str, Dataset], model: str, tmp_path: Path) -> None:
    trained = hb.train(datasets["clutrr"], model, out=tmp_path, overrides=QUICK)
    known: list[Any] = [sample.symbolic for sample in datasets["clutrr"].test]
    groups = {f"k={one['k']} noise={'+'.join(sorted(one['noise'])) or 'none'}" for one in known}
    assert set(trained.outcomes[0].final("test")) == groups


def test_star_is_judged_by_length_and_branches(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    trained = hb.train(datasets["star"], "epignn", out=tmp_path, overrides={**QUICK, "facets": "2"}, seeds=2)
    groups = ["k=2 b=1", "k=2 b=2", "k=4 b=1", "k=4 b=2"]
    assert [list(outcome.final("test")) for outcome in trained.outcomes] == [groups, groups]


def test_graphlog_has_a_model_for_each_world(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    trained = hb.train(datasets["graphlog"], "gat-egat", out=tmp_path, overrides=QUICK)
    assert list(trained.outcomes[0].final("test")) == list(datasets["graphlog"].tasks)
    one = datasets["graphlog"].tasks[1]
    only = hb.train(datasets["graphlog"], "gat-egat", out=tmp_path / "one", overrides={**QUICK, "worlds": f"[{one}]"})
    assert list(only.outcomes[0].final("test")) == [one]


@pytest.mark.parametrize("share", ["both", "representation", "composition"])
def test_worlds_one_after_the_other_give_a_matrix(datasets: dict[str, Dataset], share: str, tmp_path: Path) -> None:
    overrides = {**QUICK, "share": share}
    trained = hb.train(datasets["graphlog"], "gcn-rgcn", setting="continual", out=tmp_path, overrides=overrides)
    matrix = trained.outcomes[0].matrix()
    worlds = len(datasets["graphlog"].tasks)
    assert matrix is not None and matrix.shape == (worlds, worlds)


def test_a_curriculum_is_ordered_by_what_the_rows_tell(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    given = datasets["graphlog"]
    trained = hb.train(given, "param-rgcn", setting="curriculum", out=tmp_path, overrides=QUICK)
    assert list(trained.outcomes[0].experiences) == given.family.easiest_first(given)
    some = tuple(reversed(given.family.easiest_first(given) or []))[:2]
    overrides = {**QUICK, "worlds": f"[{', '.join(some)}]"}
    trained = hb.train(given, "param-rgcn", setting="curriculum", out=tmp_path / "two", overrides=overrides)
    assert trained.outcomes[0].experiences == tuple(reversed(some))


def test_pretraining_and_adaptation_by_the_command(
    datasets: dict[str, Dataset], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = datasets["graphlog"]
    last = given.tasks[-1]
    sets = {**QUICK, "adapt": f"[{last}]", "shots": "[1, 2]", "adapt_epochs": "2"}
    words = [word for pair in sets.items() for word in ("--set", "=".join(pair))]
    command = ["train", str(given.path), "--model", "gat-rgcn", "--setting", "pretrain", "--json"]
    assert invoke([*command, "--out", str(tmp_path), *words]) == 0
    tasks = json.loads(capsys.readouterr().out)["metrics"]["test"]["tasks"]
    assert set(tasks) == set(given.tasks)
    lines = (tmp_path / "seed-0" / "results.jsonl").read_text().splitlines()
    names = [line["name"] for line in map(json.loads, lines) if line["kind"] == "evaluation"]
    assert names == ["pretraining", *(f"{last} after {n} steps" for n in (0, 1, 2)), f"{last} converged"]


def test_multitask_by_the_command(
    datasets: dict[str, Dataset], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for pair in QUICK.items() for word in ("--set", "=".join(pair))]
    command = ["train", str(datasets["graphlog"].path), "-m", "param-egat", "-s", "multitask", "--json"]
    assert invoke([*command, "-o", str(tmp_path), *words]) == 0
    assert set(json.loads(capsys.readouterr().out)["metrics"]["test"]["tasks"]) == set(datasets["graphlog"].tasks)


def test_robustness_is_a_further_test_set(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    small = {"train": '{"1.2": 4}', "test": '{"2.2": 6}'}
    noisy = hb.generate("clutrr", "tiny", out=tmp_path / "noisy", seed=22, overrides=small)
    overrides = {**QUICK, "also_test": f"[{noisy.path}]"}
    final = hb.train(datasets["clutrr"], "gat", out=tmp_path / "run", overrides=overrides).outcomes[0].final("test")
    assert "noisy" in final and "k=2 noise=none" in final


def test_the_presets_name_options_of_every_model(datasets: dict[str, Dataset]) -> None:
    from hornbeam.neural import presets, registry

    for family, given in datasets.items():
        for preset in ("quick", "paper"):
            base = presets.load(f"neural/{family}", preset)
            for domain in registry.domains(family):
                for model in domain.built_in_models():
                    values = base.values(model=model, setting="supervised", dataset=given.manifest.preset)
                    presets.options(domain.options_type, values, {}, source=preset)


@pytest.mark.parametrize(
    ("family", "model", "overrides", "message"),
    [
        ("clutrr", "gat-egt", {}, "gat-egat"),
        ("graphlog", "gat", {"worlds": "[rule_99]"}, "rule_99"),
        ("graphlog", "rgcn", {"share": "composition"}, "rgcn has no separate parts"),
        ("graphlog", "gat", {"rounds": "0"}, "rounds"),
    ],
)
def test_what_is_wrong_is_said(
    datasets: dict[str, Dataset], family: str, model: str, overrides: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        hb.train(datasets[family], model, out=tmp_path, overrides=overrides)
