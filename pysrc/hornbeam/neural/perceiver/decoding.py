"""The most probable trees of a picture, from what the two networks say.

The objects of a group are divided top-down: those that the grouping network puts deeper than the group go together
(average linkage). Alternatives change one decision: the second-best operator or wrapper of a group, the second-best
shape, color or size of an object, another division, an object more or less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from hornbeam.kandy.tree import Domain, Tree
from hornbeam.neural.perceiver.detector import Detection
from hornbeam.neural.perceiver.grouping import (
    Grouper,
    PairAnswers,
    Vocabulary,
    answers,
    kept_indices,
    scene,
    wrapper_probabilities,
)

Chances = npt.NDArray[np.float64]
LEVELS = (0.5, 0.25, 0.75)
"""Thresholds of the division; the first is that of the best tree."""
_TINY = 1e-6
_LEAST_ODDS = 0.01


@dataclass(frozen=True, eq=False)
class Branch:
    """A group: an object, or children with the chances of the operators; and the chances of its wrappers."""

    children: tuple[Branch, ...]
    thing: int  # the object, if there are no children
    ops: Chances
    wrappers: Chances
    sure: float  # how probable the division is

    def nodes(self) -> Iterator[Branch]:
        """This group and those below."""
        yield self
        for child in self.children:
            yield from child.nodes()


@dataclass(frozen=True, eq=False)
class TreeReading:
    """A tree, the logarithm of its probability, and the objects of its leaves from left to right."""

    tree: Tree
    log_probability: float
    things: tuple[int, ...]
    detection: Detection


@dataclass(frozen=True)
class Names:
    """Decisions that differ from the best: the rank of an operator or wrapper by group, of a kind by object."""

    group: int = -1
    what: str = ""
    thing: int = -1
    kind: int = -1


class Decoder:
    """Reads trees from detections of pictures of one size."""

    def __init__(self, network: Grouper, domain: Domain, extent: tuple[int, int], sure: float) -> None:
        self._network = network
        self._domain = domain
        self._extent = extent
        self._sure = sure

    def readings(self, detection: Detection, count: int) -> list[TreeReading]:
        """The `count` most probable trees; none if there is no object."""
        kept = kept_indices(detection.scores >= self._sure)
        if not len(kept):
            return []
        ranked = self._of(detection.choose(kept), LEVELS if count > 1 else LEVELS[:1], count - 1)
        doubtful = np.argsort(np.abs(detection.scores - self._sure), kind="stable")[:2]
        for number in doubtful if count > 1 else ():
            other = np.setxor1d(kept, [number])
            if len(other) and 0.1 < detection.scores[number] < 0.9:
                ratio = _log(detection.scores[number] / (1 - detection.scores[number]))
                change = -abs(ratio)
                for one in self._of(detection.choose(other), LEVELS[:1], 0):
                    ranked.append(replace(one, log_probability=one.log_probability + change))
        return _normalised(ranked, count)

    def _of(self, detection: Detection, levels: Sequence[float], changed: int) -> list[TreeReading]:
        shapes, _, sizes = detection.kinds
        answer = answers(self._network, *scene(detection.boxes, shapes, sizes, self._extent))
        readings: list[TreeReading] = []
        for level in levels:
            builder = _Builder(self._network, answer, level)
            root = builder.build(list(range(len(detection))), 0)
            changes = [Names(), *(_second_names(root, detection, changed) if level == levels[0] else ())]
            readings.extend(self._reading(root, detection, change) for change in changes)
        return readings

    def _reading(self, root: Branch, detection: Detection, change: Names) -> TreeReading:
        speller = _Speller(self._network.vocabulary, self._domain, detection, change)
        tree = speller.tree(root)
        return TreeReading(tree, speller.log_probability, tuple(speller.things), detection)


class _Speller:
    """Writes a tree down and adds up how probable each of its names is."""

    def __init__(self, vocabulary: Vocabulary, domain: Domain, detection: Detection, change: Names) -> None:
        self._vocabulary = vocabulary
        self._domain = domain
        self._detection = detection
        self._change = change
        self._number = -1
        self.log_probability = 0.0
        self.things: list[int] = []

    def tree(self, branch: Branch) -> Tree:
        self._number += 1
        number = self._number
        wrapper = self._vocabulary.wrappers[self._take(branch.wrappers, self._ranks(number, "wrapper"))]
        tree: Tree
        if branch.children:
            op = self._vocabulary.ops[self._take(branch.ops, self._ranks(number, "op"))]
            self.log_probability += _log(branch.sure)
            tree = (op, [self.tree(child) for child in branch.children])
        else:
            tree = self._name(branch.thing)
        for outer in reversed(wrapper):
            tree = (outer, [tree])
        return tree

    def _ranks(self, number: int, what: str) -> int:
        return int(self._change.group == number and self._change.what == what)

    def _name(self, thing: int) -> str:
        self.things.append(thing)
        values = []
        for kind, names in enumerate(self._domain.values):
            rank = int(self._change.thing == thing and self._change.kind == kind)
            values.append(names[self._take(self._detection.kinds[kind][thing], rank)])
        self.log_probability += _log(float(self._detection.scores[thing]))
        return self._domain.name(*values)

    def _take(self, chances: npt.NDArray[np.floating], rank: int) -> int:
        choice = int(np.argsort(-chances, kind="stable")[rank])
        self.log_probability += _log(float(chances[choice]))
        return choice


def _second_names(root: Branch, detection: Detection, count: int) -> list[Names]:
    """The `count` most probable changes of one name. How probable a tree is depends on the change's odds only."""
    changes: list[tuple[float, Names]] = []
    for number, branch in enumerate(root.nodes()):
        if branch.children:
            changes.append((_odds(branch.ops), Names(group=number, what="op")))
        changes.append((_odds(branch.wrappers), Names(group=number, what="wrapper")))
    for kind, chances in enumerate(detection.kinds):
        changes += [(_odds(chances[thing]), Names(thing=thing, kind=kind)) for thing in range(len(detection))]
    changes.sort(key=lambda change: -change[0])
    return [change for odds, change in changes[:count] if odds > _LEAST_ODDS]


