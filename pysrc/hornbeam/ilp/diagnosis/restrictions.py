"""What a learner cannot write in any clause, whatever the bias allows: its own restrictions, looked for in a clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbeam.ilp.diagnosis.placing import Placed, connected
from hornbeam.ilp.space import Space
from hornbeam.logic.terms import Clause, Term, Var, to_text, variables
from hornbeam.theory.theory import arguments, atom_of

Said = tuple[str, str]  # the kind of a finding, and its text


def restrictions(clause: Clause, way: Placed, space: Space) -> Iterator[Said]:
    """What in a clause the learner of this space cannot write."""
    if not space.constants:
        yield from _constants(clause, way)
    if not (space.repeated_variables and space.repeated_head_variables):
        yield from _repeated([clause.head])
    if not space.repeated_variables:
        yield from _repeated(clause.body)
    if not space.unused_head_variables:
        yield from _unused(clause)
    if not space.unconnected:
        yield from _unconnected(clause)


def constants_of(clause: Clause, way: Placed) -> set[str]:
    """The different constants that stand in the # places of a body, as text."""
    return {
        to_text(argument)
        for number, mode in way.placing.modes.items()
        for argument, place in zip(arguments(atom_of(clause.body[number])), mode.places, strict=True)
        if place.fill == "#"
    }


def _constants(clause: Clause, way: Placed) -> Iterator[Said]:
    used = [number for number, mode in way.placing.modes.items() if any(place.fill == "#" for place in mode.places)]
    if used:
        yield ("constant", f"{_listed(clause, used)}: this learner writes no constants")


def _repeated(literals: Iterable[Term]) -> Iterator[Said]:
    for literal in literals:
        names = [argument.name for argument in arguments(atom_of(literal)) if isinstance(argument, Var)]
        if len(set(names)) < len(names):
            yield ("repeated", f"{to_text(literal)}: this learner repeats no variable there")


def _unused(clause: Clause) -> Iterator[Said]:
    in_body = {name for literal in clause.body for name in variables(literal)}
    unused = [name for name in variables(clause.head) if name not in in_body]
    if unused and clause.body:
        yield ("unused", f"{', '.join(unused)}: this learner wants every head variable in the body")


def _unconnected(clause: Clause) -> Iterator[Said]:
    loose = set(range(len(clause.body))) - set(connected(clause))
    if loose:
        yield ("unconnected", f"{_listed(clause, loose)}: this learner wants every literal linked to the head")


def _listed(clause: Clause, numbers: Iterable[int]) -> str:
    return ", ".join(to_text(clause.body[number]) for number in sorted(numbers))
