"""Inputs and uninterrupted runs, made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.faults.frame import hornbeam
from tests.faults.scenarios import Inputs, Scenario


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    return Inputs(tmp_path_factory.mktemp("inputs"))


@dataclass(frozen=True)
class Uninterrupted:
    """What a scenario gives, and what it takes, if nothing interrupts it."""

    result: object
    cpu: float


@pytest.fixture(scope="session")
def uninterrupted(inputs: Inputs, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Scenario], Uninterrupted]:
    made: dict[str, Uninterrupted] = {}

    def run(scenario: Scenario) -> Uninterrupted:
        if scenario.name not in made:
            out = tmp_path_factory.mktemp("whole") / "out"
            temporary = tmp_path_factory.mktemp("temporary")
            done = hornbeam(*scenario.arguments(inputs, out), temporary=temporary)
            assert done.code == 0, done.err
            made[scenario.name] = Uninterrupted(scenario.result(out, done.out), done.cpu)
        return made[scenario.name]

    return run
