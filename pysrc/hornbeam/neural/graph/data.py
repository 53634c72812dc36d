"""A dataset's networks as rows for graph models: all splits and all worlds in one store.

A family with several worlds (GraphLog) has a world graph for each; where a family gives none, the training graphs side
by side are the world. The extended world graph of GraphLog is folded together exactly (`FoldedWorld`). In it every edge
of the world is a node between its two ends. Nodes start with one of few vectors (one for all entities, one for each
relation), so nodes with the same surroundings have the same state: after one round an edge's node knows only its
relation, and an entity only how many edges of each relation lead to it. Two rounds need states for kinds of entities
and for pairs of a relation and a kind of entity, not for thousands of nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError, unknown_name
from hornbeam.networks.network import Network
from hornbeam.neural.graph.store import GraphStore, encode
from hornbeam.neural.learner import HeldRows, Rows, set_aside
from hornbeam.tasks.problem import NETWORKS, NetworkTask, Problem


@dataclass(frozen=True, slots=True)
class FoldedWorld:
    """A world graph as far as two rounds can tell its nodes apart."""

    incoming: Tensor  # [kinds of entities, relations]: edges of each relation that lead to such an entity
    relation: Tensor  # [pairs]: the relation of an edge ...
    entity: Tensor  # [pairs]: ... and the kind of entity that it leaves
    share: Tensor  # [pairs]: the pair's share of all edges of its relation

    @property
    def relations(self) -> int:
        return self.incoming.shape[1]


def fold(edges: Sequence[tuple[object, int, object]], relations: int) -> FoldedWorld:
    """A world from its edges: source, number of the relation, target.

    >>> world = fold([("a", 0, "b"), ("b", 1, "c"), ("c", 0, "b")], relations=2)
    >>> world.incoming.tolist(), world.relation.tolist(), world.share.tolist()
    ([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0]], [0, 0, 1], [0.5, 0.5, 1.0])
    """
    counts: dict[object, list[int]] = {}
    for source, relation, target in edges:
        counts.setdefault(source, [0] * relations)
        counts.setdefault(target, [0] * relations)[relation] += 1
    kinds = {row: place for place, row in enumerate(sorted({tuple(row) for row in counts.values()}))}
    pairs = Counter((relation, kinds[tuple(counts[source])]) for source, relation, _ in edges)
    totals = Counter(relation for _, relation, _ in edges)
    order = sorted(pairs)
    return FoldedWorld(
        torch.tensor(list(kinds), dtype=torch.float).reshape(-1, relations),
        torch.tensor([relation for relation, _ in order], dtype=torch.long),
        torch.tensor([kind for _, kind in order], dtype=torch.long),
        torch.tensor([pairs[pair] / totals[pair[0]] for pair in order], dtype=torch.float),
    )


@dataclass(frozen=True)
class GraphData:
    """Rows of the store by split, world and group; the world of each row."""

    store: GraphStore
    worlds: tuple[str, ...]
    train: Mapping[str, Rows]  # by world
    held: HeldRows  # the tasks are the worlds
    world_of: Rows
    graphs: tuple[FoldedWorld, ...]  # the world graph of each world
    easiest_first: tuple[str, ...] = ()  # the worlds, where the family knows how hard they are
    names: tuple[str, ...] = ()  # the ids of the samples, by row


@dataclass
class _Collected:
    networks: list[Network] = field(default_factory=list)
    world_of: list[int] = field(default_factory=list)

    def add(self, networks: Iterable[Network], world: int) -> Rows:
        first = len(self.networks)
        self.networks += networks
        self.world_of += [world] * (len(self.networks) - first)
        return np.arange(first, len(self.networks), dtype=np.int64)

    def add_groups(self, networks: Iterable[Network], world: int) -> dict[str, Rows]:
        """The rows of each group, in the order of the groups: "k=3 b=2"; the world is not repeated there."""
        groups: dict[str, list[Network]] = {}
        for network in networks:
            name = " ".join(f"{key}={value}" for key, value in network.group.items() if key != "world")
            groups.setdefault(name, []).append(network)
        return {name: self.add(groups[name], world) for name in sorted(groups, key=_by_value)}


def load(dataset: Dataset, *, worlds: Sequence[str] = (), also_test: Sequence[str] = (), paths: int = 0) -> GraphData:
    """Encode a dataset; `also_test` are folders of further datasets whose test split is a group of its own."""
    family, several = dataset.family, dataset.family.tasks_are_worlds
    for name in worlds if several else ():
        if name not in dataset.tasks:
            raise unknown_name("world", name, dataset.tasks, file=str(dataset.path))
    names = (tuple(worlds) or tuple(dataset.tasks)) if several else ("all",)
    problems = [family.learning_problem(dataset, NETWORKS, name if several else None, {}) for name in names]
    tasks = [_network_task(problem) for problem in problems]
    collected = _Collected()
    train = {name: collected.add(task.networks, at) for at, (name, task) in enumerate(zip(names, tasks, strict=True))}
    held: dict[str, dict[str, dict[str, Rows]]] = {"valid": {}, "test": {}}
    for split, by_world in held.items():
        for at, (name, problem) in enumerate(zip(names, problems, strict=True)):
            by_world[name] = collected.add_groups(problem.held[split].networks if split in problem.held else (), at)
    for name in names:
        if not held["valid"][name]:
            train[name], held["valid"][name] = set_aside(train[name])
    for folder in also_test:
        other = Dataset(folder)
        further = other.family.learning_problem(other, NETWORKS, None, {}).held["test"].networks
        held["test"][names[0]][other.path.name] = collected.add(further, 0)
    relations = _relations(collected.networks, tasks)
    given = [family.world_graph(dataset, name) if several else None for name in names]
    graphs = [_world(task, edges, relations) for task, edges in zip(tasks, given, strict=True)]
    return GraphData(
        encode(collected.networks, relations, paths=paths),
        names,
        train,
        held,
        np.array(collected.world_of, dtype=np.int64),
        tuple(graphs),
        tuple(name for name in family.easiest_first(dataset) or () if name in names) if several else (),
        tuple(network.name for network in collected.networks),
    )


def _network_task(problem: Problem) -> NetworkTask:
    if not isinstance(problem.task, NetworkTask):
        raise UsageError(f"the task {problem.task.name} has no networks")
    return problem.task


def _by_value(group: str) -> list[tuple[int, str]]:
    """Numbers by value, not by digits."""
    values = [part.partition("=")[2] for part in group.split()]
    return [(int(value), "") if value.isdigit() else (0, value) for value in values]


def _relations(networks: Sequence[Network], tasks: Sequence[NetworkTask]) -> tuple[str, ...]:
    names = {name for task in tasks for name in task.relations}
    for network in networks:
        names.update(network.answer, *(edge.relations for edge in network.edges))
    return tuple(sorted(names))


def _world(
    task: NetworkTask, edges: Iterable[tuple[object, str, object]] | None, relations: Sequence[str]
) -> FoldedWorld:
    number = {relation: place for place, relation in enumerate(relations)}
    if edges is None:
        edges = (
            ((at, edge.source), relation, (at, edge.target))
            for at, network in enumerate(task.networks)
            for edge in network.edges
            for relation in edge.relations
        )
    return fold([(source, number[relation], target) for source, relation, target in edges], len(relations))
