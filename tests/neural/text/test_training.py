"""A story model on a dataset, from Python: it trains, is judged by length, and resumes."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.neural.experiment import train

QUICK = {"epochs": "2", "width": "8", "batch": "16"}


@pytest.fixture(scope="module")
def clutrr(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("clutrr", "tiny", out=tmp_path_factory.mktemp("text") / "clutrr", seed=5)


@pytest.mark.parametrize("model", ["bilstm-attention", "rn", "mac", "rmc"])
def test_it_trains_and_is_judged_by_length(clutrr: Dataset, model: str, tmp_path: Path) -> None:
    overrides = {**QUICK, "epochs": "1", **({"head_size": "4"} if model == "rmc" else {})}
    trained = train(clutrr, model, out=tmp_path, overrides=overrides)
    lengths = sorted({sample.symbolic["k"] for sample in clutrr.test})
    assert list(trained.outcomes[0].final("test")) == [f"k={length}" for length in lengths]


def test_randomized_persons_resume_to_the_same_result(clutrr: Dataset, tmp_path: Path) -> None:
    from hornbeam.neural.trainer import Habits

    class Killed(Exception):
        pass

    def kill(done: int, total: int) -> None:
        if done * 2 > total:
            raise Killed

    options = {**QUICK, "persons": "randomized"}
    whole = train(clutrr, "bilstm-mean", out=tmp_path / "whole", overrides=options)
    habits = Habits(checkpoint_seconds=0)
    with pytest.raises(Killed):
        train(clutrr, "bilstm-mean", out=tmp_path / "broken", overrides=options, habits=habits, progress=kill)
    resumed = train(clutrr, "bilstm-mean", out=tmp_path / "broken", overrides=options)
    assert resumed.outcomes == whole.outcomes
    results = [tmp_path / name / "seed-0" / "results.jsonl" for name in ("whole", "broken")]
    assert results[0].read_bytes() == results[1].read_bytes()


def test_another_dataset_is_a_group_of_its_own(clutrr: Dataset, tmp_path: Path) -> None:
    overrides = {**QUICK, "epochs": "1", "also_test": f"[{clutrr.path}]"}
    final = train(clutrr, "bilstm-mean", out=tmp_path, overrides=overrides).outcomes[0].final("test")
    assert "clutrr" in final


def test_bert_without_weights_says_what_to_do(clutrr: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder; give one that save_pretrained wrote"):
        train(clutrr, "bert", out=tmp_path, overrides={"weights": str(tmp_path / "none")})
