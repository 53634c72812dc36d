"""The cheapest choice of rules of all, by clingo.

The costs are those of the greedy choice, so that the two can be compared. Facts and predictions that the same rules
predict are counted together. The search is bounded in conflicts, not in time, so that the result is always the same;
the greedy choice is kept where the bound is met before anything cheaper is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hornbeam.bitsets import bits
from hornbeam.ilp.amie.selection import Candidate, Prices, Relation, greedy
from hornbeam.logic.asp import engine

_SCALE = 100  # of a bit, in clingo's whole numbers
_PROGRAM = """
{ chosen(R) } :- rule(R, _).
:~ chosen(R), rule(R, Bits). [Bits, r, R]
reached(G) :- in(R, G), chosen(R).
:~ fact(G, Bits), not reached(G). [Bits, f, G]
:~ error(G, Bits), reached(G). [Bits, e, G]
"""
# An arc of clasp's graph: the graph of a choice must have no circle.
_ACYCLIC = "#edge (P, Q) : chosen(R), calls(R, P, Q).\n"


@dataclass(frozen=True, slots=True)
class Exact:
    """A choice, and whether it is proven to be the cheapest."""

    chosen: tuple[Candidate, ...]
    proven: bool


def cheapest(
    groups: Sequence[Relation], prices: Prices, *, one_reading: bool, conflicts: int, stop: Callable[[], bool]
) -> Exact:
    """The cheapest choice: relation by relation where each may be explained by all others. `stop` is asked often."""
    if one_reading:
        return _solved(groups, prices, True, conflicts, stop)
    parts = [_solved([group], prices, False, conflicts, stop) for group in groups]
    return Exact(tuple(one for part in parts for one in part.chosen), all(part.proven for part in parts))


def cost(groups: Sequence[Relation], chosen: Sequence[Candidate], prices: Prices) -> int:
    """The cost of a choice less that of no rule at all, in hundredths of bits, as clingo counts it."""
    total = sum(_whole(candidate.bits * prices.rule) for candidate in chosen)
    for group in groups:
        covered = 0
        for candidate in chosen:
            if candidate.rule.head.predicate == group.predicate:
                covered |= candidate.predicted
        right = (covered & group.known).bit_count()
        wrong = covered.bit_count() - right
        total += wrong * _whole(group.fact_bits * prices.unknown) - right * _whole(group.fact_bits)
    return total


def _whole(bits: float) -> int:
    return max(1, round(bits * _SCALE))


def _solved(
    groups: Sequence[Relation], prices: Prices, one_reading: bool, conflicts: int, stop: Callable[[], bool]
) -> Exact:
    start = greedy(groups, prices, one_reading=one_reading)
    text, candidates = _facts(groups, prices, one_reading)
    program = _PROGRAM + (_ACYCLIC if one_reading else "") + text
    options = ["--opt-strategy=usc,stratify", f"--solve-limit={conflicts}", "--seed=1"]
    control = engine.grounded(program, options=options)
    models: list[list[int]] = []

    def price(chosen: Sequence[Candidate]) -> int:
        return cost(groups, chosen, prices)

    def improve(model: engine.Model) -> None:
        numbers = sorted(atom.arguments[0].number for atom in model.symbols(atoms=True) if atom.name == "chosen")
        models.append(numbers)

    end = engine.search(control, improve, stop)
    best = min([start, *([candidates[number] for number in numbers] for numbers in models)], key=price)
    return Exact(tuple(best), end.exhausted)


def _facts(groups: Sequence[Relation], prices: Prices, one_reading: bool) -> tuple[str, list[Candidate]]:
    """The rules that can pay at all, and classes of predictions that the same rules reach."""
    lines: list[str] = []
    candidates: list[Candidate] = []
    classes = 0
    for group in groups:
        useful = [one for one in group.candidates if _can_pay(group, one, prices)]
        reached: dict[int, list[int]] = {}
        for candidate in useful:
            number = len(candidates)
            candidates.append(candidate)
            lines.append(f"rule({number},{_whole(candidate.bits * prices.rule)}).")
            if one_reading:
                head = group.predicate
                called = sorted({atom.predicate for atom in candidate.rule.body} - {head})
                lines += [f"calls({number},{head},{predicate})." for predicate in called]
            for bit in bits(candidate.predicted):
                reached.setdefault(bit, []).append(number)
        sizes = Counter((tuple(numbers), group.known >> bit & 1) for bit, numbers in reached.items())
        for (numbers, known), size in sorted(sizes.items()):
            price = _whole(group.fact_bits) if known else _whole(group.fact_bits * prices.unknown)
            lines.append(f"{'fact' if known else 'error'}({classes},{size * price}).")
            lines += [f"in({number},{classes})." for number in numbers]
            classes += 1
    return "\n".join(lines), candidates


def _can_pay(group: Relation, candidate: Candidate, prices: Prices) -> bool:
    """Whether the facts alone are worth the rule: errors may be shared with others."""
    right = (candidate.predicted & group.known).bit_count()
    return right * group.fact_bits > candidate.bits * prices.rule
