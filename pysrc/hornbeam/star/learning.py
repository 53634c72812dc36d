"""Learning tasks of STaR: networks of relations or of sets of relations, and the calculus as the true theory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.networks.network import Network
from hornbeam.star.knowledge import Calculus
from hornbeam.star.record import calculus_of, edge_goal, group_of
from hornbeam.tasks.graphs import GraphTask
from hornbeam.tasks.network_files import INCONSISTENT
from hornbeam.tasks.problem import Problem


def learning_problem(
    dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """All training networks, judged on all others; with `task`, e.g. k9_b3, on those of this cell only."""
    table = true_table(dataset)
    graph_task = GraphTask.of_cells(
        dataset,
        task,
        network,
        name=table.name,
        relations=table.relations,
        truth=table.theory(table.name),
        edge_goal=edge_goal,
        options=options,
    )
    return graph_task.problem(view)


def network(sample: Sample) -> Network:
    """A sample as a network; the label `inconsistent` is an empty answer."""
    label = str(sample.label)
    answer = () if label == INCONSISTENT else tuple(label.split("|"))
    return Network.of_input(sample.id, sample.input, answer, group_of(sample))


def true_table(dataset: Dataset) -> Calculus:
    """The dataset's calculus with the kinds of answers that the dataset has."""
    kinds = ["several" if dataset.config.answers == "sets" else "one", *["none"] * dataset.config.inconsistent]
    return replace(calculus_of(dataset), answers=frozenset(kinds))
