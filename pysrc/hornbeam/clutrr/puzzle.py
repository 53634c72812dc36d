"""Puzzles: a target relation in a family, the facts from which it follows, and noise.

The facts come by backward chaining, as in the paper: the target is replaced by the two facts of a rule that proves it,
then one of those, and so on. Persons on the way are distinct, so that no proof is shorter.

Noise is facts that are true in the family and that the answer does not need, of the paper's three kinds. The kinship
theory is monotone, and in its families each pair of persons has at most one relation. So facts that are true in the
puzzle's own family leave the answer as it is. None of the paths drawn here joins two persons of the story by fewer
facts than the story itself, so that the shortest proof keeps its length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import gcd
from random import Random
from typing import NamedTuple

from hornbeam.bitsets import bits
from hornbeam.clutrr.config import DISCONNECTED, IRRELEVANT, SUPPORTING
from hornbeam.clutrr.kin import FamilyTree, Kin
from hornbeam.clutrr.knowledge import KinTheory


class Fact(NamedTuple):
    """`other` is the `relation` of `person`."""

    relation: int
    person: int
    other: int


class ProofStep(NamedTuple):
    """A rule at work: `whole` follows from `first` and `second`."""

    whole: Fact
    first: Fact
    second: Fact


@dataclass(frozen=True, slots=True)
class NoisePath:
    """Facts that the answer does not need: a path of one of the three kinds."""

    kind: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Persons are those of `tree`. `facts` lead from the target's person to its other, one after the other."""

    tree: FamilyTree
    target: Fact
    facts: tuple[Fact, ...]
    proof: tuple[ProofStep, ...]  # from the target down
    noise: tuple[NoisePath, ...] = ()

    def persons(self) -> list[int]:
        """Everybody who is mentioned, in the order of mention."""
        mentioned = [self.target.person, *(fact.other for fact in self.facts)]
        for noise in self.noise:
            for fact in noise.facts:
                mentioned += (fact.person, fact.other)
        return list(dict.fromkeys(mentioned))

    def told(self) -> list[Fact]:
        """All facts, noise after the others."""
        return [*self.facts, *(fact for noise in self.noise for fact in noise.facts)]

    def word(self, theory: KinTheory, fact: Fact) -> str:
        """The word for a fact about two persons of the family."""
        return theory.words[fact.relation][self.tree.gender[fact.other]]

    def body(self, theory: KinTheory) -> tuple[str, ...]:
        """The words of the facts."""
        return tuple(self.word(theory, fact) for fact in self.facts)


def pick(mask: int, rng: Random) -> int:
    """One of the persons of a set."""
    chosen = bits(mask)
    return chosen[0] if len(chosen) == 1 else chosen[int(rng.random() * len(chosen))]


def pairs_of(kin: Kin, relation: int, gender: int | None, rng: Random) -> Fact | None:
    """A random pair of persons of which `relation` holds, the other being of this gender."""
    size = len(kin.tree)
    wanted = -1 if gender is None else kin.of_gender[gender]
    start = int(rng.random() * size)
    stride = _stride(size, rng)
    for place in range(size):
        person = (start + place * stride) % size
        others = kin.row(relation, person) & wanted
        if others:
            return Fact(relation, person, pick(others, rng))
    return None


def _stride(size: int, rng: Random) -> int:
    """A step that visits everybody: cheaper than shuffling them, and as good for a first hit."""
    while True:
        stride = 1 + int(rng.random() * (size - 1))
        if gcd(stride, size) == 1:
            return stride


def expansion(kin: Kin, fact: Fact, free: int, rng: Random) -> ProofStep | None:
    """A rule that proves `fact` through one of the persons of `free`; rules have equal chances."""
    theory = kin.theory
    inverses, row = theory.inverses, kin.row
    person, other = fact.person, fact.other
    choices = []
    for first, second in theory.rules[fact.relation]:
        middle = row(first, person)
        if middle:
            middle &= row(inverses[second], other) & free
            if middle:
                choices.append((first, second, middle))
    if not choices:
        return None
    first, second, middle = choices[int(rng.random() * len(choices))]
    between = pick(middle, rng)
    return ProofStep(fact, Fact(first, person, between), Fact(second, between, other))


def chain(kin: Kin, target: Fact, length: int, free: int, rng: Random) -> tuple[list[Fact], list[ProofStep]] | None:
    """`length` facts that prove `target` through distinct persons of `free`, or None if the chaining gets stuck."""
    facts, proof = [target], []
    live = [True]  # whether a fact may have an expansion: free persons only become fewer
    while len(facts) < length:
        places = [place for place, alive in enumerate(live) if alive]
        if not places:
            return None
        place = places[int(rng.random() * len(places))]
        step = expansion(kin, facts[place], free, rng)
        if step is None:
            live[place] = False
            continue
        facts[place : place + 1] = (step.first, step.second)
        live[place : place + 1] = (True, True)
        proof.append(step)
        free &= ~(1 << step.first.other)
    return facts, _from_the_target_down(target, proof)


def _from_the_target_down(target: Fact, proof: Sequence[ProofStep]) -> list[ProofStep]:
    by_whole = {step.whole: step for step in proof}
    ordered, open_facts = [], [target]
    while open_facts:
        step = by_whole.get(open_facts.pop())
        if step is not None:
            ordered.append(step)
            open_facts += (step.second, step.first)
    return ordered


def draw(kin: Kin, target: Fact, length: int, rng: Random) -> Puzzle | None:
    """A puzzle of `length` facts for this target."""
    everyone = (1 << len(kin.tree)) - 1
    drawn = chain(kin, target, length, everyone & ~(1 << target.person) & ~(1 << target.other), rng)
    return None if drawn is None else Puzzle(kin.tree, target, tuple(drawn[0]), tuple(drawn[1]))


