"""Training from the command: kill and resume in real processes, JSON, errors, several processes, the reproduction."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest
import torch

from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.neural.runs import CHECKPOINT, DONE, RESULTS, WEIGHTS
from hornbeam.reproductions.kandy import KandyReproduction
from hornbeam.reproductions.reproduction import ReproductionPlan

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
OPTIONS = ["--model", "mlp", "--setting", "task-incremental", "--checkpoint", "0"]
OPTIONS += ["--set", "replay=8", "--set", "lr=1e-3"]


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "hornbeam", *map(str, arguments)]


def hornbeam(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=300, check=False, env=ENVIRONMENT
    )


def cut(arguments: list[object], folder: Path, number: int) -> subprocess.Popen[str]:
    """Start a command and send it a signal once it has learned two tasks."""
    process = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    results, end = folder / RESULTS, time.monotonic() + 240
    while not (results.is_file() and results.read_text().count('"evaluation"') >= 2):
        assert process.poll() is None and time.monotonic() < end, process.communicate()
        time.sleep(0.005)
    process.send_signal(number)
    return process


def same_result(one: Path, other: Path) -> None:
    assert (one / RESULTS).read_bytes() == (other / RESULTS).read_bytes()
    first, second = (torch.load(path / WEIGHTS, weights_only=True) for path in (one, other))
    assert first["learner"] == second["learner"]
    assert all(torch.equal(first["module"][name], second["module"][name]) for name in first["module"])


@pytest.fixture(scope="module")
def unbroken(pictures_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "unbroken"
    done = hornbeam("train", pictures_folder, *OPTIONS, "--set", "epochs=6", "--out", folder, "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert {"model", "setting", "seeds", "accuracy", "metrics"} <= set(figures)
    assert figures["seeds"] == [0] and set(figures["accuracy"]) == {"mean", "std"}
    assert done.stderr == ""  # no progress bar in a pipe
    return folder / "seed-0"


# tests/faults kills `train` among others; here every signal is sent in the middle of an epoch.
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_resumes_to_the_same_result(
    number: int, unbroken: Path, pictures_folder: Path, tmp_path: Path
) -> None:
    arguments = ["train", pictures_folder, *OPTIONS, "--set", "epochs=6", "--out", tmp_path / "cut"]
    process = cut(arguments, tmp_path / "cut" / "seed-0", number)
    _, errors = process.communicate(timeout=60)
    expected = {signal.SIGKILL: -9, signal.SIGTERM: 1, signal.SIGINT: 130}[signal.Signals(number)]
    assert process.returncode == expected, errors
    assert not (tmp_path / "cut" / "seed-0" / DONE).exists()
    assert (tmp_path / "cut" / "seed-0" / CHECKPOINT).is_file()
    if number == signal.SIGTERM:
        assert "run the same command to resume" in errors
    done = hornbeam(*arguments)
    assert done.returncode == 0, done.stderr
    same_result(unbroken, tmp_path / "cut" / "seed-0")


def test_wrong_requests(
    pictures_folder: Path, dataset_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(text: str, *arguments: object) -> None:
        assert run(["train", *map(str, arguments), "--out", str(tmp_path / "run")]) == 2
        assert text in capsys.readouterr().err
        assert not (tmp_path / "run").exists()

    refused("did you mean 'cnn'? Known: cnn, mlp", pictures_folder, "--model", "cnm")
    refused("did you mean 'joint'?", pictures_folder, "--model", "mlp", "--setting", "joind")
    refused("--set unknown setting 'leraning'", pictures_folder, "--model", "mlp", "--set", "leraning=1")
    refused("--set lr: expected greater than 0", pictures_folder, "--model", "mlp", "--set", "lr=-1")
    refused("did you mean 'paper'?", pictures_folder, "--model", "mlp", "--preset", "papers")
    refused("there are no models for the family ancestors", dataset_folder, "--model", "mlp")
    refused("a grid needs at least one option", pictures_folder, "--model", "mlp", "--grid")


def test_a_folder_with_another_run_is_refused(
    unbroken: Path, pictures_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ["train", str(pictures_folder), *OPTIONS, "--set", "epochs=5", "--out", str(unbroken.parent)]
    assert run(other) == 2
    assert "another run: options" in capsys.readouterr().err


def test_without_torch_the_message_says_what_to_install(pictures_folder: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = None; from hornbeam.cli import run; "
        f"sys.exit(run(['train', {str(pictures_folder)!r}, '--model', 'mlp']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "hornbeam: training needs torch, which is not installed: install hornbeam[neural]\n"


def test_grid_search_names_the_best_on_valid(
    pictures_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--model", "mlp", "--set", "epochs=1", "--try", "lr=0.001,0.00001", "--try", "batch=4,8"]
    assert run(["train", str(pictures_folder), *arguments, "--out", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    figures = [row["valid"] for row in found["rows"]]
    assert len(figures) == 4 and figures == sorted(figures, reverse=True)
    assert found["best"] == found["rows"][0]


def test_tensorboard_and_plots(pictures_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--model", "mlp", "--setting", "continual-online", "--tensorboard", "--plots", "--keep-weights"]
    assert run(["train", str(pictures_folder), *arguments, "--out", str(tmp_path)]) == 0
    assert list((tmp_path / "seed-0" / "tensorboard").glob("events.*"))
    assert {file.name for file in (tmp_path / "plots").iterdir()} == {"tasks.svg", "accuracy.svg", "transfer.svg"}
    for file in (tmp_path / "plots").iterdir():
        text = file.read_text(encoding="utf-8")
        assert all(f"<!-- {task} -->" in text for task in Dataset(pictures_folder).tasks)
    assert len(list((tmp_path / "seed-0" / "weights").iterdir())) == 5
    shown = capsys.readouterr().out
    assert "average_accuracy" in shown and "forgetting" in shown and "t02_house" in shown


class SmallKandy(KandyReproduction):
    """The same on few small pictures."""

    data: ClassVar[Mapping[str, str]] = {"samples": "16", "canvas_size": "[96, 96]"}


def test_the_reproduction_stands_beside_the_paper(tmp_path: Path) -> None:
    plan = ReproductionPlan(tmp_path, seeds=1, models=("mlp",), settings=("joint", "continual-online"))
    comparison = SmallKandy().run(plan)
    assert comparison.header == ["model", "joint", "continual-online"]
    assert "(0.60 ± 0.02)" in comparison.rows[0][1] and "(0.60 ± 0.01)" in comparison.rows[0][2]
    written = json.loads((tmp_path / "comparison.json").read_text())
    assert written["rows"][0]["options"]["optimizer"] == "sgd" and written["seeds"] == 1
    assert (tmp_path / "comparison.md").read_text() == comparison.text()
    assert all(file.is_file() for file in comparison.plots)


@pytest.mark.slow
def test_two_processes_compute_the_gradients_of_one(pictures_folder: Path, tmp_path: Path) -> None:
    """The mlp has neither dropout nor batch statistics: two processes give one's result up to rounding."""
    arguments = ["train", pictures_folder, *OPTIONS, "--set", "epochs=2", "--set", "batch=6", "--json"]
    alone = hornbeam(*arguments, "--out", tmp_path / "one")
    assert alone.returncode == 0, alone.stderr
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "hornbeam"]
    together = subprocess.run(
        [sys.executable, *launcher, *map(str, arguments), "--out", str(tmp_path / "two")],
        capture_output=True, text=True, timeout=300, check=False, env=ENVIRONMENT,
    )  # fmt: skip
    assert together.returncode == 0, together.stderr
    assert json.loads(together.stdout)["model"] == "mlp"
    one, two = (torch.load(tmp_path / name / "seed-0" / WEIGHTS, weights_only=True) for name in ("one", "two"))
    assert one["learner"]["buffer"] == two["learner"]["buffer"]
    for name, weights in one["module"].items():
        assert torch.allclose(weights, two["module"][name], rtol=1e-3, atol=1e-4), name
