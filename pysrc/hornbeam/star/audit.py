"""How hard a dataset really is: paths needed, edges that count, copies, overlap of splits, shortcuts."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import reduce
from itertools import islice
from operator import and_
from statistics import fmean
from typing import Any

from hornbeam.bitsets import bits
from hornbeam.data.audit import Copies, balance, majority
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Audit
from hornbeam.networks.network import ConstraintNetwork, canonical_form
from hornbeam.progress import Progress, no_progress
from hornbeam.seeds import fast_rng
from hornbeam.star.bundles import paths
from hornbeam.star.cells import needed
from hornbeam.star.check import decided
from hornbeam.star.explain import path_mask
from hornbeam.star.knowledge import Calculus
from hornbeam.star.record import answer_of, calculus_of

# Of more paths than this a row is only asked whether one or two of them are enough.
_PATHS = 200


def audit(dataset: Dataset, progress: Progress = no_progress) -> Audit:
    calculus = calculus_of(dataset)
    tally = _Tally(calculus)
    derivable = unique = samples = 0
    for one in decided(dataset, progress):
        samples += 1
        unique += one.possible == one.label
        derivable += one.possible == one.label or bool(one.label and one.possible & one.label)
        tally.add(one.sample, one.network)
    return Audit(
        samples=samples,
        derivable=derivable / samples if samples else None,
        unique=unique / samples if samples else None,
        duplicates=tally.copies.duplicates,
        leaks=tally.copies.leaks(),
        shortcuts={"majority": majority(dataset), **tally.shortcuts(), "size": majority(dataset, _size)},
        balance=balance(dataset.samples),
        details=tally.details(),
    )


class _Tally:
    """What is counted row by row; cells are the tasks."""

    def __init__(self, calculus: Calculus) -> None:
        self.calculus = calculus
        self.copies = Copies()  # up to renaming nodes
        self.needed: dict[str, Counter[str]] = defaultdict(Counter)
        self.lengths: dict[str, array[float]] = defaultdict(lambda: array("d"))
        self.identity = self.edges = 0
        self.most_common: list[bool] = []
        self.one_path = array("d")
        self.alone: list[bool] = []

    def add(self, sample: Sample, network: ConstraintNetwork) -> None:
        self.copies.add(canonical_form(self.calculus, network), sample.split)
        self.identity += sum(label == self.calculus.identity for label in network.labels)
        self.edges += len(network.labels)
        names = Counter(self.calculus.text(label) for label in network.labels)
        self.most_common.append(max(sorted(names), key=names.__getitem__) == sample.label)
        some_paths = list(islice(paths(network), _PATHS + 1))
        if some_paths:
            self._add_paths(sample, network, some_paths)

    def _add_paths(self, sample: Sample, network: ConstraintNetwork, some_paths: list[list[int]]) -> None:
        calculus = self.calculus
        answer = answer_of(calculus, sample)
        masks = [path_mask(calculus, network, path) for path in some_paths]
        if len(masks) > _PATHS or reduce(and_, masks) != answer:
            self.needed[sample.task]["1" if answer in masks else "not known"] += 1
        else:
            self.needed[sample.task][str(_needed(masks, answer))] += 1
        self.alone.append(answer in masks)
        real = [sum(network.labels[i] != calculus.identity for i in path) for path in some_paths]
        self.lengths[sample.task].append(fmean(real))
        guess = masks[fast_rng(0, "star", "audit", sample.id).randrange(len(masks))]
        self.one_path.append(1 / len(bits(guess)) if guess & answer and len(bits(answer)) == 1 else 0.0)

    def shortcuts(self) -> dict[str, Json]:
        return {
            "most common edge label": _mean(self.most_common),
            "one random path and a guess": _mean(self.one_path),
        }

    def details(self) -> dict[str, Json]:
        return {
            "one path alone decides": _mean(self.alone),
            "identity edges": self.identity / self.edges if self.edges else None,
            "paths needed": {task: dict(sorted(counts.items())) for task, counts in sorted(self.needed.items())},
            "effective k": {task: round(fmean(lengths), 3) for task, lengths in sorted(self.lengths.items())},
        }


def _needed(masks: list[int], answer: int) -> int:
    """The fewest paths that give the answer; equal compositions count once, and unhelpful ones not at all."""
    distinct = sorted({mask for mask in masks if mask & answer == answer})
    # A path that says less than another one can always be replaced by it.
    sharpest = [mask for mask in distinct if not any(other != mask and other & mask == other for other in distinct)]
    return needed(sharpest)


def _size(sample: Sample) -> tuple[int, int]:
    """The highest node, and the number of edges."""
    given: Any = sample.input
    edges = given["edges"]
    return max(max(u, v) for u, _, v in edges), len(edges)


def _mean(values: Sequence[bool] | array[float]) -> float | None:
    return fmean(values) if values else None
