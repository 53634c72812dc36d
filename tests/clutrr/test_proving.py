"""Every label is proven: SWI-Prolog derives it from the files of the dataset before anything is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.cli.app import invoke
from hornbeam.clutrr import generate, proving
from hornbeam.data.dataset import Dataset
from hornbeam.logic import Prolog
from tests.goals import goals_of

SMALL = {"train": '{"1.3": 40, "5.3": 30}', "valid": "{}", "test": '{"1.2": 22, "1.6": 20}'}


@pytest.mark.parametrize(
    ("packs", "changes"),
    [
        (("base",), {}),
        (("base", "cousins"), {"packs": "[base, cousins]"}),
        (("base", "blended"), {"packs": "[base, blended]", "family.remarry": "0.3"}),
    ],
    ids=["base", "cousins", "blended"],
)
def test_as_many_goals_reach_prolog_as_there_are_labels(
    packs: tuple[str, ...], changes: dict[str, str], tmp_path: Path
) -> None:
    with goals_of(proving._dataset(packs)) as asked:
        made = hornbeam.generate("clutrr", "tiny", out=tmp_path / "d", seed=5, overrides=SMALL | changes)
    assert Counter(asked) == Counter(sample.id for sample in made.samples)
    assert made.manifest.report["proven"] == made.manifest.report["confirmed"] == len(made.samples) == 112


def test_the_text_that_proves_is_that_of_the_dataset(tiny: Dataset) -> None:
    """Each file but its module header, and with what it includes in its place."""
    side = tiny.family.prolog_side(tiny.config)
    for name in tiny.family.proof_files:
        text = {"theory.pl": side.theory, "background.pl": side.background, **side.modules}.get(name)
        assert name == "facts.pl" or tiny.file(name).read_text() == text
    rules = tiny.query("theory_rule(_, R, S, T)")
    proving_rules = Prolog().all("theory_rule(_, R, S, T)", module=proving._dataset(("base",)))
    assert rules == proving_rules and len(rules) == 30


def test_a_generator_that_lies_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    honest = generate.Namer.sample

    def lying(self: generate.Namer, *arguments: Any) -> Any:
        sample = honest(self, *arguments)
        if sample is not None and sample.id == "train-1_3-000007":
            return replace(sample, label="aunt" if sample.label != "aunt" else "uncle")
        return sample

    monkeypatch.setattr(generate.Namer, "sample", lying)
    settings = [item for key, value in SMALL.items() for item in ("--set", f"{key}={value}")]
    command = ["generate", "clutrr", "tiny", "--out", str(tmp_path / "d"), "--seed", "5", "--workers", "1", *settings]
    with pytest.raises(proving.Unproven, match=r"'train-1_3-000007' is 'aunt', but SWI-Prolog derives '\w+'"):
        invoke(command)
    assert not (tmp_path / "d").exists()


def test_a_gender_that_does_not_fit_is_no_proof(tiny: Dataset) -> None:
    sample = next(each for each in tiny.samples if each.label == "grandmother")
    seen: Any = sample.input
    genders = [*seen["genders"]]
    genders[seen["query"][1]] = "male"
    with pytest.raises(proving.Unproven, match="is 'grandmother', but SWI-Prolog derives 'grandfather'"):
        proving.prove(("base",), [replace(sample, input={**seen, "genders": genders})])


def test_a_fact_too_few_proves_nothing(tiny: Dataset) -> None:
    sample = tiny.task("1.4")[0]
    seen: Any = sample.input
    cut = {**seen, "edges": seen["edges"][:-1]}
    with pytest.raises(proving.Unproven, match="derives nothing"):
        proving.prove(("base",), [replace(sample, input=cut)])


def test_clingo_stops_what_it_does_not_confirm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from hornbeam.clutrr import proving
    from hornbeam.errors import HornbeamError

    monkeypatch.setattr(proving, "answers", lambda theory, stories: [{"pibling"} for _ in stories])
    with pytest.raises(HornbeamError, match="clingo derives"):
        hornbeam.generate("clutrr", "tiny", out=tmp_path / "d", seed=5, overrides=SMALL)
    assert not (tmp_path / "d").exists()


def test_the_dataset_itself_answers_as_it_was_proven(tiny: Dataset) -> None:
    with tiny.prolog() as prolog:
        rows: list[Any] = prolog.all("judged(Id, Expected), true_answer(Id, Answer)")
    assert [(row["Id"], row["Answer"]) for row in rows] == [(sample.id, sample.label) for sample in tiny.samples]
    assert all(row["Expected"] == row["Answer"] for row in rows)
