"""Damaged folders that a run keeps for later: the answers of a language model, and what was read in pictures."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import hornbeam
from tests.fuzz.cases import Case, call, replace
from tests.fuzz.mutations import damage_of
from tests.language.stub_server import Stub, question, said


@dataclass
class KeptBench:
    """What the damaged inputs are made from, made once: a run of `ask`, and the readings of some pictures."""

    networks: Path  # a dataset that a model is asked about
    pictures: Path  # a dataset of KANDY
    work: Path

    def __post_init__(self) -> None:
        gold = {item.text: item.target for item in hornbeam.prompts(hornbeam.load(self.networks), split="test")}
        with Stub(lambda number, body: said(f"<answer>{gold[question(body)]}</answer>")).running() as stub:
            self.url = stub.url
            self._done(*self._asking(self.work / "asked"))
        self._done(*self._perceive(self.work / "read"))
        self._done(*self._perceive(self.work / "found", *self._CONCEPTS))

    _CONCEPTS = ("--perceiver", "neural", "--perceiver-set", "annotated=0")

    def _done(self, *command: object) -> None:
        done = call(*command)
        assert done.code == 0, done.err

    def case(self, seed: int) -> Case:
        """The case of a seed."""
        rng = random.Random(f"kept {seed}")
        makers: dict[Callable[[random.Random], Case], int] = {
            self.compared: 3,
            self.asked: 2,
            self.read: 4,
            self.found: 1,
        }
        return rng.choices(list(makers), list(makers.values()))[0](rng)

    def compared(self, rng: random.Random) -> Case:
        folder = self._damaged("asked", rng.choice(["ask.json", "rulings.jsonl", "rulings.jsonl"]), rng)
        out = self.work / "table"
        shutil.rmtree(out, ignore_errors=True)
        command = ("compare", self.networks, "--answers", folder, "--out", out)
        return Case("compare --answers", command, (str(folder),), folder, out)

    def asked(self, rng: random.Random) -> Case:
        """The same run again. What it kept is not asked again; there is no server any more for what is lost."""
        folder = self._damaged("asked", rng.choice(["ask.json", "calls.jsonl"]), rng)
        return Case("ask again", self._asking(folder), (str(folder),), self.networks, codes=(0, 1, 2))

    def read(self, rng: random.Random) -> Case:
        folder = self._damaged("read", next((self.work / "read").glob("*.jsonl")).name, rng)
        return Case("readings", self._perceive(folder), (str(folder),), self.pictures)

    def found(self, rng: random.Random) -> Case:
        folder = self._damaged("found", next((self.work / "found").glob("concepts-*.json")).name, rng)
        for file in folder.glob("*.jsonl"):
            file.unlink()
        return Case("concepts", self._perceive(folder, *self._CONCEPTS), (str(folder),), self.pictures)

    def _damaged(self, folder: str, name: str, rng: random.Random) -> Path:
        copy = self.work / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.work / folder, copy)
        replace(copy / name, damage_of(name, rng)((copy / name).read_bytes(), rng))
        return copy

    def _asking(self, out: Path) -> tuple[object, ...]:
        server = ("--endpoint", self.url, "--model", "stub", "--out", out, "--timeout", 1, "--tries", 1)
        return ("ask", self.networks, *server, "--limit", 6)

    def _perceive(self, readings: Path, *more: object) -> tuple[object, ...]:
        return ("perceive", self.pictures, "--readings", readings, *more)
