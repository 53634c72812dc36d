"""A suite's figures beside those of the paper's Tables 3 and 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.graphlog import suite
from hornbeam.graphlog.statistics import WorldFigures, aggregate, difficulty
from hornbeam.graphlog.suite import Known
from hornbeam.logic import Prolog

Cell = str | int | float
Table = tuple[tuple[str, ...], list[tuple[Cell, ...]]]

_MEANS = (
    ("classes", "classes of a world"),
    ("descriptors", "descriptors in its rows"),
    ("resolution_length", "resolution length"),
    ("nodes", "nodes of a graph"),
    ("edges", "edges of a graph"),
)


@dataclass(frozen=True, slots=True)
class Published:
    """Figures of Table 6 of one world."""

    classes: int
    descriptors: int
    resolution_length: float
    nodes: float
    edges: float
    difficulty: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two tables: the suite, and its worlds."""

    suite: Table
    worlds: Table

    def to_json(self) -> dict[str, Any]:
        tables = {"suite": self.suite, "worlds": self.worlds}
        return {name: [dict(zip(header, row, strict=True)) for row in rows] for name, (header, rows) in tables.items()}

    def text(self) -> str:
        return f"{_plain(self.suite)}\n\n{_plain(self.worlds)}"


def published() -> tuple[dict[str, Any], dict[str, Published]]:
    """Table 3 by name, and Table 6 by world."""
    prolog = Prolog()
    module = prolog.load(resources.kb("graphlog", "published.pl"), "hornbeam_graphlog_published")
    table3 = {str(row["N"]): row["V"] for row in prolog.all("suite_figure(N, V)", module=module)}
    rows: list[Any] = prolog.all("world_figures(W, _, C, D, L, N, E, Level)", module=module)
    table6 = {row["W"]: Published(row["C"], row["D"], row["L"], row["N"], row["E"], row["Level"]) for row in rows}
    return table3, table6


def comparison(dataset: Dataset) -> Comparison:
    """The figures of a dataset beside the published ones."""
    table3, table6 = published()
    known = suite.worlds(dataset)
    figures = [world.figures for world in known.values()]
    return Comparison(_suite_table(dataset, known, table3, table6), _world_table(figures, table6))


def _suite_table(
    dataset: Dataset, known: dict[str, Known], table3: dict[str, Any], table6: dict[str, Published]
) -> Table:
    figures = [world.figures for world in known.values()]
    means = aggregate(figures)
    labels = {label for world in known.values() for label in world.world.labels}
    rules = {rule for world in known.values() for rule in world.world.rules}
    splits: Any = dataset.manifest.counts["splits"]
    rows: list[tuple[Cell, ...]] = [
        ("relations", len(labels), table3["relations"]),
        ("worlds", len(known), table3["worlds"]),
        ("different rules", len(rules), table3["rules"]),
        ("rules of a world", _mean([len(world.world.rules) for world in known.values()]), table3["rules_per_world"]),
    ]
    for split in ("train", "valid", "test"):
        mean = _mean([splits.get(split, 0) / len(known)])
        rows.append((f"{split} rows of a world", mean, table3[f"{split}_rows"]))
    rows.append(("descriptors of a world graph", means["all_descriptors"], table3["all_descriptors"]))
    for name, title in _MEANS:
        rows.append((title, means[name], _mean([getattr(world, name) for world in table6.values()])))
    rows += [
        ("test labels that follow from the rules", means.get("derivable", "-"), "0.91 and 0.48 of two worlds"),
        ("test labels that follow alone", means.get("unique", "-"), "0.81 and 0.48 of two worlds"),
    ]
    return ("mean over the worlds", "here", "published"), rows


def _world_table(figures: Sequence[WorldFigures], table6: dict[str, Published]) -> Table:
    titles = ("classes", "descriptors", "length", "nodes", "edges")
    names = [name for title in titles for name in (title, f"{title} (paper)")]
    header = ("world", "split", *names, "derivable", "depth", "shortcut", "difficulty", "difficulty (paper)")
    levels = difficulty(figures)
    rows: list[tuple[Cell, ...]] = []
    for world in figures:
        paper = table6.get(world.world)
        pairs: list[Cell] = []
        for name, _ in _MEANS:
            pairs += [round(getattr(world, name), 2), "-" if paper is None else getattr(paper, name)]
        level = "-" if paper is None else paper.difficulty
        rows.append(
            (world.world, world.split, *pairs, _known(world.derivable), round(world.depth, 2), _known(world.shortcut),
             levels[world.world], level)
        )  # fmt: skip
    return header, rows


def _known(value: float | None) -> Cell:
    return "-" if value is None else value


def _mean(values: Sequence[float]) -> Cell:
    mean = round(fmean(values), 3)
    return int(mean) if mean == int(mean) else mean


def _plain(table: Table) -> str:
    header, rows = table
    texts = [header, *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(header))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in texts)
    return "\n".join(line.rstrip() for line in lines)
