"""The commands that are killed: what they write, what of it counts as finished, and what must come out the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from tests.faults.frame import content, hornbeam


class Inputs:
    """Small datasets and files that commands read, each made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _dataset(self, family: str, preset: str) -> Path:
        out = self._folder / family
        done = hornbeam(
            "generate", family, preset, "--out", out, "--workers", "1", temporary=self._folder / "temporary"
        )
        assert done.code == 0, done.err
        return out

    @cached_property
    def ancestors(self) -> Path:
        return self._dataset("ancestors", "small")

    @cached_property
    def clutrr(self) -> Path:
        return self._dataset("clutrr", "tiny")

    @cached_property
    def published(self) -> list[Path]:
        return sorted((self.clutrr / "original").glob("*.csv"))

    @cached_property
    def predictions(self) -> Path:
        file = self._folder / "predictions.csv"
        samples = [json.loads(line) for line in (self.clutrr / "samples.jsonl").read_text().splitlines()]
        file.write_text("id,label\n" + "".join(f"{sample['id']},{sample['label']}\n" for sample in samples))
        return file


@dataclass(frozen=True)
class Scenario:
    """A command with the target `out`; `--json` prints what it did."""

    name: str
    arguments: Callable[[Inputs, Path], list[str | Path]]
    result: Callable[[Path, str], object]  # what must be the same in the end, from the target and the output
    once: bool = False  # a target that is complete is refused, not accepted as done
    work: Work | None = None  # the work that a second run takes up again


@dataclass(frozen=True)
class Work:
    """Work in pieces, of which finished ones are not done again."""

    pieces: int
    finished: Callable[[Path], int]  # how many a killed run has left for the next
    made: Callable[[Any], int]  # how many a run did itself, by its --json


def _generate(family: str, preset: str, shards: int) -> Scenario:
    return Scenario(
        f"generate {family}",
        lambda inputs, out: [
            *("generate", family, preset, "--out", out, "--seed", "3"),
            *("--workers", "2" if family == "ancestors" else "1", "--json"),
        ],
        lambda out, printed: content(out),
        work=Work(shards, lambda out: _shards(out, shards), lambda figures: int(figures["shards"]["generated"])),
    )


def _shards(out: Path, of: int) -> int:
    """Shards on disk; all of them if the dataset is there."""
    return of if out.is_dir() else len(list(out.with_name(f".{out.name}.partial").glob("shards/*.zip")))


def _steps(out: Path) -> int:
    """Training steps that a checkpoint holds, or a finished run."""
    if (out / "seed-0" / "done.json").is_file():
        return _TRAINING_STEPS
    file = out / "seed-0" / "checkpoint.pt"
    return int(torch.load(file, weights_only=True)["place"]["step"]) if file.is_file() else 0


def _rows(out: Path) -> int:
    """Whole lines of rows.jsonl."""
    file = out / "rows.jsonl"
    return file.read_bytes().count(b"\n") if file.is_file() else 0


def _without_times(printed: str) -> list[dict[str, Any]]:
    kept = ("task", "learner", "status", "accuracy", "theory", "verdict", "clauses")
    return [{key: row[key] for key in kept} for row in json.loads(printed)["rows"]]


def _theory(out: Path, printed: str) -> object:
    figures = json.loads(printed)
    lines = out.read_text().splitlines()
    return [line for line in lines if not line.startswith("% seconds")], figures["theory"], figures["test"]


_TRAINING_STEPS = 20
SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        _generate("kandy", "tour", 5),
        _generate("rudas", "recursive", 7),
        _generate("star", "point", 8),
        _generate("clutrr", "tiny", 8),
        _generate("graphlog", "tiny", 4),
        _generate("ancestors", "small", 4),
        Scenario(
            "train",
            lambda inputs, out: [
                *("train", inputs.clutrr, "--model", "gat", "--out", out, "--checkpoint", "0", "--json"),
                *("--set", "epochs=4", "--set", "batch=22", "--set", "width=8", "--set", "rounds=2"),
            ],
            lambda out, printed: {name: digest for name, digest in content(out).items() if ".lock" not in name},
            work=Work(_TRAINING_STEPS, _steps, lambda figures: int(figures["steps"])),
        ),
        Scenario(
            "compare",
            lambda inputs, out: [
                *("compare", inputs.ancestors, "--learners", "mdie,foil", "--timeout", "20", "--fresh", "20"),
                *("--out", out, "--json"),
            ],
            # A row that was finished and is made again would be a third one.
            lambda out, printed: (_without_times(printed), _rows(out), sorted(content(out))),
        ),
        Scenario(
            "learn",
            lambda inputs, out: [
                *("learn", inputs.ancestors, "--learner", "mdie", "--no-verdict", "--out", out, "--json"),
            ],
            _theory,
        ),
        Scenario(
            "import",
            lambda inputs, out: ["import", "clutrr", *inputs.published, "--out", out, "--json"],
            lambda out, printed: content(out),
            once=True,
        ),
        Scenario(
            "export",
            lambda inputs, out: ["export", inputs.clutrr, out, "--to", "huggingface", "--json"],
            lambda out, printed: content(out),
            once=True,
        ),
        Scenario(
            "judge",
            lambda inputs, out: ["judge", inputs.clutrr, inputs.predictions, "--json"],
            lambda out, printed: json.loads(printed),
        ),
        Scenario(
            "show",
            lambda inputs, out: ["show", inputs.clutrr, "--out", out],
            lambda out, printed: content(out),
        ),
    )
}
