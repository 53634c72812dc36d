"""Samples as CSV and as Parquet for Hugging Face: what is read back is what the dataset has."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import yaml
from PIL import Image

from hornbeam.cli.app import invoke
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.export import export

pq = pytest.importorskip("pyarrow.parquet")


def test_csv_holds_every_sample(regions: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["export", str(regions.path), str(tmp_path / "out"), "--to", "csv", "--json"]) == 0
    files = [Path(name) for name in json.loads(capsys.readouterr().out)["files"]]
    assert {file.stem for file in files} == {split for split in regions.splits if len(regions.split(split))}
    for file in files:
        with file.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        samples = regions.split(file.stem)
        assert [row["id"] for row in rows] == [sample.id for sample in samples]
        assert [row["label"] for row in rows] == [sample.label for sample in samples]
        assert [json.loads(row["input"]) for row in rows[:20]] == [sample.input for sample in samples[:20]]


def test_a_task_alone(pictures: Dataset, tmp_path: Path) -> None:
    task = pictures.tasks[1]
    (train, *_) = export(pictures, "csv", tmp_path / "out", task=task)
    with train.open(newline="", encoding="utf-8") as stream:
        assert {row["task"] for row in csv.DictReader(stream)} == {task}


def test_a_folder_that_hugging_face_reads(pictures: Dataset, tmp_path: Path) -> None:
    files = export(pictures, "huggingface", tmp_path / "out")
    card = yaml.safe_load((tmp_path / "out" / "README.md").read_text(encoding="utf-8").split("---")[1])
    listed = {entry["split"]: entry["path"] for entry in card["configs"][0]["data_files"]}
    named = zip(("train", "validation", "test"), files, strict=True)
    assert listed == {name: f"data/{file.name}" for name, file in named}
    table = pq.read_table(files[0])
    assert table.column("id").to_pylist() == [sample.id for sample in pictures.train]
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["image"] == {"_type": "Image"} and set(features) == set(table.column_names)
    first = table.column("image")[0].as_py()
    with Image.open(io.BytesIO(first["bytes"])) as picture, Image.open(pictures.file(first["path"])) as original:
        assert picture.tobytes() == original.tobytes()


def test_what_is_for_learners_is_refused(pictures: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--encoding is for learners"):
        invoke(["export", str(pictures.path), str(tmp_path / "out"), "--to", "csv", "--encoding", "natural"])
    assert not list(tmp_path.iterdir())
