"""What the proof of every label costs: CPU of a row made with the proving call, beside the same row made without it.

The proving call asks SWI-Prolog, through the files that a dataset ships, for the label of every sample of a shard. For
KANDY it holds clingo's confirmation as well, which STaR and RuDaS had before. Both are measured in one run, round by
round in turn, and the best round of each counts. At most 1.5 times is what we allow ourselves.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hornbeam import family as families
from hornbeam.family import Family, Shard
from hornbeam.kandy import generate as kandy
from hornbeam.kandy.proving import Proven
from hornbeam.rudas import generate as rudas
from hornbeam.star import family as star

WORK = (
    ("star", "rcc8", 12),
    ("star", "interval", 12),
    ("star", "rcc8-wide", 8),
    ("star", "rcc8-hard", 8),
    ("rudas", "m", 1),
    ("rudas", "extensions", 10),
    ("rudas", "xl", 1),
    ("kandy", "easy", 20),
    ("kandy", "hard", 18),
)
ROUNDS = 3
ALLOWED = 1.5
# Where each family's worker calls its proof, and what stands in for the answer.
CALLS: dict[str, tuple[Any, Any]] = {"star": (star, 0), "rudas": (rudas, 0), "kandy": (kandy, Proven(0, 0))}


@contextmanager
def unproven(family: str) -> Iterator[None]:
    """The family's worker without its proving call."""
    module, nothing = CALLS[family]
    prove = module.prove
    module.prove = lambda *_: nothing
    try:
        yield
    finally:
        module.prove = prove


def seconds(family: Family, config: Any, shards: Sequence[Shard]) -> tuple[float, int]:
    """CPU seconds to make the shards, and their rows."""
    kandy.plan_of.cache_clear()
    start = time.process_time()
    rows = sum(len(family.make(config, 1, shard).samples) for shard in shards)
    return time.process_time() - start, rows


def compared(name: str, preset: str, count: int) -> tuple[float, float, int]:
    """Microseconds of CPU a row with and without the proof, and the rows."""
    family = families.get(name)
    config = family.configure(preset)
    shards = family.plan(config, 1)[:count]

    def work() -> tuple[float, int]:
        return seconds(family, config, shards)

    work()  # tables, plans and programs are made once in a process
    best = {True: float("inf"), False: float("inf")}
    rows = 0
    for _ in range(ROUNDS):
        took, rows = work()
        best[True] = min(best[True], took)
        with unproven(name):
            took, rows = work()
        best[False] = min(best[False], took)
    return best[True] / rows * 1e6, best[False] / rows * 1e6, rows


def run() -> None:
    """Print the table."""
    print(f"{'CPU of a row':<22}{'rows':>8}{'with proof':>14}{'without':>12}{'ratio':>8}")
    for name, preset, count in WORK:
        proven, plain, rows = compared(name, preset, count)
        note = "" if proven <= ALLOWED * plain else f"   above {ALLOWED}"
        print(f"{name + ' ' + preset:<22}{rows:>8,}{proven:>11.0f} us{plain:>9.0f} us{proven / plain:>8.2f}{note}")
