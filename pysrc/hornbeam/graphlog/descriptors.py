"""Which descriptors belong to which split.

`sound`: each descriptor has one split in the whole suite, drawn from the seed and the descriptor alone; bodies of rules
(length 2) are for training. Validation has descriptors of its own.

`compat`: the published way. One pass over the worlds: what an earlier world trained on is for training, what it tested
on is for testing, the rest is split at random. Validation repeats training descriptors.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from random import Random
from statistics import fmean
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.graphlog.config import Config, Descriptors, Length, Likeness, Rows
from hornbeam.graphlog.knowledge import Chain, GraphWorld, LabelVocabulary, WorldRule, WorldTheory, is_backward
from hornbeam.graphlog.world import Pair, WorldGraph, rule_sets, windows
from hornbeam.seeds import derive, fast_rng

SPLITS = ("train", "valid", "test")
# For each split and class its descriptors; a descriptor that stands twice is drawn twice as often.
SplitBook = dict[str, dict[str, list[Chain]]]


def _empty() -> SplitBook:
    return {split: {} for split in SPLITS}


# sound ----------------------------------------------------------------------------------------------------------------


def split_of(chain: Chain, shares: Descriptors, seed: int) -> str:
    """The split of a descriptor in every world of a suite."""
    if len(chain) == 2:
        return "train"
    drawn = derive(seed, "graphlog", "descriptor", ",".join(chain)) / 2**128
    if drawn < shares.train:
        return "train"
    return "valid" if drawn < shares.train + shares.valid else "test"


def split_sound(classes: Mapping[str, Sequence[Chain]], shares: Descriptors, seed: int) -> SplitBook:
    """The descriptors of one world by split; a class without a training descriptor is left out."""
    book = _empty()
    for label, chains in classes.items():
        parts: dict[str, list[Chain]] = {split: [] for split in SPLITS}
        for chain in chains:
            parts[split_of(chain, shares, seed)].append(chain)
        for split in SPLITS if parts["train"] else ():
            if parts[split]:
                book[split][label] = parts[split]
    return book


# compat ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Pass:
    """What the worlds so far trained and tested on."""

    shares: Descriptors
    train: set[Chain] = field(default_factory=set)
    test: set[Chain] = field(default_factory=set)

    def split(self, classes: Mapping[str, Collection[Chain]], rng: Random) -> SplitBook:
        """The descriptors of the next world by split."""
        book = _empty()
        for label, chains in classes.items():
            parts = self._split_class(chains, rng)
            for split in SPLITS:
                if parts[split]:
                    book[split][label] = parts[split]
        return book

    def _split_class(self, chains: Collection[Chain], rng: Random) -> dict[str, list[Chain]]:
        train: list[Chain] = []
        valid: list[Chain] = []
        test: list[Chain] = []
        for length in sorted({len(chain) for chain in chains}):
            group = [chain for chain in chains if len(chain) == length]
            to_train, to_test = self._split_group(group, length, rng)
            train += to_train
            test += to_test
            self.train.update(to_train)
            self.test.update(to_test)
            valid += rng.sample(train, int(len(train) * (1 - (1 - self.shares.valid))))
        return {"train": train, "valid": valid, "test": test}

    def _split_group(self, group: list[Chain], length: int, rng: Random) -> tuple[list[Chain], list[Chain]]:
        if length == 2:
            return group, []
        known = [chain for chain in group if chain in self.train]
        tested = [chain for chain in group if chain in self.test and chain not in self.train]
        rest = [chain for chain in group if chain not in self.train and chain not in self.test]
        if len(rest) < 2:  # a single one is dropped
            return known, tested
        rng.shuffle(rest)
        cut = int(len(rest) * self.shares.train)  # rounded down: of two, one is tested
        # Each descriptor that is trained on because of an earlier world frees a new one for testing.
        cut = max(0, cut - len(known))
        return known + rest[:cut], tested + rest[cut:]


# For shards -----------------------------------------------------------------------------------------------------------


def to_json(book: SplitBook) -> dict[str, Any]:
    return {
        split: {label: [",".join(chain) for chain in chains] for label, chains in classes.items()}
        for split, classes in book.items()
    }


def from_json(value: Any) -> SplitBook:
    return {
        split: {label: [tuple(text.split(",")) for text in texts] for label, texts in classes.items()}
        for split, classes in value.items()
    }


Path = tuple[int, ...]
# For each class and descriptor its paths, in the order of the edges that they resolve.
PathBook = dict[str, dict[Chain, list[Path]]]


def find_paths(graph: WorldGraph, length: Length) -> PathBook:
    """All resolution paths of a world graph."""
    forwards, backwards = _by_sign(graph)
    book: PathBook = {}
    seekers = [_Seeker(edges, length) for edges in (forwards, backwards) if edges]
    for (source, sink), label in graph.edges.items():
        for seeker in seekers:
            for path in seeker.between(source, sink):
                chain = tuple([seeker.edges[pair] for pair in pairwise(path)])
                book.setdefault(label, {}).setdefault(chain, []).append(path)
    return book


def _by_sign(graph: WorldGraph) -> tuple[dict[Pair, str], dict[Pair, str]]:
    forwards = {pair: label for pair, label in graph.edges.items() if not is_backward(label)}
    backwards = {pair: label for pair, label in graph.edges.items() if is_backward(label)}
    return forwards, backwards


class _Seeker:
    """Finds simple paths in the edges of one sign."""

    def __init__(self, edges: dict[Pair, str], length: Length) -> None:
        self.edges = edges
        self._length = length
        self._targets: dict[int, list[int]] = {}
        self._sources: dict[int, list[int]] = {}
        for source, sink in edges:
            self._targets.setdefault(source, []).append(sink)
            self._sources.setdefault(sink, []).append(source)
        self._distances: dict[int, dict[int, int]] = {}

    def between(self, source: int, sink: int) -> Iterator[Path]:
        """The simple paths from source to sink of at least two edges, within the bounds on length."""
        far = self._distances.get(sink)
        if far is None:
            far = self._distances[sink] = self._to(sink)
        if source not in far:
            return
        path = [source]
        seen = {source}
        stack = [iter(self._targets.get(source, ()))]
        while stack:
            left = self._length.max - len(path)
            for node in stack[-1]:
                if node == sink:
                    if len(path) >= self._length.min:
                        yield (*path, sink)
                elif node not in seen and far.get(node, self._length.max) <= left:
                    path.append(node)
                    seen.add(node)
                    stack.append(iter(self._targets.get(node, ())))
                    break
            else:
                stack.pop()
                seen.discard(path.pop())

    def _to(self, sink: int) -> dict[int, int]:
        """How far each node is from the sink, as far as a path may be long."""
        distances = {sink: 0}
        queue = deque([sink])
        while queue:
            node = queue.popleft()
            step = distances[node] + 1
            if step > self._length.max:
                break
            for source in self._sources.get(node, ()):
                if source not in distances:
                    distances[source] = step
                    queue.append(source)
        return distances


def is_like(config: Config, books: Sequence[SplitBook]) -> bool:
    """Whether the means over the worlds lie within the bounds that the configuration sets, if it sets any."""
    bounds = config.likeness or Likeness()
    classes = fmean(classes_of(book, config.rows) for book in books)
    length = fmean(length_of(book, config.rows) for book in books)
    return _within(classes, bounds.classes) and _within(length, bounds.resolution_length)


def classes_of(book: SplitBook, rows: Rows) -> int:
    """How many classes a world's rows have."""
    return len({label for split in SPLITS if getattr(rows, split) for label in book[split]})


