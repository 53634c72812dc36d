"""Tasks of a dataset as files for other systems, from the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli.app import invoke
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.ilp.popper.files import plain_task
from tests.ilp.popper.reading import read_task


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "easy", out=tmp_path_factory.mktemp("export") / "easy", seed=3)


@pytest.mark.slow
def test_a_popper_directory_holds_the_task_that_learners_get(dataset: Dataset, tmp_path: Path) -> None:
    task = dataset.tasks[9]
    assert invoke(["export", str(dataset.path), str(tmp_path / "out"), "--to", "popper", "--task", task]) == 0
    given = plain_task(dataset.family.learning_problem(dataset, "examples", task, {}).task).task  # type: ignore[arg-type]
    read = read_task(tmp_path / "out")
    assert read.not_understood == ()
    assert (read.task.positive, read.task.negative) == (given.positive, given.negative)
    assert read.task.background.endswith(given.background)
    assert [str(mode) for mode in read.task.bias.body] == [str(mode) for mode in given.bias.body]


def test_all_tasks_go_to_folders_of_their_own(
    dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "all"
    options = ["--to", "aleph", "--encoding", "natural", "--json"]
    assert invoke(["export", str(dataset.path), str(out), *options]) == 0
    assert json.loads(capsys.readouterr().out)["folders"] == [str(out / task) for task in dataset.tasks]
    for task in dataset.tasks:
        endings = {path.suffix for path in (out / task).iterdir()}
        assert endings == {".b", ".f", ".n"}


def test_nothing_is_overwritten_and_nothing_half_written(dataset: Dataset, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    for arguments in (
        [str(tmp_path), "--to", "popper", "--task", dataset.tasks[0]],
        [str(tmp_path / "new"), "--to", "poper"],
        [str(tmp_path / "new"), "--to", "popper", "--task", "nine"],
        [str(tmp_path / "new"), "--to", "popper", "--encoding", "neutral"],
    ):
        with pytest.raises(UsageError):
            invoke(["export", str(dataset.path), *arguments])
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
