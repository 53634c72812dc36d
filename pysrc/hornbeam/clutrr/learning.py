"""Learning tasks of CLUTRR: graphs of kinship words, and the true theory over the same words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from hornbeam.clutrr import knowledge as kinship
from hornbeam.clutrr.clauses import of_length
from hornbeam.clutrr.config import FamilySettings
from hornbeam.clutrr.knowledge import edge_goal
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.tasks.graphs import GraphTask
from hornbeam.tasks.problem import Problem
from hornbeam.theory import Theory

CLEAN = "none"


def learning_problem(
    dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """All training graphs, judged on all others; with `task`, e.g. 1.10, on those of this task only."""
    kin = kinship.load(tuple(dataset.config.packs))
    graphs = GraphTask.of_cells(
        dataset,
        task,
        network,
        name="kinship",
        relations=tuple(kin.labels()),
        truth=truth(kin, dataset.config.family),
        edge_goal=edge_goal,
        options=options,
    )
    return graphs.problem(view)


def network(sample: Sample) -> Network:
    """A sample as a network of what its story says; names and genders are not told."""
    known: Any = sample.symbolic
    group = {"k": known["k"], "noise": "+".join(sorted(known["noise"])) or CLEAN}
    return Network.of_input(sample.id, sample.input, (str(sample.label),), group)


def truth(kin: kinship.KinTheory, shape: FamilySettings) -> Theory:
    """The theory over words: a word says the relation and the gender of the second person.

    Only pairs of words that families of this shape have are in it: no wife follows on a mother. A father's converse is
    a son or a daughter.
    """
    words = tuple(kin.labels())
    place = {word: number for number, word in enumerate(words)}
    cells = [[0] * len(words) for _ in words]
    converse = [0] * len(words)
    genders = range(len(kinship.GENDERS))
    for clause in of_length(kin, shape, 2):
        first, second = clause.body
        cells[place[first]][place[second]] |= 1 << place[clause.label]
    for relation, inverse in enumerate(kin.inverses):
        for one, other in product(genders, repeat=2):
            converse[place[kin.words[relation][one]]] |= 1 << place[kin.words[inverse][other]]
    return Table(words, tuple(map(tuple, cells)), tuple(converse), 0, "function").theory("kinship")
