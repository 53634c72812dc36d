"""Whole datasets: the same bytes for any number of workers, checked, audited, exported, imported, asked in swipl."""

from __future__ import annotations

import ast
import csv
import subprocess
from pathlib import Path

import pytest

import hornbeam
from hornbeam.config import presets
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.logic import swipl
from hornbeam.star.family import Star
from hornbeam.star.importer import import_files, read_rows
from hornbeam.star.knowledge import load_calculus
from hornbeam.star.original import csv_lines
from hornbeam.star.record import network_of

SMALL = {
    "rcc8": "calculus: rcc8\nwitness: true\n",
    "allen": "calculus: allen\nwitness: true\n",
    "hard": "calculus: rcc8\nwidth: 2\ninconsistent: true\n",
    "sets": "calculus: allen\nanswers: sets\n",
    "compat": "calculus: allen\nprofile: compat\n",
}
CELLS = """\
train: {cells: [{k: [2, 3], b: [1, 2], rows: 6}]}
test: {cells: [{k: [3, 5], b: [2, 3], rows: 5}]}
"""
PUBLISHED = """\
train: {cells: [{k: [2, 3], b: [1, 2], rows: 6}]}
test: {cells: [{k: [2, 5], b: [1], rows: 5}]}
"""


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    folder = tmp_path_factory.mktemp("star")
    made = {}
    for name, head in SMALL.items():
        (folder / f"{name}.yml").write_text(head + (CELLS if name != "compat" else PUBLISHED))
        made[name] = hornbeam.generate("star", str(folder / f"{name}.yml"), out=folder / name, seed=5)
    return made


@pytest.mark.parametrize("name", SMALL)
def test_every_row_passes_the_unpruned_check(datasets: dict[str, Dataset], name: str) -> None:
    dataset = datasets[name]
    check = Star().check(dataset)
    assert (check.samples, check.confirmed, check.failures) == (len(dataset.samples), len(dataset.samples), ())
    assert f"nothing pruned, on {check.samples} of" in check.reasoner
    assert check.samples > 50


