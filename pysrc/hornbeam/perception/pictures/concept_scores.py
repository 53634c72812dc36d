"""What concepts mean, measured afterwards: F1 with the best matching of concepts and true names, by attribute.

Only measuring uses the annotation. An object that was not found, or was found twice, counts against the concepts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.data.sample import Sample
from hornbeam.kandy.tree import ATTRIBUTES, Domain
from hornbeam.perception.perceiver import Reading

Counts = npt.NDArray[np.int64]
_NEAR = 4.0  # pixels between the middles of what was found and of what is there


@dataclass(frozen=True)
class ConceptScore:
    """F1 of an attribute: as named, and with the best matching, which it gives as name read -> name meant."""

    named: float
    matched: float
    matching: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        return {"named": self.named, "matched": self.matched, "matching": dict(self.matching)}


def concept_scores(samples: Sequence[Sample], readings: Sequence[Reading], domain: Domain) -> dict[str, ConceptScore]:
    """The scores of shapes, colors and sizes over pictures with boxes."""
    sizes = [len(values) for values in domain.values]
    # The last row is for what was not found, the last column for what is not there.
    counts = [np.zeros((size + 1, size + 1), np.int64) for size in sizes]
    for sample, reading in zip(samples, readings, strict=True):
        for true, read in _matched_objects(sample, reading, domain):
            for kind, table in enumerate(counts):
                table[-1 if read is None else read[kind], -1 if true is None else true[kind]] += 1
    return {
        attribute: _score(table, values)
        for attribute, table, values in zip(ATTRIBUTES, counts, domain.values, strict=True)
    }


def _score(table: Counts, names: tuple[str, ...]) -> ConceptScore:
    options = list(permutations(range(len(names)))) if len(names) <= 7 else [tuple(range(len(names)))]
    figures = [_f1(table, option) for option in options]
    best = options[int(np.argmax(figures))]
    return ConceptScore(
        _f1(table, tuple(range(len(names)))), max(figures), {names[i]: names[j] for i, j in enumerate(best)}
    )


def _f1(table: Counts, meaning: tuple[int, ...]) -> float:
    """The mean over concepts of F1, where concept i means name meaning[i]."""
    figures = []
    for concept, name in enumerate(meaning):
        total = int(table[concept].sum() + table[:, name].sum())
        if total:
            figures.append(2 * int(table[concept, name]) / total)
    return float(np.mean(figures)) if figures else 0.0


_Kinds = tuple[int, ...]


def _matched_objects(sample: Sample, reading: Reading, domain: Domain) -> list[tuple[_Kinds | None, _Kinds | None]]:
    """Pairs of true and read objects, nearest first; None where one is missing."""
    content: Any = sample.input
    true = [(_middle_sized(thing["box"]), _kinds(thing["name"], domain)) for thing in content["objects"]]
    best = reading.best
    read = [(_middle(part.box), _kinds(part.name, domain)) for part in best.parts] if best is not None else []
    near = sorted(
        (max(abs(x - left), abs(y - top)), i, j)
        for i, ((x, y), _) in enumerate(true)
        for j, ((left, top), _) in enumerate(read)
    )
    pairs: dict[int, int] = {}
    for distance, i, j in near:
        if distance <= _NEAR and i not in pairs and j not in pairs.values():
            pairs[i] = j
    matched: list[tuple[_Kinds | None, _Kinds | None]] = [
        (kinds, read[pairs[i]][1] if i in pairs else None) for i, (_, kinds) in enumerate(true)
    ]
    taken = set(pairs.values())
    return matched + [(None, kinds) for j, (_, kinds) in enumerate(read) if j not in taken]


def _kinds(name: str, domain: Domain) -> _Kinds:
    return tuple(values.index(value) for values, value in zip(domain.values, domain.props[name], strict=True))


def _middle(box: Sequence[int]) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def _middle_sized(box: Sequence[int]) -> tuple[float, float]:
    left, top, width, height = box
    return left + width / 2, top + height / 2
