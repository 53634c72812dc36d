"""Puzzles a CPU second: ours at each length, with text, proofs and clingo's word on each; and whole datasets on disk.

The baseline is a recorded figure, not run here: the original generator made 22 puzzles a CPU second (synthetic text, 2
to 10 facts; 5.5 with balanced patterns) in an earlier measurement. So the ratios compare two runs, not one.
"""

from __future__ import annotations

import resource
import shutil
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ORIGINAL = 22.0  # puzzles a CPU second
LENGTHS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15)
ROWS = 1000


def run() -> None:
    """Print the tables."""
    console = Console()
    console.print(_by_length())
    console.print(_whole())


def _by_length() -> Table:
    from hornbeam.clutrr import making
    from hornbeam.clutrr.config import ClutrrConfig

    table = Table(title=f"clutrr: puzzles made and confirmed, {ROWS} of each length")
    for column in ("facts", "puzzles / CPU s", "original", "ratio", "cost against 2 facts"):
        table.add_column(column, justify="right")
    costs: dict[int, float] = {}
    for length in LENGTHS:
        config = ClutrrConfig(train={f"1.{length}": ROWS})
        shards = making.plan(config, 7)
        making.make(config, 7, shards[0])  # tables are compiled from kb/ once a process
        start = time.process_time()
        for shard in shards:
            making.make(config, 7, shard)
        costs[length] = (time.process_time() - start) / ROWS
        rate = 1 / costs[length]
        relative = costs[length] / costs[LENGTHS[0]]
        table.add_row(str(length), f"{rate:.0f}", f"{ORIGINAL:.0f}", f"{rate / ORIGINAL:.0f}x", f"{relative:.1f}x")
    mean = sum(costs[length] for length in range(2, 11)) / 9
    table.add_row("2..10", f"{1 / mean:.0f}", f"{ORIGINAL:.0f}", f"{1 / mean / ORIGINAL:.0f}x", "")
    return table


def _whole() -> Table:
    import hornbeam

    table = Table(title="clutrr: a dataset on disk in all formats, one worker, all in this process")
    for column in ("puzzles of 2..10 facts", "CPU s", "puzzles / CPU s", "ratio to the original", "peak memory MB"):
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
        table.add_row(str(9 * each), f"{seconds:.1f}", f"{rate:.0f}", f"{rate / ORIGINAL:.0f}x", f"{peak:.0f}")
        shutil.rmtree(folder)
    return table
