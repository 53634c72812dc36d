"""The best readings of weighted networks, and what a table derives from each; see :mod:`hornbeam.networks.weighing`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbeam.networks.bulk import CONTRADICTED, follows
from hornbeam.networks.masks import MaskNumbers, Numbers
from hornbeam.networks.network import Pair
from hornbeam.networks.readings import Chances, Choices, best_readings
from hornbeam.networks.table import Table
from hornbeam.networks.weighted import WeightedNetwork

# So many numbers are held at a time.
_CHUNK = 8_000_000


@dataclass(slots=True)
class Options:
    """The edges of a network that can matter, with the labels of their alternatives; the last is no label."""

    network: WeightedNetwork
    numbers: list[int]
    labels: list[list[str]]

    def chances(self, place: int) -> list[float]:
        known = self.network.edges[self.numbers[place]].alternatives
        values = [known[label] for label in self.labels[place]]
        return [*values, max(0.0, 1.0 - sum(values))]

    def choice(self, row: npt.NDArray[np.int16]) -> dict[int, str]:
        """What a row of numbers chooses, by the number of the edge."""
        said = zip(self.numbers, self.labels, row.tolist(), strict=False)
        return {number: labels[one] for number, labels, one in said if one < len(labels)}


@dataclass(slots=True)
class Scored:
    """The readings of a network, the best first, and the mask that follows from each.

    The mask is CONTRADICTED where edges exclude each other.
    """

    options: Options
    choices: Choices
    weights: Chances
    masks: list[int]


def scored(table: Table, networks: Sequence[WeightedNetwork], most: int) -> list[Scored]:
    """The `most` best readings of each network."""
    options = [_options(table, network) for network in networks]
    done: list[Scored | None] = [None] * len(networks)
    numbers = MaskNumbers(table)
    for group in _groups(options, most):
        chosen = [options[number] for number in group]
        choices, weights = best_readings(_chances(chosen), most)
        counts = (weights > 0).sum(axis=1)
        rows = [choices[place, :count] for place, count in enumerate(counts)]
        for place, (number, masks) in enumerate(zip(group, _follow(table, numbers, chosen, rows), strict=True)):
            done[number] = Scored(chosen[place], rows[place], weights[place, : counts[place]], masks)
    return [one for one in done if one is not None]


def _options(table: Table, network: WeightedNetwork) -> Options:
    possible = network.read({number: "|".join(edge.alternatives) for number, edge in enumerate(network.edges)})
    between = possible.between(table) if network.query[0] != network.query[1] else set()
    numbers = [
        number
        for number, edge in enumerate(network.edges)
        if edge.source in between and edge.target in between and edge.source != edge.target
    ]
    return Options(network, numbers, [list(network.edges[number].alternatives) for number in numbers])


def _groups(options: Sequence[Options], most: int) -> Iterator[list[int]]:
    """Networks with the same number of edges, so many at a time as memory allows."""
    by_size: dict[int, list[int]] = {}
    for number, one in enumerate(options):
        by_size.setdefault(len(one.numbers), []).append(number)
    for size, group in sorted(by_size.items()):
        widest = max((len(labels) + 1 for number in group for labels in options[number].labels), default=1)
        step = max(1, _CHUNK // (min(most, widest**size) * max(widest, size)))
        yield from (group[start : start + step] for start in range(0, len(group), step))


def _chances(options: Sequence[Options]) -> Chances:
    rows = [[one.chances(place) for place in range(len(one.numbers))] for one in options]
    widest = max((len(values) for row in rows for values in row), default=1)
    chances = np.zeros((len(rows), len(rows[0]), widest))
    for number, row in enumerate(rows):
        for place, values in enumerate(row):
            chances[number, place, : len(values)] = values
    return chances


Shape = tuple[int, tuple[Pair, ...]]


def _follow(
    table: Table, numbers: MaskNumbers, options: Sequence[Options], choices: Sequence[Choices]
) -> list[list[int]]:
    """What follows from each reading; all readings of the same shape are worked out together."""
    parts: dict[Shape, list[tuple[int, npt.NDArray[np.intp], Numbers]]] = {}
    for place, (one, rows) in enumerate(zip(options, choices, strict=True)):
        labels = _label_numbers(table, numbers, one, rows)
        for shape, where, columns in _shapes(table, one, rows):
            parts.setdefault(shape, []).append((place, where, labels[np.ix_(where, columns)]))
    found = [np.zeros(len(rows), np.int32) for rows in choices]
    for (nodes, edges), pieces in parts.items():
        masks = follows(table, numbers, nodes, edges, np.concatenate([labels for _, _, labels in pieces]))
        start = 0
        for place, where, _ in pieces:
            found[place][where] = masks[start : start + len(where)]
            start += len(where)
    return [[CONTRADICTED if one == CONTRADICTED else numbers.masks[one] for one in row.tolist()] for row in found]


def _label_numbers(table: Table, numbers: MaskNumbers, options: Options, rows: Choices) -> Numbers:
    labels = np.zeros(rows.shape, np.int32)
    for place, names in enumerate(options.labels):
        known = [numbers.number(table.mask(name.split("|"))) for name in names]
        labels[:, place] = np.array([*known, numbers.empty], np.int32)[rows[:, place]]
    return labels


def _shapes(
    table: Table, options: Options, rows: Choices
) -> Iterator[tuple[Shape, npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """The shapes of the readings, each with the rows that have it and the places of its edges.

    A function that reads forwards derives the same whatever edges without a label stand beside: one shape is enough.
    """
    edges = [options.network.edges[number] for number in options.numbers]
    every = np.arange(len(edges))
    if table.reading == "function" and not table.backwards:
        yield _shape(options, every, None), np.arange(len(rows)), every
        return
    said = rows < np.array([len(labels) for labels in options.labels])
    patterns, which = np.unique(said, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        read = options.network.read({options.numbers[place]: options.labels[place][0] for place in every[pattern]})
        between = read.between(table)
        inside = [edge.source in between and edge.target in between for edge in edges]
        places = every[pattern & np.array(inside, np.bool_)]
        yield _shape(options, places, between), np.flatnonzero(which.reshape(-1) == number), places


def _shape(options: Options, places: npt.NDArray[np.intp], between: set[int] | None) -> Shape:
    """The query's nodes come first, then all others: in their own order, or (None) as the edges name them."""
    network = options.network
    edges = [network.edges[options.numbers[place]] for place in places.tolist()]
    others = sorted(between) if between is not None else [node for edge in edges for node in (edge.source, edge.target)]
    place = {node: number for number, node in enumerate(dict.fromkeys((*network.query, *others)))}
    return len(place), tuple((place[edge.source], place[edge.target]) for edge in edges)
