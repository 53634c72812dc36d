"""Derive every label again, with Prolog and with clingo, from the row's graph and its world's rules.

Rows that ask the same are derived once, by each of the two; see `proving.asked_by`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.family import Check
from hornbeam.graphlog import figures
from hornbeam.graphlog.knowledge import WorldTheory, clingo_relations
from hornbeam.graphlog.proving import asked_by
from hornbeam.graphlog.record import Read, derivable, read
from hornbeam.progress import Progress, no_progress

REASONER = "SWI-Prolog and clingo"
_BATCH = 2000  # rows that are in memory at once; the more, the more of them ask the same


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row with its verdict: `unique`, `ambiguous`, `wrong` or `no`; `disputed` where the reasoners differ."""

    identity: str
    world: str
    split: str
    verdict: str
    row: Read


def judged(dataset: Dataset, progress: Progress = no_progress) -> Iterator[JudgedRow]:
    """Every row, world by world."""
    total, done = len(dataset.samples), 0
    for name, known in figures.worlds(dataset).items():
        samples, theory = dataset.task(name), WorldTheory(known.world)
        for start in range(0, len(samples), _BATCH):
            batch = list(samples[start : start + _BATCH])
            yield from _judged_batch(name, theory, batch)
            done += len(batch)
            progress(done, total)


def _judged_batch(name: str, theory: WorldTheory, samples: Sequence[Sample]) -> Iterator[JudgedRow]:
    world = theory.world
    rows = [read(sample) for sample in samples]
    questions = asked_by(world, rows)
    distinct = list(dict.fromkeys(questions))
    by_prolog = dict(zip(distinct, map(set, theory.relations(distinct)), strict=True))
    by_clingo = dict(zip(distinct, clingo_relations(world, distinct), strict=True))
    for sample, row, asked in zip(samples, rows, questions, strict=True):
        agreed = by_prolog[asked] == by_clingo[asked]
        verdict = derivable(by_prolog[asked], row.label) if agreed else "disputed"
        yield JudgedRow(sample.id, name, sample.split, verdict, row)


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
    for each in judged(dataset, progress):
        pathless = imported and not each.row.chain
        false = each.verdict == "unique" and not pathless and not path_holds(each.row)
        counts["wrong" if false else each.verdict] += 1
        if false or each.verdict != "unique":
            failures.append(each.identity)
    undecided = counts["ambiguous"] + counts["no"] + counts["disputed"]
    return Check(
        samples=counts.total(),
        confirmed=counts["unique"],
        refuted=counts["wrong"],
        undecided=undecided,
        reasoner=REASONER,
        failures=tuple(failures),
    )
