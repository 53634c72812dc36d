"""Damaged inputs of all kinds: every command takes them or says what is wrong, and leaves nothing behind.

A case is its family and number: `make_bench(family, folder).case(number)` makes it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz.cases import Case, examine
from tests.fuzz.conftest import make_bench
from tests.fuzz.kept import KeptBench
from tests.fuzz.pages import PageBench
from tests.fuzz.runs import RunBench

FAMILIES = ("clutrr", "graphlog", "kandy", "rudas", "star")


def outcomes(case_of: Callable[[int], Case], seeds: range) -> Counter[tuple[str, int]]:
    """The exit codes by the name of what was damaged; fails with all that is wrong."""
    counts: Counter[tuple[str, int]] = Counter()
    wrong = []
    for seed in seeds:
        case = case_of(seed)
        examined = examine(case)
        counts[case.name, examined.outcome.code] += 1
        if examined.problems:
            said = examined.outcome.err.strip()[:300]
            wrong.append(f"case {seed}, {case.name}: {', '.join(examined.problems)}: {said}")
    assert not wrong, "\n".join(wrong)
    return counts


def refused(counts: Counter[tuple[str, int]], name: str) -> float:
    """The share of cases that were refused, of those whose name starts so."""
    chosen = {key: count for key, count in counts.items() if key[0].startswith(name)}
    return sum(count for (_, code), count in chosen.items() if code == 2) / sum(chosen.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_damaged_inputs(family: str, tmp_path: Path) -> None:
    counts = outcomes(make_bench(family, tmp_path).case, range(200))
    # Some damage is harmless: a blank line, another file than the command reads. Most is not.
    for name in ("samples.jsonl", "samples.index.npy", "manifest.json", "preset"):
        assert refused(counts, name) > 0.3, name


def test_damaged_runs(run_bench: RunBench) -> None:
    counts = outcomes(run_bench.case, range(16))
    assert sum(count for (_, code), count in counts.items() if code == 2) > 4


def test_damaged_folders_that_are_kept(kept_bench: KeptBench) -> None:
    counts = outcomes(kept_bench.case, range(12))
    assert {name for name, _ in counts} == {"compare --answers", "ask again", "readings", "concepts"}


def test_damaged_folders_in_the_studio(page_bench: PageBench) -> None:
    assert not [problem for seed in range(1) for problem in page_bench.problems(seed)]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 3_000, 500))  # parts, so that a long run can be continued
@pytest.mark.parametrize("family", FAMILIES)
def test_thousands_of_damaged_inputs(family: str, first: int, tmp_path: Path) -> None:
    outcomes(make_bench(family, tmp_path).case, range(first, first + 500))


@pytest.mark.slow
def test_hundreds_of_damaged_runs(run_bench: RunBench) -> None:
    outcomes(run_bench.case, range(1_000, 1_400))


@pytest.mark.slow
def test_hundreds_of_damaged_folders_that_are_kept(kept_bench: KeptBench) -> None:
    outcomes(kept_bench.case, range(1_000, 1_400))


@pytest.mark.slow
def test_many_damaged_folders_in_the_studio(page_bench: PageBench) -> None:
    assert not [problem for seed in range(1_000, 1_100) for problem in page_bench.problems(seed)]
