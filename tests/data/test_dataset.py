"""Reading: lazy, random access, and a changed dataset is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.data.manifest import NAME
from hornbeam.data.sample import KEYS
from hornbeam.errors import DatasetError, NotAllowed, TimeLimit, UsageError
from hornbeam.logic import Limits, swipl


@pytest.fixture
def copy(dataset_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(dataset_folder, tmp_path / "copy"))


def test_splits_and_random_access(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    assert len(dataset.samples) == 40
    assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (20, 10, 10)
    assert [sample.id for sample in dataset.valid] == [f"s{number:06d}" for number in range(2, 40, 4)]
    assert dataset.samples[-1].id == "s000039"
    assert dataset.samples[3:5][1].id == "s000004"
    assert dataset.sample("s000017") == dataset.samples[17]
    assert len(dataset.task("ancestor").split("test")) == 10
    assert len(dataset.split("nothing")) == 0
    with pytest.raises(IndexError):
        dataset.samples[40]


def test_some_samples_are_drawn(dataset_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A learner of a large dataset need not have all of it in memory."""
    dataset = hornbeam.load(dataset_folder)
    small = dataset.drawn(3)
    assert [len(small.split(split)) for split in small.splits] == [3] * len(small.splits)
    assert [sample.id for sample in small.samples] == [sample.id for sample in dataset.drawn(3).samples]
    assert {sample.id for sample in small.train} < {sample.id for sample in dataset.train}
    assert len(dataset.drawn(10**6).samples) == len(dataset.samples)
    arguments = ["learn", str(dataset_folder), "--learner", "mdie", "--samples", "3", "--timeout", "10", "--no-verdict"]
    assert run([*arguments, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["train"]
    assert sum(scores[key] for key in ("tp", "fp", "tn", "fn")) == 3
    facts = hornbeam.generate("rudas", "xs", out=tmp_path / "facts", overrides={"facts": "40"})
    assert run(["learn", str(facts.path), "--learner", "amie", "--samples", "3"]) == 2
    assert "belong together" in capsys.readouterr().err


def test_unknown_names(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    with pytest.raises(UsageError, match="did you mean 'ancestor'"):
        dataset.task("ancester")
    with pytest.raises(UsageError, match="there is no sample 's17'"):
        dataset.sample("s17")


def test_lines_have_the_same_keys(dataset_folder: Path) -> None:
    for line in (dataset_folder / "samples.jsonl").read_text().splitlines():
        assert tuple(json.loads(line)) == KEYS


def test_parquet_has_the_same_rows(dataset_folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(dataset_folder / "samples.parquet").to_pylist()
    assert [row["id"] for row in table] == [sample.id for sample in hornbeam.load(dataset_folder).samples]
    assert json.loads(table[0]["input"]) == hornbeam.load(dataset_folder).samples[0].input


def test_the_original_files(dataset_folder: Path) -> None:
    assert len((dataset_folder / "valid.csv").read_text().splitlines()) == 10
    assert (dataset_folder / "trees" / "s000000.txt").is_file()


def test_a_cut_off_file(copy: Path) -> None:
    path = copy / "samples.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(DatasetError, match=r"samples\.jsonl: the file was cut off"):
        hornbeam.load(copy)


def test_a_changed_file(copy: Path) -> None:
    path = copy / "facts.pl"
    path.write_bytes(path.read_bytes().replace(b"p1", b"p2", 1))
    dataset = hornbeam.load(copy)
    with pytest.raises(DatasetError, match=r"facts\.pl: the file was changed"):
        dataset.verify()


def test_a_missing_file(copy: Path) -> None:
    (copy / "theory.pl").unlink()
    with pytest.raises(DatasetError, match=r"theory\.pl: the file is missing"):
        hornbeam.load(copy)


def test_a_newer_format(copy: Path) -> None:
    manifest = json.loads((copy / NAME).read_text())
    (copy / NAME).write_text(json.dumps({**manifest, "format": 99}))
    with pytest.raises(DatasetError, match=r"format 99.*Update Hornbeam"):
        hornbeam.load(copy)


def test_an_older_format(copy: Path) -> None:
    manifest = json.loads((copy / NAME).read_text())
    (copy / NAME).write_text(json.dumps({**manifest, "format": 1}))
    with pytest.raises(DatasetError, match=r"format 1 by an older Hornbeam.*generate the dataset again"):
        hornbeam.load(copy)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 2}', '{"format": "x"}'])
def test_a_damaged_manifest(copy: Path, text: str) -> None:
    (copy / NAME).write_text(text)
    with pytest.raises(DatasetError, match=r"manifest\.json: .*generate the dataset again"):
        hornbeam.load(copy)


@pytest.mark.parametrize("counts", [{}, {"samples": 40, "splits": ["train"], "tasks": {}}, []])
def test_a_manifest_without_its_counts(copy: Path, counts: object) -> None:
    manifest = json.loads((copy / NAME).read_text())
    (copy / NAME).write_text(json.dumps({**manifest, "counts": counts}))
    with pytest.raises(DatasetError, match=r"manifest\.json: .*generate the dataset again"):
        hornbeam.load(copy)


def test_a_dataset_without_samples(tmp_path: Path) -> None:
    from hornbeam import family as families
    from hornbeam.data.build import Recipe, build_imported

    family = families.get("ancestors")
    recipe = Recipe(family, "imported", None, family.configure("small"))
    dataset = build_imported(recipe, tmp_path / "empty", iter(()))
    assert (len(dataset.samples), list(dataset.train), dataset.tasks) == (0, [], [])
    assert dataset.query("sample(Id, _, _, _, _)") == []
    assert hornbeam.check(dataset).ok
    assert hornbeam.audit(dataset).derivable is None
    with pytest.raises(UsageError, match="there is no sample 'x'; the dataset is empty"):
        dataset.sample("x")


def test_a_path_that_leads_out(copy: Path) -> None:
    manifest = json.loads((copy / NAME).read_text())
    manifest["files"]["../../secret"] = {"bytes": 1, "sha256": ""}
    (copy / NAME).write_text(json.dumps(manifest))
    with pytest.raises(DatasetError, match="not a path inside"):
        hornbeam.load(copy)


def test_not_a_dataset(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no manifest"):
        hornbeam.load(tmp_path)
    with pytest.raises(DatasetError, match="no such dataset folder"):
        hornbeam.load(tmp_path / "nowhere")


# Prolog ---------------------------------------------------------------------------------------------------------------


def test_query(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    answers = dataset.query("sample(Id, ancestor, _, true, ancestor(X, Y)), truth:ancestor(Id, X, Y)")
    assert len(answers) == sum(bool(sample.label) for sample in dataset.samples)
    assert dataset.query("sample(Id, _, _, false, ancestor(X, Y)), truth:ancestor(Id, X, Y)") == []


def test_query_is_contained(dataset_folder: Path) -> None:
    dataset = hornbeam.load(dataset_folder)
    with pytest.raises(NotAllowed):
        dataset.query("shell(ls)")
    with pytest.raises(TimeLimit):
        dataset.query("repeat, fail", limits=Limits(seconds=0.3))


def test_a_dataset_with_hostile_prolog(copy: Path, tmp_path: Path) -> None:
    """A dataset from elsewhere may say anything in its files; asking it must not run that."""
    mark = tmp_path / "mark"
    for name in ("theory.pl", "load.pl"):
        path = copy / name
        text = path.read_text() + f"\n:- shell('touch {mark}').\n"
        path.write_text(text)
        manifest = json.loads((copy / NAME).read_text())
        manifest["files"][name]["bytes"] = len(text.encode())
        (copy / NAME).write_text(json.dumps(manifest))
    with pytest.raises(NotAllowed):
        hornbeam.load(copy).query("true")
    assert not mark.exists()


def test_plain_swipl_needs_no_hornbeam(dataset_folder: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [swipl.find().executable, "-f", "none", str(dataset_folder / "load.pl")],
        input="aggregate_all(count, sample(_, _, train, _, _), N), format('~w samples~n', [N]).\n"
        "forall(sample(Id, _, _, true, ancestor(X, Y)), truth:ancestor(Id, X, Y)), writeln(all_proven).\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    assert "truth:ancestor(s000000, X, Y)" in done.stdout  # the banner
    assert "20 samples" in done.stdout
    assert "all_proven" in done.stdout
    assert "Warning" not in done.stderr
