"""Statistics of worlds: counted from their rows, read from a dataset, and compared with the paper's Tables 3 and 6.

The paper grades a world by the accuracy of one model. The difficulty here comes from the rows alone: how many
descriptors there are, how deep their derivations are, and how far shortcuts lead that see only the ends of the path.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

import msgspec

from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.data.shape import from_json
from hornbeam.graphlog.knowledge import GraphWorld, StoredWorld
from hornbeam.graphlog.record import DrawnRow, GroundsBook

LEVELS = ("easy", "moderate", "hard")


@dataclass(frozen=True, slots=True)
class WorldFigures:
    """What is known of a world's rows."""

    world: str
    split: str  # of the world in its suite
    rows: int
    classes: int
    descriptors: int  # distinct in the rows
    all_descriptors: int  # of all resolution paths of the world graph, by class
    resolution_length: float
    nodes: float
    edges: float
    nodes_sd: float
    edges_sd: float
    derivable: float | None  # share of the test rows whose label follows from the rules; None without test rows
    unique: float | None  # and is all that follows
    depth: float  # of the derivations of the test rows
    shortcut: float | None  # best accuracy on test of a guess from the path's first, last, or first and last label
    duplicates: int
    valid_in_train: int  # validation rows whose descriptor is trained on


def world_figures(
    world: str,
    split: str,
    rows: Mapping[str, Sequence[DrawnRow]],
    grounds: GroundsBook,
    *,
    all_descriptors: int | None = None,
) -> WorldFigures:
    """Count the rows of a world, given by split. Those without a chain do not count for descriptors and lengths."""
    every = [(name, row) for name, group in rows.items() for row in group]
    train, valid, test = (rows.get(name, ()) for name in ("train", "valid", "test"))
    nodes, edges = [row.nodes for _, row in every], [len(row.edges) for _, row in every]
    chains = [row.chain for _, row in every if row.chain]
    trained = {row.chain for row in train if row.chain}
    reasons = [grounds[row.label, row.chain] for row in test]
    verdicts = Counter(why.derivable for why in reasons)
    return WorldFigures(
        world=world,
        split=split,
        rows=len(every),
        classes=len({row.label for _, row in every}),
        descriptors=len(set(chains)),
        all_descriptors=len(set(chains)) if all_descriptors is None else all_descriptors,
        resolution_length=_mean(list(map(len, chains))),
        nodes=_mean(nodes),
        edges=_mean(edges),
        nodes_sd=round(pstdev(nodes), 3) if nodes else 0.0,
        edges_sd=round(pstdev(edges), 3) if edges else 0.0,
        derivable=_share(verdicts["unique"] + verdicts["ambiguous"], test),
        unique=_share(verdicts["unique"], test),
        depth=_mean([why.certificate.depth for why in reasons if why.certificate]),
        shortcut=_share(_best_guess(train, test), test),
        duplicates=len(every) - len({(name, row.label, row.edges) for name, row in every}),
        valid_in_train=sum(row.chain in trained for row in valid),
    )


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0


def _share(count: int, test: Sequence[DrawnRow]) -> float | None:
    return round(count / len(test), 4) if test else None


def _best_guess(train: Sequence[DrawnRow], test: Sequence[DrawnRow]) -> int:
    """How many labels of the test rows the first, the last, or both labels of the path give away."""
    looks = (lambda chain: chain[:1], lambda chain: chain[-1:], lambda chain: (chain[:1], chain[-1:]))
    counts = Counter((row.chain, row.label) for row in train)
    right = []
    for look in looks:
        seen: dict[Any, Counter[str]] = defaultdict(Counter)
        for (chain, label), count in counts.items():
            seen[look(chain)][label] += count
        guess = {key: max(sorted(labels), key=labels.__getitem__) for key, labels in seen.items()}
        right.append(sum(guess.get(look(row.chain)) == row.label for row in test))
    return max(right)


def easiest_first(worlds: Sequence[WorldFigures]) -> list[str]:
    """The worlds by difficulty, as far as their rows tell it.

    A world ranks higher the deeper its derivations are, the fewer descriptors it trains with, and the less a shortcut
    gives away; the mean of the three ranks decides.
    """
    ranks: Counter[str] = Counter()
    for key in (lambda w: w.depth, lambda w: -w.descriptors, lambda w: -(w.shortcut or 0)):
        for place, world in enumerate(sorted(worlds, key=lambda w, key=key: (key(w), w.world))):  # type: ignore[misc]
            ranks[world.world] += place
    return [world.world for world in sorted(worlds, key=lambda world: (ranks[world.world], world.world))]


