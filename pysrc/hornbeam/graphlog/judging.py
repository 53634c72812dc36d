"""Verdicts on theories about the graphs of a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import count as numbers
from itertools import product

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.graphlog import figures, generate, learning
from hornbeam.graphlog.knowledge import Chain, GraphWorld, WorldTheory
from hornbeam.graphlog.record import DrawnRow, Grounds, edge_goal, to_sample
from hornbeam.networks.differing import Cell
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.tasks.court import NotComparable
from hornbeam.tasks.network_files import EdgeGoal
from hornbeam.tasks.networks_court import NetworkCourt

_MOST_SEEDS = 200


def court(dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> GraphLogCourt:
    """Who judges theories of a world.

    Raises:
        UsageError: if the dataset has several worlds and `task` is None: each has its own rules.
    """
    if task is None and len(dataset.tasks) > 1:
        raise UsageError(
            f"each of the {len(dataset.tasks)} worlds has its own true theory; name one, as in "
            f"ds.family.court(ds, {dataset.tasks[0]!r}).truth or --task {dataset.tasks[0]}"
        )
    return GraphLogCourt(dataset, dataset.one_task(task))


class GraphLogCourt(NetworkCourt):
    """Any graph over the labels of the world is a sample, if its rules decide it."""

    @property
    def world_name(self) -> str:
        assert self.task is not None
        return self.task

    @cached_property
    def world(self) -> GraphWorld:
        return figures.known(self.dataset, self.world_name).world

    @cached_property
    def table(self) -> Table:
        relations = learning.relations_of(self.world, map(self.network, self._own_samples()))
        return Table.of(learning.truth(self.world, relations))

    @property
    def edge_goal(self) -> EdgeGoal:
        return edge_goal

    def network(self, sample: Sample) -> Network:
        return learning.network(sample)

    def harmless(self, cell: Cell, learned: frozenset[str]) -> bool:
        """A rule read backwards holds, too, where the world derives with inverses."""
        return learned <= self._composed.get(cell, frozenset())

    @cached_property
    def _composed(self) -> dict[Cell, frozenset[str]]:
        """What two labels compose to, by all that the world derives with."""
        cells = list(product(self.world.labels, self.world.labels))
        verdicts = WorldTheory(self.world).verdicts(cells)
        return {cell: frozenset(verdict.by_theory) for cell, verdict in zip(cells, verdicts, strict=True)}

    def sample(self, network: Network, number: int) -> Sample:
        edges = tuple((edge.source, edge.target, edge.relations[0]) for edge in network.edges)
        nodes = len({node for edge in edges for node in edge[:2]})
        row = DrawnRow(edges, network.answer[0], *_first_path(network), nodes)
        return replace(
            to_sample(row, number, self.world_name, "test", Grounds("unique", None)), id=f"built_{number:06d}"
        )

    def fresh(self, count: int, seed: int) -> Sequence[Sample]:
        """Rows of the same world from graphs that are grown with other seeds."""
        config = self.dataset.config
        if config.profile == "imported":
            raise NotComparable("the dataset was imported, so there is no generator of fresh samples")
        drawn: list[Sample] = []
        for number in numbers(seed):
            if len(drawn) >= count:
                break
            if number >= seed + _MOST_SEEDS:
                raise NotComparable(f"the generator gave {len(drawn)} of {count} fresh samples")
            with suppress(UsageError):  # a graph of this seed has too few rows
                drawn += generate.fresh_samples(config, number, self.world, -(-count // 3))
        return [replace(sample, id=f"fresh_{place:06d}") for place, sample in enumerate(drawn[:count])]


def _first_path(network: Network) -> tuple[tuple[int, ...], Chain]:
    """The nodes and labels of a path along the edges; only the two ends if there is none."""
    source, sink = network.query
    waiting: list[tuple[tuple[int, ...], Chain]] = [((source,), ())]
    while waiting:
        path, chain = waiting.pop(0)
        for edge in network.edges:
            if edge.source == path[-1] and edge.target not in path:
                longer = ((*path, edge.target), (*chain, edge.relations[0]))
                if edge.target == sink:
                    return longer
                waiting.append(longer)
    return (source, sink), ()
