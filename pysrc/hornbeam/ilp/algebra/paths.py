"""The training networks as paths: what every example says of composition.

An example is the set of directed paths between the two nodes of a query, each a sequence of masks, and the mask of the
answer. Equal examples are counted once with their number. Where equal paths have several answers, the one with the most
support stays: this is the first defence against wrong labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.networks.composing import Composer, Masks
from hornbeam.networks.network import Network

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PathExample:
    """`answer` holds between the ends of all `paths`.

    `apart`: no two paths share an inner node and nothing else links the ends, so that the paths say all there is.
    """

    paths: tuple[Path, ...]
    answer: int
    apart: bool
    weight: int = 1

    @property
    def length(self) -> int:
        return max(map(len, self.paths))

    @property
    def size(self) -> tuple[int, int, int]:
        """Small ones say more clearly what they say."""
        return (self.length, len(self.paths), -self.weight)


@dataclass(frozen=True)
class PathEvidence:
    """The examples, the smallest first, and how many networks gave none."""

    relations: tuple[str, ...]
    examples: tuple[PathExample, ...]
    pathless: int  # no directed path between the nodes of the query
    tangled: int  # more paths than are listed
    outvoted: int  # the same paths had another answer more often

    @property
    def weight(self) -> int:
        return sum(example.weight for example in self.examples)


def gather(relations: Sequence[str], networks: Sequence[Network], most_paths: int) -> PathEvidence:
    """What the networks say; those with more than `most_paths` paths are left out."""
    place = {name: number for number, name in enumerate(relations)}
    masks: dict[tuple[str, ...], int] = {}
    votes: dict[tuple[tuple[Path, ...], bool], dict[int, int]] = {}
    pathless = tangled = 0
    for network in networks:
        paths_of = _paths(network, place, masks, most_paths)
        if paths_of is None:
            tangled += 1
        elif not paths_of[0]:
            pathless += 1
        elif network.answer:
            answer = _mask(network.answer, place, masks)
            counted = votes.setdefault(paths_of, {})
            counted[answer] = counted.get(answer, 0) + 1
    examples = []
    outvoted = 0
    for (paths, apart), counted in votes.items():
        answer, weight = min(counted.items(), key=lambda item: (-item[1], item[0]))
        outvoted += sum(counted.values()) - weight
        examples.append(PathExample(paths, answer, apart, weight))
    examples.sort(key=lambda example: (example.size, example.paths))
    return PathEvidence(tuple(relations), tuple(examples), pathless, tangled, outvoted)


def _mask(names: tuple[str, ...], place: Mapping[str, int], known: dict[tuple[str, ...], int]) -> int:
    if names not in known:
        known[names] = sum(1 << place[name] for name in set(names))
    return known[names]


def _paths(
    network: Network, place: Mapping[str, int], known: dict[tuple[str, ...], int], most: int
) -> tuple[tuple[Path, ...], bool] | None:
    """The distinct paths in order, and whether they are apart; None if there are more than `most`."""
    leaving: dict[int, list[tuple[int, int]]] = {}
    for edge in network.edges:
        leaving.setdefault(edge.source, []).append((edge.target, _mask(edge.relations, place, known)))
    source, sink = network.query
    useful = _leading_to(sink, leaving)
    paths: list[Path] = []
    passed: list[int] = []

    def extend(node: int, seen: tuple[int, ...], labels: Path) -> bool:
        for target, mask in leaving.get(node, ()):
            if target == sink:
                paths.append((*labels, mask))
                passed.extend(seen[1:])
                if len(paths) > most:
                    return False
            elif target in useful and target not in seen and not extend(target, (*seen, target), (*labels, mask)):
                return False
        return True

    if source == sink or not extend(source, (source,), ()):
        return None
    apart = len(set(passed)) == len(passed) and _nothing_else(network, sum(map(len, paths)))
    return tuple(sorted(set(paths))), apart


def _nothing_else(network: Network, edges: int) -> bool:
    """Whether so many edges are all that link the nodes of the query, in whatever direction they are read."""
    if edges == len(network.edges):
        return True
    left = network.linked()
    return edges == sum(edge.source in left and edge.target in left for edge in network.edges)


def _leading_to(sink: int, leaving: Mapping[int, Sequence[tuple[int, int]]]) -> set[int]:
    """The nodes from which the sink can be reached."""
    entering: dict[int, list[int]] = {}
    for node, targets in leaving.items():
        for target, _ in targets:
            entering.setdefault(target, []).append(node)
    reached, waiting = {sink}, [sink]
    while waiting:
        for node in entering.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached


class Trie:
    """All paths of all examples as a tree of prefixes, so that a table is tried on everything in a few array steps.

    The prefixes lie level by level: each is a prefix of the level before and one mask more.

    >>> trie = Trie([PathExample(((1, 1), (1, 1, 1)), 2, True), PathExample(((2,),), 2, True)])
    >>> trie.intersections(Composer(((2, 3), (0, 0)), unknown=3)).tolist()
    [2, 2]
    """

    def __init__(self, examples: Sequence[PathExample]) -> None:
        levels: list[dict[Path, int]] = []
        ends: list[tuple[int, int]] = []
        for example in examples:
            for path in example.paths:
                while len(levels) < len(path):
                    levels.append({})
                for length in range(len(path), 0, -1):
                    level, prefix = levels[length - 1], path[:length]
                    if prefix in level:
                        break
                    level[prefix] = len(level)
                ends.append((len(path) - 1, levels[len(path) - 1][path]))
        self._levels = [
            (
                np.array([levels[depth - 1][prefix[:-1]] for prefix in level] if depth else [], np.intp),
                np.array([prefix[-1] for prefix in level], np.uint64),
            )
            for depth, level in enumerate(levels)
        ]
        starts = np.cumsum([0, *map(len, levels)])
        self._ends: npt.NDArray[np.intp] = np.array([starts[depth] + number for depth, number in ends], np.intp)
        self._first = np.cumsum([0, *(len(example.paths) for example in examples)])[:-1]

    def intersections(self, compose: Composer) -> Masks:
        """For each example what all of its paths allow, composed from the left."""
        if not len(self._ends):
            return np.zeros(0, np.uint64)
        values: list[Masks] = []
        for depth, (parents, masks) in enumerate(self._levels):
            values.append(compose(values[-1][parents], masks) if depth else masks)
        met: Masks = np.bitwise_and.reduceat(np.concatenate(values)[self._ends], self._first)
        return met
