"""Load: generate, check, audit, show and learn on datasets of growing size; memory and CPU time per sample.

The whole load is 10 times `easy` of KANDY, 500,000 facts of RuDaS and 250,000 networks each of STaR, GraphLog and
CLUTRR. HORNBEAM_LOAD names the shares of it to run (default 0.01,0.02,0.04), HORNBEAM_LOAD_ONLY the families and
commands (e.g. star,clutrr:check; default all), HORNBEAM_LOAD_FOLDER a folder that keeps the datasets.

Each command runs in a process of its own. CPU time and memory are those of the whole tree of its processes. Memory is
the peak of what they have allocated (Pss_Anon of Linux). Pages of the dataset's own files, which the system maps and
may drop, are not counted, and pages that a forked process shares are counted once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

_LOOK_EVERY = 0.25
_COMMANDS = ("generate", "check", "audit", "show", "learn")


@dataclass(frozen=True)
class Case:
    """A family, and how a share of its load is generated."""

    family: str
    preset: str  # a preset's name, or the text of one with {n} in place of its size
    whole: float  # what {n}, or the setting below, is at the whole load
    setting: str = ""  # the setting of a named preset that has the size
    learn: tuple[str, ...] = ()

    def source(self, share: float, folder: Path) -> list[str]:
        """The preset and its settings for a share of the whole load."""
        number = max(1, round(self.whole * share))
        if self.setting:
            return [self.preset, "--set", f"{self.setting}={number}"]
        file = folder / f"{self.family}-{number}.yml"
        file.write_text(self.preset.format(n=number, more=number + 19), encoding="utf-8")
        return [str(file)]


_STAR = """calculus: rcc8
width: 2
train: {{cells: [{{k: [2, 3, 4], b: [2, 3], rows: {n}}}]}}
valid: {{cells: [{{k: [4], b: [2, 3], rows: {n}}}]}}
test: {{cells: [{{k: [4, 5, 6], b: [2, 3], rows: {n}}}]}}
"""
# {n} worlds of 700 networks; each has 20 rules, all but one of them those of the world before.
_GRAPHLOG = """relations: 24
rules: {more}
rules_per_world: 20
stride: 1
worlds: {n}
valid_worlds: 1
test_worlds: 1
rows: {{train: 500, valid: 100, test: 100}}
"""
_CLUTRR = """train: {{"1.2": {n}, "1.3": {n}, "5.3": {n}}}
valid: {{"1.3": {n}}}
test: {{"1.2": {n}, "1.3": {n}, "1.4": {n}, "1.5": {n}}}
"""

CASES = {
    case.family: case
    for case in (
        Case("kandy", "easy", 1000, "samples", ("mdie", "--task", "t00_triangle")),
        Case("rudas", "xl", 500_000, "facts", ("amie",)),
        Case("star", _STAR, 2551, learn=("algebra",)),
        Case("graphlog", _GRAPHLOG, 357, learn=("algebra", "--task", "rule_0")),
        Case("clutrr", _CLUTRR, 31_250, learn=("algebra",)),
    )
}


@dataclass(frozen=True)
class Cell:
    """What one command took."""

    cpu: float
    private: int
    resident: int


def run() -> None:
    """Print a row for each command at each size."""
    shares = [float(part) for part in os.environ.get("HORNBEAM_LOAD", "0.01,0.02,0.04").split(",")]
    only = os.environ.get("HORNBEAM_LOAD_ONLY", ",".join(CASES)).split(",")
    head = f"{'family':9}{'command':10}{'samples':>9}{'CPU s':>9}{'ms a sample':>13}{'memory MB':>12}{'RSS MB':>9}"
    print(head, flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.environ.get("HORNBEAM_LOAD_FOLDER") or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for case in CASES.values():
            for command in _COMMANDS:
                if case.family in only or f"{case.family}:{command}" in only:
                    for share in shares:
                        print(_row(case, command, share, folder), flush=True)


def _row(case: Case, command: str, share: float, folder: Path) -> str:
    dataset = folder / f"{case.family}-{share}"
    arguments = {
        "generate": [case.family, *case.source(share, folder), "--out", str(dataset), "--workers", "1"],
        "check": [str(dataset)],
        "audit": [str(dataset), "--json"],
        "show": [str(dataset), "--out", f"{dataset}.html"],
        "learn": [str(dataset), "--learner", *case.learn, "--fresh", "200"],
    }[command]
    if command == "generate" and dataset.exists():
        return f"{case.family:9}{command:10} kept from an earlier run"
    cell = measured([sys.executable, "-m", "hornbeam", command, *arguments])
    samples = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))["counts"]["samples"]
    sizes = f"{cell.private / 1e6:12.0f}{cell.resident / 1e6:9.0f}"
    return f"{case.family:9}{command:10}{samples:9,}{cell.cpu:9.1f}{1000 * cell.cpu / samples:13.3f}{sizes}"


def measured(command: list[str]) -> Cell:
    """Run a command to its end; AssertionError with what it printed if it fails."""
    with tempfile.TemporaryFile() as printed:
        before = os.times()
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        private, resident = 0, 0
        for now_private, now_resident in _looks(process):
            private, resident = max(private, now_private), max(resident, now_resident)
        after = os.times()
        if process.returncode != 0:
            printed.seek(0)
            raise AssertionError(f"{' '.join(command)}: {process.returncode}\n{printed.read().decode()[-2000:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cell(cpu, private, resident)


def _looks(process: subprocess.Popen[bytes]) -> Iterator[tuple[int, int]]:
    """What the tree has in memory, until it ends: private bytes, and all that is resident."""
    root = psutil.Process(process.pid)
    while process.poll() is None:
        private, resident = 0, 0
        try:
            tree = [root, *root.children(recursive=True)]
        except psutil.Error:
            tree = []
        for one in tree:
            try:
                resident += one.memory_info().rss
                private += _allocated(one.pid)
            except (psutil.Error, OSError):
                continue
        yield private, resident
        time.sleep(_LOOK_EVERY)


def _allocated(pid: int) -> int:
    """Bytes of memory that a process has allocated; its part of what it shares with others."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss_Anon:")), 0)


if __name__ == "__main__":
    run()
