"""GraphLog: rows made and rows checked per CPU second, each beside a plain way to do the same in the same run.

Making: a sound world of 20 rules with its proofs and files, beside a generator that draws the same kind of rows with
networkx (paths by all_simple_paths, neighbours by its adjacency, one row at a time) and proves nothing.

Checking: rows derived by both reasoners in bulk, beside SWI-Prolog alone asked for one whole graph at a time.

Proving: whole datasets on disk, with the derivation of every label by SWI-Prolog and its confirmation by clingo, and
without either, in turns.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

import networkx

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.graphlog import figures, generate
from hornbeam.graphlog.check import check
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.knowledge import GraphWorld, Question, WorldTheory
from hornbeam.graphlog.record import read
from hornbeam.graphlog.world import grow
from hornbeam.seeds import fast_rng

BASELINE_ROWS = 300
CHECKED_ROWS = 1000


def _timed(work: Callable[[], int]) -> float:
    """Things done per CPU second, best of three."""
    rates = []
    for _ in range(3):
        start = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - start))
    return max(rates)


def _make(config: Config) -> int:
    shard = generate.plan(config, 0)[0]
    return len(generate.make(config, 0, shard).samples)


def _make_with_networkx(config: Config) -> int:
    """Rows of a world graph by networkx: a path between the ends of an edge, neighbours, the induced graph."""
    world = GraphWorld.from_json(generate.plan(config, 0)[0].work["world"])
    graph = grow(world, config.growth, fast_rng(0, "bench"), sound=True)
    whole = networkx.DiGraph()
    for (source, sink), label in graph.edges.items():
        whole.add_edge(source, sink, label=label)
    draw = random.Random(0)
    edges = list(graph.edges)
    made = 0
    while made < BASELINE_ROWS:
        source, sink = draw.choice(edges)
        paths = [path for path in networkx.all_simple_paths(whole, source, sink, cutoff=10) if len(path) > 2]
        if not paths:
            continue
        path = draw.choice(paths)
        taken = set(path)
        for _ in range(2):
            near = [node for here in sorted(taken) for node in networkx.all_neighbors(whole, here)]
            taken |= {node for node in near if draw.random() < 0.4}
        part = networkx.DiGraph(whole.subgraph(taken))
        part.remove_edge(source, sink)
        for other in list(networkx.all_simple_paths(part, source, sink, cutoff=len(path))):
            if other != path and part.has_edge(other[-2], other[-1]) and other[-2] not in path:
                part.remove_edge(other[-2], other[-1])
        made += 1
    return made


def _check_one_by_one(dataset: Dataset) -> int:
    task = dataset.tasks[0]
    theory = WorldTheory(figures.worlds(dataset)[task].world)
    rows = [read(sample) for sample in dataset.task(task)[:BASELINE_ROWS]]
    for row in rows:
        edges = tuple((source, sink, label) for source, sink, label in row.edges)
        assert theory.relations([Question(edges, row.source, row.sink)]) == [(row.label,)]
    return len(rows)


def _check(dataset: Dataset) -> int:
    result = check(dataset)
    assert result.ok
    return result.samples


def _row_cost(preset: str, overrides: dict[str, int], *, proving: bool) -> float:
    """CPU microseconds of a row of a dataset on disk."""
    with TemporaryDirectory() as folder, ExitStack() as changes:
        if not proving:
            changes.enter_context(patch.object(generate, "prove", lambda *_, **__: {}))
        start = time.process_time()
        dataset = hornbeam.generate("graphlog", preset, out=Path(folder) / "d", seed=0, overrides=overrides)
        return (time.process_time() - start) / len(dataset.samples) * 1e6


def print_proving() -> None:
    """What proving and confirming cost: the median of five turns each."""
    print(f"{'CPU microseconds of a row on disk':<44}{'unproven':>10}{'proven':>10}{'ratio':>8}")
    for preset, overrides in (("world", {}), ("noisy", {"worlds": 2}), ("tiny-compat", {})):
        _row_cost(preset, overrides, proving=True)  # files are loaded once a process
        turns = [[_row_cost(preset, overrides, proving=proving) for proving in (False, True)] for _ in range(5)]
        plain, proven = (median(costs) for costs in zip(*turns, strict=True))
        print(f"{preset:<44}{plain:>10,.0f}{proven:>10,.0f}{proven / plain:>8.2f}")


def run() -> None:
    """Print the rates."""
    print_proving()
    suite_like, compat = Config(), Config(profile="compat", worlds=1)
    print(f"{'rows per CPU second':<44}{'rate':>10}{'ratio':>8}")
    plain = _timed(lambda: _make_with_networkx(suite_like))
    print(f"{'make, networkx, nothing proven (baseline)':<44}{plain:>10,.0f}{1:>8.1f}")
    for name, config in (("make, sound", suite_like), ("make, compat", compat)):
        rate = _timed(lambda config=config: _make(config))  # type: ignore[misc]
        print(f"{name:<44}{rate:>10,.0f}{rate / plain:>8.1f}")
    with TemporaryDirectory() as folder:
        overrides = {"rows.train": CHECKED_ROWS - 400, "rows.valid": 200, "rows.test": 200}
        dataset = hornbeam.generate("graphlog", "world", out=Path(folder) / "world", seed=0, overrides=overrides)
        single = _timed(lambda: _check_one_by_one(dataset))
        print(f"{'check, Prolog, a graph at a time (baseline)':<44}{single:>10,.0f}{1:>8.1f}")
        bulk = _timed(lambda: _check(dataset))
        print(f"{'check, Prolog and clingo':<44}{bulk:>10,.0f}{bulk / single:>8.1f}")
        print(f"1,000 rows are checked in {1000 / bulk:.2f} CPU seconds")


if __name__ == "__main__":
    run()
