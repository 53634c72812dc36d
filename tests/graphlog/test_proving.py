"""Every label is proven: SWI-Prolog derives it from the files of the dataset before anything is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.cli.app import invoke
from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError
from hornbeam.graphlog import figures, generate, proving
from tests.goals import goals_of


@pytest.mark.parametrize("preset", ["tiny", "tiny-compat"])
def test_as_many_goals_reach_prolog_as_there_are_labels(preset: str, tmp_path: Path) -> None:
    with goals_of(proving._dataset()) as asked:
        made = hornbeam.generate("graphlog", preset, out=tmp_path / "d", seed=6)
    assert Counter(asked) == Counter(sample.id for sample in made.samples)
    if preset == "tiny":
        assert made.manifest.report["proven"] == made.manifest.report["confirmed"] == len(made.samples)


def test_published_behaviour_is_counted_as_the_check_counts_it(compat: Dataset) -> None:
    report: Any = compat.manifest.report
    check = hornbeam.check(compat)
    assert 0 < report["proven"] < len(compat.samples)
    assert report["proven"] == report["confirmed"] == check.confirmed


def test_a_generator_that_lies_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    honest = generate.to_sample

    def lying(*arguments: Any) -> Any:
        sample = honest(*arguments)
        if sample.id != "rule_1-test-00003":
            return sample
        return replace(sample, label="R_0_+" if sample.label != "R_0_+" else "R_1_+")

    monkeypatch.setattr(generate, "to_sample", lying)
    command = ["generate", "graphlog", "tiny", "--out", str(tmp_path / "d"), "--seed", "5", "--workers", "1"]
    with pytest.raises(proving.Unproven, match=r"'rule_1-test-00003' is 'R_\S+', but SWI-Prolog derives 'R_\S+'"):
        invoke(command)
    assert not (tmp_path / "d").exists()


def test_reasoners_that_differ_stop_the_generator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nothing(world: Any, questions: Any) -> Any:
        return [set() for _ in questions]

    monkeypatch.setattr(proving, "clingo_relations", nothing)
    with pytest.raises(HornbeamError, match=r"SWI-Prolog derives R_\d_[+-] in sample 'rule_0-train-00000', and clingo"):
        hornbeam.generate("graphlog", "tiny", out=tmp_path / "d", seed=5)
    assert not (tmp_path / "d").exists()


def test_an_edge_too_few_proves_nothing(tiny: Dataset) -> None:
    sample = tiny.test[0]
    seen: Any = sample.input
    proof: Any = sample.proof
    first, second = proof["path"][:2]
    cut = {**seen, "edges": [edge for edge in seen["edges"] if (edge[0], edge[2]) != (first, second)]}
    with pytest.raises(proving.Unproven, match="derives nothing"):
        proving.prove(figures.worlds(tiny)[sample.task].world, [replace(sample, input=cut)], must_follow=True)


def test_the_dataset_itself_answers_as_it_was_proven(noisy: Dataset) -> None:
    with noisy.prolog() as prolog:
        rows: list[Any] = prolog.all("judged(Id, Expected), true_answer(Id, Answer)")
    assert [(row["Id"], row["Answer"]) for row in rows] == [(sample.id, sample.label) for sample in noisy.samples]
    assert all(row["Expected"] == row["Answer"] for row in rows)


def test_published_rows_have_an_answer_only_where_one_follows_alone(compat: Dataset) -> None:
    with compat.prolog() as prolog:
        answered: list[Any] = prolog.all("sample(Id, W, _, _, graph(X,Y,_,_)), true_answer(Id, R)")
        for row in answered[:30]:
            found: list[Any] = prolog.all("linked(Id, W, X, L, Y)", given={k: row[k] for k in ("Id", "W", "X", "Y")})
            assert [each["L"] for each in found] == [row["R"]]
        without: Any = prolog.once("sample(Id, _, _, _, _), \\+ true_answer(Id, _)")
        assert without is not None
        assert not prolog.ask("true_answer(Id, _)", given={"Id": without["Id"]})
    assert 0 < len(answered) < len(compat.samples)
