"""Proven means proven: every label of every sample is derived by SWI-Prolog at generation, and the manifest says so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import NAME
from hornbeam.errors import DatasetError
from hornbeam.logic import Prolog

PRESETS = [
    pytest.param("star", "rcc8-small", id="star"),
    pytest.param("rudas", "demo", id="rudas"),
    pytest.param("kandy", "tour", id="kandy"),
    pytest.param("clutrr", "tiny", id="clutrr"),
    pytest.param("graphlog", "tiny", id="graphlog"),
]
JUDGED = ("consequence", "removed", "noise")


def labels_to_prove(dataset: Dataset) -> int:
    """All labels; of RuDaS those that say whether a fact follows."""
    if dataset.manifest.family != "rudas":
        return len(dataset.samples)
    return sum(sample.label in JUDGED for sample in dataset.samples)


def generate(*arguments: str) -> str:
    command = [sys.executable, "-m", "hornbeam", "generate", *arguments, "--workers", "1"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(("family", "preset"), PRESETS)
def test_the_manifest_says_how_many_labels_were_proven_by_which_files(tmp_path: Path, family: str, preset: str) -> None:
    out = tmp_path / family
    printed = json.loads(generate(family, preset, "--out", str(out), "--json"))
    dataset = hornbeam.load(out)
    claim = dataset.manifest.proven
    assert claim is not None
    labels = labels_to_prove(dataset)
    assert labels > 100
    assert claim["labels"] == labels
    assert claim["reasoner"] == "SWI-Prolog"
    assert claim["confirmed"]["labels"] == labels
    assert claim["confirmed"]["by"].startswith("clingo")
    assert claim["by"]
    assert all((out / name).exists() for name in claim["by"])
    assert printed["proven"] == claim == json.loads((out / NAME).read_text())["proven"]
    said = generate(family, preset, "--out", str(out))
    assert f"{labels:,} labels proven by SWI-Prolog from {', '.join(claim['by'])}; {labels:,} confirmed by" in said


def test_what_is_not_proven_is_not_called_so(tmp_path: Path) -> None:
    out = tmp_path / "ancestors"
    assert "no proof is claimed" in generate("ancestors", "small", "--out", str(out))
    assert hornbeam.load(out).manifest.proven is None


def test_a_manifest_from_before_still_loads(tmp_path: Path) -> None:
    dataset = hornbeam.generate("star", "point", out=tmp_path / "old")
    path = dataset.path / NAME
    value = json.loads(path.read_text())
    assert value.pop("proven")["labels"] == len(dataset.samples)
    path.write_text(json.dumps(value))
    assert hornbeam.load(dataset.path).manifest.proven is None


def test_a_task_without_a_rule_is_not_counted(tmp_path: Path) -> None:
    file = tmp_path / "mixed.yml"
    file.write_text(
        "set: {gamma: 1.0, beta: 1.0, samples: 12, train_split: 0.5, val_split: 0.25,\n"
        "      noisy_color: true, noisy_size: true}\n"
        "tasks:\n"
        "  - {name: red, rule: easy_03_red, positive_set: [{in: [{shape: ~, color: red, size: ~}]}],\n"
        "     negative_set: [{in: [{shape: ~, color: blue, size: ~}]}]}\n"
        "  - {name: text, positive_rule: 'valid(C) :- contains(C, X), extract_color(X, green).',\n"
        "     positive_set: [{in: [{shape: ~, color: green, size: ~}]}],\n"
        "     negative_set: [{in: [{shape: ~, color: blue, size: ~}]}]}\n"
        "  - {name: none, positive_set: [{in: [{shape: ~, color: cyan, size: ~}]}],\n"
        "     negative_set: [{in: [{shape: ~, color: blue, size: ~}]}]}\n"
    )
    dataset = hornbeam.generate("kandy", str(file), out=tmp_path / "mixed")
    claim = dataset.manifest.proven
    assert claim is not None
    by_task = {task: len(dataset.task(task)) for task in dataset.tasks}
    named, text, _ = by_task.values()
    assert (claim["labels"], claim["confirmed"]["labels"]) == (named + text, named)


# The goals that reach Prolog ----------------------------------------------------------------------------------------


class Goals:
    """How often a predicate was called in Prolog."""

    def __init__(self, predicate: str) -> None:
        self._prolog = Prolog()
        self._predicate = predicate

    @contextmanager
    def counted(self) -> Iterator[None]:
        wrap = (
            "use_module(library(prolog_wrap)), flag(test_proven, _, 0), wrap_predicate({}, test_proven, _W, ({}, _W))"
        )
        self._prolog.once(wrap.format(self._predicate, "flag(test_proven, _N, _N + 1)"))
        try:
            yield
        finally:
            self._prolog.once(f"unwrap_predicate({self._indicator}, test_proven)")

    @property
    def _indicator(self) -> str:
        head, _, arguments = self._predicate.rpartition("(")
        return f"{head}/{arguments.count('_')}"

    @property
    def number(self) -> int:
        answer: Any = self._prolog.once("flag(test_proven, N, N)")
        return int(answer["N"])


@contextmanager
def calls(monkeypatch: pytest.MonkeyPatch, text: str) -> Iterator[list[str]]:
    """The goals with this text that Python asks of Prolog."""
    asked: list[str] = []
    once = Prolog.once

    def noted(self: Prolog, goal: str, **given: Any) -> Any:
        if text in goal:
            asked.append(goal)
        return once(self, goal, **given)

    with monkeypatch.context() as patch:
        patch.setattr(Prolog, "once", noted)
        yield asked


def test_prolog_derives_as_many_labels_as_star_has_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbeam.star.proving import _loaded

    module = _loaded("rcc8")[1]
    goals = Goals(f"{module}:decided(_, _, _, _, _)")
    with calls(monkeypatch, "network_answers") as asked, goals.counted():
        dataset = hornbeam.generate("star", "rcc8-small", out=tmp_path / "star")
    assert goals.number == len(dataset.samples) > 400
    assert len(asked) == len(dataset.family.plan(dataset.config, dataset.manifest.seed or 0))


def test_prolog_derives_as_many_labels_as_rudas_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbeam.rudas import proving

    proving._loaded()
    goals = Goals(f"{proving._MODULE}:true_answer(_, _)")
    with calls(monkeypatch, "prove_samples") as asked, goals.counted():
        dataset = hornbeam.generate("rudas", "demo", out=tmp_path / "rudas")
    assert goals.number == labels_to_prove(dataset) > 400
    assert len(asked) == len(dataset.tasks)
    assert {sample.split for sample in dataset.samples if sample.label in JUDGED} == {"train", "valid", "test"}


def test_prolog_derives_as_many_labels_as_kandy_has_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbeam.kandy import generate as making
    from hornbeam.kandy.knowledge import KandyLogic

    KandyLogic().labels("easy_03_red", [("in", ["circle_red_small"])])
    goals = Goals("kandy_labels:label(_, _, _, _)")
    proving: list[int] = []
    prove = making.prove

    def counting(*arguments: Any) -> Any:
        before = goals.number
        proven = prove(*arguments)
        proving.append(goals.number - before)
        return proven

    monkeypatch.setattr(making, "prove", counting)
    making.plan_of.cache_clear()
    with goals.counted():
        dataset = hornbeam.generate("kandy", "tour", out=tmp_path / "kandy")
    assert sum(proving) == len(dataset.samples) > 100
    assert len(proving) == len(dataset.tasks)


# A generator that lies ----------------------------------------------------------------------------------------------


def test_a_lying_star_generator_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbeam.star import generate

    truthful = generate.label_of
    monkeypatch.setattr(
        generate, "label_of", lambda calculus, answer: truthful(calculus, answer).replace("NTPP", "TPP")
    )
    with pytest.raises(DatasetError, match=r"sample \S+ is labelled TPP, but SWI-Prolog derives NTPP from theory.pl"):
        hornbeam.generate("star", "rcc8-small", out=tmp_path / "star")
    assert not (tmp_path / "star").exists()


def test_a_lying_rudas_generator_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbeam.rudas import generate
    from hornbeam.rudas.world import Corruption

    truthful = Corruption.labels

    def lying(self: Corruption, *arguments: Any) -> Any:
        labels = truthful(self, *arguments)
        false = next(fact for fact, label in labels.items() if label == "noise")
        return {**labels, false: "removed"}

    monkeypatch.setattr(Corruption, "labels", lying)
    with pytest.raises(DatasetError, match="clingo derives"):
        hornbeam.generate("rudas", "demo", out=tmp_path / "rudas")
    monkeypatch.setattr(generate, "confirm", lambda *_: 0)
    said = r"sample \S+, p\d+\(.*\), is labelled removed and must be derived, but SWI-Prolog finds it underived"
    with pytest.raises(DatasetError, match=said):
        hornbeam.generate("rudas", "demo", out=tmp_path / "rudas")
    assert not (tmp_path / "rudas").exists()


@pytest.mark.parametrize("deaf", ["neither", "SWI-Prolog"])
def test_a_lying_kandy_generator_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: str) -> None:
    """By Prolog, and by clingo where Prolog says what the generator wants to hear."""
    from hornbeam.kandy import generate as making
    from hornbeam.kandy import proving

    truthful = making.planned_rows

    def lying(*arguments: Any) -> Any:
        first, *others = truthful(*arguments)
        return [replace(first, label=not first.label), *others]

    making.plan_of.cache_clear()
    monkeypatch.setattr(making, "planned_rows", lying)
    if deaf == "SWI-Prolog":
        compare = proving._compare
        monkeypatch.setattr(proving, "_compare", lambda *given: None if given[-1] == deaf else compare(*given))
    witness = "clingo" if deaf == "SWI-Prolog" else "SWI-Prolog"
    with pytest.raises(DatasetError, match=rf"sample \w+_train_0000 is labelled [01], but {witness} derives [01]"):
        hornbeam.generate("kandy", "tour", out=tmp_path / "kandy")
    assert not (tmp_path / "kandy").exists()
    making.plan_of.cache_clear()
