"""The choice of a theory among mined rules: which of them explain the facts at the least cost.

A mined list says of each rule by itself how often it is right; taken together hundreds of such rules derive far too
much. Here each relation is described by rules and by the facts that no chosen rule predicts. A fact that must be
written out costs as many bits as it takes to point at it among all atoms of its relation. A rule costs the bits of its
atoms. A prediction that is not among the facts may be a fact that the open world hides, or an error: it costs a share
of a written fact, which depends on how many facts seem to be hidden; that is estimated from the facts themselves.

With the readings `all`, each relation is described given all others, so that a correlation may be kept in both
directions where the facts do not tell which of them is the rule. With `one`, relations are described in some order, so
that no relation explains itself by way of others; a rule that calls its own predicate is no such circle.

The greedy choice takes rules one after the other. The exact choice is clingo's, with the same costs, so that the two
can be compared. Its search is bounded in conflicts, not in time, so that the result is always the same; the greedy
choice is kept where the bound is met before anything cheaper is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from hornbeam.bitsets import bits
from hornbeam.ilp.amie.rules import Measured, MinedRule, canonical
from hornbeam.ilp.relations import FactBase, Table, body_bits
from hornbeam.logic.asp import engine

# What is believed of the open world before anything is seen: three of ten facts hidden.
_HIDDEN, _SEEN = 3, 10


@dataclass(frozen=True, slots=True)
class Prices:
    """What things cost. `hidden` is the share of true facts that the open world is believed to hide."""

    trust: float = 0.6  # how much of what is not hidden must be confirmed for a rule to pay
    rule: float = 0.5  # of the bits of a rule that count: alternatives of equal use share them
    hidden: float = _HIDDEN / _SEEN

    @property
    def unknown(self) -> float:
        """The price of a prediction that is no fact, in written facts: rules break even at the least confidence."""
        least = self.trust * (1 - self.hidden)
        return least / (1 - least)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A rule with the set of its predictions, as bits of a number."""

    measured: Measured
    bits: float
    predicted: int

    @property
    def rule(self) -> MinedRule:
        return self.measured.rule


@dataclass(frozen=True, slots=True)
class HeadCandidates:
    """The candidates for one head predicate. The bits of `known` are the predictions that are facts."""

    predicate: int
    candidates: tuple[Candidate, ...]
    known: int
    fact_bits: float

    def gain(self, candidate: Candidate, covered: int, prices: Prices) -> float:
        """The bits that a rule saves where others have predicted `covered` already."""
        new = candidate.predicted & ~covered
        right = (new & self.known).bit_count()
        wrong = new.bit_count() - right
        return self.fact_bits * (right - wrong * prices.unknown) - candidate.bits * prices.rule


def improving(mined: Sequence[Measured]) -> list[Measured]:
    """The rules that are more often right than each rule that lacks one of their atoms."""
    confidence = {one.rule: one.confidence for one in mined}

    def parents(rule: MinedRule) -> Iterator[MinedRule]:
        for at in range(len(rule.body)):
            shorter = rule.without(at)
            if shorter.body and shorter.safe:
                yield canonical(shorter)

    return [one for one in mined if all(confidence.get(parent, -1.0) < one.confidence for parent in parents(one.rule))]


def relations(world: FactBase, mined: Sequence[Measured]) -> list[HeadCandidates]:
    """The candidates by head predicate; of rules with the same predictions the cheapest."""
    groups: dict[int, list[Measured]] = {}
    for one in mined:
        groups.setdefault(one.rule.head.predicate, []).append(one)
    return [_relation(world, predicate, groups[predicate]) for predicate in sorted(groups)]


def _relation(world: FactBase, predicate: int, mined: Sequence[Measured]) -> HeadCandidates:
    rows, numbers = np.unique(np.vstack([one.predicted for one in mined]), axis=0, return_inverse=True)
    ends = np.cumsum([len(one.predicted) for one in mined])
    parts = np.split(np.ravel(numbers), ends[:-1])
    cheapest: dict[int, Candidate] = {}
    for one, part in zip(mined, parts, strict=True):
        candidate = Candidate(one, rule_bits(world, one.rule), _as_bits(part, len(rows)))
        known = cheapest.get(candidate.predicted)
        if known is None or (candidate.bits, candidate.rule) < (known.bits, known.rule):
            cheapest[candidate.predicted] = candidate
    ordered = sorted(cheapest.values(), key=lambda candidate: (candidate.bits, candidate.rule))
    atoms = float(len(world.constants)) ** world.arity(predicate)
    fact_bits = max(1.0, log2(atoms / len(world.tables[predicate])))
    known_rows = np.flatnonzero(world.contains(predicate, rows))
    return HeadCandidates(predicate, tuple(ordered), _as_bits(known_rows, len(rows)), fact_bits)


