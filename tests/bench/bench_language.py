"""New items with proven labels, beside reasoning-gym's family_relationships, whose answers nothing checks.

The first shard is not counted: it loads the theory. Generation, proof, confirmation and the prompt are counted.
"""

from __future__ import annotations

import time

from hornbeam.language.fresh import FreshItems

ROWS = 2000
LEVELS = {"clutrr": (1, 5), "star": (3, 6), "graphlog": (2,), "rudas": (2,), "kandy": (1,)}


def run() -> None:
    base = _baseline()
    print(f"reasoning-gym family_relationships: {base:,.0f} rows a CPU second, unproven")
    for family, levels in LEVELS.items():
        for level in levels:
            rate = _rate(family, level)
            print(
                f"{family} level {level}: {rate:,.0f} rows a CPU second, proven and confirmed ({rate / base:.2f} of it)"
            )


def _baseline() -> float:
    import reasoning_gym

    data = reasoning_gym.create_dataset("family_relationships", seed=1, size=ROWS)
    start = time.process_time()
    for index in range(ROWS):
        data[index]
    return ROWS / (time.process_time() - start)


def _rate(family: str, level: int) -> float:
    list(FreshItems(family, level=level, seed=90, shard=100).take(1))
    items = FreshItems(family, level=level, seed=91, shard=ROWS)
    start = time.process_time()
    list(items.take(ROWS))
    return ROWS / (time.process_time() - start)
