"""Fits a partial function: each pair of relations derives one relation, or nothing is known of it.

Paths of two edges vote for their cell. What only longer paths can tell is found by looking at each path whose answer
is not yet derived: a cell that would complete one of its bracketings gets a vote. The cell with the most votes
is taken if it makes few other paths derive what is not their answer; then all is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hornbeam.ilp.algebra.charts import Cells, Chain, Chart, Pair, chart, derive, missing, wholes
from hornbeam.ilp.algebra.paths import PathEvidence
from hornbeam.ilp.algebra.refining import doubtful_pairs, refined
from hornbeam.ilp.watch import Watch


@dataclass
class Function:
    """The cells, and how well they explain the paths."""

    cells: Cells = field(default_factory=dict)
    right: int = 0  # the weight of the paths that derive their answer and nothing else
    wrong: int = 0  # the weight of those that derive something else; the others derive nothing
    weight: int = 0
    doubtful: int = 0  # the weight of paths that meet doubtful pairs
    # The weight of paths of two edges that have another answer, and of all, by pair.
    disagreeing: list[tuple[int, int]] = field(default_factory=list)

    @property
    def gain(self) -> int:
        return self.right - self.wrong

    def uneven(self, noise: float) -> bool:
        """Whether paths derive what is not their answer, and noise is not likely to be the reason.

        Noise is everywhere, and little. Where two relations leave alternatives, a few cells are wrong very often.
        Paths that derive nothing say nothing against a function: some of its cells were not seen.
        """
        wrong = sum(wrong for wrong, _ in self.disagreeing)
        usual = wrong / max(1, sum(votes for _, votes in self.disagreeing))
        often = sum(
            wrong
            for wrong, votes in self.disagreeing
            if wrong > 2 * noise * votes and wrong > votes * usual + 3 * (votes * usual * (1 - usual)) ** 0.5
        )
        few = self.right < (1 - noise) * (self.weight - self.doubtful)
        return few or not wrong or 4 * often > wrong

    @property
    def right_share(self) -> float:
        return self.right / self.weight if self.weight else 0.0


def chains(evidence: PathEvidence) -> dict[Chain, Counter[int]] | None:
    """Each path as a chain of relations with the weight of its answers; None if an edge or answer has several."""
    known: dict[Chain, Counter[int]] = {}
    for example in (*evidence.examples, *evidence.outvoted):
        if example.answer & (example.answer - 1):
            return None
        for path in example.paths:
            if any(mask & (mask - 1) for mask in path):
                return None
            chain = tuple(mask.bit_length() - 1 for mask in path)
            known.setdefault(chain, Counter())[example.answer.bit_length() - 1] += example.weight
    return known


def purity(known: Mapping[Chain, Counter[int]]) -> float:
    """How well paths of two edges agree: the share of the most frequent answer, over all cells."""
    direct = [votes for chain, votes in known.items() if len(chain) == 2]
    total = sum(sum(votes.values()) for votes in direct)
    return sum(max(votes.values()) for votes in direct) / total if total else 1.0


def fit_function(known: Mapping[Chain, Counter[int]], count: int, noise: float, watch: Watch) -> Function:
    """The function of so many relations that the chains speak for."""
    direct: Cells = {}
    for chain, votes in sorted(known.items()):
        if len(chain) == 2:
            watch.count()
            answer, weight = _most(votes)
            if weight >= (1 - noise) / 2 * votes.total():
                direct[chain[0], chain[1]] = answer
    clean = all(len(votes) == 1 for votes in known.values())
    function = _weighed(_completed(direct, known, noise, watch), known, set()) if clean else None
    if function is None or function.wrong:
        doubtful = doubtful_pairs(known, count)
        watch.note("noise", doubtful=len(doubtful))
        other = _weighed(refined(known, direct, doubtful, watch), known, doubtful)
        function = other if function is None or other.gain > function.gain else function
    return function


def _weighed(cells: Cells, known: Mapping[Chain, Counter[int]], doubtful: set[Pair]) -> Function:
    function = Function(cells, weight=sum(votes.total() for votes in known.values()))
    for chain, votes in known.items():
        derived = derive(chain, cells)
        right = votes[next(iter(derived))] if len(derived) == 1 else 0
        function.right += right
        function.wrong += votes.total() - right if derived else 0
        if doubtful.intersection(pairwise(chain)):
            function.doubtful += votes.total()
        elif len(chain) == 2:
            function.disagreeing.append((votes.total() - (right if derived else _most(votes)[1]), votes.total()))
    return function


def _completed(direct: Cells, known: Mapping[Chain, Counter[int]], noise: float, watch: Watch) -> Cells:
    """The cells with those that only longer chains tell, one after the other, the one with the most votes first."""
    cells = dict(direct)
    longer = {chain: _most(votes) for chain, votes in sorted(known.items()) if len(chain) > 2}
    charts = {chain: chart(chain, cells) for chain in longer}
    refused: set[tuple[Pair, int]] = set()
    while not watch.time_is_up():
        candidate = _next_cell(longer, charts, cells, refused)
        if candidate is None:
            break
        watch.count()
        (pair, whole), votes = candidate
        more = {**cells, pair: whole}
        changed = {chain: chart(chain, more) for chain, old in charts.items() if _applies(pair, chain, old)}
        harm = sum(
            longer[chain][1]
            for chain, new in changed.items()
            if new[0, len(chain)] - charts[chain][0, len(chain)] - {longer[chain][0]}
        )
        if harm > noise * votes:
            refused.add((pair, whole))
            continue
        cells[pair] = whole
        charts.update(changed)
        watch.note("cell", first=pair[0], second=pair[1], whole=whole, votes=votes, harm=harm)
    return cells


def _most(votes: Counter[int]) -> tuple[int, int]:
    return min(votes.items(), key=lambda item: (-item[1], item[0]))


# The next cell --------------------------------------------------------------------------------------------------------


def _applies(pair: Pair, chain: Chain, parts: Chart) -> bool:
    """Whether two neighbouring parts of a chain derive the two relations of a pair."""
    first, second = pair
    starts = [part for part, derived in parts.items() if first in derived]
    return any(second in parts[middle, end] for _, middle in starts for end in range(middle + 1, len(chain) + 1))


def _next_cell(
    longer: Mapping[Chain, tuple[int, int]], charts: Mapping[Chain, Chart], cells: Cells, refused: set[tuple[Pair, int]]
) -> tuple[tuple[Pair, int], int] | None:
    """The free cell that would help most chains to their answer."""
    before = wholes(cells)
    votes: Counter[tuple[Pair, int]] = Counter()
    for helpful in (missing, _used_twice):
        for chain, (answer, weight) in longer.items() if not votes else ():
            if answer not in charts[chain][0, len(chain)]:
                for cell in set(helpful(chain, answer, charts[chain], cells, before)) - refused:
                    votes[cell] += weight
    return min(votes.items(), key=lambda item: (-item[1], item[0])) if votes else None


def _used_twice(
    chain: Chain, answer: int, parts: Chart, cells: Cells, _: Mapping[int, Sequence[Pair]]
) -> Iterator[tuple[Pair, int]]:
    """The free cells that let the chain derive its answer if they are used more than once."""
    free = {
        (r, s)
        for (_, middle), left in parts.items()
        for end in range(middle + 1, len(chain) + 1)
        for r in left
        for s in parts[middle, end]
        if (r, s) not in cells
    }
    for pair in sorted(free):
        for whole in sorted({*pair, answer}):
            if answer in derive(chain, {**cells, pair: whole}):
                yield pair, whole


# Laws -----------------------------------------------------------------------------------------------------------------

# So many triangles must agree on a converse, or cells on an identity, none against.
_AGREEING = 2


def converse_of(cells: Mapping[Pair, int], count: int) -> tuple[int, ...]:
    """The converses of each relation as a mask, read off the cells.

    If x r y, y s z and x t z, and r' is a converse of r, then y r' x and x t z: so r' and t compose to s, if to
    anything. Two relations whose cells say so again and again, and never say otherwise, are taken for converse. A
    relation may have several: a father's child is a son or a daughter. So a cell speaks against a converse only where
    no other converse explains it.

    >>> parent, child, sibling = 0, 1, 2
    >>> cells = {(parent, child): sibling, (child, sibling): child, (sibling, parent): parent}
    >>> cells |= {(sibling, sibling): sibling}
    >>> converse_of(cells, 3)
    (2, 1, 4)
    """
    agree: Counter[Pair] = Counter()
    against: Counter[Pair] = Counter()
    for one, said in _said(cells, count):
        agreeing = [back for back, right in said.items() if right]
        agree.update((one, back) for back in agreeing)
        against.update((one, back) for back in said if not agreeing)

    def mutual(one: int, back: int) -> bool:
        both = ((one, back), (back, one))
        return min(agree[pair] for pair in both) >= _AGREEING and not any(against[pair] for pair in both)

    return tuple(sum(1 << back for back in range(count) if mutual(one, back)) for one in range(count))


def _said(cells: Mapping[Pair, int], count: int) -> Iterator[tuple[int, dict[int, bool]]]:
    """For each side of each triangle: the relation, and of each possible converse whether its cell says the same."""
    for (first, second), whole in sorted(cells.items()):
        left = {back: cells[back, whole] == second for back in range(count) if (back, whole) in cells}
        right = {back: cells[whole, back] == first for back in range(count) if (whole, back) in cells}
        yield first, left
        yield second, right


def identity_of(cells: Mapping[Pair, int], count: int) -> int:
    """The relations that change nothing wherever their cells are known, on both sides.

    >>> identity_of({(0, 1): 1, (1, 0): 1, (1, 1): 1}, 2)
    1
    """
    identities = 0
    for one in range(count):
        left = [whole == other for (first, other), whole in cells.items() if first == one and other != one]
        right = [whole == other for (other, second), whole in cells.items() if second == one and other != one]
        if left and right and len(left) + len(right) >= _AGREEING and all(left) and all(right):
            identities |= 1 << one
    return identities
