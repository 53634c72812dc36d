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
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hornbeam.kandy.tree import groups
from hornbeam.perception.perceiver import Alternative, Reading

Structure = tuple[str, tuple[str, ...]]
_Weighed = list[tuple[Structure, float]]
_ROUNDS = 300
_STILL = 1e-4  # change of a probability at which the estimate has converged
_CLEAR = 0.99  # probability of the best alternative
_SMOOTHING = 0.005  # pictures that each structure has been seen in before
_UNSEEN = math.log(_SMOOTHING / 100)


def settle(readings: Mapping[str, Reading], training: Iterable[str]) -> dict[str, Reading]:
    """The readings of a task with probabilities that the structures of its training pictures have changed.

    Args:
        readings: By id.
        training: The ids of the training pictures.
    """
    read = {name: _structures(reading) for name, reading in readings.items()}
    known = [read[name] for name in training if read.get(name)]
    # Pictures whose structure is clear come first: where there are some, unclear ones follow them.
    clear = [weighed for weighed in known if math.exp(max(score for _, score in weighed)) >= _CLEAR]
    prior = _prior(clear, {})
    for _ in range(_ROUNDS):
        before, prior = prior, _prior(known, prior)
        if all(abs(math.exp(value) - math.exp(before.get(key, 0.0))) < _STILL for key, value in prior.items()):
            break
    return {name: _settled(reading, _weighed(read[name], prior)) for name, reading in readings.items()}


def _prior(pictures: Iterable[_Weighed], prior: Mapping[Structure, float]) -> dict[Structure, float]:
    """The log-probabilities of structures, from pictures under an earlier estimate of them."""
    counts: dict[Structure, float] = defaultdict(float)
    for picture in pictures:
        for (structure, _), score in zip(picture, _weighed(picture, prior), strict=True):
            counts[structure] += math.exp(score)
    total = sum(counts.values()) + _SMOOTHING * len(counts)
    return {structure: math.log((count + _SMOOTHING) / total) for structure, count in counts.items()}


def _weighed(picture: _Weighed, prior: Mapping[Structure, float]) -> list[float]:
    """The log-probabilities of alternatives with the prior multiplied in; their sum is what it was before."""
    own = [score for _, score in picture]
    if len(own) < 2 or not prior:
        return own
    scores = [score + prior.get(structure, _UNSEEN) for structure, score in picture]
    shift = _log_sum(own) - _log_sum(scores)
    return [min(0.0, score + shift) for score in scores]


def _settled(reading: Reading, scores: Sequence[float]) -> Reading:
    changed = [replace(one, log_probability=score) for one, score in zip(reading.alternatives, scores, strict=True)]
    return replace(reading, alternatives=tuple(sorted(changed, key=lambda one: -one.log_probability)))


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))


def _structures(reading: Reading) -> _Weighed:
    return [(_structure(one), one.log_probability) for one in reading.alternatives]


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
