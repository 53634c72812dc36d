"""Published files: read, refused, audited."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.clutrr.original import COLUMNS
from hornbeam.clutrr.record import Record
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError

# A row in the published form. Of the original's default family 1 and 0 are the root couple, 11 the wife of 3, 12 and
# 13 their children, 16 the wife of 4.
SOUND = {
    "id": "a",
    "story": "[Ann] went out with [Bob]. [Bob] saw [Cid].",
    "query": "('Ann', 'Cid')",
    "target": "grandfather",
    "text_target": "['x']",
    "clean_story": "x",
    "proof_state": "[{('Ann', 'grandfather', 'Cid'): [('Ann', 'father', 'Bob'), ('Bob', 'father', 'Cid')]}]",
    "f_comb": "father-father",
    "task_name": "task_1.2",
    "story_edges": "[(0, 1), (1, 2)]",
    "edge_types": "['father', 'father']",
    "query_edge": "(0, 2)",
    "genders": "Ann:female,Bob:male,Cid:male",
    "node_mapping": "{12: 0, 3: 1, 0: 2}",
    "task_split": "test",
}
# The rule child, inv-grand -> inv-child: node 0 is the father of 3, whose wife is 11.
UNSOUND = SOUND | {
    "query": "('Ann', 'Cid')",
    "target": "father",
    "proof_state": "[{('Ann', 'father', 'Cid'): [('Ann', 'son', 'Bob'), ('Bob', 'grandfather', 'Cid')]}]",
    "f_comb": "son-grandfather",
    "edge_types": "['son', 'grandfather']",
    "node_mapping": "{11: 0, 12: 1, 0: 2}",
}
# A path that comes back: mother, daughter, sister, and a noise edge without a type.
LOOP = SOUND | {
    "target": "sister",
    "query": "('Ann', 'Eve')",
    "proof_state": "[]",
    "f_comb": "mother-daughter-sister",
    "task_name": "task_3.3",
    "story_edges": "[(0, 1), (1, 0), (0, 2), (2, 3)]",
    "edge_types": "['mother', 'daughter', 'sister']",
    "query_edge": "(0, 2)",
    "genders": "Ann:female,Bea:female,Eve:female,Dan:male",
    "node_mapping": "{12: 0, 11: 1, 13: 2, 14: 3}",
}
NIECE = SOUND | {
    "target": "neice",
    "f_comb": "brother-daughter",
    "edge_types": "['brother', 'daughter']",
    "proof_state": "[{('Ann', 'neice', 'Cid'): [('Ann', 'brother', 'Bob'), ('Bob', 'daughter', 'Cid')]}]",
    "genders": "Ann:female,Bob:male,Cid:female",
    "node_mapping": "{2: 0, 3: 1, 12: 2}",
}


def write(path: Path, *rows: Mapping[str, str], mark: str = "") -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        stream.write(mark)
        writer = csv.DictWriter(stream, ["", *COLUMNS], restval="")
        writer.writeheader()
        writer.writerows({"": str(number), **row} for number, row in enumerate(rows))
    return path


@pytest.fixture
def published(tmp_path: Path) -> Dataset:
    file = write(tmp_path / "1.2_test.csv", SOUND, UNSOUND, LOOP, NIECE, mark="\ufeff")
    return hornbeam.import_dataset("clutrr", [file], out=tmp_path / "published")


def test_rows_become_samples(published: Dataset) -> None:
    sound, unsound, loop, niece = map(Record.of, published.samples)
    assert sound.facts == [("father", "Ann", "Bob"), ("father", "Bob", "Cid")]
    assert sound.query == ("Ann", "Cid") and sound.sample.label == "grandfather"
    assert unsound.sample.split == "test" and len(unsound.family) == 42
    assert loop.noise == {"untyped": 1} and len(loop.facts) == 3
    assert niece.sample.label == "niece"
    assert niece.proof == [[("niece", "Ann", "Cid"), ("brother", "Ann", "Bob"), ("daughter", "Bob", "Cid")]]


def test_the_page_says_the_proof_of_a_published_row(published: Dataset) -> None:
    stories, _ = published.family.show(published)
    assert "Cid is the grandfather of Ann, since Bob is the father of Ann and Cid is the father of Bob." in stories.html


def test_the_audit_tells_the_rows_apart(published: Dataset) -> None:
    audit = hornbeam.audit(published)
    rows: Any = audit.details["rows"]
    ids = [sample.id for sample in published.samples]
    assert rows["not derivable by the paper's rules"] == []
    assert rows["not derivable"] == [ids[1]]
    assert rows["not entailed"] == [ids[1]]
    assert rows["false in its family"] == [ids[1]]
    assert rows["shorter than it says"] == [ids[2]]
    assert audit.derivable == 0.75 and audit.unique == 0.75


def test_check_refutes_what_does_not_follow(published: Dataset) -> None:
    check = hornbeam.check(published)
    assert (check.confirmed, check.refuted) == (3, 1)


def test_our_own_files_come_back_as_they_were(tiny: Dataset, tmp_path: Path) -> None:
    files: list[str | Path] = [tiny.path / "original"]
    again = hornbeam.import_dataset("clutrr", files, out=tmp_path / "again", options={"family": "unknown"})
    assert len(again.samples) == len(tiny.samples)
    ours = {s.input["story"]: Record.of(s) for s in tiny.samples}  # type: ignore[index,call-overload]
    for record in map(Record.of, again.samples):
        own = ours[record.sample.input["story"]]  # type: ignore[index,call-overload]
        assert (record.facts, record.query, record.sample.label) == (own.facts, own.query, own.sample.label)
        assert record.proof == own.proof


def test_our_own_files_are_confirmed_without_an_option(tiny: Dataset, tmp_path: Path) -> None:
    again = hornbeam.import_dataset("clutrr", [tiny.path / "original"], out=tmp_path / "again")
    assert not any(Record.of(sample).family for sample in again.samples)
    assert hornbeam.check(again).ok


def test_names_of_several_words(tmp_path: Path) -> None:
    row = SOUND | {"genders": "Mary Ann:female,Zoë O'Hara:male,Cid:male", "query": "('Mary Ann', 'Cid')"}
    made = hornbeam.import_dataset("clutrr", [write(tmp_path / "1.2_test.csv", row)], out=tmp_path / "out")
    record = Record.of(made.samples[0])
    assert {"Mary Ann", "Zoë O'Hara", "Cid"} <= {member.name for member in record.family}
    assert hornbeam.check(made).ok
    assert "Cid is the grandfather of Mary Ann" in made.family.explain(made, made.samples[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query": "('Ann', 'Zoe')"}, "query: expected two persons"),
        ({"query": "__import__('os').getcwd()"}, "not a Python literal"),
        ({"story_edges": "[(0, 9)]"}, "story_edges"),
        ({"edge_types": "['fater', 'father']"}, "unknown kinship word 'fater'"),
        ({"genders": "Ann:f"}, "genders: expected"),
        ({"proof_state": "[1]"}, "proof_state"),
        ({"proof_state": "[{'abc': ['abc', 'def']}]"}, "proof_state"),
        ({"proof_state": "[{('Ann', 'boss', 'Cid'): [('Ann', 'son', 'Bob'), ('Bob', 'son', 'Cid')]}]"}, "word 'boss'"),
        ({"task_name": "1.2"}, "task_name"),
        ({"task_name": "task_9.3"}, "task_name: '9.3' is not a task"),
        ({"task_name": "task_1.31"}, "task_name: '1.31': a story has"),
        ({"edge_types": "[]"}, "edge_types"),
        ({"genders": "Ann:female,Ann:male,Cid:male"}, "two persons are called 'Ann'"),
        ({"genders": "Ann;:female,Bob:male,Cid:male"}, "it holds ;"),
        ({"node_mapping": "[12, 3, 0]"}, "node_mapping: expected"),
        ({"node_mapping": "{12: 0, 3: 'x', 0: 2}"}, "node_mapping: expected"),
        ({"f_comb": ""}, "f_comb: expected"),
        ({"f_comb": "father-nothing"}, "not a chain"),
    ],
)
def test_bad_rows_are_refused_and_nothing_is_written(change: dict[str, str], message: str, tmp_path: Path) -> None:
    file = write(tmp_path / "1.2_test.csv", SOUND, SOUND | change)
    with pytest.raises(UsageError) as caught:
        hornbeam.import_dataset("clutrr", [file], out=tmp_path / "out")
    assert message in str(caught.value)
    assert "1.2_test.csv:3: " in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    with pytest.raises(UsageError, match="column story is missing"):
        hornbeam.import_dataset("clutrr", [tmp_path / "a.csv"], out=tmp_path / "out")


def test_a_file_without_a_story_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"empty_test\.csv: there is no story in it"):
        hornbeam.import_dataset("clutrr", [write(tmp_path / "empty_test.csv")], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
