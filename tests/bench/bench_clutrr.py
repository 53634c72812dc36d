"""Puzzles a CPU second: ours at each length, with text, proofs and clingo's word on each; and whole datasets on disk.

The baseline, in the same run, makes the same puzzles one at a time, with clingo asked for each by itself. For
orientation: the original generator was once measured elsewhere at 22 puzzles a CPU second (2 to 10 facts).

What it costs that SWI-Prolog derives every label by the dataset's own files is measured on whole datasets, with and
without that call, in turns.
"""

from __future__ import annotations

import resource
import shutil
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean, median
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from hornbeam.clutrr import proving
from hornbeam.family import Shard

LENGTHS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15)
ROWS = 1000
ALONE = 40  # puzzles of the baseline
PROVEN = 500  # puzzles of each task of which the cost of proving is measured


def run() -> None:
    """Print the tables."""
    console = Console()
    console.print(proving_table())
    console.print(_by_length())
    console.print(_whole())


def proving_table() -> Table:
    """What proving costs: the median of five turns each."""
    table = Table(title=f"clutrr: CPU microseconds of a puzzle on disk, {PROVEN} of each task")
    for column in ("task", "unproven", "proven", "ratio"):
        table.add_column(column, justify="right")
    for task in ("1.2", "1.3", "1.6", "1.10", "5.3"):
        _row_cost(task, proving=True)  # files are loaded once a process
        turns = [[_row_cost(task, proving=proving) for proving in (False, True)] for _ in range(5)]
        plain, proven = (median(costs) for costs in zip(*turns, strict=True))
        table.add_row(task, f"{plain:.0f}", f"{proven:.0f}", f"{proven / plain:.2f}")
    return table


def _row_cost(task: str, *, proving: bool) -> float:
    """CPU microseconds of a puzzle of a dataset on disk; clingo confirms either way."""
    import hornbeam
    from hornbeam.clutrr import generate

    changes = {"train": f'{{"{task}": {PROVEN}}}', "test": "{}", "valid": "{}"}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as patches:
        if not proving:
            patches.enter_context(patch.object(generate, "prove", lambda packs, samples: 0))
        start = time.process_time()
        hornbeam.generate("clutrr", "tiny", out=Path(folder) / "d", seed=7, overrides=changes)
        return (time.process_time() - start) / PROVEN * 1e6


def _by_length() -> Table:
    table = Table(title=f"clutrr: puzzles made and confirmed a CPU second, {ROWS} of each length")
    for column in ("facts", "ours", "one at a time", "ratio", "cost against 2 facts"):
        table.add_column(column, justify="right")
    costs = {length: _costs(length) for length in LENGTHS}
    for length, (ours, alone) in costs.items():
        relative = ours / costs[LENGTHS[0]][0]
        table.add_row(str(length), f"{1 / ours:.0f}", f"{1 / alone:.0f}", f"{alone / ours:.1f}x", f"{relative:.1f}x")
    ours, alone = (fmean(costs[length][route] for length in range(2, 11)) for route in (0, 1))
    table.add_row("2..10", f"{1 / ours:.0f}", f"{1 / alone:.0f}", f"{alone / ours:.1f}x", "")
    return table


def _costs(length: int) -> tuple[float, float]:
    """CPU seconds a puzzle: ours, and one puzzle at a time."""
    from hornbeam.clutrr import generate
    from hornbeam.clutrr.config import ClutrrConfig

    config = ClutrrConfig(train={f"1.{length}": ROWS})
    shards = generate.plan(config, 7)
    generate.make(config, 7, shards[0])  # tables are compiled from kb/ once a process
    start = time.process_time()
    for shard in shards:
        generate.make(config, 7, shard)
    ours = (time.process_time() - start) / ROWS
    start = time.process_time()
    for place in range(ALONE):
        proving.entails.cache_clear()
        work = {**shards[0].work, "start": place, "size": 1, "number": place}
        generate.make(config, 7, Shard(0, f"puzzle {place}", work))
    return ours, (time.process_time() - start) / ALONE


def _whole() -> Table:
    import hornbeam

    table = Table(title="clutrr: a dataset on disk in all formats, one worker, all in this process")
    for column in ("puzzles of 2..10 facts", "CPU s", "puzzles / CPU s", "peak memory MB"):
        table.add_column(column, justify="right")
    for each in (100, 400, 1600):
        folder = Path(tempfile.mkdtemp())
        rows = ", ".join(f'"1.{length}": {each}' for length in range(2, 11))
        start = time.process_time()
        changes = {"train": f"{{{rows}}}", "test": "{}", "valid": "{}"}
        hornbeam.generate("clutrr", "tiny", out=folder / "d", seed=7, overrides=changes)
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rate = 9 * each / seconds
        table.add_row(str(9 * each), f"{seconds:.1f}", f"{rate:.0f}", f"{peak:.0f}")
        shutil.rmtree(folder)
    return table
