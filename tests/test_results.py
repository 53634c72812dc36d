"""The results of docs/: the commands above each table, as they stand, give its figures again. Takes an hour and more.

HORNBEAM_RESULTS may name a folder to run them in, where they go on if they were stopped.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from hornbeam.reproductions.relational import GraphlogReproduction
from tests.documents import RESULTS, blocks, run

FAR = 0.05
"""What a mean may differ by: a model of one seed comes out differently where sums are added up in another order."""

Cells = Sequence[Sequence[float]]
Table = Mapping[str, Cells]  # by the beginning of a row: the numbers in each of its first cells


@dataclass(frozen=True)
class Experiment:
    """The commands of a block, and the rows of the tables below it: the cells of each."""

    commands: Sequence[str]
    tables: Sequence[Sequence[Sequence[str]]]


def experiments() -> list[Experiment]:
    text = RESULTS.read_text(encoding="utf-8")
    found = []
    for part in text.split("```sh\n")[1:]:
        block, _, below = part.partition("```")
        tables = re.findall(r"(?:^\|.*\n)+", below, flags=re.MULTILINE)
        found.append(Experiment(block.splitlines(), [[cells(row) for row in table.splitlines()] for table in tables]))
    return found


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def numbers(cell: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", cell)]


# What the commands have made, as the tables show it ------------------------------------------------------------------


def theories(results: Path) -> list[Table]:
    easy, hard = compared(results / "easy"), compared(results / "hard")
    mdie = [*right(easy["easy"]["mdie"]), *right(hard["hard"]["mdie"])]
    return [{"`mdie`": mdie, "Aleph": right(easy["easy"]["aleph"])}]


def right(means: Any) -> Cells:
    return [[means["accuracy"]], [means["right_on_fresh"]]]


def rules(results: Path) -> list[Table]:
    table: dict[str, Cells] = {}
    for label, folder in (("`amie`, every direction", "rudas"), ("`amie`, one direction", "rudas-one")):
        means = compared(results / folder)["v0-ten"]["amie"]
        kinds = (means, *(means["by_kind"][kind] for kind in ("chain", "rdg", "drdg")))
        table[label] = [*([kind["h_score"]] for kind in kinds), [means["right_on_fresh"]]]
    return [table]


def graphs(results: Path) -> list[Table]:
    clutrr, star, graphlog = (reproduced(results / name) for name in ("clutrr", "star", "graphlog"))
    hops = [f"k={k}" for k in range(2, 11)]
    return [
        {f"`{name}`": [[clutrr[name, "", k]] for k in hops] for name in ("algebra", "epignn", "gat")},
        {
            f"`{name}`": [[star[name, f"b={b}", f"k={k}"] for b in (1, 2, 3)] for k in (5, 7, 9)]
            for name in ("algebra", "epignn")
        },
        {"here": [[graphlog[name, "", "mean"]] for name in ("algebra", *GraphlogReproduction.models)]},
    ]


def networks(results: Path) -> list[Table]:
    found = compared(results / "networks")
    noisy = ("clean", "supporting", "irrelevant", "disconnected")
    groups = {"STaR RCC-8": ("rcc8",), "STaR Allen": ("interval",), "CLUTRR": noisy, "GraphLog": ("worlds",)}
    return [{label: judged(found[name]["algebra"] for name in names) for label, names in groups.items()}]


def judged(means: Iterable[Any]) -> Cells:
    found = list(means)
    worst = min(accuracy for one in found for accuracy in one["by_group"].values())
    fresh = [sum(one[name] for one in found) for name in ("right_on_fresh", "tasks")]
    return [[], [fmean(one["accuracy"] for one in found)], [worst], fresh]


def pictures(results: Path) -> list[Table]:
    made = json.loads((results / "kandy" / "comparison.json").read_text())["rows"]
    table: dict[str, list[list[float]]] = {}
    for row in made:
        table.setdefault(f"`{row['model']}`", []).append([row["accuracy"]["mean"], row["accuracy"]["std"]])
    return [table]


def compared(folder: Path) -> Any:
    return json.loads((folder / "table.json").read_text())["by_dataset"]


def reproduced(folder: Path) -> dict[tuple[str, str, str], float]:
    """What was measured here, by name, block and group."""
    rows = json.loads((folder / "comparison.json").read_text())["rows"]
    return {(row["name"], row["block"], row["group"]): row["mean"] for row in rows if row["source"] is None}


# The tests ------------------------------------------------------------------------------------------------------------

MADE: tuple[Callable[[Path], list[Table]], ...] = (theories, rules, graphs, networks, pictures)


def test_every_block_of_the_results_is_here() -> None:
    assert len(experiments()) == len(MADE)
    assert [experiment.commands for experiment in experiments()] == [
        block.splitlines() for block in blocks("sh", [RESULTS])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(MADE)), ids=[made.__name__ for made in MADE])
def test_results(place: int, tmp_path: Path) -> None:
    experiment, made = experiments()[place], MADE[place]
    folder = Path(os.environ["HORNBEAM_RESULTS"]) if "HORNBEAM_RESULTS" in os.environ else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    for command in experiment.commands:
        run(command, folder)
    found = made(folder / "results")
    pairs = zip(found, experiment.tables, strict=True)
    wrong = [difference for table, stated in pairs for difference in differences(table, stated)]
    assert not wrong, "\n".join(wrong)


def differences(table: Table, stated: Sequence[Sequence[str]]) -> list[str]:
    """Cells of the page that are not what was made."""
    found = []
    for label, figures in table.items():
        (row,) = (row for row in stated if row[0].startswith(label))
        for cell, made in zip(row[1 : len(figures) + 1], figures, strict=True):
            if not close(numbers(cell)[: len(made)], made):
                found.append(f"{label}: the page says {cell}, the commands give {made}")
    return found


def close(stated: Sequence[float], made: Sequence[float]) -> bool:
    """Accuracies and scores within FAR; numbers of tasks within one."""
    return len(stated) == len(made) and all(
        abs(one - other) <= (FAR if one <= 1 else 1) for one, other in zip(stated, made, strict=True)
    )
