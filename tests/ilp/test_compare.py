"""Comparisons: every learner has its row, finished rows are kept, tables and plots say what the rows say."""

from __future__ import annotations

import csv
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam import family as families
from hornbeam.errors import UsageError
from hornbeam.ilp import compare, report
from hornbeam.ilp import learner as learners
from hornbeam.ilp.compare import Contest, Entrant, fingerprint
from hornbeam.networks import reasoning
from hornbeam.resources import kb, prolog
from hornbeam.tasks import verdicts
from hornbeam.theory import Theory, Verdict, Witness
from hornbeam.theory.files import read_header
from tests.ilp.test_runner import children
from tests.test_processes import alive


@pytest.fixture(scope="module")
def dataset_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "ancestors"
    hornbeam.generate("ancestors", "small", out=folder, seed=12, overrides={"samples": 80})
    return folder


def contest(folder: Path, *names: str, timeout: float = 1.0) -> Contest:
    return Contest([hornbeam.load(folder)], [Entrant.parse(name, {}, {}) for name in names], timeout, 400 << 20)


@pytest.fixture(scope="module")
def finished(dataset_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[compare.ResultRow]]:
    folder = tmp_path_factory.mktemp("comparison")
    names = ("one-literal", "crasher", "liar", "silent", "absent", "stranger")
    return folder, compare.run(contest(dataset_folder, *names), folder, workers=2)


def test_each_learner_costs_only_its_own_row(finished: tuple[Path, list[compare.ResultRow]]) -> None:
    _, rows = finished
    assert {row["learner"]: row["status"] for row in rows} == {
        "one-literal": "finished",
        "crasher": "crashed",
        "liar": "false_claim",
        "silent": "no_theory",
        "absent": "unavailable",
        "stranger": "unavailable",
    }
    first = rows[0]
    assert (first["accuracy"], first["equivalent"], first["verdict"]["kind"]) == (1.0, False, "refuted")
    assert first["verdict"]["counterexample"]["true"] == "true", "right on the test split, and yet wrong"
    liar = {row["learner"]: row for row in rows}["liar"]
    assert liar["verdict"]["blame"] == "ancestor(_V0,_V1,_V2)."
    assert rows[-1]["verdict"] is None, "what did not run has no verdict"
    assert first["curve"][0] == [0.0, 0.95]
    assert first["curve"][-1][1] == 1.0
    assert "takes dreams" in rows[-1]["message"]


