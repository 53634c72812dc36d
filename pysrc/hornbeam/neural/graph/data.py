"""A dataset's networks as rows for graph models: all splits and all worlds in one store.

A family with several worlds (GraphLog) has a world graph for each; where a family gives none, the training graphs side
by side are the world.
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
from hornbeam.neural.learner import Rows, set_aside
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


HELD_OUT = ("valid", "test")


@dataclass(frozen=True)
class GraphData:
    """Rows of the store by split, world and group; the world of each row."""

    store: GraphStore
    worlds: tuple[str, ...]
    train: Mapping[str, Rows]  # by world
    held: Mapping[str, Mapping[str, Mapping[str, Rows]]]  # by split, world, group
    world_of: Rows
    graphs: tuple[FoldedWorld, ...]  # the world graph of each world
    easiest_first: tuple[str, ...] = ()  # the worlds, where the family knows how hard they are


@dataclass
class _Collected:
    networks: list[Network] = field(default_factory=list)
    world_of: list[int] = field(default_factory=list)

    def add(self, networks: Iterable[Network], world: int) -> Rows:
        first = len(self.networks)
        self.networks += networks
        self.world_of += [world] * (len(self.networks) - first)
        return np.arange(first, len(self.networks), dtype=np.int64)


def load(dataset: Dataset, *, worlds: Sequence[str] = (), also_test: Sequence[str] = (), paths: int = 0) -> GraphData:
    """Encode a dataset; `also_test` are folders of further datasets whose test split is a group of its own."""
    several = dataset.family.tasks_are_worlds
    names = _chosen(dataset, worlds) if several else ("all",)
    tasks = [name if several else None for name in names]
    problems = [dataset.family.learning_problem(dataset, NETWORKS, task, {}) for task in tasks]
    collected = _Collected()
    train = {name: collected.add(_task(problem).networks, at) for at, (name, problem) in _numbered(names, problems)}
    held = {
        split: {name: _groups(collected, problem, split, at) for at, (name, problem) in _numbered(names, problems)}
        for split in HELD_OUT
    }
    for name in names:
        if not held["valid"][name]:
            train[name], held["valid"][name] = set_aside(train[name])
    for folder in also_test:
        held["test"][names[0]].update(_further(collected, folder))
    relations = _relations(collected.networks, problems)
    graphs = [_world(dataset, task, _task(problem), relations) for task, problem in zip(tasks, problems, strict=True)]
    return GraphData(
        encode(collected.networks, relations, paths=paths),
        names,
        train,
        held,
        np.array(collected.world_of, dtype=np.int64),
        tuple(graphs),
        tuple(name for name in dataset.family.easiest_first(dataset) or () if name in names) if several else (),
    )


def _numbered(names: Sequence[str], problems: Sequence[Problem]) -> Iterable[tuple[int, tuple[str, Problem]]]:
    return enumerate(zip(names, problems, strict=True))


def _chosen(dataset: Dataset, worlds: Sequence[str]) -> tuple[str, ...]:
    for name in worlds:
        if name not in dataset.tasks:
            raise unknown_name("world", name, dataset.tasks, file=str(dataset.path))
    return tuple(worlds) or tuple(dataset.tasks)


def _task(problem: Problem) -> NetworkTask:
    if not isinstance(problem.task, NetworkTask):
        raise UsageError(f"the task {problem.task.name} has no networks")
    return problem.task


def _groups(collected: _Collected, problem: Problem, split: str, world: int) -> dict[str, Rows]:
    """The held-out rows of a problem by group, in the order of the groups."""
    networks = problem.held[split].networks if split in problem.held else ()
    groups: dict[str, list[Network]] = {}
    for network in networks:
        groups.setdefault(group_name(network), []).append(network)
    return {name: collected.add(groups[name], world) for name in sorted(groups, key=_in_order)}


def group_name(network: Network) -> str:
    """The group of a network as text: "k=3 b=2"; a world is told by its task and not again here."""
    return " ".join(f"{key}={value}" for key, value in network.group.items() if key != "world")


def _in_order(name: str) -> list[tuple[int, str]]:
    """Numbers by value, not by digits."""
    parts = [part.partition("=")[2] for part in name.split()]
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def _further(collected: _Collected, folder: str) -> dict[str, Rows]:
    other = Dataset(folder)
    problem = other.family.learning_problem(other, NETWORKS, None, {})
    return {other.path.name: collected.add(problem.held["test"].networks, 0)}


def _relations(networks: Sequence[Network], problems: Sequence[Problem]) -> tuple[str, ...]:
    named = {name for problem in problems for name in _task(problem).relations}
    seen = {name for network in networks for edge in network.edges for name in edge.relations}
    return tuple(sorted(named | seen | {name for network in networks for name in network.answer}))


def _world(dataset: Dataset, name: str | None, task: NetworkTask, relations: Sequence[str]) -> FoldedWorld:
    number = {relation: place for place, relation in enumerate(relations)}
    given = dataset.family.world_graph(dataset, name) if name is not None else None
    if given is not None:
        return fold([(source, number[relation], target) for source, relation, target in given], len(relations))
    edges = [
        ((at, edge.source), number[relation], (at, edge.target))
        for at, network in enumerate(task.networks)
        for edge in network.edges
        for relation in edge.relations
    ]
    return fold(edges, len(relations))
