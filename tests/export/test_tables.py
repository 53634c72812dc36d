"""Samples as CSV and as Parquet for Hugging Face, from the command: real columns, and what the dataset has in them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

import hornbeam
from hornbeam.cli.app import invoke
from hornbeam.data.dataset import Dataset
from hornbeam.data.opaque import opaque_id
from hornbeam.errors import UsageError
from hornbeam.export import export

pq = pytest.importorskip("pyarrow.parquet")


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("clutrr", "tiny", out=tmp_path_factory.mktemp("export") / "tiny", seed=3)


def test_csv_has_a_network_in_plain_columns(
    regions: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["export", str(regions.path), str(tmp_path / "out"), "--to", "csv", "--json"]) == 0
    files = [Path(name) for name in json.loads(capsys.readouterr().out)["files"]]
    assert {file.stem for file in files} == {split for split in regions.splits if len(regions.split(split))}
    for file in files:
        samples = regions.split(file.stem)
        rows = read_csv(file)
        assert [row["id"] for row in rows] == [opaque_id(regions, sample.id) for sample in samples]
        for row, sample in zip(rows, samples, strict=True):
            given: Any = sample.input
            known: Any = sample.symbolic
            edges = [edge.split(" ") for edge in row["edges"].split("; ")]
            assert [[int(u), relation, int(v)] for u, relation, v in edges] == given["edges"]
            assert [int(node) for node in row["query"].split(" ")] == given["query"]
            assert (row["label"], row["task"], row["split"]) == (sample.label, sample.task, sample.split)
            assert (int(row["k"]), int(row["b"])) == (known["k"], known["b"])


def test_csv_has_a_story_its_question_and_its_noise(stories: Dataset, tmp_path: Path) -> None:
    assert invoke(["export", str(stories.path), str(tmp_path / "out"), "--to", "csv"]) == 0
    for row, sample in zip(read_csv(tmp_path / "out" / "train.csv"), stories.train, strict=True):
        given: Any = sample.input
        known: Any = sample.symbolic
        assert (row["story"], row["question"]) == (given["story"], given["question"])
        assert row["names"].split("; ") == given["names"]
        assert [kind for kind in row["noise"].split("; ") if kind] == list(known["noise"])
        assert not any(cell.startswith(("{", '["', "[[")) for cell in row.values())


def test_csv_brings_its_pictures(pictures: Dataset, tmp_path: Path) -> None:
    task = pictures.tasks[1]
    (train, *_) = export(pictures, "csv", tmp_path / "out", task=task)
    rows = read_csv(train)
    assert {row["task"] for row in rows} == {"task_01"} and {row["label"] for row in rows} == {"true", "false"}
    for row in rows:
        assert (tmp_path / "out" / row["image"]).read_bytes() == pictures.file(row["image"]).read_bytes()


def test_a_folder_that_hugging_face_reads(pictures: Dataset, tmp_path: Path) -> None:
    files = export(pictures, "huggingface", tmp_path / "out")
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    listed = {
        entry["split"]: entry["path"] for entry in yaml.safe_load(text.split("---")[1])["configs"][0]["data_files"]
    }
    named = zip(("train", "validation", "test"), files, strict=True)
    assert listed == {name: f"data/{file.name}" for name, file in named}
    table = pq.read_table(files[0])
    assert all(f"| {name} |" in text for name in table.column_names)
    assert table.column("id").to_pylist() == [opaque_id(pictures, sample.id) for sample in pictures.train]
    assert table.column("label").to_pylist() == [sample.label for sample in pictures.train]
    assert table.column("objects").to_pylist() == [sample.input["objects"] for sample in pictures.train]  # type: ignore[index,call-overload]
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["image"] == {"_type": "Image"} and set(features) == set(table.column_names)
    first = table.column("image")[0].as_py()
    with Image.open(io.BytesIO(first["bytes"])) as picture, Image.open(pictures.file(first["path"])) as original:
        assert picture.tobytes() == original.tobytes()


def test_parquet_has_edges_and_proofs_as_real_lists(stories: Dataset, tmp_path: Path) -> None:
    assert invoke(["export", str(stories.path), str(tmp_path / "out"), "--to", "huggingface"]) == 0
    table = pq.read_table(tmp_path / "out" / "data" / "train.parquet")
    assert str(table.schema.field("k").type) == "int64"
    for row, sample in zip(table.to_pylist(), stories.train, strict=True):
        given: Any = sample.input
        proof: Any = sample.proof
        assert [[edge["source"], edge["relation"], edge["target"]] for edge in row["edges"]] == given["edges"]
        assert [[[*edge.values()] for edge in step] for step in row["proof"]] == proof["steps"]
        assert (row["query"], row["story"], row["label"]) == (given["query"], given["story"], sample.label)


@pytest.mark.parametrize(("family", "preset"), [("graphlog", "tiny"), ("rudas", "demo")])
def test_every_family_has_columns_of_its_own(family: str, preset: str, tmp_path: Path) -> None:
    dataset = hornbeam.generate(family, preset, out=tmp_path / "data", seed=3)
    for form in ("csv", "huggingface"):
        assert invoke(["export", str(dataset.path), str(tmp_path / form), "--to", form]) == 0
    names = ["id", "task", "split", "label", "supervised", *(column.name for column in dataset.family.columns())]
    for sample, row in zip(
        dataset.test, pq.read_table(tmp_path / "huggingface/data/test.parquet").to_pylist(), strict=True
    ):
        assert list(row) == names and row["id"] == opaque_id(dataset, sample.id) and row["label"] == sample.label
    assert list(read_csv(tmp_path / "csv" / "test.csv")[0]) == names


def test_what_is_for_learners_is_refused(pictures: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--encoding is for learners"):
        invoke(["export", str(pictures.path), str(tmp_path / "out"), "--to", "csv", "--encoding", "natural"])
    assert not list(tmp_path.iterdir())
