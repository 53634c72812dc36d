"""What was made elsewhere: predictions and theories, scored by split, task and group."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import PrologSyntaxError, UsageError
from hornbeam.tasks.predictions import parse
from hornbeam.tasks.scoring import Answered, figures


@pytest.fixture(scope="module")
def dataset(dataset_folder: Path) -> Dataset:
    return hornbeam.load(dataset_folder)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".csv":
        names = list(rows[0])
        cells = [",".join('"' + str(row[name]).replace('"', '""') + '"' for name in names) for row in rows]
        path.write_text("\n".join([",".join(names), *cells]) + "\n")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".txt"])
def test_right_predictions_are_right_whatever_they_are_written_in(
    dataset: Dataset, tmp_path: Path, suffix: str
) -> None:
    rows = [{"id": sample.id, "label": sample.label} for sample in dataset.samples]
    judged = hornbeam.judge(dataset, written(tmp_path / f"mine{suffix}", rows))
    assert (judged.form, judged.overall.correct, judged.overall.count) == ("predictions", 40, 40)
    assert list(judged.splits) == ["train", "valid", "test"]
    assert judged.splits["test"].overall.count == len(dataset.test)
    assert judged.overall.low == pytest.approx(40 / (40 + 1.959964**2), abs=1e-6)


def test_groups_add_up_to_their_split(dataset: Dataset, tmp_path: Path) -> None:
    rows = [{"id": sample.id, "label": False} for sample in dataset.samples]
    judged = hornbeam.judge(dataset, written(tmp_path / "no.jsonl", rows))
    for split, scores in judged.splits.items():
        levels = scores.groups["level"].values()
        assert sum(cell.count for cell in levels) == scores.overall.count == len(dataset.split(split))
        assert sum(cell.correct for cell in levels) == scores.overall.correct
    assert judged.overall.correct == sum(not sample.label for sample in dataset.samples)
    assert judged.overall.balanced == 0.5


@pytest.mark.parametrize("words", [("1", "0"), ("True", "False"), ("yes", "no")])
def test_true_and_false_have_many_names(dataset: Dataset, tmp_path: Path, words: tuple[str, str]) -> None:
    rows = [{"id": sample.id, "label": words[0] if sample.label else words[1]} for sample in dataset.test]
    assert hornbeam.judge(dataset, written(tmp_path / "mine.csv", rows), split="test").overall.accuracy == 1


def test_labels_that_nobody_knows_are_wrong_and_counted(dataset: Dataset, tmp_path: Path) -> None:
    rows = [{"id": sample.id, "label": "I cannot say"} for sample in dataset.test]
    judged = hornbeam.judge(dataset, written(tmp_path / "mine.jsonl", rows), split="test")
    assert (judged.overall.correct, judged.strange) == (0, {"I cannot say": len(dataset.test)})


def test_ids_must_be_there_once_and_known(dataset: Dataset, tmp_path: Path) -> None:
    rows = [{"id": sample.id, "label": True} for sample in dataset.test]
    file = written(tmp_path / "mine.csv", rows)
    assert hornbeam.judge(dataset, file, split="test").overall.count == len(rows)
    with pytest.raises(UsageError, match=r"30 samples have no prediction \(train 20, valid 10\).*--split restricts"):
        hornbeam.judge(dataset, file)
    file = written(tmp_path / "mine.csv", [*rows[1:], rows[2], rows[2], {"id": "x9", "label": True}])
    with pytest.raises(UsageError) as caught:
        hornbeam.judge(dataset, file, split="test")
    assert caught.value.message == (
        f"1 samples have no prediction (test 1): {rows[0]['id']}; 1 ids occur more than once: {rows[2]['id']}; "
        "1 ids are not in the dataset: x9"
    )
    with pytest.raises(UsageError, match="did you mean 'test'"):
        hornbeam.judge(dataset, file, split="tset")


def test_probabilities_give_log_loss_and_auc(dataset: Dataset, tmp_path: Path) -> None:
    rows = [
        {"id": sample.id, "label": sample.label, "scores": {"true": 0.75, "false": 0.25} if sample.label else 0.25}
        for sample in dataset.samples
    ]
    judged = hornbeam.judge(dataset, written(tmp_path / "mine.jsonl", rows))
    assert judged.overall.auc == 1.0
    assert judged.overall.log_loss == pytest.approx(-math.log(0.75))
    rows[3].pop("scores")
    with pytest.raises(UsageError, match=r"1 of 40 predictions have no scores"):
        hornbeam.judge(dataset, written(tmp_path / "mine.jsonl", rows))


def test_auc_counts_pairs() -> None:
    """Of the six pairs of a true and a false sample four are in order, and one is a tie."""
    scores = [("true", 0.9), ("true", 0.4), ("false", 0.4), ("false", 0.6), ("false", 0.1)]
    found = figures([Answered(label, "true", {"true": score, "false": 1 - score}) for label, score in scores])
    assert found.auc == pytest.approx(4.5 / 6)
    three = [Answered(label, label, {label: 1.0}) for label in "abcabc"]
    assert (figures(three).auc, figures(three).log_loss) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name,label\ns1,true\n", "mine:1: expected the columns id and label, found name, label"),
        ('{"id": "s1"}\n', "mine:1: there is no label"),
        ('{"id": "s1", "label": true}\n{"id": \n', "mine:2: not JSON"),
        ('{"id": "s1", "label": true, "scores": "high"}\n', "mine:1: scores: expected a probability for each label"),
        ('{"id": "s1", "label": true, "scores": {"true": 0.9, "false": 0.9}}\n', "add up to 1"),
        ('{"id": "s1", "label": true, "scores": 1.5}\n', "from 0 to 1"),
    ],
)
def test_files_that_are_wrong_say_where(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text, name="mine")
    assert complaint in str(caught.value)


def test_sets_of_relations_are_compared_as_sets() -> None:
    rows = parse('id,label\na,"[""TPP"", ""EQ""]"\nb,TPP|EQ\n', name="mine.csv")
    assert [row.label for row in rows] == ["EQ|TPP", "EQ|TPP"]


def test_a_theory_is_asked_every_sample_and_gets_a_verdict(dataset: Dataset, tmp_path: Path) -> None:
    file = tmp_path / "theory.pl"
    file.write_text("ancestor(T, X, Y) :- parent(T, X, Y).\n")
    judged = hornbeam.judge(dataset, file, fresh=50)
    made = hornbeam.diff(file, dataset=dataset, fresh=50)
    assert judged.verdict == made.verdict and made.verdict.kind == "refuted"
    assert made.own is not None
    wrong = {split: scores.overall.count - scores.overall.correct for split, scores in judged.splits.items()}
    assert wrong == made.own.differing
    assert judged.to_json()["equivalent"] is False


def test_a_theory_in_the_dialect_of_a_learner(dataset: Dataset, tmp_path: Path) -> None:
    file = tmp_path / "aleph.txt"
    file.write_text("[theory]\n\n[Rule 1] [Pos cover = 3 Neg cover = 0]\nancestor(A,B,C) :-\n   parent(A,B,C).\n\n")
    judged = hornbeam.judge(dataset, file, fresh=50, split="test")
    assert (judged.form, judged.overall.count) == ("theory", len(dataset.test))
    with pytest.raises(PrologSyntaxError):
        hornbeam.judge(dataset, file, dialect="prolog")


def test_what_a_file_is_can_be_said(dataset: Dataset, tmp_path: Path) -> None:
    file = tmp_path / "theory.pl"
    file.write_text("ancestor(T, X, Y) :- parent(T, X, Y).\n")
    with pytest.raises(UsageError, match="expected the columns id and label"):
        hornbeam.judge(dataset, file, form="predictions")
    with pytest.raises(UsageError, match="did you mean 'theory'"):
        hornbeam.judge(dataset, file, form="theroy")
    with pytest.raises(UsageError, match="there is no such file"):
        hornbeam.judge(dataset, tmp_path / "nothing.csv")
