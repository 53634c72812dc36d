"""Resolution paths (Algorithm 4), their descriptors, which split each descriptor has, and which worlds have enough.

A resolution path is a simple path of one sign between the ends of a world graph's edge; no rule mixes signs. Its
descriptor is the tuple of its labels.

`sound`: each descriptor has one split in the whole suite, drawn from the seed and the descriptor alone; bodies of rules
(length 2) are for training. Validation has descriptors of its own. A world of few rules may by chance have none to
test: then one of the rules that the world has and no earlier world has is swapped with a later one.

`compat`: the published way. One pass over the worlds: what an earlier world trained on is for training, what it tested
on is for testing, the rest is split at random. Validation repeats training descriptors. Worlds of a suite share rules,
so the means of a suite depend on its one draw of rules: from seed to seed the mean number of nodes moves by about 1.4,
twice as far as 57 worlds of their own rules would. The published suite is one such draw, and what is known of its means
(Tables 3 and 6 of the paper) tells which draws are like it.
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
from hornbeam.graphlog.world import Pair, WorldGraph, links, rule_sets, windows
from hornbeam.seeds import derive, fast_rng

SPLITS = ("train", "valid", "test")
# Draws of all rules, and swaps of a rule for each world.
_DRAWS = 40
_SWAPS = 60

Path = tuple[int, ...]
# For each class and descriptor its paths, in the order of the edges that they resolve.
PathBook = dict[str, dict[Chain, list[Path]]]
# For each split and class its descriptors; a descriptor that is listed twice is drawn twice as often.
SplitBook = dict[str, dict[str, list[Chain]]]


# Paths ----------------------------------------------------------------------------------------------------------------


def find_paths(graph: WorldGraph, length: Length) -> PathBook:
    """All resolution paths of a world graph."""
    by_sign = [
        {pair: label for pair, label in graph.edges.items() if is_backward(label) == sign} for sign in (False, True)
    ]
    seekers = [_Seeker(edges, length) for edges in by_sign if edges]
    book: PathBook = {}
    for (source, sink), label in graph.edges.items():
        for seeker in seekers:
            for path in seeker.between(source, sink):
                chain = tuple([seeker.edges[pair] for pair in pairwise(path)])
                book.setdefault(label, {}).setdefault(chain, []).append(path)
    return book


class _Seeker:
    """Finds simple paths in the edges of one sign."""

    def __init__(self, edges: dict[Pair, str], length: Length) -> None:
        self.edges = edges
        self._length = length
        self._targets = links(edges)
        self._sources = links((sink, source) for source, sink in edges)
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


# Splits ---------------------------------------------------------------------------------------------------------------


def split_of(chain: Chain, shares: Descriptors, seed: int) -> str:
    """The split of a descriptor in every world of a sound suite."""
    if len(chain) == 2:
        return "train"
    drawn = derive(seed, "graphlog", "descriptor", ",".join(chain)) / 2**128
    if drawn < shares.train:
        return "train"
    return "valid" if drawn < shares.train + shares.valid else "test"


def split_sound(classes: Mapping[str, Sequence[Chain]], shares: Descriptors, seed: int) -> SplitBook:
    """The descriptors of one world by split; a class without a training descriptor is left out."""
    parts = {}
    for label, chains in classes.items():
        by_split: dict[str, list[Chain]] = {split: [] for split in SPLITS}
        for chain in chains:
            by_split[split_of(chain, shares, seed)].append(chain)
        if by_split["train"]:
            parts[label] = by_split
    return _book(parts)


def _book(parts: Mapping[str, Mapping[str, list[Chain]]]) -> SplitBook:
    """By split and class what is given by class and split, without what is empty."""
    return {split: {label: part[split] for label, part in parts.items() if part[split]} for split in SPLITS}


@dataclass(slots=True)
class Pass:
    """The pass of `compat` over the worlds: what those so far trained and tested on."""

    shares: Descriptors
    train: set[Chain] = field(default_factory=set)
    test: set[Chain] = field(default_factory=set)

    def split(self, classes: Mapping[str, Collection[Chain]], rng: Random) -> SplitBook:
        """The descriptors of the next world by split."""
        return _book({label: self._split_class(chains, rng) for label, chains in classes.items()})

    def _split_class(self, chains: Collection[Chain], rng: Random) -> dict[str, list[Chain]]:
        parts: dict[str, list[Chain]] = {split: [] for split in SPLITS}
        for length in sorted({len(chain) for chain in chains}):
            to_train, to_test = self._split_group([chain for chain in chains if len(chain) == length], length, rng)
            parts["train"] += to_train
            parts["test"] += to_test
            self.train.update(to_train)
            self.test.update(to_test)
            parts["valid"] += rng.sample(parts["train"], int(len(parts["train"]) * (1 - (1 - self.shares.valid))))
        return parts

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


def to_json(book: SplitBook) -> dict[str, dict[str, list[str]]]:
    return {
        split: {label: [",".join(chain) for chain in chains] for label, chains in classes.items()}
        for split, classes in book.items()
    }


def from_json(value: Any) -> SplitBook:
    return {
        split: {label: [tuple(text.split(",")) for text in texts] for label, texts in classes.items()}
        for split, classes in value.items()
    }


# Worlds that have enough descriptors, and suites that are like the published one --------------------------------------


def draws_of_worlds(config: Config, seed: int) -> Iterator[list[GraphWorld]]:
    """The worlds of one draw of rules after the other, whatever descriptors they have."""
    for vocabulary, rules in islice(rule_sets(config, seed), _DRAWS):
        yield windows(config, vocabulary, rules)


def draw_worlds(config: Config, seed: int) -> list[GraphWorld]:
    """The worlds of the first draw of rules in which each can be validated and tested."""
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
    """The rules in an order in which every world is rich; None if no swap helps."""
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


def is_like(config: Config, books: Sequence[SplitBook]) -> bool:
    """Whether the means over the worlds lie within the bounds of `likeness`. Both follow before a row is drawn."""
    bounds = config.likeness or Likeness()
    splits = [split for split in SPLITS if getattr(config.rows, split)]
    classes = fmean(len({label for split in splits for label in book[split]}) for book in books)
    length = fmean(length_of(book, config.rows) for book in books)
    return _within(classes, bounds.classes) and _within(length, bounds.resolution_length)


def length_of(book: SplitBook, rows: Rows) -> float:
    """The resolution length to expect in a world's rows: they go round the classes and draw descriptors evenly."""
    weights: dict[str, int] = {split: getattr(rows, split) for split in SPLITS if book[split]}
    lengths = {split: fmean(fmean(map(len, chains)) for chains in book[split].values()) for split in weights}
    return sum(lengths[split] * weights[split] for split in weights) / max(1, sum(weights.values()))


def _within(value: float, bounds: tuple[float, float] | None) -> bool:
    return bounds is None or bounds[0] <= value <= bounds[1]
