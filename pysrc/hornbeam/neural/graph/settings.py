"""Options of graph models, and the settings of the relational experiments as streams of experiences.

An option that is None is left to the model's own default, that of its paper. The settings:

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
from typing import Any, Literal

import numpy as np
from pydantic import Field

from hornbeam.errors import UsageError, unknown_name
from hornbeam.neural.graph.data import GraphData
from hornbeam.neural.learner import Experience, Rows, split_rows
from hornbeam.neural.trainer import TrainingOptions
from hornbeam.seeds import rng


class GraphOptions(TrainingOptions):
    """How to train a graph model."""

    batch: int = Field(100, ge=1, description="graphs a step")
    epochs: int = Field(20, ge=1, description="epochs an experience")
    clip: float | None = Field(1.0, gt=0, description="largest norm of the gradient")
    width: int | None = Field(None, ge=1, description="width of states")
    rounds: int | None = Field(None, ge=1, description="rounds of messages")
    heads: int | None = Field(None, ge=1, description="heads of attention (gat, edge-transformer)")
    facets: int | None = Field(None, ge=1, description="facets of epignn")
    dropout: float | None = Field(None, ge=0, lt=1, description="dropout (gat, edge-transformer)")
    pooling: Literal["min", "mul", "mean", "sum"] | None = Field(None, description="how messages meet (epignn, nbfnet)")
    message: Literal["transe", "distmult"] | None = Field(None, description="how nbfnet applies a relation")
    margin: float | None = Field(None, gt=0, description="margin loss of epignn; without it cross-entropy")
    paths: int = Field(4, ge=1, description="paths that ncrl reads of each graph")
    patience: int | None = Field(None, ge=1, description="stop after so many epochs without better validation")
    worlds: tuple[str, ...] = Field((), description="worlds to take; all if empty")
    also_test: tuple[str, ...] = Field((), description="folders of further datasets to test on, e.g. other noise")
    adapt: tuple[str, ...] = Field((), description="pretrain: worlds to adapt to")
    shots: tuple[int, ...] = Field((5, 10, 20, 40), description="pretrain: steps after which adaptation is judged")
    adapt_epochs: int = Field(50, ge=1, description="pretrain: most epochs of converged adaptation")
    share: Literal["both", "representation", "composition"] = Field(
        "both", description="continual: what worlds share; the other part is each world's own (GraphLog models)"
    )
    order: tuple[str, ...] = Field(
        (), description="curriculum: worlds from the easiest to the hardest; if empty, by what their rows tell"
    )


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
        batches = super().batches(seed=seed, index=index, epoch=epoch, size=size)
        if self.updates is None:
            return batches
        # As many epochs as it takes, one after the other, since a small world may have fewer batches than steps.
        while len(batches) < self.skip + self.updates:
            epoch += 1
            batches += super().batches(seed=seed, index=index, epoch=epoch, size=size)
        return batches[self.skip : self.skip + self.updates]

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
        batches = []
        for world in np.unique(self.world_of):
            rows = self.rows[self.world_of == world]
            batches += split_rows(rows[draw.permutation(len(rows))], size)
        return [batches[place] for place in draw.permutation(len(batches))]

    def steps(self, size: int) -> int:
        counts = np.bincount(self.world_of) if len(self.world_of) else np.zeros(0, dtype=np.int64)
        return self.epochs * int(sum(-(-count // size) for count in counts))


def stream_of(setting: str, data: GraphData, options: GraphOptions) -> list[Experience]:
    """The experiences of a setting."""
    worlds = list(data.worlds)
    if setting == "supervised":
        more: dict[str, Any] = {"fresh": len(worlds) > 1, "patience": options.patience}
        return [Experience(name, data.train[name], (name,), epochs=options.epochs, **more) for name in worlds]
    if len(worlds) < 2:
        raise UsageError(f"the setting {setting} needs a dataset with several worlds")
    if setting == "multitask":
        return [_together(data, "all", worlds, options)]
    if setting == "pretrain":
        return _pretrain(data, options)
    order = worlds if setting == "continual" else _by_difficulty(worlds, options.order or data.easiest_first)
    return [Experience(name, data.train[name], (name,), epochs=options.epochs) for name in order]


def _together(data: GraphData, name: str, worlds: Sequence[str], options: GraphOptions) -> Experience:
    rows = np.concatenate([data.train[world] for world in worlds])
    return PerWorld(name, rows, tasks=tuple(worlds), epochs=options.epochs, world_of=data.world_of[rows])


def _pretrain(data: GraphData, options: GraphOptions) -> list[Experience]:
    for world in options.adapt:
        if world not in data.worlds:
            raise unknown_name("world", world, data.worlds)
    first = [world for world in data.worlds if world not in options.adapt]
    if not options.adapt or not first:
        raise UsageError(
            "the setting pretrain needs worlds to adapt to and others to learn first: --set adapt=[rule_3]"
        )
    later = [stretch for world in options.adapt for stretch in _adaptation(data.train[world], world, options)]
    return [_together(data, "pretraining", first, options), *later]


def _adaptation(rows: Rows, world: str, options: GraphOptions) -> list[Experience]:
    """Zero steps, then up to each number of steps, then on from the pretrained weights until it gets no better."""

    def stretch(name: str, start: bool, **more: Any) -> Experience:
        return Stretch(f"{world} {name}", rows, (world,), fresh=start, from_pretrained=start, **more)

    shots = sorted({0, *options.shots})
    few = [
        stretch(f"after {steps} steps", start=steps == 0, skip=before, updates=steps - before)
        for before, steps in zip([0, *shots], shots, strict=False)
    ]
    return [*few, stretch("converged", start=True, epochs=options.adapt_epochs, patience=options.patience or 7)]


def _by_difficulty(worlds: Sequence[str], order: Sequence[str]) -> list[str]:
    if sorted(order) != sorted(worlds):
        raise UsageError(
            f"the setting curriculum needs each of {', '.join(worlds)} once, from the easiest to the hardest: "
            "--set order=[rule_4,rule_0]"
        )
    return list(order)
