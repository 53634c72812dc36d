"""New items with proven labels, for each level of each family, beside reasoning-gym's family_relationships, whose
answers nothing checks.

The first shard of a level is not counted: it loads the theory. Generation, proof, confirmation and the prompt are.
"""

from __future__ import annotations

import time

from hornbeam.language.fresh import SHARD, FreshItems

FAMILIES = ("clutrr", "star", "graphlog", "rudas", "kandy")
LEVELS = 20
ENOUGH = 1000  # rows a second
_WARM = 60  # rows


def run() -> None:
    print(f"reasoning-gym family_relationships: {_baseline():,.0f} rows a CPU second, unproven")
    print(f"rows a CPU second, proven and confirmed, shards of {SHARD:,} rows")
    for family in FAMILIES:
        rates = [_rate(family, level) for level in range(1, LEVELS + 1)]
        enough = sum(rate >= ENOUGH for rate in rates)
        print(f"{family:9}", " ".join(f"{rate:6,.0f}" for rate in rates), flush=True)
        print(f"{family:9} {enough} of {len(rates)} levels make {ENOUGH:,} rows a second or more", flush=True)


def _baseline() -> float:
    import reasoning_gym

    data = reasoning_gym.create_dataset("family_relationships", seed=1, size=SHARD)
    start = time.process_time()
    for index in range(SHARD):
        data[index]
    return SHARD / (time.process_time() - start)


def _rate(family: str, level: int) -> float:
    list(FreshItems(family, level=level, seed=90, shard=_WARM).take(1))
    items = FreshItems(family, level=level, seed=91)
    start = time.process_time()
    list(items.take(SHARD))
    return SHARD / (time.process_time() - start)
