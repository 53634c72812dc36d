"""Derive every label again, with Prolog and with clingo, from the row's graph and its world's rules.

Only the part of a graph that lies on walks between the two nodes can matter (see `relevant`), and what its nodes are
called does not; so rows that ask the same are derived once, by each of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hornbeam.data.dataset import Dataset
from hornbeam.family import Check
from hornbeam.graphlog import suite
from hornbeam.graphlog.logic import Question, Theory, clingo_relations
from hornbeam.graphlog.records import Read, derivable, read
from hornbeam.graphlog.relevant import is_signed, question
from hornbeam.graphlog.world import World
from hornbeam.progress import Progress, no_progress

REASONER = "SWI-Prolog and clingo"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the two reasoners derive between the nodes of a question."""

    prolog: frozenset[str]
    clingo: frozenset[str]

    def verdict(self, label: str) -> str:
        """`unique`, `ambiguous`, `wrong` or `no`; `disputed` where the reasoners differ."""
        return derivable(self.prolog, label) if self.prolog == self.clingo else "disputed"


def derive(world: World, questions: list[Question]) -> dict[Question, Answer]:
    """What both reasoners derive, each question once."""
    distinct = list(dict.fromkeys(questions))
    by_prolog = Theory(world).relations(distinct)
    by_clingo = clingo_relations({world.name: distinct}, [world])[world.name]
    return {
        asked: Answer(frozenset(one), frozenset(other))
        for asked, one, other in zip(distinct, by_prolog, by_clingo, strict=True)
    }


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with its verdict."""

    identity: str
    world: str
    split: str
    verdict: str
    row: Read


def judged(dataset: Dataset, progress: Progress = no_progress) -> Iterator[Judged]:
    """Every row, world by world."""
    total, done = len(dataset.samples), 0
    for name, known in suite.worlds(dataset).items():
        world = known.world
        signed = is_signed(world)
        rows: list[tuple[str, str, Read]] = []
        questions: list[Question] = []
        for sample in dataset.task(name):
            row = read(sample)
            rows.append((sample.id, sample.split, row))
            questions.append(question(row.edges, row.source, row.sink, backwards=world.backwards, signed=signed))
        answers = derive(world, questions)
        for (identity, split, row), asked in zip(rows, questions, strict=True):
            yield Judged(identity, name, split, answers[asked].verdict(row.label), row)
        done += len(rows)
        progress(done, total)


def path_holds(row: Read) -> bool:
    """Whether the stored path leads along edges of the graph, with the stored descriptor."""
    edges = {(u, v, label) for u, v, label in row.edges}
    steps = pairwise(row.path)
    ends = len(row.path) == len(row.chain) + 1 and (row.path[0], row.path[-1]) == (row.source, row.sink)
    return ends and all((u, v, label) in edges for (u, v), label in zip(steps, row.chain, strict=True))


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """Confirmed is a label that follows alone; undecided one that does not follow or not alone; refuted a false one.

    A path that does not hold refutes its row. Imported rows need not have one.
    """
    imported = dataset.config.profile == "imported"
    counts: Counter[str] = Counter()
    failures: list[str] = []
    for found in judged(dataset, progress):
        pathless = imported and not found.row.chain
        false = found.verdict == "unique" and not pathless and not path_holds(found.row)
        counts["wrong" if false else found.verdict] += 1
        if false or found.verdict != "unique":
            failures.append(found.identity)
    undecided = counts["ambiguous"] + counts["no"] + counts["disputed"]
    return Check(
        samples=counts.total(),
        confirmed=counts["unique"],
        refuted=counts["wrong"],
        undecided=undecided,
        reasoner=REASONER,
        failures=tuple(failures),
    )