def length_of(book: SplitBook, rows: Rows) -> float:
    """The resolution length to expect in a world's rows: they go round the classes and draw descriptors evenly."""
    weights: dict[str, int] = {split: getattr(rows, split) for split in SPLITS if book[split]}
    lengths = {split: fmean(fmean(map(len, chains)) for chains in book[split].values()) for split in weights}
    return sum(lengths[split] * weights[split] for split in weights) / max(1, sum(weights.values()))


def _within(value: float, bounds: tuple[float, float] | None) -> bool:
    return bounds is None or bounds[0] <= value <= bounds[1]


# Draws of all rules, and swaps for each world.
_DRAWS = 40
_SWAPS = 60


def draws_of_worlds(config: Config, seed: int) -> Iterator[list[GraphWorld]]:
    """The worlds of one draw of rules after the other, whatever they give."""
    for vocabulary, rules in islice(rule_sets(config, seed), _DRAWS):
        yield windows(config, vocabulary, rules)


def draw_worlds(config: Config, seed: int) -> list[GraphWorld]:
    """The worlds of the first draw of rules that makes all of them rich."""
    for vocabulary, rules in islice(rule_sets(config, seed), _DRAWS):
        order = _enriched(config, seed, vocabulary, rules)
        if order is not None:
            return windows(config, vocabulary, order)
    raise UsageError(
        f"no draw of the rules gives each world of {config.rules_per_world} rules descriptors for training, validation "
        "and testing; ask for more rules per world or fewer relations"
    )


def _enriched(
    config: Config, seed: int, vocabulary: LabelVocabulary, rules: Sequence[WorldRule]
) -> list[WorldRule] | None:
    """The rules in an order in which every world is rich; None where no swap helps."""
    order = list(rules)
    inverses = tuple(vocabulary.inverses())
    rng = fast_rng(seed, "graphlog", "swaps")
    for index in range(config.world_count):
        start = index * config.stride
        end = start + config.rules_per_world
        new = range(start if index == 0 else max(start, end - config.stride), end)
        for _ in range(_SWAPS):
            if _is_rich(config, seed, GraphWorld("drawn", tuple(order[start:end]), inverses, config.backwards)):
                break
            if end == len(order):
                return None
            one, other = rng.choice(new), rng.randrange(end, len(order))
            order[one], order[other] = order[other], order[one]
        else:
            return None
    return order


def _is_rich(config: Config, seed: int, world: GraphWorld) -> bool:
    """Whether a world's derivations of two rules reach validation and testing, as far as these have rows."""
    splits = {split_of(chain, config.descriptors, seed) for chain in WorldTheory(world).triples()}
    return all(split in splits for split in ("valid", "test") if getattr(config.rows, split))
