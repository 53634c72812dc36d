"""Near misses: samples of a task that differ in one thing and have different labels.

A sample is a list of parts: the relations of its edges, or the words of its Prolog text. Two samples are near if their
parts are the same but for one. They are found without comparing all pairs: samples that differ in part i only share
what is left without it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from hornbeam.data.audit import label_text
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample

_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9\s]", re.IGNORECASE)
_MOST = 12  # near misses of one sample that are kept
_LARGEST = 40  # samples that share all but one part; of more, the first


Frame = Hashable
Parts = tuple[str, ...]


def parts(sample: Sample) -> tuple[Frame, Parts]:
    """The shape of a sample, and what it is made of. Samples of different shape have nothing to compare.

    >>> from hornbeam.data.sample import Sample
    >>> parts(Sample("a", "t", "train", True, symbolic={"prolog": "in([circle_red])"}))
    (8, ('in', '(', '[', 'circle', '_', 'red', ']', ')'))
    """
    given: Any = sample.input
    known: Any = sample.symbolic
    if isinstance(given, Mapping) and "edges" in given:
        ends = tuple((source, target) for source, _, target in given["edges"])
        return (ends, tuple(given.get("query", ()))), tuple(relation for _, relation, _ in given["edges"])
    text = known.get("prolog") if isinstance(known, Mapping) else None
    words = tuple(_WORD.findall(text)) if isinstance(text, str) else ()
    return len(words), words


def near_misses(dataset: Dataset, task: str) -> dict[int, tuple[int, ...]]:
    """The near misses of each sample of a task that has some, by the numbers of their lines.

    Args:
        dataset: The dataset.
        task: One of its tasks: samples of different tasks are not compared.

    Returns:
        At most a few for each sample, in the order of the dataset.
    """
    found: dict[int, set[int]] = defaultdict(set)
    rows = np.flatnonzero(dataset.column("task") == dataset.tasks.index(task)).tolist()
    for one, other in _pairs(dataset, task, rows):
        if len(found[one]) < _MOST and len(found[other]) < _MOST:
            found[one].add(other)
            found[other].add(one)
    return {row: tuple(sorted(others)) for row, others in sorted(found.items()) if others}


def _pairs(dataset: Dataset, task: str, rows: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of the samples of a task that differ in one part and in their label."""
    # A random number for each part at each place; their sum without one of them stands for all the others.
    random = Random(0)
    numbers: dict[tuple[int, str], int] = defaultdict(lambda: random.getrandbits(64))
    sharing: dict[tuple[Frame, int, int], list[tuple[int, str, str]]] = defaultdict(list)
    for row, sample in zip(rows, dataset.task(task), strict=True):
        frame, own = parts(sample)
        label = label_text(sample.label)
        whole = sum(numbers[place, part] for place, part in enumerate(own))
        for place, part in enumerate(own):
            group = sharing[frame, place, whole - numbers[place, part]]
            if len(group) < _LARGEST:
                group.append((row, label, part))
    for group in sharing.values():
        for (row, label, part), (other, its_label, its_part) in combinations(group, 2):
            if label != its_label and part != its_part:
                yield row, other
