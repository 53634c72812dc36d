"""What of the past is replayed: a buffer of rows, filled from a stream that is seen once.

`Reservoir` keeps every row of the stream with the same probability (Vitter, 1985). `BalancedReservoir` keeps the
classes as even as the stream allows, and each row of a class with the same probability as the others of its class
(class-balancing reservoir sampling; Chrysakis and Moens, 2020). A class here is a label of a task.

Each decision draws from its own derived seed, so that a buffer is its contents and its counters, nothing more.

>>> buffer = Reservoir(size=3, seed=7)
>>> for row in range(100):
...     buffer.add(row, 0)
>>> len(buffer.rows)
3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from hornbeam.neural.stream import Rows
from hornbeam.seeds import fast_rng


class Reservoir:
    """Plain reservoir sampling."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self.seed = seed
        self.rows: list[int] = []
        self.classes: list[int] = []
        self.seen: Counter[int] = Counter()  # rows of the stream so far, by class
        self.draws = 0

    def add(self, row: int, kind: int) -> None:
        """A row of the stream, which is kept or not."""
        self.seen[kind] += 1
        if len(self.rows) < self.size:
            self.rows.append(row)
            self.classes.append(kind)
            self._grown()
            return
        place = self._place(kind, fast_rng(self.seed, "replay", "keep", self.seen.total()))
        if place is not None:
            self.rows[place], self.classes[place] = row, kind
            self._grown()

    def _place(self, kind: int, random: Random) -> int | None:
        """Where a new row goes in a full buffer, if it is kept."""
        place = random.randrange(self.seen.total())
        return place if place < self.size else None

    def _grown(self) -> None:
        """The contents have changed."""

    def draw(self, count: int) -> Rows:
        """Some of the kept rows, each at most once."""
        self.draws += 1
        random = fast_rng(self.seed, "replay", "draw", self.draws)
        return np.array(random.sample(self.rows, min(count, len(self.rows))), dtype=np.int64)

    def state(self) -> dict[str, Any]:
        """Contents and counters, for a checkpoint."""
        seen = [[kind, count] for kind, count in sorted(self.seen.items())]
        return {"rows": list(self.rows), "classes": list(self.classes), "seen": seen, "draws": self.draws}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Take back what `state` gave."""
        self.rows, self.classes = list(state["rows"]), list(state["classes"])
        self.seen = Counter(dict(map(tuple, state["seen"])))
        self.draws = state["draws"]


class BalancedReservoir(Reservoir):
    """Class-balancing reservoir sampling: once a class has been the largest it is full, and changes only in itself."""

    def __init__(self, size: int, seed: int) -> None:
        super().__init__(size, seed)
        self.full: set[int] = set()

    def _place(self, kind: int, random: Random) -> int | None:
        if kind not in self.full:
            held = Counter(self.classes)
            most = max(held.values())
            largest = random.choice(sorted(other for other, count in held.items() if count == most))
            return self._one_of(largest, random)
        kept = self.classes.count(kind)
        return self._one_of(kind, random) if random.random() <= kept / self.seen[kind] else None

    def _one_of(self, kind: int, random: Random) -> int:
        return random.choice([place for place, other in enumerate(self.classes) if other == kind])

    def _grown(self) -> None:
        # A class counts as full when it is the largest of a full buffer.
        if len(self.rows) == self.size:
            held = Counter(self.classes)
            most = max(held.values())
            self.full |= {kind for kind, count in held.items() if count == most}

    def state(self) -> dict[str, Any]:
        return {**super().state(), "full": sorted(self.full)}

    def load_state(self, state: Mapping[str, Any]) -> None:
        super().load_state(state)
        self.full = set(state["full"])


KINDS: dict[str, type[Reservoir]] = {"balanced": BalancedReservoir, "plain": Reservoir}
