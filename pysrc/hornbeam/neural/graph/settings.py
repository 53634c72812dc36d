"""The settings of the relational experiments, each as a stream of experiences.

- supervised: one model; with several worlds, one for each.
- multitask: one model on all worlds; a batch is of one world.
- pretrain: multitask on some worlds, then each other world from the pretrained weights: without a step, after some
  numbers of steps, and until validation gets no better.
- continual: world after world, with what was learned before; all worlds are judged after each.
- curriculum: continual, the easiest world first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hornbeam.errors import UsageError, unknown_name
from hornbeam.neural.graph.data import GraphData
from hornbeam.neural.graph.options import GraphOptions
from hornbeam.neural.stream import Experience, Rows
from hornbeam.seeds import rng

SETTINGS = {
    "supervised": "one model, or one for each world; judged by group (k, b, noise) or world",
    "multitask": "one model on all worlds at once",
    "pretrain": "multitask on some worlds, then zero-shot, k-shot and converged adaptation to the others",
    "continual": "world after world; parts may be shared or each world's own",
    "curriculum": "continual, from the easiest world to the hardest",
}


@dataclass(frozen=True)
class Stretch(Experience):
    """Some steps of a series: stretches with the same tasks have one order of rows, which the next goes on with."""

    skip: int = 0  # steps of the series that were made before
    updates: int | None = None  # steps to make; None: whole epochs
    from_pretrained: bool = False

    def batches(self, *, seed: int, index: int, epoch: int, size: int) -> list[Rows]:
        found = super().batches(seed=seed, index=index, epoch=epoch, size=size)
        if self.updates is None:
            return found
        # As many epochs as it takes, one after the other, since a small world may have fewer batches than steps.
        while len(found) < self.skip + self.updates:
            epoch += 1
            found += super().batches(seed=seed, index=index, epoch=epoch, size=size)
        return found[self.skip : self.skip + self.updates]

    def ordered(self, seed: int, series: int | str, epoch: int) -> Rows:
        return super().ordered(seed, " ".join(self.tasks), epoch)

    def steps(self, size: int) -> int:
        return super().steps(size) if self.updates is None else self.updates


@dataclass(frozen=True)
class PerWorld(Experience):
    """Rows of several worlds: each batch is of one, in an order drawn over all."""

    world_of: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # of each of `rows`

    def batches(self, *, seed: int, index: int, epoch: int, size: int) -> list[Rows]:
        draw = rng(seed, "order", index, epoch)
        found = []
        for world in np.unique(self.world_of):
            rows = self.rows[self.world_of == world]
            rows = rows[draw.permutation(len(rows))]
            found += [rows[at : at + size] for at in range(0, len(rows), size)]
        return [found[place] for place in draw.permutation(len(found))]

    def steps(self, size: int) -> int:
        counts = np.bincount(self.world_of) if len(self.world_of) else np.zeros(0, dtype=np.int64)
        return self.epochs * int(sum(-(-count // size) for count in counts))


def stream(setting: str, data: GraphData, options: GraphOptions) -> list[Experience]:
    """The experiences of a setting."""
    worlds = list(data.worlds)
    if setting == "supervised":
        fresh = len(worlds) > 1
        return [_whole(data, name, options, fresh=fresh, patience=options.patience) for name in worlds]
    if len(worlds) < 2:
        raise UsageError(f"the setting {setting} needs a dataset with several worlds")
    if setting == "multitask":
        return [_together(data, "all", worlds, options)]
    if setting == "pretrain":
        return _pretrain(data, options)
    order = worlds if setting == "continual" else _by_difficulty(worlds, options.order or data.easiest_first)
    return [_whole(data, name, options) for name in order]


def _whole(
    data: GraphData, name: str, options: GraphOptions, *, fresh: bool = False, patience: int | None = None
) -> Experience:
    rows = data.train[name]
    return Experience(name, rows, tasks=(name,), epochs=options.epochs, fresh=fresh, patience=patience)


def _together(data: GraphData, name: str, worlds: Sequence[str], options: GraphOptions) -> Experience:
    rows = np.concatenate([data.train[world] for world in worlds])
    return PerWorld(name, rows, tasks=tuple(worlds), epochs=options.epochs, world_of=data.world_of[rows])


def _pretrain(data: GraphData, options: GraphOptions) -> list[Experience]:
    first = [world for world in data.worlds if world not in options.adapt]
    for world in options.adapt:
        if world not in data.worlds:
            raise unknown_name("world", world, data.worlds)
    if not options.adapt or not first:
        raise UsageError(
            "the setting pretrain needs worlds to adapt to and others to learn first: --set adapt=[rule_3]"
        )
    found = [_together(data, "pretraining", first, options)]
    for world in options.adapt:
        found += _adaptation(data, world, options)
    return found


def _adaptation(data: GraphData, world: str, options: GraphOptions) -> list[Experience]:
    """Zero steps, then up to each number of steps, then on from the pretrained weights until it gets no better."""
    rows, before = data.train[world], 0
    found: list[Experience] = []
    for shots in sorted({0, *options.shots}):
        found.append(
            Stretch(
                f"{world} after {shots} steps",
                rows,
                tasks=(world,),
                fresh=shots == 0,
                skip=before,
                updates=shots - before,
                from_pretrained=shots == 0,
            )
        )
        before = shots
    patience = options.patience or 7
    return [
        *found,
        Stretch(
            f"{world} converged",
            rows,
            tasks=(world,),
            epochs=options.adapt_epochs,
            patience=patience,
            fresh=True,
            from_pretrained=True,
        ),
    ]


def _by_difficulty(worlds: Sequence[str], order: Sequence[str]) -> list[str]:
    if sorted(order) != sorted(worlds):
        raise UsageError(
            f"the setting curriculum needs each of {', '.join(worlds)} once, from the easiest to the hardest: "
            "--set order=[rule_4,rule_0]"
        )
    return list(order)
