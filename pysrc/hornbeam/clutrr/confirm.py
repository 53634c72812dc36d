"""The other reasoner derives answers: clingo's least model of the theory's rules over a batch of stories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import clingo

from hornbeam import resources
from hornbeam.clutrr.puzzle import Puzzle
from hornbeam.clutrr.theory import Theory
from hornbeam.errors import HornbeamError
from hornbeam.logic.asp import Facts

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
    control = clingo.Control(["--warn=none"])
    control.load(str(resources.kb("clutrr", "closure.lp")))
    control.add("base", [], facts.source)
    control.ground([("base", [])])
    found: list[set[str]] = [set() for _ in known]
    # Grounding alone has the least model; reading only the answers of it is what makes this fast.
    for atom in control.symbolic_atoms.by_signature("answer", 2):
        number, relation = atom.symbol.arguments
        found[number.number].add(relation.name)
    return found


def confirm_derivable(theory: Theory, puzzles: Sequence[Puzzle]) -> None:
    """Refuse a puzzle whose answer clingo does not derive, or beside which it derives another.

    Equal chains are derived once: who the persons are makes no difference.
    """
    chains: dict[tuple[int, ...], int] = {}
    for puzzle in puzzles:
        chains.setdefault(tuple(fact.relation for fact in puzzle.facts), puzzle.target.relation)
    stories: list[Asked] = [
        ([(theory.names[relation], place, place + 1) for place, relation in enumerate(chain)], 0, len(chain))
        for chain in chains
    ]
    for (chain, target), found in zip(chains.items(), answers(theory, stories), strict=True):
        if found != {theory.names[target]}:
            words = [theory.names[relation] for relation in chain]
            raise HornbeamError(f"clingo derives {sorted(found)} from {words}, not {theory.names[target]} alone")
    for puzzle in puzzles:
        if chains[tuple(fact.relation for fact in puzzle.facts)] != puzzle.target.relation:
            raise HornbeamError("two puzzles of one chain have different answers")
