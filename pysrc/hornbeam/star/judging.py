"""Verdicts on theories about networks of a calculus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.star import learning
from hornbeam.star.config import SPLITS, Cells, Split, StarConfig, Tangle
from hornbeam.star.record import calculus_of, edge_goal
from hornbeam.tasks.network_files import EdgeGoal, edge_name
from hornbeam.tasks.networks_court import NetworkCourt

_ROUNDS, _APART = 5, 1000  # draws of fresh networks, and how far apart their seeds are

Part = TypeVar("Part", Cells, Tangle)


def court(dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> StarCourt:
    """The court for theories of a dataset; all tasks, such as k9_b3, have the same true theory."""
    return StarCourt(dataset, task)


class StarCourt(NetworkCourt):
    """Any network is a sample: a calculus says of each what can hold."""

    @cached_property
    def table(self) -> Table:
        return learning.true_table(self.dataset)

    @property
    def edge_goal(self) -> EdgeGoal:
        return edge_goal

    def network(self, sample: Sample) -> Network:
        return learning.network(sample)

    def sample(self, network: Network, number: int) -> Sample:
        calculus = calculus_of(self.dataset)
        edges = [(edge, [name for name in calculus.relations if name in edge.relations]) for edge in network.edges]
        return Sample(
            id=f"built_{number:06d}",
            task=self.task or self.dataset.tasks[0],
            split="test",
            label=edge_name([name for name in calculus.relations if name in network.answer]),
            input={
                "edges": [[edge.source, edge_name(names), edge.target] for edge, names in edges],
                "query": list(network.query),
            },
            symbolic={"calculus": calculus.name, "nodes": 1 + max(max(e.source, e.target) for e in network.edges)},
        )

    def fresh(self, count: int, seed: int) -> Sequence[Sample]:
        """Networks that the dataset does not hold, each once; fewer than `count` where there are no more."""
        known = {str(sample.input) for sample in self.dataset.samples}
        kept: list[Sample] = []
        for number in range(_ROUNDS):
            for sample in self._drawn(count, seed + number * _APART):
                if str(sample.input) not in known and len(kept) < count:
                    known.add(str(sample.input))
                    kept.append(replace(sample, id=f"fresh_{len(kept):06d}"))
            if len(kept) >= count:
                break
        return kept

    def fresh_config(self, count: int) -> StarConfig:
        """Fewer graphs of each cell where there are more than `count` together; nothing is drawn to be shown."""
        config: StarConfig = self.dataset.config
        share = min(1.0, count / max(1, len(self.dataset.samples)))
        scaled = {name: _fewer(config.split(name), share) for name in SPLITS} if self.task is None else {}
        return config.model_copy(update={**scaled, "witness": False})


def _fewer(split: Split, share: float) -> Split:
    def less(part: Part) -> Part:
        return part.model_copy(update={"rows": max(1, round(part.rows * share))})

    return split.model_copy(update={"cells": tuple(map(less, split.cells)), "tangles": tuple(map(less, split.tangles))})
