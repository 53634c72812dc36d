"""Hostile names: texts of samples and of the manifest that try to be Prolog, clingo, HTML, a formula or a path.

Every text of a sample is changed in turn, with an index and a manifest that agree, and each command reads the dataset.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.cli import run
from tests.hostile.canaries import Canaries
from tests.hostile.pages import problems
from tests.hostile.planting import with_samples

TEXTS = {
    "quoted": "x'), shell('touch @MARK@'), y('",
    "spliced": "x). :- initialization(shell('touch @MARK@')). y(z",
    "spliced_clause": "x), open('@MARK@', write, _), y(z",
    "clingo": 'x). #script(python) import os; os.system("touch @MARK@") #end. y(z',
    "clingo_include": 'x). #include "@SECRET@". y(z',
    "html": "\"'><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
    "formula": "=cmd|' /C touch @MARK@'!A0",
    "path": "../../../../../..@MARK@",
    "python": "__import__('os').system('touch @MARK@')",
    "math": "$\\frac{$ \\input{@SECRET@}",
}
COMMANDS = (
    ["check", "{}"], ["audit", "{}"], ["explain", "{}", "ID"], ["show", "{}", "--out", "{}.html"],
    ["query", "{}", "sample(X, Y, Z, L, C)"], ["export", "{}", "{}-csv", "--to", "csv"],
    ["export", "{}", "{}-popper", "--to", "popper"], ["export", "{}", "{}-aleph", "--to", "aleph"],
)  # fmt: skip
LEARNERS = {
    "ancestors": "foil",
    "kandy": "foil",
    "rudas": "amie",
    "clutrr": "algebra",
    "graphlog": "algebra",
    "star": "algebra",
}
PRESETS = {"clutrr": "tiny", "graphlog": "tiny", "rudas": "xs", "star": "rcc8-small", "kandy": "tour"}


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of all texts, of a list only the first and the last item."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list) and value:
        for number in sorted({0, len(value) - 1}):
            yield from places(value[number], (*path, number))


def put(value: Any, path: tuple[str | int, ...], text: str) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = text


class Sweep:
    """A dataset, changed in one place at a time."""

    def __init__(self, dataset: Path, birds: Canaries, work: Path, printed: pytest.CaptureFixture[str]) -> None:
        self.dataset = dataset
        self.birds = birds
        self.work = work
        self.printed = printed
        self.first = json.loads((dataset / "samples.jsonl").read_text(encoding="utf-8").partition("\n")[0])

    def changed(self, path: tuple[str | int, ...], name: str) -> Path:
        """The dataset with this text at `path` of its first sample."""
        text = TEXTS[name]
        for placeholder, value in self.birds.places("-".join(map(str, (name, *path)))).items():
            text = text.replace(f"@{placeholder}@", value)

        def change(sample: dict[str, Any]) -> None:
            if sample["id"] == self.first["id"]:
                put(sample, path, text)

        return with_samples(self.dataset, self.work / "changed", change)

    def wrong(self, path: tuple[str | int, ...], name: str, commands: tuple[list[str], ...]) -> list[str]:
        """What any command did that it must not do."""
        folder = self.changed(path, name)
        lines = (folder / "samples.jsonl").read_text(encoding="utf-8")
        number = json.loads(lines.partition("\n")[0])["id"]
        wrong = []
        for command in commands:
            arguments = [part.replace("{}", str(folder)) if part != "ID" else number for part in command]
            code = run(arguments)
            said = "".join(self.printed.readouterr())
            events = self.birds.touched(said)
            if code not in (0, 1, 2) or "internal error" in said or "Traceback" in said:
                events.append(f"exit code {code}: {said[-300:]}")
            page = self.work / "changed.html"
            events += problems(page.read_text(encoding="utf-8")) if page.exists() else []
            page.unlink(missing_ok=True)
            wrong += [f"{name} at {path}: {command[0]} {command[-1]}: {event}" for event in events]
        for left in self.work.iterdir():
            shutil.rmtree(left)
        return wrong


def test_names(dataset_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plug-in's family, whose code quotes nothing: every text at every place, with the commands that read it."""
    work = tmp_path / "work"
    work.mkdir()
    sweep = Sweep(dataset_folder, birds, work, capsys)
    found = list(places(sweep.first))
    wrong = []
    for number, name in enumerate(TEXTS):
        wrong += sweep.wrong(found[number % len(found)], name, COMMANDS[:6])
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("family", PRESETS)
def test_names_in_every_family(
    family: str,
    birds: Canaries,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every text at every place of a sample, each with the next commands in turn."""
    dataset = hornbeam.generate(family, PRESETS[family], out=tmp_path_factory.mktemp("names") / family, seed=3).path
    work = tmp_path / "work"
    work.mkdir()
    sweep = Sweep(dataset, birds, work, capsys)
    learn = ["learn", "{}", "--learner", LEARNERS[family], "--timeout", "1", "--no-verdict"]
    wrong = []
    for path in places(sweep.first):
        for name in TEXTS:
            wrong += sweep.wrong(path, name, (*COMMANDS, learn))
    assert not wrong, "\n".join(wrong)
