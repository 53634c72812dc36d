"""The step loop with a toy learner: losses, masks, resuming from any step, patience, signals."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest
import torch

from hornbeam.errors import DatasetError, UsageError
from hornbeam.neural.learner import Experience, WeightedRows
from hornbeam.neural.processes import Stopped
from hornbeam.neural.runs import CHECKPOINT, RESULTS, RunFolder
from hornbeam.neural.trainer import Habits, NotFinite, Trainer, TrainingOptions, weighted_rows
from tests.neural.toy import Toy, toy_stream, toy_trainer


class Killed(Exception):
    """Raised in the middle of a run, in place of a power cut."""


def killed_at(step: int):
    def progress(done: int, total: int) -> None:
        if done == step:
            raise Killed

    return progress


def weights(trainer: Trainer) -> list[torch.Tensor]:
    return [tensor.clone() for tensor in trainer.learner.module.state_dict().values()]


def unbroken(path: Path, **more) -> Trainer:
    trainer = toy_trainer(path, **more)
    trainer.run()
    return trainer


@pytest.mark.parametrize("step", [1, 7, 15, 16, 30])
@pytest.mark.parametrize("kind", [{}, {"fresh": True}, {"patience": 1}])
def test_a_killed_run_resumes_to_the_same_result(tmp_path: Path, step: int, kind: dict) -> None:
    whole = unbroken(tmp_path / "whole", stream=toy_stream(**kind))
    with pytest.raises(Killed):
        toy_trainer(tmp_path / "cut", stream=toy_stream(**kind), progress=killed_at(min(step, whole.place.step))).run()
    resumed = toy_trainer(tmp_path / "cut", stream=toy_stream(**kind))
    resumed.run()
    assert (tmp_path / "cut" / RESULTS).read_bytes() == (tmp_path / "whole" / RESULTS).read_bytes()
    assert all(torch.equal(a, b) for a, b in zip(weights(whole), weights(resumed), strict=True))
    assert resumed.place == whole.place


def test_a_run_with_rare_checkpoints_resumes_to_the_same_result(tmp_path: Path) -> None:
    whole = unbroken(tmp_path / "whole")
    rare = Habits(checkpoint_seconds=3600, log_steps=3)
    with pytest.raises(Killed):
        toy_trainer(tmp_path / "cut", habits=rare, progress=killed_at(20)).run()
    assert not (tmp_path / "cut" / CHECKPOINT).exists()
    resumed = unbroken(tmp_path / "cut", habits=rare)
    assert all(torch.equal(a, b) for a, b in zip(weights(whole), weights(resumed), strict=True))
    assert (tmp_path / "cut" / RESULTS).read_bytes() == (tmp_path / "whole" / RESULTS).read_bytes()


@pytest.mark.parametrize(("number", "error"), [(signal.SIGTERM, Stopped), (signal.SIGINT, KeyboardInterrupt)])
def test_signals_save_a_checkpoint(tmp_path: Path, number: int, error: type[BaseException]) -> None:
    rare = Habits(checkpoint_seconds=3600, log_steps=3)

    def progress(done: int, total: int) -> None:
        if done == 8:
            os.kill(os.getpid(), number)

    with pytest.raises(error):
        toy_trainer(tmp_path / "cut", habits=rare, progress=progress).run()
    state = RunFolder(tmp_path / "cut", {"toy": 1}).load(CHECKPOINT)
    assert state is not None and state["place"]["step"] == 8
    whole, resumed = unbroken(tmp_path / "whole"), unbroken(tmp_path / "cut", habits=rare)
    assert all(torch.equal(a, b) for a, b in zip(weights(whole), weights(resumed), strict=True))


def test_rows_without_a_label_never_reach_the_network(tmp_path: Path) -> None:
    hidden = frozenset(range(0, 40, 3))
    trainer = unbroken(tmp_path, learner=Toy(hidden))
    assert isinstance(trainer.learner, Toy)
    assert not hidden & set(trainer.learner.seen)
    assert set(trainer.learner.seen) == set(range(40)) - hidden


def test_a_batch_without_labels_makes_no_step(tmp_path: Path) -> None:
    stream = [Experience("dark", np.arange(10), ("dark",))]
    trainer = toy_trainer(tmp_path, learner=Toy(frozenset(range(10))), stream=stream)
    before = weights(trainer)
    trainer.run()
    assert all(torch.equal(a, b) for a, b in zip(before, weights(trainer), strict=True))


def test_each_part_enters_with_the_mean_of_its_labelled_rows() -> None:
    rows, given = weighted_rows(
        Toy(frozenset({1})), [WeightedRows(np.array([0, 1, 2])), WeightedRows(np.array([3]), 0.5)]
    )
    assert rows.tolist() == [0, 2, 3]
    assert given.tolist() == [0.5, 0.5, 0.5]


def test_patience_ends_early_and_keeps_the_best(tmp_path: Path) -> None:
    stream = [Experience("all", np.arange(40), ("low",), epochs=200, patience=3)]
    trainer = unbroken(tmp_path, stream=stream, options=TrainingOptions(batch=8, lr=0.2))
    epochs = [line["valid"] for line in trainer.folder.results() if line["kind"] == "epoch"]
    assert len(epochs) < 200
    assert all(figure <= max(epochs[:-3]) for figure in epochs[-3:])
    trainer.learner.module.eval()
    assert trainer.learner.validate(stream[0]) == pytest.approx(max(epochs))


def test_fresh_experiences_forget(tmp_path: Path) -> None:
    trainer = unbroken(tmp_path, stream=toy_stream(fresh=True))
    only_second = unbroken(tmp_path / "second", stream=toy_stream(fresh=True)[1:])
    assert isinstance(trainer.learner, Toy) and trainer.learner.begun == ["low", "high"]
    assert trainer.optimizer.state_dict()["state"][0]["step"] == 15
    assert only_second.optimizer.state_dict()["state"][0]["step"] == 15


def test_a_loss_that_is_not_finite_is_said(tmp_path: Path) -> None:
    learner = Toy()
    learner.points[5] = float("inf")
    with pytest.raises(NotFinite, match="smaller learning rate"):
        toy_trainer(tmp_path, learner=learner).run()


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    RunFolder(tmp_path, {"lr": 1})
    with pytest.raises(UsageError, match="lr was 1 and is 2"):
        RunFolder(tmp_path, {"lr": 2})


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"not a checkpoint")
    with pytest.raises(DatasetError, match="remove it to begin again"):
        toy_trainer(tmp_path).run()


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, {})
    with folder.locked(), pytest.raises(UsageError, match="another process"), RunFolder(tmp_path, {}).locked():
        pass