def test_a_wrong_label_is_refuted(datasets: dict[str, Dataset], monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = datasets["rcc8"]
    monkeypatch.setattr("hornbeam.star.check.answer_of", lambda calculus, sample: calculus.parse("EQ"))
    check = Star().check(dataset)
    assert check.confirmed == 0
    assert check.refuted == len(dataset.samples)


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_the_audit_finds_no_copy_and_every_path_needed(datasets: dict[str, Dataset], name: str) -> None:
    audit = Star().audit(datasets[name])
    assert (audit.duplicates, dict(audit.leaks), audit.unique, audit.derivable) == (0, {}, 1.0, 1.0)
    for task, counts in audit.details["paths needed"].items():  # type: ignore[union-attr]
        assert set(counts) == {task.split("_b")[1]}  # type: ignore[arg-type]
    for task, length in audit.details["effective k"].items():  # type: ignore[union-attr]
        assert length == int(task[1 : task.index("_")])


def test_the_audit_finds_the_faults_of_the_published_kind(datasets: dict[str, Dataset]) -> None:
    audit = Star().audit(datasets["compat"])
    assert audit.unique == 1.0
    assert audit.duplicates > 20
    assert audit.details["one path alone decides"] > 0.5  # type: ignore[operator]
    assert 0.15 < audit.details["identity edges"] < 0.5  # type: ignore[operator]
    assert audit.leaks["train/test"] > 0  # type: ignore[operator]


def test_two_workers_write_the_same_bytes(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    for name in ("rcc8", "compat"):
        first = datasets[name]
        file = first.path.parent / f"{name}.yml"
        second = hornbeam.generate("star", str(file), out=tmp_path / name, seed=5, workers=2)
        assert second.manifest.files == first.manifest.files


def test_the_published_format_survives_a_round_trip(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    dataset = datasets["rcc8"]
    files = sorted((dataset.path / "data" / "rcc8").glob("*.csv"))
    assert [file.name for file in files][:2] == ["test_rcc8_k_3_b_2.csv", "test_rcc8_k_3_b_3.csv"]
    with files[0].open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["", "edges", "edge_labels", "query_edge", "query_label"]
    assert [row[0] for row in rows[1:4]] == ["0", "1", "2"]
    edges = ast.literal_eval(rows[1][1])
    assert ast.literal_eval(rows[1][3]) == (0, max(max(edge) for edge in edges))
    rcc8 = load_calculus("rcc8")
    again = [network for file in files for network, _ in read_rows(file, rcc8)]
    assert sorted(map(str, again)) == sorted(str(network_of(rcc8, sample)) for sample in dataset.samples)
    config, batches = import_files(files, {})
    samples = [sample for batch in batches for sample in batch.samples]
    assert len(samples) == len(dataset.samples)
    assert config.profile == "compat"
    assert {sample.task for sample in samples if sample.split == "test"} == {"k3_b2", "k3_b3", "k5_b2", "k5_b3"}
    texts = list(csv_lines("rcc8", (sample for sample in samples if sample.split == "test")))
    assert texts[0][1].splitlines()[0] == ",edges,edge_labels,query_edge,query_label"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('0,"[(0, 1), (1, 2)]","[\'DC\', \'ZZ\']","(0, 2)",DC', r"2: edge \(1, 2\): unknown rcc8 relation 'ZZ'"),
        ('0,"[(0, 1), (1, 2)]","[\'DC\', \'EC\']","(0, 2)",ZZ', "2: query_label: unknown rcc8 relation 'ZZ'"),
        ('0,"[(0, 1), (1, 2)","[\'DC\']","(0, 2)",DC', "2: edges: expected a Python literal"),
        ('0,"[(0, 1), (1, 3)]","[\'DC\', \'DC\']","(0, 3)",DC', "2: node 2 is missing"),
        ('0,"[(0, 1), (1, 0)]","[\'TPP\', \'TPP\']","(0, 1)",DC', r"2: edge \(1, 0\) is TPP"),
        ('0,"__import__(\'os\')","[]","(0, 1)",DC', "2: edges: expected a Python literal"),
    ],
)
def test_a_malformed_published_file_is_refused_at_its_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "test_rcc8_k_2_b_1.csv"
    file.write_text(",edges,edge_labels,query_edge,query_label\n" + line + "\n")
    _, batches = import_files([file], {})
    with pytest.raises(UsageError, match=message):
        list(batches)


def test_files_that_are_not_published_ones_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "test_rcc8_k_2_b_1.csv"
    empty.write_text(",edges,edge_labels,query_edge,query_label\n")
    with pytest.raises(UsageError, match="the file has no row"):
        list(import_files([empty], {})[1])
    with pytest.raises(UsageError, match="a k of 2 or more and a b of 1 or more"):
        import_files([tmp_path / "test_rcc8_k_1_b_1.csv"], {})
    with pytest.raises(UsageError, match="expected a name like"):
        import_files([tmp_path / "rows.csv"], {})
    with pytest.raises(UsageError, match="no such file"):
        import_files([tmp_path / "train_rcc8.csv"], {})


@pytest.mark.parametrize("name", ["rcc8", "hard", "sets"])
def test_plain_swipl_derives_every_label(datasets: dict[str, Dataset], name: str) -> None:
    goal = (
        "forall(sample(Id, _, _, Label, _), (answer(Id, Label) -> true ; format('underived ~w~n', [Id]))),"
        "aggregate_all(count, sample(_, _, _, _, _), N), format('asked ~d~n', [N])"
    )
    done = subprocess.run(
        [swipl.find().executable, "-q", "-f", "none", "-g", goal, "-t", "halt", "load.pl"],
        cwd=datasets[name].path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "underived" not in done.stdout
    assert f"asked {len(datasets[name].samples)}" in done.stdout
    assert "Warning" not in done.stderr


def test_a_dataset_answers_queries(datasets: dict[str, Dataset]) -> None:
    dataset = datasets["rcc8"]
    sample = next(iter(dataset.task("k5_b3")))
    found = dataset.query(f"needed_edges('{sample.id}', Edges)")
    edges = sample.input["edges"]  # type: ignore[index,call-overload]
    assert len(found[0]["Edges"]) == len(edges)  # type: ignore[arg-type]


def test_explanations_name_paths_and_edges(datasets: dict[str, Dataset]) -> None:
    dataset = datasets["rcc8"]
    sample = next(iter(dataset.task("k5_b3")))
    text = Star().explain(dataset, sample)
    assert text.count(" gives ") == 3
    assert f"all paths together: {sample.label}" in text
    assert "none of the" in text
    hard = datasets["hard"]
    broken = next(sample for sample in hard.samples if sample.label == "inconsistent")
    assert "These edges cannot hold together" in Star().explain(hard, broken)


@pytest.mark.parametrize(
    ("labels", "label", "expected"),
    [
        ("['EC', 'TPPI']", "EQ", ["The label does not follow. The edges leave: DC or EC", "That follows from these"]),
        ("['DC', 'DC']", "DC", ["The label does not follow. The edges leave: nothing (every relation is possible)"]),
        ("['NTPP', 'NTPP']", "NTPP", ["It follows from these edges"]),
    ],
)
def test_an_explanation_does_not_defend_a_false_label(
    labels: str, label: str, expected: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "test_rcc8_k_2_b_1.csv"
    row = f'0,"[(0, 1), (1, 2)]","{labels}","(0, 2)",{label}'
    file.write_text(f",edges,edge_labels,query_edge,query_label\n{row}\n")
    dataset = hornbeam.import_dataset("star", [file], out=tmp_path / "out")
    text = Star().explain(dataset, dataset.samples[0])
    assert all(part in text for part in expected)
    assert ("It follows" in text) == ("It follows from these edges" in expected)


def test_a_dataset_of_tangles_has_a_typical_sample(tmp_path: Path) -> None:
    config = tmp_path / "tangles.yml"
    config.write_text("train: {tangles: [{nodes: [6], rows: 1}]}\n")
    dataset = hornbeam.generate("star", str(config), out=tmp_path / "made", seed=1)
    assert len(Star().typical(dataset)) == 1


def test_a_dataset_with_witnesses_outlives_the_file_of_its_calculus(tmp_path: Path) -> None:
    file = tmp_path / "mine.pl"
    file.write_text((Path(__file__).parents[2] / "kb" / "star" / "rcc8.pl").read_text())
    config = tmp_path / "mine.yml"
    config.write_text(f"calculus: {file}\nwitness: true\ntrain: {{cells: [{{k: [2], b: [1], rows: 2}}]}}\n")
    hornbeam.generate("star", str(config), out=tmp_path / "made", seed=1)
    file.unlink()
    assert Star().check(hornbeam.load(tmp_path / "made")).ok


def test_presets_are_sound_configurations() -> None:
    names = presets("star")
    assert {"rcc8", "interval", "rcc8-compat", "interval-compat", "rcc8-small", "interval-small"} <= set(names)
    for name in names:
        config = Star().configure(name)
        if config.width == 1:  # type: ignore[attr-defined]
            assert Star().plan(config, 1)


def test_a_calculus_of_ones_own_makes_a_dataset_that_carries_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.pl"
    text = (Path(__file__).parents[2] / "kb" / "star" / "rcc5.pl").read_text()
    file.write_text(text.replace("calculus(rcc5,", "calculus(mine,"))
    config = tmp_path / "mine.yml"
    config.write_text(f"calculus: {file}\nneeded: most\n" + CELLS)
    dataset = hornbeam.generate("star", str(config), out=tmp_path / "made", seed=1)
    file.unlink()
    again = hornbeam.load(tmp_path / "made")
    assert Star().check(again).ok
    assert len(dataset.samples) > 40
