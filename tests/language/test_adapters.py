"""The adapters in the real packages, each in an environment of its own. Slow: the packages are installed first.

HORNBEAM_ADAPTER_VENVS names a folder that keeps the environments from one run to the next.
"""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.logic import swipl

pytestmark = pytest.mark.slow

REQUIREMENTS = {"inspect": "inspect-ai==0.3.285", "lmeval": "lm-eval==0.4.13", "verifiers": "verifiers==0.4.0"}
SECONDS = 1800


def environment(name: str, factory: pytest.TempPathFactory) -> Path:
    """An environment with a package and, behind it, this one with Hornbeam; skips if it cannot be installed."""
    kept = os.environ.get("HORNBEAM_ADAPTER_VENVS")
    folder = Path(kept, name) if kept else factory.mktemp("venv") / name
    if not (folder / "ready").exists() and not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    (packages,) = folder.glob("lib/python3.*/site-packages")
    ours = [str(Path(hornbeam.__file__).parents[1]), *site.getsitepackages()]
    (packages / "zz_hornbeam.pth").write_text("\n".join(ours) + "\n")
    found = subprocess.run(
        [folder / "bin" / "pip", "install", "-q", REQUIREMENTS[name]], capture_output=True, text=True
    )
    if found.returncode:
        pytest.skip(f"{REQUIREMENTS[name]} cannot be installed: {found.stderr.strip().splitlines()[-1]}")
    return folder


def called(folder: Path, place: Path, *words: str) -> str:
    variables = {
        **os.environ, "HOME": str(place), "HORNBEAM_SWIPL": swipl.find().executable, "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    command = [str(folder / "bin" / words[0]), *words[1:]]
    done = subprocess.run(command, cwd=place, env=variables, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.mark.parametrize(("model", "accuracy"), [("gold", 1.0), ("noop", 0.0)])
def test_inspect(model: str, accuracy: float, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = environment("inspect", tmp_path_factory)
    words = ["eval", "hornbeam/star", "-T", "level=3", "-T", "rows=6", "--model", f"hornbeam_mock/{model}"]
    called(folder, tmp_path, "inspect", *words, "--display", "none", "--log-format", "json", "--log-dir", "logs")
    (log,) = (json.loads(file.read_text()) for file in (tmp_path / "logs").glob("*.json"))
    assert log["status"] == "success"
    metrics = log["results"]["scores"][0]["metrics"]
    assert metrics["accuracy"]["value"] == accuracy


GOLD_IN_THE_HARNESS = """
import sys
from lm_eval.tasks import TaskManager
from hornbeam.language.adapters.lm_eval import item_of
from hornbeam.language.adapters.source import marked
manager = TaskManager(include_path=sys.argv[1])
task = manager.load(["hornbeam_star"])["tasks"]["hornbeam_star"]
docs = list(task.test_docs())[:10]
print([task.process_results(doc, [marked(item_of(doc))])["score"] for doc in docs])
print([task.process_results(doc, [""])["score"] for doc in docs])
print(task.doc_to_text(docs[0])[:40])
"""


def test_lm_evaluation_harness(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = environment("lmeval", tmp_path_factory)
    dataset = hornbeam.generate("star", "rcc8-small", out=tmp_path / "data", seed=3)
    assert run(["export", str(dataset.path), str(tmp_path / "out"), "--to", "lm-eval", "--option", "shots=1"]) == 0
    printed = called(folder, tmp_path, "python", "-c", GOLD_IN_THE_HARNESS, str(tmp_path / "out"))
    assert str([1.0] * 10) in printed and str([0.0] * 10) in printed
    words = ["run", "--model", "dummy", "--include_path", str(tmp_path / "out"), "--tasks", "hornbeam_star"]
    assert "hornbeam_star" in called(folder, tmp_path, "lm-eval", *words, "--limit", "4")


GOLD_IN_VERIFIERS = """
import asyncio
import verifiers.v1 as vf
from hornbeam.language.adapters.verifiers import HornbeamConfig, HornbeamTaskset, gold
taskset = HornbeamTaskset(HornbeamConfig(family="clutrr", level=2, rows=5, seed=4))
tasks = list(taskset.load())
assert len(tasks) == 5 and all(asyncio.run(task.validate(None)) for task in tasks)
scores, agent = [], vf.AgentInfo(config=vf.AgentConfig())
for task in tasks:
    for reply in (gold(task), ""):
        told = vf.TraceTask(type=type(task).__name__, data=task.data)
        trace = vf.Trace(task=told, agent=agent, root_reply=reply)
        asyncio.run(task.score(trace))
        scores.append(trace.reward)
print(scores)
"""


def test_verifiers(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = environment("verifiers", tmp_path_factory)
    printed = called(folder, tmp_path, "python", "-c", GOLD_IN_VERIFIERS)
    assert str([1.0, 0.0] * 5) in printed
    assert sys.version_info >= (3, 11)
