"""Published KANDY folders in all their dialects, and what is wrong with a folder."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

import hornbeam
from hornbeam.errors import UsageError
from hornbeam.kandy.check import check
from hornbeam.kandy.commands import write_shards
from hornbeam.kandy.importer import domain_of, find_annotations, import_files, read_annotations
from hornbeam.kandy.tree import DEFAULT_DOMAIN

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HEADER = '"filename","task_id","label","supervised","symbol"\n'
TRIANGLE = "{'in': [{'shape': 'triangle', 'color': 'red', 'size': 'small'}]}"
SQUARE = "{'quadrant_ll': [{'shape': 'square', 'color': 'blue', 'size': 'large'}]}"


def folder(root: Path, rows: dict[str, list[str]], header: str = HEADER) -> Path:
    """A folder of the original: a CSV for each split, and a picture for each row."""
    for split, lines in rows.items():
        place = root / "sets" / split
        (place / "0").mkdir(parents=True)
        (place / "annotations.csv").write_text(header + "".join(f"{line}\n" for line in lines))
        for number in range(len(lines)):
            (place / "0" / f"{number:04d}.png").write_bytes(PNG)
    return root


def marks(root: Path, *lines: str, header: str = HEADER) -> list[tuple[bool | None, bool]]:
    made = folder(root, {"train": list(lines)}, header)
    rows = read_annotations(made / "sets" / "train" / "annotations.csv", "train")
    assert all(row.tree(domain_of(rows)) for row in rows)
    return [(row.label, row.supervised) for row in rows]


def test_numbers(tmp_path: Path) -> None:
    lines = (f'"0/0000.png",0,1,0,"{TRIANGLE}"', f'"0/0001.png",0,0,1,"{SQUARE}"')
    assert marks(tmp_path, *lines) == [(True, False), (False, True)]


def test_words(tmp_path: Path) -> None:
    lines = (f'"0/0000.png",0,True,False,"{TRIANGLE}"', f'"0/0001.png",0,False,True,"{SQUARE}"')
    assert marks(tmp_path, *lines) == [(True, False), (False, True)]


def test_signs(tmp_path: Path) -> None:
    header = '"filename","task_id","label","symbol"\n'
    lines = (f'"0/0000.png",0,+1,"{TRIANGLE}"', f'"0/0001.png",0,-1,"{SQUARE}"', f'"0/0002.png",0,0,"{SQUARE}"')
    assert marks(tmp_path, *lines, header=header) == [(True, True), (False, True), (None, False)]


def test_numpy_strings_and_another_order_of_columns(tmp_path: Path) -> None:
    symbol = "{'in': [{'shape': np.str_('circle'), 'color': np.str_('red'), 'size': np.str_('small')}]}"
    made = folder(tmp_path, {"test": [f'"{symbol}",3,"0/0000.png",1']}, '"symbol","task_id","filename","label"\n')
    (row,) = read_annotations(made / "sets" / "test" / "annotations.csv", "test")
    assert row.tree(DEFAULT_DOMAIN) == ("in", ["circle_red_small"])
    assert (row.task, row.label, row.supervised) == (3, True, True)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('"0/0000.png",0,maybe,1,"{}"', "expected a label 0, 1, True or False, got 'maybe'"),
        ('"0/0000.png",x,1,1,"{}"', "expected the number of a task, got 'x'"),
        ('"0/0000.png",0,1,often,"{}"', "expected supervised 0, 1, True or False, got 'often'"),
        ('"0/0000.png",0,1,1,"{\'in\': ["', "expected a symbol as a Python dictionary"),
        ('"0/0000.png",0,1,1,"__import__(1)"', "expected a symbol as a Python dictionary"),
        ('"0/0000.png",0,1,1,"{\'inn\': []}"', "did you mean 'in'"),
        ("\"0/0000.png\",0,1,1,\"{'shape': 'star', 'color': 7, 'size': 'small'}\"", "unknown color '7'"),
        ('"0/0000.png",0,1', "too many or too few columns"),
        ('"0/0000.png",nan,1,1,"{}"', "expected the number of a task"),
        ('"0/0000.png",inf,1,1,"{}"', "expected the number of a task"),
        ('"0/0000.png",10000,1,1,"{}"', "got '10000'; the largest is 9999"),
        ("\"0/0000.png\",0,1,1,\"{'shape': 'not_x', 'color': 'red', 'size': 'small'}\"", "cannot be the name of a sha"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        marks(tmp_path, f'"0/0000.png",0,1,1,"{TRIANGLE}"', line)
    assert says in str(caught.value) and caught.value.line == 3
    assert str(caught.value.file).endswith("annotations.csv")


def test_new_names_make_a_larger_domain(tmp_path: Path) -> None:
    symbol = "{'in': [{'shape': 'star', 'color': 'light_blue', 'size': 'small'}]}"
    made = folder(tmp_path / "in", {"train": [f'"0/0000.png",0,1,1,"{symbol}"', f'"0/0001.png",0,0,1,"{SQUARE}"']})
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out")
    assert dataset.config.domain.shapes == ("circle", "triangle", "square", "star")
    assert dataset.query("sample(_, _, _, 1, in([O])), atom_props(O, S, C, Z)")[0]["C"] == "light_blue"
    assert hornbeam.audit(dataset).samples == 2


def test_a_byte_order_mark(tmp_path: Path) -> None:
    assert marks(tmp_path, f'"0/0000.png",0,1,1,"{TRIANGLE}"', header="\ufeff" + HEADER) == [(True, True)]


def test_a_sample_without_a_label_is_not_a_negative_one(tmp_path: Path) -> None:
    header = '"filename","task_id","label","symbol"\n'
    lines = [f'"0/0000.png",0,-1,"{SQUARE}"', f'"0/0001.png",0,0,"{TRIANGLE}"', f'"0/0002.png",0,0,"{SQUARE}"']
    made = folder(tmp_path / "in", {"train": lines}, header)
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out", options={"rules": "easy"})
    facts = dataset.file("facts.pl").read_text()
    assert facts.count(",train,0,") == 1 and facts.count(",train,none,") == 2
    assert "has no label in task 0" in dataset.family.explain(dataset, dataset.samples[1])
    assert [sample.id for sample in dataset.family.typical(dataset)] == ["t00_triangle_train_0000"]
    _, sheet, *_ = dataset.family.show(dataset)
    assert "0 positive, 1 negative" in sheet.html
    found = check(dataset)
    assert (found.confirmed, found.refuted, found.undecided) == (1, 0, 2)


def test_without_rules_nothing_is_derivable_and_nothing_is_wrong(tmp_path: Path) -> None:
    made = folder(tmp_path / "in", {"train": [f'"0/0000.png",0,1,1,"{TRIANGLE}"']})
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out", options={"rules": "none"})
    report = hornbeam.audit(dataset)
    assert (report.derivable, report.unique) == (None, None)
    assert check(dataset).reasoner == "none: no task has a rule"


def test_shards_need_pictures(tmp_path: Path) -> None:
    made = folder(tmp_path / "in", {"train": [f'"0/0000.png",0,1,1,"{TRIANGLE}"']})
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out", options={"images": "skip"})
    with pytest.raises(UsageError, match="has no picture"):
        write_shards(dataset, tmp_path / "shards")
    assert not (tmp_path / "shards").exists()
    (tmp_path / "file").write_text("x")
    whole = hornbeam.import_dataset("kandy", [made], out=tmp_path / "whole")
    with pytest.raises(UsageError, match="this is a file"):
        write_shards(whole, tmp_path / "file")
    other = hornbeam.generate("rudas", "demo", out=tmp_path / "other", seed=1)
    with pytest.raises(UsageError, match="expected a dataset of kandy, this is one of rudas"):
        write_shards(other, tmp_path / "shards")


def test_missing_columns(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing: symbol"):
        marks(tmp_path, header='"filename","task_id","label"\n')


def test_where_the_files_are(tmp_path: Path) -> None:
    made = folder(tmp_path, {split: [] for split in ("test", "train", "val")})
    expected = ["train", "valid", "test"]
    assert [split for split, _ in find_annotations([made])] == expected
    assert [split for split, _ in find_annotations([made / "sets"])] == expected
    assert [split for split, _ in find_annotations([made / "sets" / "val"])] == ["valid"]
    with pytest.raises(UsageError, match="expected train, val, test"):
        find_annotations([tmp_path / "sets" / "test" / "0"])
    with pytest.raises(UsageError, match="no such file"):
        find_annotations([tmp_path / "nowhere"])


def rows_of_task_0(wrong: int = 0) -> list[str]:
    lines = [f'"0/{number:04d}.png",0,{number % 2},1,"{TRIANGLE if number % 2 else SQUARE}"' for number in range(40)]
    return [*lines, *(f'"0/{40 + number:04d}.png",0,1,1,"{SQUARE}"' for number in range(wrong))]


def test_labels_that_obey_a_published_curriculum_get_its_rules(tmp_path: Path) -> None:
    made = folder(tmp_path / "in", {"train": rows_of_task_0(wrong=1), "val": [], "test": []})
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out")
    assert [task.rule.name for task in dataset.config.tasks] == ["easy_00_triangle"]
    found = check(dataset)
    assert (found.confirmed, found.refuted, found.failures) == (40, 1, ("t00_triangle_train_0040",))
    assert dataset.file("sets/train/0/0040.png").read_bytes() == PNG


def test_other_labels_get_no_rule(tmp_path: Path) -> None:
    made = folder(tmp_path / "in", {"train": rows_of_task_0(wrong=20)})
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out")
    found = check(dataset)
    assert (found.confirmed, found.undecided) == (0, 60)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rule": "easy"}, "did you mean 'rules'"),
        ({"rules": "medium"}, "Known: auto, easy, hard, none"),
        ({"images": "no"}, "Known: copy, skip"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        import_files([tmp_path], options)
    assert says in str(caught.value)


def test_a_missing_picture(tmp_path: Path) -> None:
    made = folder(tmp_path / "in", {"train": [f'"0/0007.png",0,1,1,"{TRIANGLE}"']})
    with pytest.raises(UsageError, match=r"there is no picture .*images=skip"):
        hornbeam.import_dataset("kandy", [made], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    dataset = hornbeam.import_dataset("kandy", [made], out=tmp_path / "out", options={"images": "skip"})
    assert len(dataset.samples) == 1