@pytest.mark.slow
def test_a_run_that_goes_on_makes_only_what_is_missing(
    dataset_folder: Path, finished: tuple[Path, list[compare.ResultRow]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rows = finished
    ran: list[str] = []
    fit = compare.fit

    def counted(problem: Any, learner: Any, **more: Any) -> Any:
        ran.append(learner.name)
        return fit(problem, learner, **more)

    monkeypatch.setattr(compare, "fit", counted)
    with (folder / compare.ROWS).open("a") as stream:
        stream.write('{"key": "torn')
    again = compare.run(contest(dataset_folder, "silent", "one-literal", "killed"), folder)
    assert ran == ["killed"]
    assert [row["learner"] for row in again] == ["silent", "one-literal", "killed"]
    assert again[1] == rows[0]
    for line in (folder / compare.ROWS).read_text().splitlines():
        json.loads(line)
    other_limit = compare.run(contest(dataset_folder, "silent", timeout=2.0), folder)
    assert ran == ["killed", "silent"]
    assert other_limit[0]["status"] == "no_theory"


def test_a_row_with_strange_ends_of_lines_is_kept(tmp_path: Path) -> None:
    file = tmp_path / compare.ROWS
    texts = dict.fromkeys(("code", "dataset", "family", "task", "kind", "learner", "status"), "x")
    others = dict.fromkeys(compare._StoredRow.__annotations__)
    row = {**others, **texts, "key": "a", "message": "\u2028\x85", "code_changed": False, "tested": True, "curve": []}
    whole = json.dumps(row, ensure_ascii=False) + "\n"
    file.write_text(whole + json.dumps({"key": "b"}), encoding="utf-8")
    assert compare._kept(file) == {"a": row}
    assert file.read_text(encoding="utf-8") == whole


def test_tables(finished: tuple[Path, list[compare.ResultRow]], tmp_path: Path) -> None:
    _, rows = finished
    report.save(rows, tmp_path, "Learners")
    data = json.loads((tmp_path / report.DATA).read_text())
    assert {"learner", "task", "accuracy", "equivalent", "seconds", "status"} <= set(data["rows"][0])
    assert set(data["means"]) == {"one-literal", "crasher", "liar", "silent"}
    sheet = list(csv.DictReader((tmp_path / report.SHEET).open(newline="")))
    assert [line["status"] for line in sheet] == [row["status"] for row in rows]
    assert sheet[0]["theory"] == "ancestor(V0,V1,V2) :- parent(V0,V1,V2)."
    text = narrow((tmp_path / report.TABLE).read_text())
    assert "| one-literal | 1 | 1 | 1.0000 | 1.0000 |" in text
    assert "RuntimeError: the bottom fell out" in text
    assert all(line.count("|") == text.splitlines()[4].count("|") for line in text.splitlines()[4:8])
    assert "| right on fresh samples | proven equal | no difference | refuted |" in text


def test_means_count_failures() -> None:
    rows = [row("a", 1.0), row("a", 0.5), row("a", None, status="crashed"), row("b", 0.25)]
    found = report.means(rows)
    assert found["a"]["accuracy"] == 0.5
    assert found["a"]["statuses"] == {"crashed": 1, "finished": 2}
    assert (found["b"]["accuracy"], found["b"]["h_score"]) == (0.25, None)


def test_verdicts_are_counted_by_kind() -> None:
    witness = Witness("graph", "p0", "true", "false", html="<svg>p0</svg>")
    verdicts = [
        Verdict.equal("by containment"), Verdict.agrees(2000), Verdict.incomparable("no truth"),
        Verdict.refuted(witness, method="built", blame="p."), None,
        # Only a sample that the generator does not draw refutes it.
        replace(Verdict.refuted(witness, method="built", fresh=2000), fresh_wrong=0),
    ]  # fmt: skip
    rows = [{**row("a", 1.0), "verdict": verdict.to_json() if verdict else None} for verdict in verdicts]
    found = report.means(rows)["a"]
    assert found["verdicts"] == {"equal": 1, "agrees": 1, "refuted": 2, "incomparable": 1}
    assert found["right_on_fresh"] == 3
    text = narrow(report.markdown(rows, "Verdicts"))
    assert "| 3 of 6 | 1 | 1 | 2 | 1 |" in text
    assert all(f"| {words} |" in text for words in ("proven equal", "same on 2,000", "not comparable", "refuted"))


def test_only_a_proof_is_green_and_counterexamples_are_drawn(tmp_path: Path) -> None:
    witness = Witness("graph", "p0", "true", "false", html="<svg>p0</svg>")
    refuted = Verdict.refuted(witness, method="built", blame="p(X) :- q(X).")
    rows = [{**row("a", 1.0), "verdict": verdict.to_json()} for verdict in (refuted, Verdict.agrees(10))]
    report.save(rows, tmp_path, "Verdicts")
    page = (tmp_path / report.PAGE).read_text()
    assert "<figure><svg>p0</svg></figure>" in page and "to blame: p(X) :- q(X)." in page
    assert 'class="good"' not in page
    report.save([{**row("a", 1.0), "verdict": Verdict.equal("by containment").to_json()}], tmp_path, "Verdicts")
    assert '<p class="good"><strong>proven equal (by containment)</strong></p>' in (tmp_path / report.PAGE).read_text()
    sheet = list(csv.DictReader((tmp_path / report.SHEET).open(newline="")))
    assert sheet[0]["verdict"] == "proven equal (by containment)"


def test_a_task_without_a_test_split_is_no_failure() -> None:
    rows = [row("a", 0.8), {**row("a", None), "tested": False}]
    assert (report.means(rows)["a"]["accuracy"], report.means(rows)["a"]["tested"]) == (0.8, 1)


def test_rows_of_different_code_are_not_passed_off_as_one_run() -> None:
    rows = [row("a", 0.8), row("b", 0.9)]
    assert not report.mixed([rows[0], {**rows[1], "code": "d"}])
    assert report.mixed([*rows, {**rows[0], "code": "d"}])
    assert report.mixed([{**rows[0], "code_changed": True}])
    assert report.MIXED in report.markdown([*rows, {**rows[0], "code": "d"}], "Learners")


def test_a_learner_that_was_changed_is_run_again(dataset_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heat = next(contest(dataset_folder, "silent").heats())
    before = heat.key()
    assert heat.key() == before
    monkeypatch.setattr(compare, "fingerprint", lambda learner, family: "other")
    assert heat.key() != before


def test_the_fingerprint_is_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "edited.py"
    text = "from hornbeam_learners.misbehaved import Silent\nclass Edited(Silent): pass\n"
    source.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    learner, family = importlib.import_module("edited").Edited(), families.get("ancestors")
    before = fingerprint(learner, family)
    assert fingerprint(learner, family) == before
    source.write_text(text + "# edited\n")
    assert fingerprint(learner, family) != before


def test_the_fingerprint_is_of_the_truth_and_of_the_judge_as_well() -> None:
    files = set(compare._files(learners.get("mdie"), families.get("star")))
    wanted = [kb("star", "rcc8.pl"), prolog("ilp", "cover.lp"), prolog("mdie", "search.pl")]
    wanted += [prolog("theory", "proofs.pl"), prolog("bridge.pl"), Path(compare.__file__)]
    wanted += [Path(module.__file__) for module in (reasoning, verdicts)]
    assert [file for file in wanted if file not in files] == []
    assert all(file.is_file() for file in files)


def test_groups_are_weighed_by_their_networks() -> None:
    cells = [{"k=2": {"accuracy": 1.0, "count": 1}}, {"k=2": {"accuracy": 0.5, "count": 3}}]
    rows = [{**row("a", 1.0), "by_group": cell} for cell in cells]
    assert report.means(rows)["a"]["by_group"] == {"k=2": 0.625}
    assert "| k=2 | 0.6250 |" in narrow(report.markdown(rows, "Groups"))


def test_kinds_of_tasks_have_means_of_their_own() -> None:
    kinds = {"chain": (1.0, 0.5), "rdg": (0.0,)}
    rows = [{**row("a", figure), "kind": kind} for kind, figures in kinds.items() for figure in figures]
    found = report.means(rows)["a"]["by_kind"]
    assert [(kind, of["tasks"], of["accuracy"]) for kind, of in found.items()] == [("chain", 2, 0.75), ("rdg", 1, 0.0)]
    assert "| chain | a | 2 |" in narrow(report.markdown(rows, "title"))
    assert "by_kind" not in report.means(rows[:2])["a"], "one kind is the whole"


def narrow(text: str) -> str:
    """Markdown without the spaces that align its columns."""
    return re.sub(r" +\|", " |", text)


def row(learner: str, accuracy: float | None, status: str = "finished") -> dict[str, Any]:
    figures = dict.fromkeys(("balanced_accuracy", "h_score", "clause_ratio", "literal_ratio", "equivalent", "exact"))
    return {
        "dataset": "d", "task": "t", "kind": "", "learner": learner, "status": status, "accuracy": accuracy,
        "verdict": None, "clauses": 1, "seconds": 1.0,
        "tested": True, "code": "c", "code_changed": False, "theory": "",
        "complete": True, "message": "", "by_group": None, **figures,
    }  # fmt: skip


def test_curves_are_means_over_tasks() -> None:
    rows = [{"curve": [[0, 0.5], [1, 0.7], [4, 1.0]]}, {"curve": [[0, 0.5], [2, 0.9]]}, {"curve": []}]
    assert report.mean_curve(rows, 3.0) == [
        (0.0, 0.5), (1.0, pytest.approx(0.6)), (2.0, pytest.approx(0.8)), (3.0, pytest.approx(0.8)),
    ]  # fmt: skip


def test_plots_are_the_same_bytes_each_time(finished: tuple[Path, list[compare.ResultRow]], tmp_path: Path) -> None:
    _, rows = finished
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files = report.draw(rows, tmp_path / name, timeout=1.0, title="Learners")
        made.append([file.read_bytes() for file in files])
    assert made[0] == made[1]
    assert b"one-literal (1.000)" in made[0][0] and made[0][1].startswith(b"\x89PNG")
    assert report.draw([{**rows[0], "curve": []}], tmp_path, timeout=1.0, title="") == []


@pytest.mark.parametrize(
    ("names", "complaint"),
    [(["lfff"], "did you mean 'lff'"), (["silent", "silent"], "'silent' is given twice")],
)
def test_asking_wrongly(dataset_folder: Path, tmp_path: Path, names: list[str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        compare.run(contest(dataset_folder, *names), tmp_path)


def test_an_encoding_of_its_own() -> None:
    entrant = Entrant.parse("silent@natural/mid", {"encoding": "folded", "more": "x"}, {"silent": {"seed": "3"}})
    assert (entrant.label, entrant.settings) == ("silent@natural/mid", {"seed": "3"})
    assert entrant.options == {"encoding": "natural", "background": "mid", "more": "x"}


# The command ----------------------------------------------------------------------------------------------------------


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hornbeam", *arguments], capture_output=True, text=True, timeout=300, check=False
    )


def test_hornbeam_learn(dataset_folder: Path, tmp_path: Path) -> None:
    theory, trace = tmp_path / "theory.pl", tmp_path / "trace.jsonl"
    arguments = ["learn", str(dataset_folder), "--learner", "one-literal", "--timeout", "20", "--json"]
    done = command(*arguments, "--out", str(theory), "--trace", str(trace), "--why")
    found = json.loads(done.stdout)
    assert (found["learner"], found["task"], found["complete"]) == ("one-literal", "ancestor", True)
    assert found["test"]["accuracy"] == 1.0
    header = read_header(theory.read_text())
    assert (header["learner"], header["task"], header["settings"]) == ("one-literal", "ancestor", "seed=0, min_pos=1")
    assert header["dataset"] == "ancestors (ancestors small, seed 12)"
    assert header["verdict"] == found["verdict"]["text"]
    assert Theory.load(theory).texts == tuple(found["theory"].splitlines())
    assert (found["verdict"]["kind"], found["equivalent"]) == ("refuted", False)
    assert len(found["why"]["uncovered_positives"]) == found["train"]["fn"]
    trace.write_text(trace.read_text().replace('"tried": 2', '"tried": 3'))
    other = command(*arguments, "--replay", str(trace))
    assert other.returncode == 1
    assert "not the recorded one: event 1:" in other.stderr


@pytest.mark.slow
def test_hornbeam_compare_and_learners_and_bias(dataset_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    names = "one-literal,silent"
    arguments = ["compare", str(dataset_folder), "--learners", names, "--timeout", "5", "--out", str(out)]
    found = json.loads(command(*arguments, "--json", "--set", "one-literal.min_pos=2").stdout)
    assert [row["learner"] for row in found["rows"]] == ["one-literal", "silent"]
    assert sorted(file.name for file in out.iterdir()) == [
        "accuracy.png", "accuracy.svg", "comparison.html", "rows.csv", "rows.jsonl",
        "table.json", "table.md",
    ]  # fmt: skip
    page = (out / "comparison.html").read_text()
    assert page.count("<svg") == 1 and "ancestor(V0,V1,V2) :- parent(V0,V1,V2)." in page
    wrong = command(*arguments, "--set", "min_pos=2")
    assert (wrong.returncode, "expected LEARNER.KEY=VALUE" in wrong.stderr) == (2, True)
    listed = {row["name"]: row for row in json.loads(command("learners", "--json").stdout)["learners"]}
    assert listed["absent"]["missing"] == "pip install nothing-of-the-kind"
    assert listed["one-literal"]["settings"]["min_pos"]["about"]
    audit = json.loads(command("bias", str(dataset_folder), "--learners", "one-literal,looper", "--json").stdout)
    assert [(found["learner"], found["inside"]) for found in audit["learners"]] == [
        ("one-literal", False),
        ("looper", True),
    ]


def test_ctrl_c_keeps_finished_rows_and_leaves_nothing(dataset_folder: Path, tmp_path: Path) -> None:
    names = "one-literal,looper"
    arguments = ["compare", str(dataset_folder), "--learners", names, "--timeout", "60", "--out", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "hornbeam", *arguments], stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    rows, workers = tmp_path / compare.ROWS, list[int]()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (rows.is_file() and rows.read_text() and workers):
        time.sleep(0.1)
        workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; what was finished is kept" in complaint
    assert not any(map(alive, workers))
    assert [json.loads(line)["learner"] for line in rows.read_text().splitlines()] == ["one-literal"]
