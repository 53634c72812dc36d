"""The operators that a chain is made of, and the rules that chains stand for.

A chain is applied to the second argument of a query. So its first operator is the last atom of the body: `a` and then
`b`, applied to Z, say q(X,Z) :- b(X,Y), a(Y,Z).

>>> walk, back = Operator("walk", 1), Operator("back", 2)
>>> chain_rule(0, (walk, back))
MinedRule(head=TableAtom(predicate=0, args=(0, 1)), body=(TableAtom(predicate=2, args=(2, 0)), TableAtom(predicate=1, args=(2, 1))))
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from hornbeam.ilp.amie.rules import MinedRule
from hornbeam.ilp.relations import FactBase, Table, TableAtom

Kind = Literal["walk", "back", "self", "first", "second", "only"]


class Operator(NamedTuple):
    """A step of a chain over one predicate.

    `walk` goes from the second argument to the first, `back` the other way. The others stay where they are and test the
    place: `self` r(X,X), `first` r(X,_), `second` r(_,X), `only` r(X) for a predicate of one argument.
    """

    kind: Kind
    predicate: int

    @property
    def moves(self) -> bool:
        return self.kind in ("walk", "back")

    @property
    def turned(self) -> Operator:
        """The same step in a chain that is read from its other end."""
        if not self.moves:
            return self
        return Operator("back" if self.kind == "walk" else "walk", self.predicate)

    def atom(self, place: int, next_place: int, new: int) -> TableAtom:
        """The atom that the step stands for: from the variable `place` to `next_place`; `new` occurs nowhere else."""
        args = {
            "walk": (next_place, place),
            "back": (place, next_place),
            "self": (place, place),
            "first": (place, new),
            "second": (new, place),
            "only": (place,),
        }[self.kind]
        return TableAtom(self.predicate, args)


Body = tuple[Operator, ...]


@dataclass(frozen=True)
class Edges:
    """All steps that the facts of a world allow: `operator` leads from `source` to `target`. Arrays of one length."""

    operators: tuple[Operator, ...]
    operator: Table
    source: Table
    target: Table
    starts: dict[Operator, int]  # where the edges of an operator begin: those that move come in the order of the facts


def operators_of(world: FactBase, callable_: Sequence[int], *, tests: bool) -> tuple[Operator, ...]:
    """The operators over these predicates, of which those with more than two arguments have none."""
    pairs = [at for at in callable_ if world.arity(at) == 2]
    found = [Operator("walk", at) for at in pairs] + [Operator("back", at) for at in pairs]
    if tests:
        kinds: tuple[Kind, ...] = ("self", "first", "second")
        found += [Operator(kind, at) for kind in kinds for at in pairs if len(steps(world, Operator(kind, at)))]
        found += [Operator("only", at) for at in callable_ if world.arity(at) == 1]
    return tuple(found)


def steps(world: FactBase, operator: Operator) -> Table:
    """The steps (from, to) of an operator, each once; those of `walk` and `back` in the order of the facts."""
    table = world.tables[operator.predicate]
    match operator.kind:
        case "walk":
            return table[:, ::-1]
        case "back":
            return table
        case "self":
            return table[table[:, 0] == table[:, 1]]
        case "second":
            column = table[:, 1]
        case _:
            column = table[:, 0]
    places = np.unique(column)
    return np.stack([places, places], axis=1)


def edges_of(world: FactBase, operators: Sequence[Operator]) -> Edges:
    """The steps of all operators, operator by operator."""
    parts = [steps(world, operator) for operator in operators]
    starts = np.cumsum([0, *map(len, parts)])
    whole = np.concatenate(parts) if parts else np.zeros((0, 2), np.int64)
    numbers = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    begins = dict(zip(operators, map(int, starts), strict=False))
    return Edges(tuple(operators), numbers, whole[:, 0].copy(), whole[:, 1].copy(), begins)


def chain_rule(head: int, body: Body) -> MinedRule:
    """The rule of a chain that is applied to the second argument of its head."""
    moves = sum(operator.moves for operator in body)
    # Variables along the chain, from the second argument (1) to the first (0); those of tests come after all.
    along = [1, *range(2, moves + 1), 0] if moves else [0]
    place, new, atoms = 0, moves + 1, list[TableAtom]()
    for operator in body:
        here = along[place]
        place += operator.moves
        atoms.append(operator.atom(here, along[place], new))
        new += operator.kind in ("first", "second")
    return MinedRule(TableAtom(head, (0, 1) if moves else (0, 0)), tuple(dict.fromkeys(reversed(atoms))))
