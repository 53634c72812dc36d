"""Damaged run folders, checkpoints, training presets, theories and facts."""

from __future__ import annotations

import io
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hornbeam
from tests.fuzz.cases import Case, call, replace
from tests.fuzz.mutations import STRANGE, damage_of

TRAINING = {"epochs": "3", "batch": "2"}
TRUE = "path(X,Y) :- edge(X,Y).\npath(X,Z) :- edge(X,Y), path(Y,Z).\n"
LEARNED = "path(A,B) :- edge(A,B).\npath(A,B) :- edge(A,C), edge(C,B).\n"
FACTS = "".join(f"edge(n{one},n{two}).\n" for one, two in ((0, 1), (1, 2), (2, 3), (3, 1), (4, 0)))


class _Stopped(Exception):
    """Ends a training in the middle."""


@dataclass
class RunBench:
    """What the damaged inputs are made from, made once: a finished training, one that was ended, and a comparison."""

    pictures: Path  # a dataset of KANDY
    facts: Path  # a dataset of RuDaS
    task: str  # of the dataset of RuDaS
    preset: Path  # of training
    work: Path

    def __post_init__(self) -> None:
        self._train(self.work / "finished")
        self._train(self.work / "ended", ended=True)
        done = call(*self._compare(self.work / "comparison"))
        assert done.code == 0, done.err

    def _train(self, out: Path, *, ended: bool = False) -> None:
        from hornbeam.neural.trainer import Habits

        checkpoint = out / "seed-0" / "checkpoint.pt"

        def stop(done: int, total: int) -> None:
            if ended and checkpoint.is_file():
                raise _Stopped

        stopped = False
        try:
            more: dict[str, Any] = {"habits": Habits(checkpoint_seconds=0), "progress": stop}
            hornbeam.train(hornbeam.load(self.pictures), "mlp", setting="joint", out=out, overrides=TRAINING, **more)
        except _Stopped:
            stopped = True
        assert stopped is ended and checkpoint.is_file() is ended

    def _compare(self, out: Path) -> tuple[object, ...]:
        limits = ("--timeout", 5, "--fresh", 20)
        return ("compare", self.facts, "--tasks", self.task, "--learners", "amie", *limits, "--out", out)

    def case(self, seed: int) -> Case:
        """The case of a seed."""
        rng = random.Random(f"runs {seed}")
        makers: dict[Callable[[random.Random], Case], int] = {
            self.finished: 5,
            self.ended: 5,
            self.state: 6,
            self.training_preset: 5,
            self.comparison: 1,
            self.theories: 8,
        }
        return rng.choices(list(makers), list(makers.values()))[0](rng)

    def finished(self, rng: random.Random) -> Case:
        return self._resumed("finished", rng.choice(["config.json", "results.jsonl", "done.json"]), rng)

    def ended(self, rng: random.Random) -> Case:
        return self._resumed("ended", rng.choice(["config.json", "results.jsonl", "checkpoint.pt"]), rng)

    def state(self, rng: random.Random) -> Case:
        """A checkpoint that can be read and holds something else."""
        import torch

        out = self._copy("ended")
        file = out / "seed-0" / "checkpoint.pt"
        state = torch.load(file, weights_only=True)
        holder, key = rng.choice(_places(state))
        if rng.random() < 0.3:
            del holder[key]
        else:
            others = [value for value in STRANGE if not isinstance(value, int) or abs(value) < 2**60]
            holder[key] = rng.choice([*others, torch.zeros(3), torch.zeros(2, 2, dtype=torch.int64)])
        buffer = io.BytesIO()
        torch.save(state, buffer)
        replace(file, buffer.getvalue())
        return self._training("state of a checkpoint", out)

    def _resumed(self, folder: str, name: str, rng: random.Random) -> Case:
        out = self._copy(folder)
        file = out / "seed-0" / name
        replace(file, damage_of(name, rng)(file.read_bytes(), rng))
        return self._training(f"{folder}: {name}", out)

    def _copy(self, folder: str) -> Path:
        out = self.work / "run"
        shutil.rmtree(out, ignore_errors=True)
        return Path(shutil.copytree(self.work / folder, out))

    def _training(self, name: str, out: Path, *more: object) -> Case:
        settings = [part for key, value in TRAINING.items() for part in ("--set", f"{key}={value}")]
        command = ("train", self.pictures, "--model", "mlp", "--setting", "joint", *settings, "--out", out, *more)
        return Case(name, command, (str(out),), self.pictures)

    def training_preset(self, rng: random.Random) -> Case:
        file = self.work / "damaged.yml"
        replace(file, damage_of(file.name, rng)(self.preset.read_bytes(), rng))
        out = self.work / "preset_run"
        shutil.rmtree(out, ignore_errors=True)
        case = self._training("training preset", out, "--preset", file, "--set", "batch=64")
        return Case(case.name, case.command, (str(file), "--set"), file, out)

    def comparison(self, rng: random.Random) -> Case:
        out = self.work / "run"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(self.work / "comparison", out)
        file = out / "rows.jsonl"
        replace(file, damage_of(file.name, rng)(file.read_bytes(), rng))
        return Case("comparison", self._compare(out), (str(out),), self.facts)

    def theories(self, rng: random.Random) -> Case:
        texts = {"true.pl": TRUE, "learned.pl": LEARNED, "facts.pl": FACTS}
        damaged = rng.choice(sorted(texts))
        for name, text in texts.items():
            data = text.encode()
            replace(self.work / name, damage_of(name, rng)(data, rng) if name == damaged else data)
        true, learned, facts = (self.work / name for name in texts)
        commands: list[tuple[object, ...]] = [
            ("diff", true, learned, "--facts", facts, "--timeout", 5),
            ("score", true, learned, "--facts", facts, "--timeout", 5),
        ]
        # What a theory calls may be unknown, or take too long: then it is the theory that failed.
        return Case(damaged, rng.choice(commands), (damaged,), self.work / damaged, codes=(0, 1, 2))


def _places(value: Any) -> list[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [pair for key in keys for pair in [(value, key), *_places(value[key])]]
