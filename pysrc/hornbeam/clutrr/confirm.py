"""The other reasoner derives answers: clingo's least model of the theory's rules over a batch of stories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbeam import resources
from hornbeam.clutrr.puzzle import Fact, Puzzle
from hornbeam.clutrr.theory import Theory
from hornbeam.errors import HornbeamError
from hornbeam.logic.asp import Facts, engine

Asked = tuple[Sequence[tuple[str, int, int]], int, int]  # facts, person, other


def answers(theory: Theory, stories: Iterable[Asked]) -> list[set[str]]:
    """All relations that clingo derives between the two persons of each story."""
    known = list(stories)
    rows = [(number, *fact) for number, (facts, _, _) in enumerate(known) for fact in facts]
    asked = [(number, person, other) for number, (_, person, other) in enumerate(known)]
    names = theory.names
    rules = [(names[first], names[second], names[whole]) for (first, second), whole in theory.table.items()]
    inverses = [(names[relation], names[inverse]) for relation, inverse in enumerate(theory.inverses)]
    facts = Facts.rows("fact", rows) | Facts.rows("asked", asked)
    facts |= Facts.rows("composes", rules) | Facts.rows("inverse", inverses)
    control = engine.grounded(facts.source, files=[resources.kb("clutrr", "closure.lp")])
    found: list[set[str]] = [set() for _ in known]
    # Grounding alone has the least model; reading only the answers of it is what makes this fast.
    for atom in control.symbolic_atoms.by_signature("answer", 2):
        number, relation = atom.symbol.arguments
        found[number.number].add(relation.name)
    return found


def confirm_derivable(theory: Theory, puzzles: Sequence[Puzzle]) -> int:
    """Refuse a puzzle whose answer clingo does not derive, or beside which it derives another; how many it confirms.

    All facts are told, noise and all. Stories that are equal but for who the persons are make one question.
    """
    questions: dict[tuple[Fact, ...], Fact] = {}
    for puzzle in puzzles:
        facts, target = _renumbered(puzzle)
        if questions.setdefault(facts, target) != target:
            raise HornbeamError("two puzzles of the same facts have different answers")
    names = theory.names
    stories: list[Asked] = [
        ([(names[fact.relation], fact.person, fact.other) for fact in facts], target.person, target.other)
        for facts, target in questions.items()
    ]
    for (told, _, _), target, derived in zip(stories, questions.values(), answers(theory, stories), strict=True):
        if derived != {names[target.relation]}:
            raise HornbeamError(f"clingo derives {sorted(derived)} from {told}, not {names[target.relation]} alone")
    return len(puzzles)


def _renumbered(puzzle: Puzzle) -> tuple[tuple[Fact, ...], Fact]:
    """The facts and the target of a puzzle, with its persons numbered in the order of mention."""
    number = {person: place for place, person in enumerate(puzzle.persons())}
    facts = [*puzzle.facts, *(fact for noise in puzzle.noise for fact in noise.facts)]
    target = puzzle.target
    return (
        tuple(Fact(relation, number[person], number[other]) for relation, person, other in facts),
        Fact(target.relation, number[target.person], number[target.other]),
    )
