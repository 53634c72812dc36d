"""Join plans: for each body atom of each rule, how to find the rule's other atoms once a fact matches that one.

A plan binds the variables of the matching fact, then looks up each further atom in an index on the positions that are
bound by then. Facts are tuples: the predicate's number, then the constants' numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from hornbeam.rudas.rules import Atom, Rule, V

Fact: TypeAlias = tuple[int, ...]
Key: TypeAlias = tuple[int, ...]

# Where a value comes from: a place in the list of bound values, or (negative, see `_constant`) a constant.
Source: TypeAlias = int


def _constant(value: int) -> Source:
    return -value - 1


@dataclass(frozen=True, slots=True)
class Step:
    """Look up one atom: by which key, which positions of the found fact are new values, which must agree."""

    index: int
    key: tuple[Source, ...]
    new: tuple[int, ...]
    same: tuple[tuple[int, int], ...]  # positions of the found fact that must be equal


@dataclass(frozen=True, slots=True)
class Plan:
    """How a fact that matches one body atom leads to instances of the rule."""

    rule: int
    constants: tuple[tuple[int, int], ...]  # (position, constant) of the matching fact
    same: tuple[tuple[int, int], ...]
    new: tuple[int, ...]
    steps: tuple[Step, ...]
    head: tuple[Source, ...]
    head_predicate: int
    recursive: bool
    body: tuple[tuple[int, tuple[Source, ...]], ...]  # each body atom: predicate and sources
    negative: tuple[tuple[int, tuple[Source, ...]], ...]


@dataclass(slots=True)
class Plans:
    """The plans of a rule set by the predicate of the matching fact, and the indexes that they need.

    Facts that come one by one need a plan for each body atom. Where all are there from the start one plan a rule is
    enough: `triggers` then says for each rule with which body atom to begin.
    """

    rules: Sequence[Rule]
    triggers: Sequence[int] | None = None
    by_predicate: dict[int, list[Plan]] = field(default_factory=dict)
    indexes: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)  # (predicate, positions)
    by_index_predicate: dict[int, list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, rule in enumerate(self.rules):
            for position in range(len(rule.body)) if self.triggers is None else (self.triggers[number],):
                plan = self._plan(number, rule, position)
                self.by_predicate.setdefault(rule.body[position].predicate, []).append(plan)

    def _plan(self, number: int, rule: Rule, trigger: int) -> Plan:
        places: dict[V, int] = {}
        first = rule.body[trigger]
        constants = tuple((at + 1, arg) for at, arg in enumerate(first.args) if not isinstance(arg, V))
        new, same = _bind(first, places)
        rest = [atom for at, atom in enumerate(rule.body) if at != trigger]
        steps = []
        while rest:
            atom = max(rest, key=lambda other: sum(_is_bound(arg, places) for arg in other.args))
            rest.remove(atom)
            steps.append(self._step(atom, places))
        return Plan(
            rule=number,
            constants=constants,
            same=same,
            new=new,
            steps=tuple(steps),
            head=_sources(rule.head, places),
            head_predicate=rule.head.predicate,
            recursive=rule.recursive,
            body=tuple((atom.predicate, _sources(atom, places)) for atom in rule.body),
            negative=tuple((atom.predicate, _sources(atom, places)) for atom in rule.negative),
        )

    def _step(self, atom: Atom, places: dict[V, int]) -> Step:
        bound = tuple(at for at, arg in enumerate(atom.args) if _is_bound(arg, places))
        key = tuple(_source(atom.args[at], places) for at in bound)
        index = self._index(atom.predicate, tuple(at + 1 for at in bound))
        new, same = _bind(atom, places)
        return Step(index, key, new, same)

    def _index(self, predicate: int, positions: tuple[int, ...]) -> int:
        known = self.by_index_predicate.setdefault(predicate, [])
        for number, indexed in known:
            if indexed == positions:
                return number
        self.indexes.append((predicate, positions))
        known.append((len(self.indexes) - 1, positions))
        return len(self.indexes) - 1


def _is_bound(arg: V | int, places: dict[V, int]) -> bool:
    return not isinstance(arg, V) or arg in places


def _source(arg: V | int, places: dict[V, int]) -> Source:
    return places[arg] if isinstance(arg, V) else _constant(arg)


def _sources(atom: Atom, places: dict[V, int]) -> tuple[Source, ...]:
    return tuple(_source(arg, places) for arg in atom.args)


def _bind(atom: Atom, places: dict[V, int]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Give the new variables of an atom their places; positions of new ones, and of repetitions among them."""
    first: dict[V, int] = {}
    same = []
    for at, arg in enumerate(atom.args):
        if isinstance(arg, V) and arg not in places:
            if arg in first:
                same.append((first[arg] + 1, at + 1))
            else:
                first[arg] = at
    for variable in first:
        places[variable] = len(places)
    return tuple(at + 1 for at in first.values()), tuple(same)


Index: TypeAlias = dict[Key, list[Fact]]


def matches(plan: Plan, fact: Fact, indexes: Sequence[Index]) -> Iterator[list[int]]:
    """The bound values of every instance of the plan's rule that `fact` takes part in."""
    for at, value in plan.constants:
        if fact[at] != value:
            return
    for one, other in plan.same:
        if fact[one] != fact[other]:
            return
    yield from _follow(plan.steps, 0, [fact[at] for at in plan.new], indexes)


def _follow(steps: tuple[Step, ...], number: int, values: list[int], indexes: Sequence[Index]) -> Iterator[list[int]]:
    if number == len(steps):
        yield values
        return
    step = steps[number]
    key = tuple([values[source] if source >= 0 else -source - 1 for source in step.key])
    for found in indexes[step.index].get(key, ()):
        if not step.same or all(found[one] == found[other] for one, other in step.same):
            yield from _follow(steps, number + 1, values + [found[at] for at in step.new], indexes)


def instance(predicate: int, sources: tuple[Source, ...], values: list[int]) -> Fact:
    """An atom with its values filled in."""
    return (predicate, *[values[source] if source >= 0 else -source - 1 for source in sources])