def _as_bits(numbers: Table, size: int) -> int:
    flags = np.zeros(size, dtype=np.uint8)
    flags[numbers] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def rule_bits(world: FactBase, rule: MinedRule) -> float:
    """The bits that name the predicates and variables of a rule's body."""
    return body_bits(rule.body, len(world.predicates), len(rule.variables))


# The greedy choice ------------------------------------------------------------------------------------------------


def greedy(groups: Sequence[HeadCandidates], prices: Prices, *, one_reading: bool = False) -> list[Candidate]:
    """Rules one after the other, each the one that saves most, until none saves anything."""
    chosen: list[Candidate] = []
    covered = dict.fromkeys(range(len(groups)), 0)
    order = ExplanationOrder()
    best = {at: _best(group, 0, prices, order, one_reading) for at, group in enumerate(groups)}
    while True:
        # A choice made elsewhere may have forbidden what was the best here.
        for at, entry in best.items():
            if entry is not None and one_reading and not order.allows(entry[1].rule):
                best[at] = _best(groups[at], covered[at], prices, order, one_reading)
        open_ = [(gain, -at, candidate) for at, entry in best.items() if entry for gain, candidate in [entry]]
        if not open_:
            return chosen
        _, place, candidate = max(open_, key=lambda entry: entry[:2])
        at = -place
        chosen.append(candidate)
        order.add(candidate.rule)
        covered[at] |= candidate.predicted
        best[at] = _best(groups[at], covered[at], prices, order, one_reading)


def _best(
    group: HeadCandidates, covered: int, prices: Prices, order: ExplanationOrder, one_reading: bool
) -> tuple[float, Candidate] | None:
    best: tuple[float, Candidate] | None = None
    for candidate in group.candidates:
        gain = group.gain(candidate, covered, prices)
        if gain > (best[0] + 1e-9 if best else 0.0) and (not one_reading or order.allows(candidate.rule)):
            best = (gain, candidate)
    return best


class ExplanationOrder:
    """Which predicates are explained by which, so that no circle arises."""

    def __init__(self) -> None:
        self._below: dict[int, set[int]] = {}

    def allows(self, rule: MinedRule) -> bool:
        head = rule.head.predicate
        return not any(self._reaches(atom.predicate, head) for atom in rule.body if atom.predicate != head)

    def add(self, rule: MinedRule) -> None:
        head = rule.head.predicate
        self._below.setdefault(head, set()).update({atom.predicate for atom in rule.body} - {head})

    def _reaches(self, start: int, goal: int) -> bool:
        seen, front = {start}, [start]
        while front:
            here = front.pop()
            if here == goal:
                return True
            new = self._below.get(here, set()) - seen
            seen |= new
            front.extend(new)
        return False


def estimated(groups: Sequence[HeadCandidates], prices: Prices, *, one_reading: bool = False) -> Prices:
    """Prices with the share of hidden facts that a first choice of rules shows."""
    known = {group.predicate: group.known for group in groups}
    covered: dict[int, int] = dict.fromkeys(known, 0)
    for candidate in greedy(groups, prices, one_reading=one_reading):
        covered[candidate.rule.head.predicate] |= candidate.predicted
    predicted = sum(bits.bit_count() for bits in covered.values())
    right = sum((bits & known[predicate]).bit_count() for predicate, bits in covered.items())
    hidden = (predicted - right + _HIDDEN) / (predicted + _SEEN)
    return Prices(prices.trust, prices.rule, min(0.6, max(0.02, hidden)))


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


def cheapest(
    groups: Sequence[HeadCandidates], prices: Prices, *, one_reading: bool, conflicts: int, stop: Callable[[], bool]
) -> tuple[list[Candidate], bool]:
    """The cheapest choice, and whether that is proven. `stop` is asked often.

    Relation by relation, where each may be explained by all others.
    """
    if one_reading:
        return _solved(groups, prices, True, conflicts, stop)
    parts = [_solved([group], prices, False, conflicts, stop) for group in groups]
    return [one for chosen, _ in parts for one in chosen], all(proven for _, proven in parts)


def cost(groups: Sequence[HeadCandidates], chosen: Sequence[Candidate], prices: Prices) -> int:
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
    groups: Sequence[HeadCandidates], prices: Prices, one_reading: bool, conflicts: int, stop: Callable[[], bool]
) -> tuple[list[Candidate], bool]:
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
    return best, end.exhausted


def _facts(groups: Sequence[HeadCandidates], prices: Prices, one_reading: bool) -> tuple[str, list[Candidate]]:
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


def _can_pay(group: HeadCandidates, candidate: Candidate, prices: Prices) -> bool:
    """Whether the facts alone are worth the rule: errors may be shared with others."""
    right = (candidate.predicted & group.known).bit_count()
    return right * group.fact_bits > candidate.bits * prices.rule
