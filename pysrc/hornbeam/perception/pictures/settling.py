"""Chooses between trees that look alike, by what the other pictures of the task look like.

`in` of a composition looks like the composition itself. Whether a task's pictures are groups in a place, or just
groups, is seen on its other pictures: those in a quadrant. So the probability of a structure (the kind of its root, and
the kinds of the root's children) is estimated from the training pictures of the task, without their labels, together
with the readings themselves (expectation maximisation).

>>> from hornbeam.perception.perceiver import Alternative, Reading
>>> def alternative(tree, probability):
...     return Alternative({"tree": tree}, math.log(probability))
>>> pair = {"grid": [{"shape": "circle"}, {"shape": "square"}]}
>>> unclear = Reading("a", (alternative(pair, 0.8), alternative({"in": [pair]}, 0.2)))
>>> clear = [Reading(name, (alternative({"quadrant_ul": [pair]}, 1.0),)) for name in "bcde"]
>>> settle({reading.id: reading for reading in (unclear, *clear)}, "abcde")["a"].best.symbolic["tree"] == {"in": [pair]}
True
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hornbeam.kandy.tree import groups
from hornbeam.perception.perceiver import Alternative, Reading

Structure = tuple[str, tuple[str, ...]]
_ROUNDS = 40
_SMOOTHING = 0.1  # pictures that each structure has been seen in before


def settle(readings: Mapping[str, Reading], training: Iterable[str]) -> dict[str, Reading]:
    """The readings of a task with probabilities that the structures of its training pictures have changed.

    Args:
        readings: By id.
        training: The ids of the training pictures.
    """
    known = [readings[name] for name in training if name in readings and readings[name].alternatives]
    prior: dict[Structure, float] = {}
    for _ in range(_ROUNDS):
        counts: Counter[Structure] = Counter()
        for reading in known:
            for one in _weighed(reading, prior).alternatives:
                counts[_structure(one)] += one.probability  # type: ignore[assignment]
        total = sum(counts.values()) + _SMOOTHING * len(counts)
        prior = {structure: math.log((count + _SMOOTHING) / total) for structure, count in counts.items()}
    return {name: _weighed(reading, prior) for name, reading in readings.items()}


def _weighed(reading: Reading, prior: Mapping[Structure, float]) -> Reading:
    """The reading with the prior multiplied in; its probabilities sum up to what they did before."""
    if len(reading.alternatives) < 2 or not prior:
        return reading
    least = min(prior.values())
    scores = [one.log_probability + prior.get(_structure(one), least) for one in reading.alternatives]
    shift = _log_sum([one.log_probability for one in reading.alternatives]) - _log_sum(scores)
    changed = [
        replace(one, log_probability=min(0.0, score + shift))
        for one, score in zip(reading.alternatives, scores, strict=True)
    ]
    return replace(reading, alternatives=tuple(sorted(changed, key=lambda one: -one.log_probability)))


def _log_sum(values: list[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))


def _structure(alternative: Alternative) -> Structure:
    tree: Any = alternative.symbolic.get("tree")
    return _kind(tree), tuple(sorted({_kind(child) for child in _children(tree)}))


def _kind(tree: Any) -> str:
    if not _children(tree):
        return "object"
    (name,) = tree
    return "place" if name in groups()["quadrant_or_center"] else "group"


def _children(tree: Any) -> list[Any]:
    if isinstance(tree, dict) and len(tree) == 1:
        (children,) = tree.values()
        return children if isinstance(children, list) else []
    return []
