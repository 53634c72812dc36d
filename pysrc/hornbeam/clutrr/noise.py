"""Noise: facts that are true in the family and that the answer does not need, of the paper's three kinds.

The kinship theory is monotone, and in its families each pair of persons has at most one relation. So facts that are
true in the puzzle's own family leave the answer as it is; and none of the paths drawn here joins two persons of the
story by fewer facts than the story itself, so that the shortest proof keeps its length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from hornbeam.bitsets import bits
from hornbeam.clutrr.families import Kin
from hornbeam.clutrr.puzzle import Fact, Noise, Puzzle, chain, pick

SUPPORTING, IRRELEVANT, DISCONNECTED = "supporting", "irrelevant", "disconnected"

# The task codes of the original: 1 is a clean story, 5 has all three kinds.
KINDS_OF_TASK = {
    1: (),
    2: (SUPPORTING,),
    3: (IRRELEVANT,),
    4: (DISCONNECTED,),
    5: (SUPPORTING, IRRELEVANT, DISCONNECTED),
}


def add(kin: Kin, puzzle: Puzzle, kinds: Sequence[tuple[str, int]], rng: Random) -> Puzzle | None:
    """The puzzle with a path of each of these kinds and sizes, or None where its family has no room for one."""
    free = (1 << len(kin.tree)) - 1
    for person in puzzle.persons():
        free &= ~(1 << person)
    noise = []
    for kind, size in kinds:
        facts = _DRAW[kind](kin, puzzle, size, free, rng)
        if facts is None:
            return None
        noise.append(Noise(kind, tuple(facts)))
        for fact in facts:
            free &= ~(1 << fact.person) & ~(1 << fact.other)
    return Puzzle(puzzle.tree, puzzle.target, puzzle.facts, puzzle.proof, tuple(noise))


def _supporting(kin: Kin, puzzle: Puzzle, size: int, free: int, rng: Random) -> list[Fact] | None:
    """A detour: a second proof, of at least two facts, of one fact of the story."""
    for fact in rng.sample(puzzle.facts, len(puzzle.facts)):
        found = chain(kin, fact, size, free, rng)
        if found is not None:
            return found[0]
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