def _odds(chances: npt.NDArray[np.floating]) -> float:
    """How probable the second-best is, compared with the best."""
    if len(chances) < 2:
        return 0.0
    second, first = np.sort(chances)[-2:]
    return float(second / first)


class _Builder:
    def __init__(self, network: Grouper, answer: PairAnswers, level: float) -> None:
        self._network = network
        self._answer = answer
        self._level = level
        self._deepest = answer.depth.shape[-1]

    def build(self, group: list[int], depth: int) -> Branch:
        wrappers = wrapper_probabilities(self._network, self._answer, group)
        if len(group) == 1:
            return Branch((), group[0], np.ones(1), wrappers, 1.0)
        parts, sure = [[one] for one in group], 1.0
        while depth < self._deepest - 1:
            deeper = self._answer.depth[np.ix_(group, group)][:, :, depth + 1 :].sum(-1)
            clusters = average_linkage(deeper, self._level)
            depth += 1
            if len(clusters) > 1:
                parts = [[group[one] for one in cluster] for cluster in clusters]
                sure = _agreement(deeper, clusters)
                break
        across = [
            self._answer.op[np.ix_(left, right)].reshape(-1, self._answer.op.shape[-1]) for left, right in _pairs(parts)
        ]
        ops = np.concatenate(across).mean(0)
        return Branch(tuple(self.build(part, depth) for part in self._ordered(parts)), -1, ops, wrappers, sure)

    def _ordered(self, parts: list[list[int]]) -> list[list[int]]:
        before = self._answer.before
        wins = [
            sum(float(before[np.ix_(part, other)].mean()) for other in parts if other is not part) for part in parts
        ]
        return [parts[number] for number in np.argsort([-win for win in wins], kind="stable")]


def average_linkage(affinity: Chances, level: float) -> list[list[int]]:
    """Clusters of rows: the two with the highest mean affinity are joined as long as it is at least `level`.

    >>> average_linkage(np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]), 0.5)
    [[0, 1], [2]]
    """
    clusters = [[row] for row in range(len(affinity))]
    totals = affinity.astype(np.float64).copy()
    np.fill_diagonal(totals, -np.inf)
    while len(clusters) > 1:
        sizes = np.array([len(cluster) for cluster in clusters])
        means = totals / np.outer(sizes, sizes)
        left, right = sorted(map(int, np.unravel_index(np.argmax(means), means.shape)))
        if means[left, right] < level:
            break
        totals[left] += totals[right]
        totals[:, left] += totals[:, right]
        totals = np.delete(np.delete(totals, right, 0), right, 1)
        np.fill_diagonal(totals, -np.inf)
        clusters[left] = sorted(clusters[left] + clusters.pop(right))
    return clusters


def _agreement(affinity: Chances, clusters: Sequence[Sequence[int]]) -> float:
    """The probability of the least certain join or cut of a division."""
    cuts = [1 - affinity[np.ix_(left, right)].mean() for left, right in _pairs(clusters)]
    joins = [affinity[np.ix_(one, one)][~np.eye(len(one), dtype=bool)].mean() for one in clusters if len(one) > 1]
    return float(min([*cuts, *joins]))


def _pairs(parts: Sequence[Sequence[int]]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    for index, left in enumerate(parts):
        for right in parts[index + 1 :]:
            yield left, right


def _log(chance: float) -> float:
    return math.log(max(chance, _TINY))


def _normalised(readings: list[TreeReading], count: int) -> list[TreeReading]:
    """Different trees, the most probable first, with probabilities that sum to at most one."""
    best: dict[str, TreeReading] = {}
    for one in sorted(readings, key=lambda reading: -reading.log_probability):
        best.setdefault(repr(one.tree), one)
    ranked = list(best.values())[:count]
    total = sum(math.exp(one.log_probability) for one in ranked)
    surplus = math.log(total) if total > 1 else 0.0
    return [replace(one, log_probability=one.log_probability - surplus) for one in ranked]