def embed(kin: Kin, relations: Sequence[int], genders: Sequence[int] | None, rng: Random) -> list[Fact] | None:
    """Distinct persons along a chain of relations; `genders` are those of all persons but the first."""
    wanted = [-1 if genders is None else kin.of_gender[genders[step]] for step in range(len(relations))]
    people = list(range(len(kin.tree)))
    rng.shuffle(people)
    for person in people:
        facts: list[Fact] = []
        if _extend(kin, relations, wanted, person, 1 << person, facts, rng):
            return facts
    return None


def _extend(
    kin: Kin, relations: Sequence[int], wanted: Sequence[int], person: int, used: int, facts: list[Fact], rng: Random
) -> bool:
    place = len(facts)
    if place == len(relations):
        return True
    others = bits(kin.row(relations[place], person) & wanted[place] & ~used)
    rng.shuffle(others)
    for other in others:
        facts.append(Fact(relations[place], person, other))
        if _extend(kin, relations, wanted, other, used | 1 << other, facts, rng):
            return True
        facts.pop()
    return False


# How a part of a chain is proven: the step (none for a single fact), and the cut with the relations of its two sides.
# A chart has these by the ends of the part and by what it proves.
_Entry = tuple[ProofStep | None, tuple[int, int, int]]
_Chart = dict[tuple[int, int], dict[int, _Entry]]


def bracket(theory: KinTheory, facts: Sequence[Fact], rng: Random) -> list[list[ProofStep]]:
    """All that a chain of facts proves from end to end: for each whole one proof, drawn at random."""
    chart: _Chart = {}
    size = len(facts)
    for place, fact in enumerate(facts):
        chart[place, place + 1] = {fact.relation: (None, (place, 0, 0))}
    for width in range(2, size + 1):
        for start in range(size - width + 1):
            chart[start, start + width] = _combine(theory, facts, chart, start, start + width, rng)
    return [_read(chart, (0, size), whole) for whole in sorted(chart[0, size])]


def _combine(
    theory: KinTheory, facts: Sequence[Fact], chart: _Chart, start: int, end: int, rng: Random
) -> dict[int, _Entry]:
    person, other = facts[start].person, facts[end - 1].other
    ways: dict[int, list[_Entry]] = {}
    for cut in range(start + 1, end):
        middle = facts[cut].person
        for first in chart[start, cut]:
            for second in chart[cut, end]:
                whole = theory.compose(first, second)
                if whole is not None:
                    used = Fact(first, person, middle), Fact(second, middle, other)
                    step = ProofStep(Fact(whole, person, other), *used)
                    ways.setdefault(whole, []).append((step, (cut, first, second)))
    return {whole: choices[int(rng.random() * len(choices))] for whole, choices in ways.items()}


def _read(chart: _Chart, span: tuple[int, int], whole: int) -> list[ProofStep]:
    step, (cut, first, second) = chart[span][whole]
    if step is None:
        return []
    return [step, *_read(chart, (span[0], cut), first), *_read(chart, (cut, span[1]), second)]


def add_noise(kin: Kin, puzzle: Puzzle, kinds: Sequence[tuple[str, int]], rng: Random) -> Puzzle | None:
    """The puzzle with a path of each of these kinds and sizes, or None if its family has no room for one."""
    free = (1 << len(kin.tree)) - 1
    for person in puzzle.persons():
        free &= ~(1 << person)
    noise = []
    for kind, size in kinds:
        facts = _DRAW[kind](kin, puzzle, size, free, rng)
        if facts is None:
            return None
        noise.append(NoisePath(kind, tuple(facts)))
        for fact in facts:
            free &= ~(1 << fact.person) & ~(1 << fact.other)
    return replace(puzzle, noise=tuple(noise))


def _supporting(kin: Kin, puzzle: Puzzle, size: int, free: int, rng: Random) -> list[Fact] | None:
    """A detour: a second proof, of at least two facts, of one fact of the story."""
    for fact in rng.sample(puzzle.facts, len(puzzle.facts)):
        detour = chain(kin, fact, size, free, rng)
        if detour is not None:
            return detour[0]
    return None


def _irrelevant(kin: Kin, puzzle: Puzzle, size: int, free: int, rng: Random) -> list[Fact] | None:
    """A dead end that leaves from one of the two persons of the question."""
    ends = [puzzle.target.person, puzzle.target.other]
    rng.shuffle(ends)
    return next((walk for end in ends if (walk := _walk(kin, end, size, free, rng)) is not None), None)


def _disconnected(kin: Kin, puzzle: Puzzle, size: int, free: int, rng: Random) -> list[Fact] | None:
    """A path among persons of whom the story says nothing."""
    people = bits(free)
    rng.shuffle(people)
    walks = (_walk(kin, person, size, free & ~(1 << person), rng) for person in people)
    return next((walk for walk in walks if walk is not None), None)


def _walk(kin: Kin, person: int, size: int, free: int, rng: Random) -> list[Fact] | None:
    facts: list[Fact] = []
    for _ in range(size):
        rows = enumerate(kin.row(relation, person) & free for relation in range(len(kin.theory.names)))
        choices = [(relation, others) for relation, others in rows if others]
        if not choices:
            return None
        relation, others = choices[int(rng.random() * len(choices))]
        other = pick(others, rng)
        facts.append(Fact(relation, person, other))
        free &= ~(1 << other)
        person = other
    return facts


_DRAW: dict[str, Callable[[Kin, Puzzle, int, int, Random], list[Fact] | None]] = {
    SUPPORTING: _supporting,
    IRRELEVANT: _irrelevant,
    DISCONNECTED: _disconnected,
}
