"""The training networks as paths: what every example says of composition.

An example is the set of directed paths between the two nodes of a query, each a sequence of masks, and the mask of the
answer. Equal examples are counted once with their number. Where equal paths have several answers, the one with the most
support stays: this is the first defence against wrong labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hornbeam.networks.network import Network

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
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
class Evidence:
    """The examples, the smallest first, and how many networks gave none."""

    relations: tuple[str, ...]
    examples: tuple[Example, ...]
    pathless: int  # no directed path between the nodes of the query
    tangled: int  # more paths than are listed
    outvoted: int  # the same paths had another answer more often

    @property
    def weight(self) -> int:
        return sum(example.weight for example in self.examples)


def gather(relations: Sequence[str], networks: Sequence[Network], most_paths: int) -> Evidence:
    """What the networks say; those with more than `most_paths` paths are left out."""
    place = {name: number for number, name in enumerate(relations)}
    masks: dict[tuple[str, ...], int] = {}
    votes: dict[tuple[tuple[Path, ...], bool], dict[int, int]] = {}
    pathless = tangled = 0
    for network in networks:
        found = _paths(network, place, masks, most_paths)
        if found is None:
            tangled += 1
        elif not found[0]:
            pathless += 1
        elif network.answer:
            answer = _mask(network.answer, place, masks)
            counted = votes.setdefault(found, {})
            counted[answer] = counted.get(answer, 0) + 1
    examples = []
    outvoted = 0
    for (paths, apart), counted in votes.items():
        answer, weight = min(counted.items(), key=lambda item: (-item[1], item[0]))
        outvoted += sum(counted.values()) - weight
        examples.append(Example(paths, answer, apart, weight))
    examples.sort(key=lambda example: (example.size, example.paths))
    return Evidence(tuple(relations), tuple(examples), pathless, tangled, outvoted)


def _mask(names: tuple[str, ...], place: Mapping[str, int], known: dict[tuple[str, ...], int]) -> int:
    if names not in known:
        known[names] = sum(1 << place[name] for name in set(names))
    return known[names]


def _paths(
    network: Network, place: Mapping[str, int], known: dict[tuple[str, ...], int], most: int
) -> tuple[tuple[Path, ...], bool] | None:
    """The distinct paths in order, and whether they are apart; None where there are more than `most`."""
    leaving: dict[int, list[tuple[int, int]]] = {}
    for edge in network.edges:
        leaving.setdefault(edge.source, []).append((edge.target, _mask(edge.relations, place, known)))
    source, sink = network.query
    useful = _leading_to(sink, leaving)
    found: list[Path] = []
    passed: list[int] = []

    def extend(node: int, seen: tuple[int, ...], labels: Path) -> bool:
        for target, mask in leaving.get(node, ()):
            if target == sink:
                found.append((*labels, mask))
                passed.extend(seen[1:])
                if len(found) > most:
                    return False
            elif target in useful and target not in seen and not extend(target, (*seen, target), (*labels, mask)):
                return False
        return True

    if source == sink or not extend(source, (source,), ()):
        return None
    apart = len(set(passed)) == len(passed) and _nothing_else(network, sum(map(len, found)))
    return tuple(sorted(set(found))), apart


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
