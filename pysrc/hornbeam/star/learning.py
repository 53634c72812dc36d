"""STaR as learners take it: networks of base relations, or of alternatives, and the calculus as their truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.star.calculus import Calculus
from hornbeam.star.dataset import calculus_of
from hornbeam.star.family import edge_goal
from hornbeam.tasks.graphs import GraphTask
from hornbeam.tasks.network_files import INCONSISTENT
from hornbeam.tasks.problem import Problem
from hornbeam.theory import Theory


def learning_problem(
    dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """All training networks, judged on all others; with `task`, e.g. k9_b3, on those of this cell only."""
    calculus = calculus_of(dataset)
    made = GraphTask.of_cells(
        dataset,
        task,
        network,
        name=calculus.name,
        relations=calculus.relations,
        truth=truth_of(dataset, calculus),
        edge_goal=edge_goal,
        options=options,
    )
    return made.problem(view)


def network(sample: Sample) -> Network:
    """A sample as a network; the label `inconsistent` is an empty answer."""
    known: Any = sample.symbolic
    label = str(sample.label)
    answer = () if label == INCONSISTENT else tuple(label.split("|"))
    # Tangles have no branches: they are placed by their number of nodes.
    group = {key: known[key] for key in ("k", "b", "nodes") if key in known}
    return Network.of_input(sample.id, sample.input, answer, group)


def truth_of(dataset: Dataset, calculus: Calculus) -> Theory:
    """The calculus with the kinds of answers that the dataset has."""
    return truth(calculus, several=dataset.config.answers == "sets", none=dataset.config.inconsistent)


def truth(calculus: Calculus, *, several: bool = False, none: bool = False) -> Theory:
    """The calculus as a theory of composition."""
    size = calculus.size
    kinds = {"several" if several else "one"} | ({"none"} if none else set())
    return Table(
        relations=calculus.relations,
        cells=tuple(calculus.cells[row * size : (row + 1) * size] for row in range(size)),
        converse=tuple(1 << converse for converse in calculus.converses),
        identity=calculus.identity_mask,
        reading="sets",
        answers=frozenset(kinds),
    ).theory(calculus.name)
