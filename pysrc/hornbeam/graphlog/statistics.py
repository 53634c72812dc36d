"""The figures of a world: those of the paper's Tables 3 and 6, and difficulty that needs no model.

The paper grades a world by the accuracy of one model. The measures here come from the rows alone: how many descriptors
there are, how deep their derivations stand, and how far shortcuts lead that look at the ends of the path only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, pstdev
from typing import Any

from hornbeam.graphlog.logic import Chain

LEVELS = ("easy", "moderate", "hard")
# Table 6 calls a world easy from 0.70 and moderate from 0.54 of GAT-EGAT's accuracy on.
_PAPER_THRESHOLDS = (("easy", 0.70), ("moderate", 0.54))


@dataclass(frozen=True, slots=True)
class WorldFigures:
    """What is known of a world's rows."""

    world: str
    split: str  # of the world in its suite
    rows: int
    classes: int
    descriptors: int  # distinct in the rows
    all_descriptors: int  # of all resolution paths of the world graph, by class
    resolution_length: float
    nodes: float
    edges: float
    nodes_sd: float
    edges_sd: float
    derivable: float | None  # share of the test rows whose label follows from the rules; None without test rows
    unique: float | None  # and is all that follows
    depth: float  # of the derivations of the test rows
    shortcut: float | None  # best accuracy on test of a guess from the path's first, last, or first and last label
    duplicates: int
    valid_in_train: int  # validation rows whose descriptor is trained on

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Tally:
    """Counts the rows of one world."""

    world: str
    split: str
    _nodes: list[int] = field(default_factory=list)
    _edges: list[int] = field(default_factory=list)
    _lengths: list[int] = field(default_factory=list)
    _classes: set[str] = field(default_factory=set)
    _chains: dict[str, set[Chain]] = field(default_factory=lambda: defaultdict(set))
    _test: list[tuple[Chain, str]] = field(default_factory=list)
    _train: Counter[tuple[Chain, str]] = field(default_factory=Counter)
    _valid: list[Chain] = field(default_factory=list)
    _depths: list[int] = field(default_factory=list)
    _verdicts: Counter[str] = field(default_factory=Counter)
    _digests: set[int] = field(default_factory=set)
    duplicates: int = 0

    def add(
        self, split: str, label: str, chain: Chain, nodes: int, edges: Sequence[Any], derivable: str, depth: int | None
    ) -> None:
        """Count a row."""
        self._nodes.append(nodes)
        self._edges.append(len(edges))
        self._classes.add(label)
        if chain:  # an imported row may not say how it is resolved
            self._lengths.append(len(chain))
            self._chains[split].add(chain)
        digest = hash((split, label, tuple([tuple(edge) for edge in edges])))
        self.duplicates += digest in self._digests
        self._digests.add(digest)
        if split == "train":
            self._train[chain, label] += 1
        elif split == "valid":
            self._valid.append(chain)
        else:
            self._test.append((chain, label))
            self._verdicts[derivable] += 1
            if depth is not None:
                self._depths.append(depth)

    def figures(self, all_descriptors: int | None = None) -> WorldFigures:
        unique, ambiguous = self._verdicts["unique"], self._verdicts["ambiguous"]
        distinct = set().union(*self._chains.values()) if self._chains else set()
        train = self._chains["train"]
        return WorldFigures(
            world=self.world,
            split=self.split,
            rows=len(self._nodes),
            classes=len(self._classes),
            descriptors=len(distinct),
            all_descriptors=len(distinct) if all_descriptors is None else all_descriptors,
            resolution_length=_mean(self._lengths),
            nodes=_mean(self._nodes),
            edges=_mean(self._edges),
            nodes_sd=round(pstdev(self._nodes), 3) if self._nodes else 0.0,
            edges_sd=round(pstdev(self._edges), 3) if self._edges else 0.0,
            derivable=self._of_test(unique + ambiguous),
            unique=self._of_test(unique),
            depth=_mean(self._depths),
            shortcut=self._of_test(self._shortcut()),
            duplicates=self.duplicates,
            valid_in_train=sum(chain in train for chain in self._valid),
        )

    def _of_test(self, count: int) -> float | None:
        return round(count / len(self._test), 4) if self._test else None

    def _shortcut(self) -> int:
        looks = (lambda chain: chain[:1], lambda chain: chain[-1:], lambda chain: (chain[:1], chain[-1:]))
        return max(_guessed(look, self._train, self._test) for look in looks)


def _guessed(look: Any, train: Mapping[tuple[Chain, str], int], test: Sequence[tuple[Chain, str]]) -> int:
    """How often the label that training rows with the same look have most is right."""
    seen: dict[Any, Counter[str]] = defaultdict(Counter)
    for (chain, label), count in train.items():
        seen[look(chain)][label] += count
    guess = {key: max(sorted(counts), key=counts.__getitem__) for key, counts in seen.items()}
    return sum(guess.get(look(chain)) == label for chain, label in test)


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0


def easiest_first(worlds: Sequence[WorldFigures]) -> list[str]:
    """The worlds by difficulty, as far as their rows tell it.

    A world ranks higher the deeper its derivations stand, the fewer descriptors it trains with, and the less a
    shortcut gives away; the mean of the three ranks decides.
    """
    ranks: Counter[str] = Counter()
    for key in (lambda w: w.depth, lambda w: -w.descriptors, lambda w: -(w.shortcut or 0)):
        for place, world in enumerate(sorted(worlds, key=lambda w, key=key: (key(w), w.world))):  # type: ignore[misc]
            ranks[world.world] += place
    return [world.world for world in sorted(worlds, key=lambda world: (ranks[world.world], world.world))]


def difficulty(worlds: Sequence[WorldFigures]) -> dict[str, str]:
    """Each world's level among its suite: easy, moderate or hard, in three equal parts of `easiest_first`."""
    ordered = easiest_first(worlds)
    return {world: LEVELS[3 * place // len(ordered)] for place, world in enumerate(ordered)}


def difficulty_by_accuracy(accuracies: Mapping[str, float]) -> dict[str, str]:
    """The paper's levels, from a model's accuracy on each world.

    >>> difficulty_by_accuracy({"rule_0": 0.481, "rule_19": 0.8})
    {'rule_0': 'hard', 'rule_19': 'easy'}
    """
    return {world: _paper_level(accuracy) for world, accuracy in accuracies.items()}


def _paper_level(accuracy: float) -> str:
    return next((level for level, least in _PAPER_THRESHOLDS if accuracy >= least), "hard")


def aggregate(worlds: Iterable[WorldFigures]) -> dict[str, float]:
    """Means over the worlds that have the figure, and the spread of the descriptors."""
    known = list(worlds)
    names = ("classes", "descriptors", "all_descriptors", "resolution_length", "nodes", "edges", "derivable", "unique")
    values = {name: [found for world in known if (found := getattr(world, name)) is not None] for name in names}
    means = {name: round(fmean(found), 3) for name, found in values.items() if found}
    counts = [world.descriptors for world in known]
    spread = {"descriptors_sd": round(pstdev(counts), 1), "descriptors_least": min(counts)}
    return means | spread | {"descriptors_most": max(counts)}
