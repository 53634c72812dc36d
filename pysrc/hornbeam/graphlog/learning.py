"""Learning tasks of GraphLog: the graphs of one world, and its rules as the true theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.graphlog import figures
from hornbeam.graphlog.knowledge import GraphWorld
from hornbeam.graphlog.record import edge_goal
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.tasks.graphs import GraphTask
from hornbeam.tasks.problem import Problem
from hornbeam.theory import Theory

SPLITS = ("train", "valid", "test")


def learning_problem(
    dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """One world: it is named where there are several."""
    name = dataset.one_task(task)
    world = figures.known(dataset, name).world
    samples = dataset.task(name)
    networks = {split: [network(sample) for sample in samples.split(split)] for split in SPLITS}
    relations = relations_of(world, (one for group in networks.values() for one in group))
    graph_task = GraphTask(
        name=name,
        relations=relations,
        networks=networks,
        edge_goal=edge_goal,
        truth=truth(world, relations),
        longest=dataset.config.length.max,
        seed=dataset.manifest.seed or 0,
        options=options or {},
    )
    return graph_task.problem(view)


def network(sample: Sample) -> Network:
    """A sample as a network. The path that its label was made from is not told."""
    return Network.of_input(sample.id, sample.input, (str(sample.label),), {"world": sample.task})


def relations_of(world: GraphWorld, networks: Iterable[Network]) -> tuple[str, ...]:
    """The labels of a world, and after them those that only networks have, sorted."""
    seen = {
        label
        for one in networks
        for labels in (one.answer, *(edge.relations for edge in one.edges))
        for label in labels
    }
    return tuple(dict.fromkeys((*world.labels, *sorted(seen))))


def truth(world: GraphWorld, relations: tuple[str, ...]) -> Theory:
    """The rules of a world as a theory of composition, with its inverses where it derives with them."""
    place = {label: number for number, label in enumerate(relations)}
    cells = [[0] * len(relations) for _ in relations]
    converse = [0] * len(relations)
    for rule in world.rules:
        cells[place[rule.first]][place[rule.second]] |= 1 << place[rule.head]
    for label, inverse in world.inverses if world.backwards else ():
        converse[place[label]] |= 1 << place[inverse]
    return Table(relations, tuple(map(tuple, cells)), tuple(converse), 0, "function").theory(world.name)
