"""Fits a partial function: each pair of relations derives one relation, or nothing is known of it.

Paths of two edges vote for their cell. What only longer paths can tell is found by looking at each path whose answer
is not yet derived: a cell that would complete one of its bracketings gets a vote. The cell with the most votes
is taken if it makes few other paths derive what is not their answer; then all is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hornbeam.ilp.algebra.paths import Evidence
from hornbeam.ilp.watch import Watch

Pair = tuple[int, int]
Cells = dict[Pair, int]
Chain = tuple[int, ...]
# What each part [i, j) of a chain derives.
Chart = dict[Pair, set[int]]


@dataclass
class Function:
    """The cells, and how well they explain the paths."""

    cells: Cells = field(default_factory=dict)
    right: int = 0  # the weight of the paths that derive their answer and nothing else
    wrong: int = 0  # the weight of those that derive something else; the others derive nothing
    weight: int = 0

    @property
    def right_share(self) -> float:
        return self.right / self.weight if self.weight else 0.0


def chains(evidence: Evidence) -> dict[Chain, Counter[int]] | None:
    """Each path as a chain of relations with the weight of its answers; None where an edge or answer has several."""
    found: dict[Chain, Counter[int]] = {}
    for example in evidence.examples:
        if example.answer & (example.answer - 1):
            return None
        for path in example.paths:
            if any(mask & (mask - 1) for mask in path):
                return None
            chain = tuple(mask.bit_length() - 1 for mask in path)
            found.setdefault(chain, Counter())[example.answer.bit_length() - 1] += example.weight
    return found


def purity(found: Mapping[Chain, Counter[int]]) -> float:
    """How well paths of two edges agree: the share of the most frequent answer, over all cells."""
    direct = [votes for chain, votes in found.items() if len(chain) == 2]
    total = sum(sum(votes.values()) for votes in direct)
    return sum(max(votes.values()) for votes in direct) / total if total else 1.0


def fit_function(found: Mapping[Chain, Counter[int]], noise: float, watch: Watch) -> Function:
    """The function that the chains speak for."""
    made = Function(weight=sum(sum(votes.values()) for votes in found.values()))
    for chain, votes in sorted(found.items()):
        if len(chain) == 2:
            watch.count()
            answer, weight = _most(votes)
            if weight >= (1 - noise) / 2 * sum(votes.values()):
                made.cells[chain[0], chain[1]] = answer
    made.cells = _completed(made.cells, found, noise, watch)
    for chain, votes in found.items():
        derived = derive(chain, made.cells)
        right = votes[_only(derived)]
        made.right += right
        made.wrong += sum(votes.values()) - right if derived else 0
    return made


def _completed(direct: Cells, found: Mapping[Chain, Counter[int]], noise: float, watch: Watch) -> Cells:
    """The cells with those that only longer chains tell, one after the other, the one with the most votes first."""
    cells = dict(direct)
    longer = {chain: _most(votes) for chain, votes in sorted(found.items()) if len(chain) > 2}
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


def _only(derived: set[int]) -> int:
    return next(iter(derived)) if len(derived) == 1 else -1


# Charts -------------------------------------------------------------------------------------------------------------


def chart(chain: Chain, cells: Mapping[Pair, int]) -> Chart:
    """What every part of a chain derives, by any bracketing."""
    size = len(chain)
    made: Chart = {(at, at + 1): {relation} for at, relation in enumerate(chain)}
    for length in range(2, size + 1):
        for start in range(size - length + 1):
            end = start + length
            made[start, end] = {
                cells[left, right]
                for middle in range(start + 1, end)
                for left in made[start, middle]
                for right in made[middle, end]
                if (left, right) in cells
            }
    return made


def derive(chain: Chain, cells: Mapping[Pair, int]) -> set[int]:
    """What a chain derives."""
    return chart(chain, cells)[0, len(chain)]


def _applies(pair: Pair, chain: Chain, made: Chart) -> bool:
    """Whether two neighbouring parts of a chain derive the two relations of a pair."""
    first, second = pair
    starts = [part for part, derived in made.items() if first in derived]
    return any(
        second in made[middle, end] for _, middle in starts for end in range(middle + 1, len(chain) + 1)
    )  # fmt: skip


def _next_cell(
    longer: Mapping[Chain, tuple[int, int]], charts: Mapping[Chain, Chart], cells: Cells, refused: set[tuple[Pair, int]]
) -> tuple[tuple[Pair, int], int] | None:
    """The free cell that would help most chains to their answer."""
    before: dict[int, list[Pair]] = {}
    for pair, whole in cells.items():
        before.setdefault(whole, []).append(pair)
    votes: Counter[tuple[Pair, int]] = Counter()
    for chain, (answer, weight) in longer.items():
        made = charts[chain]
        if answer not in made[0, len(chain)]:
            for cell in set(_missing(chain, answer, made, cells, before)):
                if cell not in refused:
                    votes[cell] += weight
    if not votes:
        for chain, (answer, weight) in longer.items():
            if answer not in charts[chain][0, len(chain)]:
                for cell in _used_twice(chain, answer, charts[chain], cells):
                    if cell not in refused:
                        votes[cell] += weight
    return min(votes.items(), key=lambda item: (-item[1], item[0])) if votes else None


def _used_twice(chain: Chain, answer: int, made: Chart, cells: Cells) -> Iterator[tuple[Pair, int]]:
    """The free cells that let the chain derive its answer if they are used more than once."""
    free = {
        (r, s)
        for (_, middle), left in made.items()
        for end in range(middle + 1, len(chain) + 1)
        for r in left
        for s in made[middle, end]
        if (r, s) not in cells
    }
    for pair in sorted(free):
        for whole in sorted({*pair, answer}):
            if answer in derive(chain, {**cells, pair: whole}):
                yield pair, whole


def _missing(
    chain: Chain, answer: int, made: Chart, cells: Cells, before: Mapping[int, Sequence[Pair]]
) -> Iterator[tuple[Pair, int]]:
    """The free cells of which one alone would let the chain derive its answer.

    What a part would have to derive is handed down: where the left part derives r, the right part is asked for
    each s with r∘s wanted, and the other way round.
    """
    wanted: dict[Pair, set[int]] = {(0, len(chain)): {answer}}
    for length in range(len(chain), 1, -1):
        for start in range(len(chain) - length + 1):
            asked = wanted.get((start, start + length))
            for middle in range(start + 1, start + length) if asked else ():
                left, right = (start, middle), (middle, start + length)
                for whole in sorted(asked or ()):
                    for r in made[left]:
                        for s in made[right]:
                            if (r, s) not in cells:
                                yield (r, s), whole
                    for r, s in before.get(whole, ()):
                        if r in made[left] and s not in made[right]:
                            wanted.setdefault(right, set()).add(s)
                        if s in made[right] and r not in made[left]:
                            wanted.setdefault(left, set()).add(r)
