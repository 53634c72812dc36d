"""Published files as datasets: v1.0, v1.1 and GLC folders, and errors that name the line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.graphlog import figures
from hornbeam.graphlog.record import read


def test_a_suite_of_v1_0_comes_back_as_it_was(compat: Dataset, tmp_path: Path) -> None:
    again = hornbeam.import_dataset("graphlog", [compat.path / "original"], out=tmp_path / "again")
    assert again.tasks == compat.tasks
    assert [sample.line() for sample in again.samples] == [sample.line() for sample in compat.samples]
    ours, theirs = figures.worlds(compat), figures.worlds(again)
    assert {name: known.world.rules for name, known in ours.items()} == {n: k.world.rules for n, k in theirs.items()}
    for name, known in ours.items():
        assert theirs[name].figures.derivable == known.figures.derivable
    rows = "original/comp_r10_n100_ov/train/rule_0/train.jsonl"
    assert (again.path / rows).read_bytes() == (compat.path / rows).read_bytes()


def test_with_inverses_a_sound_world_stays_sound(tiny: Dataset, tmp_path: Path) -> None:
    folder = tiny.path / "original/comp_r10_n100_ov/train/rule_1"
    again = hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "a", options={"inverses": "true"})
    assert figures.worlds(again)["rule_1"].world.backwards
    assert hornbeam.check(again).ok


def _glc(folder: Path, *, apart: bool) -> Path:
    """A GLC world: rules a b -> c, c b -> d; rows with a target beside the query."""
    folder.mkdir()
    bodies = {"R_2_+": ["R_0_+", "R_1_+"], "R_3_+": ["R_2_+", "R_1_+"]}
    rules = [{"body": body, "head": head, "p": 1.0} for head, body in bodies.items()]
    (folder / "config.json").write_text(json.dumps({"seed": 1, "rules": rules}))
    two = {"edges": [[0, 1, "R_0_+"], [1, 2, "R_1_+"], [1, 1, "R_3_+"]], "query": [0, 2], "target": "R_2_+",
           "descriptor": "R_0_+,R_1_+", "rules_used": ["R_0_+,R_1_+"], "resolution_path": [0, 1, 2]}  # fmt: skip
    three = {"edges": [[5, 1, "R_0_+"], [1, 2, "R_1_+"], [2, 7, "R_0_-"], [2, 7, "R_1_+"]], "query": [5, 7, "R_3_+"],
             "descriptor": "R_0_+,R_1_+,R_1_+", "resolution_path": [5, 1, 2, 7]}  # fmt: skip
    false = {"edges": [[0, 1, "R_1_+"], [1, 2, "R_0_+"]], "query": [0, 2, "R_3_+"], "resolution_path": [0, 1, 2]}
    lines = [json.dumps(row) + "\n" for row in (two, three, false)]
    if apart:
        (folder / "graphs_3_0.jsonl").write_text("".join(lines))
        (folder / "splits_3.json").write_text(json.dumps({"train": [0], "valid": [], "test": [2, 1]}))
    else:
        (folder / "train.jsonl").write_text(lines[0])
        (folder / "test.jsonl").write_text(lines[2] + lines[1])
    return folder


@pytest.mark.parametrize("apart", [True, False])
def test_glc_worlds(apart: bool, tmp_path: Path) -> None:
    dataset = hornbeam.import_dataset("graphlog", [_glc(tmp_path / "world_4", apart=apart)], out=tmp_path / "out")
    rows = {sample.id: read(sample) for sample in dataset.samples}
    assert list(rows) == ["world_4-train-00000", "world_4-test-00000", "world_4-test-00001"]
    assert [row.proof["derivable"] for row in rows.values()] == ["unique", "no", "unique"]
    assert rows["world_4-test-00001"].chain == ("R_0_+", "R_1_+", "R_1_+")
    result = hornbeam.audit(dataset)
    assert (result.samples, result.derivable) == (3, pytest.approx(0.6667, abs=1e-3))
    line = json.loads((dataset.path / "original/comp_r10_n100_ov/train/world_4/test.jsonl").read_text().splitlines()[1])
    assert line["rules_used"] == ["R_2_+,R_1_+", "R_0_+,R_1_+"] and line["target"] == "R_3_+"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", r"train\.jsonl:2: expected a row with edges"),
        ('{"edges": [[0, 1, "R_0_+"]], "query": [0, 1]}', r"train\.jsonl:2: expected a row .*KeyError: 'target'"),
        ('{"edges": [[0, 1]], "query": [0, 1, "R_0_+"]}', r"train\.jsonl:2: expected a row"),
        ('{"edges": [[0, 1, "R_0_+"]], "query": [0, 1, "R_0_+"], "resolution_path": [1, 0]}', "leads from 1 to 0"),
        (
            '{"edges": [[0, 1, "R_0,+"]], "query": [0, 1, "R_0_+"]}',
            "a label without blanks, commas, semicolons, bars and brackets",
        ),
        ('{"edges": [], "query": [0, 1, "R_0_+"]}', r"train\.jsonl:2: a row without edges"),
        ('{"edges": [[0.5, 1, "R_0_+"]], "query": [0, 1, "R_0_+"]}', "the number of a node, found 0.5"),
        ('{"edges": [[0, -1, "R_0_+"]], "query": [0, 1, "R_0_+"]}', "the number of a node, found -1"),
        ('{"edges": [[0, Infinity, "R_0_+"]], "query": [0, 1, "R_0_+"]}', "the number of a node, found inf"),
    ],
)
def test_a_bad_row_is_named(row: str, message: str, tmp_path: Path) -> None:
    folder = _glc(tmp_path / "w1", apart=False)
    with (folder / "train.jsonl").open("a") as lines:
        lines.write(row + "\n")
    with pytest.raises(UsageError, match=message):
        hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_bad_folders_and_options_are_named(tmp_path: Path) -> None:
    folder = _glc(tmp_path / "w1", apart=False)
    with pytest.raises(UsageError, match="there is no world here"):
        hornbeam.import_dataset("graphlog", [_empty(tmp_path)], out=tmp_path / "out")
    with pytest.raises(UsageError, match="did you mean 'inverses'"):
        hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out", options={"inverse": "true"})
    shutil.copytree(folder, tmp_path / "other" / "w1")
    with pytest.raises(UsageError, match="two worlds have the name w1"):
        hornbeam.import_dataset("graphlog", [folder, tmp_path / "other"], out=tmp_path / "out")
    (folder / "config.json").write_text('{"rules": [{"body": ["a"], "head": "b"}]}')
    with pytest.raises(UsageError, match=r"config\.json: expected JSON with a list of rules"):
        hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out")


@pytest.mark.parametrize("rule", [{"body": "R_0_+", "head": 7}, {"body": "R_0 +", "head": "R_1_+"}])
def test_inverses_of_a_world_are_checked(rule: dict[str, object], tmp_path: Path) -> None:
    folder = _glc(tmp_path / "w1", apart=False)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({"rules": [rule, *config["rules"]]}))
    with pytest.raises(UsageError, match=r"config\.json: expected JSON with a list of rules.*a label without blanks"):
        hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out")


def test_files_that_are_not_text_or_have_no_row_are_named(tmp_path: Path) -> None:
    folder = _glc(tmp_path / "w1", apart=False)
    (folder / "test.jsonl").write_bytes(b'{"edges": [[0, 1, "R\xe9"]]}')
    with pytest.raises(UsageError, match=r"test\.jsonl: cannot be read"):
        hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out")
    (folder / "test.jsonl").write_text("")
    (folder / "train.jsonl").write_text("\n")
    with pytest.raises(UsageError, match="w1: the world has no row"):
        hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_row_without_a_path_is_judged_by_its_graph(tmp_path: Path) -> None:
    folder = _glc(tmp_path / "w1", apart=False)
    pathless = {"edges": [[0, 1, "R_0_+"], [1, 2, "R_1_+"]], "query": [0, 2, "R_2_+"]}
    broken = pathless | {"resolution_path": [0, 7, 2]}
    (folder / "train.jsonl").write_text(json.dumps(pathless) + "\n")
    (folder / "test.jsonl").write_text(json.dumps(broken) + "\n" + json.dumps(pathless | {"query": [0, 2, "R_3_+"]}))
    dataset = hornbeam.import_dataset("graphlog", [folder], out=tmp_path / "out")
    checked = hornbeam.check(dataset)
    assert (checked.confirmed, checked.refuted, checked.failures) == (2, 1, ("w1-test-00001",))
    audited = hornbeam.audit(dataset)
    assert audited.leaks["descriptors train/test"] == 0, "rows without a path share none"
    assert audited.shortcuts["shortest path is the resolution path"] is None
    text = dataset.family.explain(dataset, dataset.test[1])
    assert "It is R_3_+, says the row" in text and "derives: R_2_+" in text
    assert "has no stored path" in dataset.family.picture(dataset, dataset.test[0])
    assert figures.known(dataset, "w1").figures.resolution_length == 0.0


def _empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"
