"""Fits a function to chains some of which are wrong: cells are changed one by one as long as that explains more.

A chain whose answer alone is derived counts for the table with its weight, one that derives something else against it.
A cell has to earn its place: pairs that occur no more often than misread edges would make them occur have none, see
:func:`doubtful_pairs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hornbeam.ilp.algebra.charts import Cells, Chain, Chart, Pair, chart, derive, missing, wholes
from hornbeam.ilp.watch import Watch

# Cells are gone through again until none changes, at most so often.
_ROUNDS = 8
# So many values of a cell are tried, those with the most votes.
_VALUES = 4
# More edges are not misread.
_MOST_MISREAD = 0.3
# So much more likely (as a logarithm) what is seen must be with misread edges than without: where there are too few
# rows to tell, no pair is doubted.
_CERTAIN = 50
# What is assumed of the frequencies of real pairs weighs as much as so many pairs.
_USUAL = 20
# A cell needs more support than this; one that no neighbouring edges vouch for needs more.
_LEAST = 0.5
_LEAST_UNSEEN = 1.5


class Refiner:
    """A table that is changed cell by cell, and what each chain derives from it."""

    def __init__(self, known: Mapping[Chain, Counter[int]], cells: Cells, watch: Watch) -> None:
        self.cells = dict(cells)
        self._watch = watch
        self._votes = known
        self._charts: dict[Chain, Chart] = {}
        self._users: dict[Pair, set[Chain]] = {}
        self._neighbours = {pair for chain in known for pair in pairwise(chain)}
        for chain in known:
            self._keep(chain, chart(chain, self.cells))

    def _keep(self, chain: Chain, made: Chart) -> None:
        for pair in _met(chain, self._charts[chain]) if chain in self._charts else ():
            self._users[pair].discard(chain)
        self._charts[chain] = made
        for pair in _met(chain, made):
            self._users.setdefault(pair, set()).add(chain)

    def improve(self, doubtful: set[Pair]) -> None:
        """Set, change and remove cells until nothing explains more; doubtful pairs get none."""
        for _ in range(_ROUNDS):
            changed = 0
            order = sorted(self._users.keys() - doubtful, key=lambda pair: (-self._weight(pair), pair))
            for pair in order:
                if self._watch.time_is_up():
                    return
                changed += self._settle(pair)
            self._watch.note("refined", changed=changed, cells=len(self.cells))
            if not changed:
                return

    def _weight(self, pair: Pair) -> int:
        return sum(self._votes[chain].total() for chain in self._users.get(pair, ()))

    def _settle(self, pair: Pair) -> bool:
        """Give a cell the value that explains most; whether that is another one."""
        users = self._users.get(pair, set())
        old = self.cells.get(pair)
        if not users or (old is not None and all(self._right(chain) for chain in users)):
            return False
        self._watch.count()
        others = {known: whole for known, whole in self.cells.items() if known != pair}
        without = sum(self._score(chain, derive(chain, others)) for chain in users)
        best, most = None, _LEAST if pair in self._neighbours else _LEAST_UNSEEN
        for value in self._values(pair, others, users):
            cells = {**others, pair: value}
            gain = sum(self._score(chain, derive(chain, cells)) for chain in users) - without
            if gain > most or (gain == most and value == old):
                best, most = value, gain
        if best == old:
            return False
        self._set(pair, best)
        return True

    def _set(self, pair: Pair, value: int | None) -> None:
        if value is None:
            self.cells.pop(pair, None)
        else:
            self.cells[pair] = value
        for chain in sorted(self._users.get(pair, ())):
            self._keep(chain, chart(chain, self.cells))

    def _values(self, pair: Pair, others: Cells, users: Iterable[Chain]) -> list[int]:
        """What the cell may be: what lets chains derive their answers, the most wanted first."""
        before = wholes(others)
        wanted: Counter[int] = Counter()
        for chain in users:
            answer, weight = self._votes[chain].most_common(1)[0]
            if chain == pair:
                wanted.update(self._votes[chain])
            else:
                asked = missing(chain, answer, chart(chain, others), others, before)
                for value in {whole for free, whole in asked if free == pair}:
                    wanted[value] += weight
        if pair in self.cells:
            wanted[self.cells[pair]] += 1
        return [value for value, _ in sorted(wanted.items(), key=lambda item: (-item[1], item[0]))[:_VALUES]]

    def _score(self, chain: Chain, derived: set[int]) -> float:
        if not derived:
            return 0.0
        votes = self._votes[chain]
        return 2 * sum(votes[one] for one in derived) / len(derived) - votes.total()

    def _right(self, chain: Chain) -> bool:
        derived = self._charts[chain][0, len(chain)]
        return len(derived) == 1 and self._votes[chain].total() == self._votes[chain][next(iter(derived))]


def _met(chain: Chain, parts: Chart) -> set[Pair]:
    """The pairs that two neighbouring parts of a chain derive."""
    return {
        (left, right)
        for (start, middle), derived in parts.items()
        for left in derived
        for end in range(middle + 1, len(chain) + 1)
        for right in parts[middle, end]
    }


def refined(known: Mapping[Chain, Counter[int]], cells: Cells, doubtful: set[Pair], watch: Watch) -> Cells:
    """The cells after refinement.

    Args:
        known: The chains with the weight of their answers.
        cells: Where to start.
        doubtful: Pairs that get no cell.
        watch: Stops in time.
    """
    refiner = Refiner(known, {pair: whole for pair, whole in cells.items() if pair not in doubtful}, watch)
    refiner.improve(doubtful)
    return refiner.cells


def doubtful_pairs(known: Mapping[Chain, Counter[int]], count: int) -> set[Pair]:
    """The pairs of neighbouring relations that are there more likely because edges were misread.

    A relation that is misread stands beside a neighbour that it would not have: the more often the neighbour occurs,
    the more often by chance (a Poisson law). How often real pairs occur is learned by order of magnitude. The share of
    misread edges and that of real pairs are those that make what is seen most likely.
    """
    seen = np.zeros((count, count))
    for chain, votes in known.items():
        for pair in pairwise(chain):
            seen[pair] += votes.total()
    chance = (seen.sum(axis=1)[:, None] + seen.sum(axis=0)[None, :]) / max(1, count - 1)
    met = seen > 0
    # At first all orders of magnitude are equally likely, and within one all counts.
    order = np.log2(np.maximum(seen, 1)).astype(np.intp)
    orders = int(order.max()) + 1
    best, doubtful = -np.inf, met & False
    for share in (0.0, *np.geomspace(1e-4, _MOST_MISREAD, 40)):
        spurious = _poisson(seen, share * chance)
        part, usual = 0.5, np.full(orders, 1 / orders)
        for _ in range(30):
            real = np.where(met, usual[order] / 2.0**order, 0.0)
            likely = part * real + (1 - part) * spurious
            belief = part * real / likely
            part = float(belief.mean())
            usual = np.bincount(order[met], belief[met], orders) + _USUAL / orders
            usual /= usual.sum()
        likelihood = float(np.log(likely).sum())
        if likelihood > best + (_CERTAIN if not doubtful.any() and share else 0.0):
            best, doubtful = likelihood, met & (belief < 0.5)
    return {(int(first), int(second)) for first, second in np.argwhere(doubtful)}


def _poisson(times: npt.NDArray[np.float64], means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The probability of these counts, never quite 0."""
    factorials = np.cumsum(np.log(np.maximum(np.arange(int(times.max()) + 1), 1)))
    logs = times * np.log(np.maximum(means, 1e-300)) - means - factorials[times.astype(np.intp)]
    chances: npt.NDArray[np.float64] = np.maximum(np.exp(logs), 1e-200)
    return chances
