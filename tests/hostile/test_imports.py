"""Hostile files of others that are imported, and hostile rules of a curriculum."""

from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.logic.bridges import contained
from tests.hostile.canaries import Canaries
from tests.hostile.corpus import Attack, files, goals
from tests.hostile.test_files import NAMED, listed

RULES = "father_of(X0,X1) :- son_of(X1,X0).\n"
FACTS = "son_of(adam,bert).\nson_of(carl,bert).\nfather_of(bert,adam).\n"


@pytest.fixture(autouse=True)
def _little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contained, "_GRACE", 0.3)


def _wrong(
    name: str, arguments: list[str], birds: Canaries, printed: pytest.CaptureFixture[str]
) -> list[tuple[str, str]]:
    code = run(arguments)
    said = "".join(printed.readouterr())
    events = birds.touched(said)
    if code not in (0, 1, 2) or "internal error" in said or "Traceback" in said:
        events.append(f"exit code {code}: {said[-300:]}")
    return [(f"{name}: {arguments[0]}", event) for event in events]


def _text(attack: Attack, birds: Canaries) -> str:
    return attack.filled(birds.places(attack.name)).text


def _imports(
    attacks: list[Attack], birds: Canaries, folder: Path, printed: pytest.CaptureFixture[str]
) -> list[tuple[str, str]]:
    """Each text among the rules or the facts of a published folder of RuDaS; what can be imported is asked."""
    wrong = []
    for attack, place in itertools.product(attacks, ("rules.txt", "train.txt")):
        published = folder / f"{attack.name}-{place.partition('.')[0]}"
        published.mkdir()
        texts = {"rules.txt": RULES, "train.txt": FACTS, "train-cw.txt": FACTS, "train-support.txt": FACTS}
        texts[place] += _text(attack, birds)
        for name, text in texts.items():
            (published / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        out = folder / f"out-{published.name}"
        wrong += _wrong(attack.name, ["import", "rudas", str(published), "--out", str(out)], birds, printed)
        if out.exists():
            wrong += _wrong(attack.name, ["check", str(out)], birds, printed)
            wrong += _wrong(attack.name, ["query", str(out), "sample(A, B, C, D, E)"], birds, printed)
    return wrong


HARMLESS = Attack("harmless", "nothing", "harmless", "son_of(dirk,bert) .\n")


def test_imports(birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [attack for attack in files() if attack.name in NAMED[::3] or attack.name.startswith("bomb_nul")]
    wrong = _imports([HARMLESS, *chosen], birds, tmp_path, capsys)
    assert (tmp_path / "out-harmless-train" / "load.pl").exists()  # the folder itself can be imported
    assert not wrong, listed(wrong)


@pytest.mark.slow
def test_every_file_imported(birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = _imports(list(files()), birds, tmp_path, capsys)
    assert not wrong, listed(wrong)


CURRICULUM: dict[str, Any] = {
    "tasks": [
        {
            "name": "attacked", "gamma": 0.5, "beta": 0.5, "samples": 10, "train_split": 0.5, "val_split": 0.2,
            "noisy_color": False, "noisy_size": False, "positive_rule": "",
            "positive_set": [{"random": [{"shape": "circle", "color": None, "size": None}] * 2}],
            "negative_set": [{"random": [{"shape": "square", "color": None, "size": None}] * 2}],
        }
    ]
}  # fmt: skip


def _rules(
    attacks: list[Attack], birds: Canaries, folder: Path, printed: pytest.CaptureFixture[str]
) -> list[tuple[str, str]]:
    """Each goal as the body of a rule that a curriculum of KANDY gives: it only reasons, or is refused."""
    wrong = []
    file = folder / "curriculum.yml"
    for attack in attacks:
        rule = f"valid(C) :- contains(C, _), {_text(attack, birds)}."
        CURRICULUM["tasks"][0]["positive_rule"] = rule
        file.write_text(json.dumps(CURRICULUM), encoding="utf-8")
        wrong += _wrong(attack.name, ["kandy", "lint", str(file), "--draws", "1"], birds, printed)
    return wrong


def test_rules(birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sections = itertools.groupby(goals(), lambda attack: attack.aim)
    chosen = [next(attacks) for _, attacks in sections]
    chosen = [attack for attack in chosen if attack.outcome in ("refused", "own")]
    CURRICULUM["tasks"][0]["positive_rule"] = "valid(C) :- contains(C, X), extract_shape(X, circle)."
    (tmp_path / "good.yml").write_text(json.dumps(CURRICULUM), encoding="utf-8")
    assert run(["kandy", "lint", str(tmp_path / "good.yml"), "--draws", "1"]) == 0, capsys.readouterr()
    wrong = _rules(chosen, birds, tmp_path, capsys)
    assert not wrong, listed(wrong)


@pytest.mark.slow
def test_every_goal_as_a_rule(birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ending = [attack for attack in goals() if attack.outcome != "limit"]  # a rule that loops takes its full minute
    wrong = _rules(ending, birds, tmp_path, capsys)
    assert not wrong, listed(wrong)


CELLS = (
    "__import__('os').system('touch @MARK@')", "[" * 10_000, "(1," * 3000, "9" * 5000, "{'a': __import__('os')}",
    "x'), shell('touch @MARK@'), y('", "x). :- shell('touch @MARK@'). y(z", '#include "@SECRET@".', "\0", "=cmd()",
    "<script>", "../../../x", "[(0, 1)] * 10**9", "-" * 10_000 + "1", "'a' * 10**10", "\x1b]0;x\x07",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("family", "preset"), [("clutrr", "tiny"), ("star", "rcc8-small"), ("kandy", "tour")])
def test_every_cell(
    family: str,
    preset: str,
    birds: Canaries,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each cell of the first row of a published CSV file, with a hostile text in its place."""
    made = hornbeam.generate(family, preset, out=tmp_path / "made", seed=3).path
    source = next(iter(sorted(made.rglob("*.csv"))))
    rows = list(csv.reader(io.StringIO(source.read_text(encoding="utf-8"))))[:6]
    wrong = []
    for number, (column, cell) in enumerate(itertools.product(range(len(rows[0])), CELLS)):
        changed = [list(row) for row in rows]
        changed[1][column] = cell.replace("@MARK@", birds.places(f"{column}")["MARK"])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(changed)
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / source.name).write_text(text.getvalue(), encoding="utf-8")
        out = tmp_path / f"out{number}"
        arguments = ["import", family, str(folder / source.name), "--out", str(out)]
        wrong += _wrong(f"{rows[0][column]}: {cell[:20]!r}", arguments, birds, capsys)
        if out.exists():
            for command in ("check", "audit"):
                wrong += _wrong(f"{rows[0][column]}: {cell[:20]!r}", [command, str(out)], birds, capsys)
    assert not wrong, listed(wrong)