def difficulty(worlds: Sequence[WorldFigures]) -> dict[str, str]:
    """Each world's level among its suite: easy, moderate or hard, in three equal parts of `easiest_first`."""
    ordered = easiest_first(worlds)
    return {world: LEVELS[3 * place // len(ordered)] for place, world in enumerate(ordered)}


def aggregate(worlds: Iterable[WorldFigures]) -> dict[str, float]:
    """Means over the worlds that have the figure."""
    worlds = list(worlds)
    names = ("classes", "descriptors", "all_descriptors", "resolution_length", "nodes", "edges", "derivable", "unique")
    columns = {name: [value for world in worlds if (value := getattr(world, name)) is not None] for name in names}
    return {name: round(fmean(values), 3) for name, values in columns.items() if values}


# A dataset on disk ----------------------------------------------------------------------------------------------------


class _WorldFile(msgspec.Struct):
    """worlds/NAME.json."""

    theory: StoredWorld
    figures: WorldFigures
    confluence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """A world of a dataset."""

    world: GraphWorld
    figures: WorldFigures
    confluence: Mapping[str, Any]


def worlds(dataset: Dataset) -> dict[str, Known]:
    """The worlds of a dataset by name, in its order."""
    return {task: known(dataset, task) for task in dataset.tasks}


def known(dataset: Dataset, task: str) -> Known:
    """One world of a dataset."""
    name = f"worlds/{task}.json"
    stored: _WorldFile = from_json(dataset.read(name), _WorldFile, file=str(dataset.path / name))
    return Known(GraphWorld.from_json(stored.theory), stored.figures, stored.confluence)


# Beside the paper -----------------------------------------------------------------------------------------------------

Cell = str | int | float
FigureTable = tuple[tuple[str, ...], list[tuple[Cell, ...]]]

_MEANS = (
    ("classes", "classes of a world"),
    ("descriptors", "descriptors in its rows"),
    ("resolution_length", "resolution length"),
    ("nodes", "nodes of a graph"),
    ("edges", "edges of a graph"),
)


@dataclass(frozen=True, slots=True)
class WorldComparison:
    """Two tables: the suite, and its worlds."""

    suite: FigureTable
    worlds: FigureTable

    def to_json(self) -> dict[str, Any]:
        tables = {"suite": self.suite, "worlds": self.worlds}
        return {name: [dict(zip(header, row, strict=True)) for row in rows] for name, (header, rows) in tables.items()}

    def text(self) -> str:
        return f"{_plain(self.suite)}\n\n{_plain(self.worlds)}"


def comparison(dataset: Dataset) -> WorldComparison:
    """The statistics of a dataset and the published ones."""
    published = resources.published("graphlog")
    suite = worlds(dataset)
    splits: Any = dataset.manifest.counts["splits"]
    rows = {split: splits.get(split, 0) / len(suite) for split in ("train", "valid", "test")}
    return WorldComparison(
        _suite_table(list(suite.values()), rows, published),
        _world_table([world.figures for world in suite.values()], published["worlds"]),
    )


def _suite_table(suite: Sequence[Known], rows: Mapping[str, float], published: Mapping[str, Any]) -> FigureTable:
    paper = published["suite"]
    means = aggregate(world.figures for world in suite)
    labels = {label for known in suite for label in known.world.labels}
    rules = {rule for known in suite for rule in known.world.rules}
    lines: list[tuple[Cell, ...]] = [
        ("relations", len(labels), paper["relations"]),
        ("worlds", len(suite), paper["worlds"]),
        ("different rules", len(rules), paper["rules"]),
        ("rules of a world", _plain_mean([len(known.world.rules) for known in suite]), paper["rules_per_world"]),
        *((f"{split} rows of a world", _plain_mean([mean]), paper[f"{split}_rows"]) for split, mean in rows.items()),
        ("descriptors of a world graph", means["all_descriptors"], paper["all_descriptors"]),
    ]
    for name, title in _MEANS:
        lines.append((title, means[name], _plain_mean([world[name] for world in published["worlds"].values()])))
    lines += [
        ("test labels that follow from the rules", means.get("derivable", "-"), "0.91 and 0.48 of two worlds"),
        ("test labels that follow alone", means.get("unique", "-"), "0.81 and 0.48 of two worlds"),
    ]
    return ("mean over the worlds", "here", "published"), lines


def _world_table(figures: Sequence[WorldFigures], published: Mapping[str, Mapping[str, Any]]) -> FigureTable:
    titles = ("classes", "descriptors", "length", "nodes", "edges")
    names = [name for title in titles for name in (title, f"{title} (paper)")]
    header = ("world", "split", *names, "derivable", "depth", "shortcut", "difficulty", "difficulty (paper)")
    levels = difficulty(figures)
    rows: list[tuple[Cell, ...]] = []
    for world in figures:
        paper = published.get(world.world, {})
        pairs = [cell for name, _ in _MEANS for cell in (round(getattr(world, name), 2), paper.get(name, "-"))]
        rows.append(
            (world.world, world.split, *pairs, _known(world.derivable), round(world.depth, 2), _known(world.shortcut),
             levels[world.world], paper.get("difficulty", "-"))
        )  # fmt: skip
    return header, rows


def _known(value: float | None) -> Cell:
    return "-" if value is None else value


def _plain_mean(values: Sequence[float]) -> Cell:
    mean = round(fmean(values), 3)
    return int(mean) if mean == int(mean) else mean


def _plain(table: FigureTable) -> str:
    header, rows = table
    texts = [header, *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(header))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in texts)
    return "\n".join(line.rstrip() for line in lines)
