"""Training on another device than the processor: without a GPU, on torch's device `meta`, which has shapes only.

Models whose tensors are as large as values say (attention over neighbours in PyG, R-GCN by relation, packed sequences)
cannot run there.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import hornbeam
from hornbeam.cli import run
from hornbeam.errors import UsageError
from hornbeam.neural import registry
from hornbeam.neural.devices import choose, device_of, onto
from hornbeam.neural.learner import ModelLearner
from hornbeam.neural.processes import ProcessGroup

META = torch.device("meta")
CELLS = {"train.cells": "[{k: [2, 3], b: [1], rows: 3}]", "valid.cells": "[]"}
CELLS |= {"test.cells": "[{k: [3], b: [1], rows: 1}]"}


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, hornbeam.Dataset]:
    folder = tmp_path_factory.mktemp("devices")
    return {
        "vision": hornbeam.generate("kandy", "tour", out=folder / "tour", seed=3, overrides={"samples": 8}),
        "graph": hornbeam.generate("star", "rcc8-small", out=folder / "star", seed=3, overrides=CELLS),
        "text": hornbeam.generate(
            "clutrr", "tiny", out=folder / "stories", seed=3, overrides={"train": "{'1.2': 8}", "test": "{'1.3': 4}"}
        ),
    }


def learner_of(dataset: hornbeam.Dataset, model: str) -> ModelLearner:
    domain, setting = registry.find(dataset.manifest.family, model, None)
    job = registry.TrainingJob(dataset, model, setting, domain.options_type(), 0, ProcessGroup())
    return domain.prepare(job).learner


@pytest.mark.parametrize(("domain", "model"), [
    ("vision", "mlp"), ("vision", "cnn"), ("graph", "nbfnet"), ("graph", "ncrl"), ("text", "rmc"),
])  # fmt: skip
def test_the_whole_step_is_on_the_device_of_the_weights(
    datasets: dict[str, hornbeam.Dataset], domain: str, model: str
) -> None:
    learner = learner_of(datasets[domain], model)
    learner.module.to(META)
    with META:
        losses = learner.losses(np.arange(4))
    assert losses.device == META and losses.shape == (4,)
    losses.sum().backward()
    assert all(one.grad.device == META for one in learner.module.parameters() if one.grad is not None)


def test_a_batch_moves_as_a_whole(datasets: dict[str, hornbeam.Dataset]) -> None:
    learner = learner_of(datasets["vision"], "mlp")
    batch = onto(learner.batch(np.arange(2)), META)  # type: ignore[attr-defined]
    assert batch.pixels.device == META and batch.inputs.device == META
    assert device_of(learner.module) == torch.device("cpu")


@pytest.mark.parametrize(("device", "precision", "words"), [
    ("tpu", "float32", "unknown device"), ("cpu", "int8", "unknown precision"), ("mps", "float32", "no device 'mps'"),
])  # fmt: skip
def test_what_is_not_here_is_a_usage_error(device: str, precision: str, words: str) -> None:
    if device == "mps" and torch.backends.mps.is_available():
        pytest.skip("there is one here")
    with pytest.raises(UsageError, match=words):
        choose(device, precision)


def test_a_run_states_its_device_and_precision(
    datasets: dict[str, hornbeam.Dataset], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """16 bits give other losses, and a folder is used again with the same precision only."""
    losses = {}
    for precision in ("float32", "bfloat16"):
        more = ["--device", "cpu", "--precision", precision, "--set", "epochs=1", "--out", str(tmp_path / precision)]
        assert run(["train", str(datasets["vision"].path), "--model", "mlp", *more]) == 0
        assert f"precision\t{precision}" in capsys.readouterr().out.replace("  ", "\t").replace("\t\t", "\t")
        about = json.loads((tmp_path / precision / "seed-0" / "about.json").read_text())
        assert (about["device"], about["precision"]) == ("cpu", precision)
        lines = (tmp_path / precision / "seed-0" / "results.jsonl").read_text().splitlines()
        losses[precision] = [json.loads(line)["loss"] for line in lines if '"loss"' in line]
    assert losses["float32"] != losses["bfloat16"] and np.allclose(losses["float32"], losses["bfloat16"], rtol=0.2)
    again = ["--precision", "float32", "--device", "cpu", "--set", "epochs=1", "--out", str(tmp_path / "bfloat16")]
    assert run(["train", str(datasets["vision"].path), "--model", "mlp", *again]) == 2
    assert "precision" in capsys.readouterr().err
