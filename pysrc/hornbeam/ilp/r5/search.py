"""Episodes: paths are shortened pair by pair until one is a single relation. Tree search chooses the pairs.

A position is a set of paths between the same two nodes. A move takes a pair of neighbouring relations; in every path
that has it one place becomes the head of the pair, and paths without it are given up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import exp, sqrt
from random import Random

from hornbeam.ilp.r5.memory import Pair, RuleMemory

Path = tuple[int, ...]
Position = tuple[Path, ...]
_PUCT = 2.0
_UNKNOWN = -1  # in a look ahead, the head of a pair that the memory does not know
_RATE = 0.05  # of the policy


def moves_of(position: Position) -> dict[Pair, int]:
    """The pairs that can be taken, and in how many places they stand; in order."""
    found = Counter(pair for path in position for pair in pairwise(path))
    return dict(sorted(found.items()))


def shortened(position: Position, pair: Pair, head: int, rng: Random) -> Position:
    """The position after a move."""
    left = set()
    for path in position:
        places = [at for at in range(len(path) - 1) if path[at : at + 2] == pair]
        if places:
            at = places[0] if len(places) == 1 else rng.choice(places)
            left.add((*path[:at], head, *path[at + 2 :]))
    return tuple(sorted(left))


def answer_of(position: Position) -> int | None:
    """The relation that a path came down to."""
    return next((path[0] for path in position if len(path) == 1), None)


@dataclass
class Policy:
    """How likely a pair is worth taking: a log-linear model of what the memory knows of it, and of the pair itself."""

    weights: list[float] = field(default_factory=lambda: [0.0] * 5)
    biases: dict[Pair, float] = field(default_factory=dict)

    def features(self, memory: RuleMemory, pair: Pair, places: int) -> tuple[float, ...]:
        head = memory.rules.get(pair)
        known = head is not None and head >= 0
        observed = known and memory.is_observed(head or 0)
        score = max(-1.0, min(1.0, memory.scores.get(pair, 0.0)))
        return (float(known), float(observed), float(memory.is_observed(*pair)), score, min(places, 4) / 4)

    def prior(self, memory: RuleMemory, moves: dict[Pair, int]) -> dict[Pair, float]:
        """The share of each move."""
        logits = {
            pair: self.biases.get(pair, 0.0)
            + sum(w * x for w, x in zip(self.weights, self.features(memory, pair, places), strict=True))
            for pair, places in moves.items()
        }
        highest = max(logits.values())
        powers = {pair: exp(logit - highest) for pair, logit in logits.items()}
        total = sum(powers.values())
        return {pair: power / total for pair, power in powers.items()}

    def learn(self, memory: RuleMemory, moves: dict[Pair, int], wanted: dict[Pair, float]) -> None:
        """Move the shares towards those that the search arrived at."""
        shares = self.prior(memory, moves)
        for pair, places in moves.items():
            error = wanted[pair] - shares[pair]
            self.biases[pair] = self.biases.get(pair, 0.0) + _RATE * error
            for at, value in enumerate(self.features(memory, pair, places)):
                self.weights[at] += _RATE * error * value


@dataclass
class _Branch:
    """What a search knows of a move."""

    prior: float
    visits: int = 0
    total: float = 0.0

    def value(self, parent: int) -> float:
        mean = self.total / self.visits if self.visits else 0.0
        return mean + _PUCT * self.prior * sqrt(parent) / (1 + self.visits)


@dataclass
class TreeSearch:
    """Monte-Carlo tree search over moves, with the policy as prior."""

    memory: RuleMemory
    policy: Policy
    rng: Random
    playouts: int
    explore: float

    def choose(self, position: Position, answer: int | None) -> Pair:
        """The move to take; with an answer, the policy learns from the search."""
        moves = moves_of(position)
        if len(moves) == 1 or not self.playouts:
            return self._greedy(moves)
        tree: dict[Position, dict[Pair, _Branch]] = {}
        for _ in range(self.playouts):
            self._playout(tree, position, answer)
        visits = {pair: branch.visits for pair, branch in tree[position].items()}
        total = sum(visits.values())
        shares = {pair: count / total for pair, count in visits.items()}
        if answer is None:
            return max(shares, key=lambda pair: (shares[pair], pair))
        self.policy.learn(self.memory, moves, shares)
        if self.rng.random() < self.explore:
            return self.rng.choice(list(moves))
        return max(shares, key=lambda pair: (shares[pair], pair))

    def _greedy(self, moves: dict[Pair, int]) -> Pair:
        return max(moves, key=lambda pair: (self.memory.price(pair), self.memory.scores.get(pair, 0.0), pair))

    def _playout(self, tree: dict[Position, dict[Pair, _Branch]], position: Position, answer: int | None) -> None:
        way: list[_Branch] = []
        prices: list[float] = []
        while answer_of(position) is None:
            moves = moves_of(position)
            new = position not in tree
            if new:
                prior = self.policy.prior(self.memory, moves)
                tree[position] = {pair: _Branch(prior[pair]) for pair in moves}
            branches = tree[position]
            parent = 1 + sum(branch.visits for branch in branches.values())
            pair = max(branches, key=lambda one: (branches[one].value(parent), one))
            way.append(branches[pair])
            prices.append(self.memory.price(pair))
            position = shortened(position, pair, self.memory.rules.get(pair, _UNKNOWN), self.rng)
        value = self._value(answer_of(position), answer) + sum(prices) / len(prices)
        for branch in way:
            branch.visits += 1
            branch.total += value

    def _value(self, derived: int | None, answer: int | None) -> float:
        if derived is None or derived < 0 or not self.memory.is_observed(derived):
            return -0.02
        return 1.0 if answer is None or derived == answer else -1.0


def episode(search: TreeSearch, paths: Sequence[Path], answer: int) -> bool:
    """Learn from one example; whether its answer was derived already."""
    position: Position = tuple(sorted(set(paths)))
    moves: list[Pair] = []
    prices: list[float] = []
    while answer_of(position) is None:
        pair = search.choose(position, answer)
        prices.append(search.memory.price(pair))
        head = search.memory.head(pair, invent=True)
        assert head is not None
        moves.append(pair)
        position = shortened(position, pair, head, search.rng)
        if any(move not in search.memory.rules for move in moves):
            search.memory.sweep()
            return False  # the memory had to free a relation that this episode uses
    if not moves:
        return False
    right = search.memory.rules[moves[-1]] == answer
    search.memory.learn(moves, prices, answer)
    return right
