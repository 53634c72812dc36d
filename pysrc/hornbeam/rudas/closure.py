"""Forward chaining over numbers: join plans, the least model of growing facts, and smallest proofs.

A join plan says, for a body atom of a rule, how to find the rule's other atoms once a fact matches that one: it binds
the variables of the matching fact, then looks up each further atom in an index on the positions that are bound by then.
Facts are tuples: the predicate's number, then the constants' numbers. `Closure` keeps the least model up to date fact
by fact, with a way back; `smallest_proofs` has the last step of a smallest proof of every consequence.

>>> from hornbeam.rudas.rules import GraphAtom, GraphRule, V
>>> edge, path, x, y, z = 0, 1, V(0), V(1), V(2)
>>> rules = [GraphRule(GraphAtom(path, (x, y)), (GraphAtom(edge, (x, y)),)),
...          GraphRule(GraphAtom(path, (x, z)), (GraphAtom(path, (x, y)), GraphAtom(edge, (y, z))))]
>>> closure = Closure(rules, 2)
>>> closure.add([(edge, 1, 2), (edge, 2, 3)])
>>> sorted(closure.facts)
[(0, 1, 2), (0, 2, 3), (1, 1, 2), (1, 1, 3), (1, 2, 3)]
>>> mark = closure.mark()
>>> closure.add([(edge, 3, 4)])
>>> closure.undo(mark)
>>> len(closure.facts)
5
>>> smallest_proofs(rules, 2, [(edge, 1, 2), (edge, 2, 3)])[path, 1, 3]
LastStep(depth=2, rule=1, premises=((1, 1, 2), (0, 2, 3)))

Negation does not go together with growth: a new fact may take away what followed before. Such a fact is refused
(:class:`Refused`), as is one that breaks a functional predicate; the generator then draws others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from hornbeam.rudas.rules import GraphAtom, GraphRule, V, strata

Fact: TypeAlias = tuple[int, ...]
Index: TypeAlias = dict[tuple[int, ...], list[Fact]]  # facts by the values at some positions

# Where a value comes from: a place in the list of bound values, or, as -value - 1, a constant.
Source: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Lookup:
    """Look up one atom: by which key, which positions of the found fact are new values, which must agree."""

    index: int
    key: tuple[Source, ...]
    new: tuple[int, ...]
    same: tuple[tuple[int, int], ...]  # positions of the found fact that must be equal


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """How a fact that matches one body atom leads to instances of the rule."""

    rule: int
    constants: tuple[tuple[int, int], ...]  # (position, constant) of the matching fact
    same: tuple[tuple[int, int], ...]
    new: tuple[int, ...]
    steps: tuple[Lookup, ...]
    head: tuple[Source, ...]
    head_predicate: int
    recursive: bool
    body: tuple[tuple[int, tuple[Source, ...]], ...]  # each body atom: predicate and sources
    negative: tuple[tuple[int, tuple[Source, ...]], ...]


@dataclass(slots=True)
class JoinPlans:
    """The plans of a rule set by the predicate of the matching fact, and the indexes that they need.

    Facts that come one by one need a plan for each body atom. Where all are there from the start one plan a rule is
    enough: `triggers` then says for each rule with which body atom to begin.
    """

    rules: Sequence[GraphRule]
    triggers: Sequence[int] | None = None
    by_predicate: dict[int, list[JoinPlan]] = field(default_factory=dict)
    indexes: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)  # (predicate, positions)
    by_index_predicate: dict[int, list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, rule in enumerate(self.rules):
            for position in range(len(rule.body)) if self.triggers is None else (self.triggers[number],):
                plan = self._plan(number, rule, position)
                self.by_predicate.setdefault(rule.body[position].predicate, []).append(plan)

    def enter(self, fact: Fact, indexes: Sequence[Index]) -> None:
        """Put a fact into the indexes that have its predicate."""
        for number, positions in self.by_index_predicate.get(fact[0], ()):
            indexes[number].setdefault(tuple([fact[at] for at in positions]), []).append(fact)

    def _plan(self, number: int, rule: GraphRule, trigger: int) -> JoinPlan:
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
        return JoinPlan(
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

    def _step(self, atom: GraphAtom, places: dict[V, int]) -> Lookup:
        bound = tuple(at for at, arg in enumerate(atom.args) if _is_bound(arg, places))
        key = tuple(_source(atom.args[at], places) for at in bound)
        index = self._index(atom.predicate, tuple(at + 1 for at in bound))
        new, same = _bind(atom, places)
        return Lookup(index, key, new, same)

    def _index(self, predicate: int, positions: tuple[int, ...]) -> int:
        if (predicate, positions) not in self.indexes:
            self.by_index_predicate.setdefault(predicate, []).append((len(self.indexes), positions))
            self.indexes.append((predicate, positions))
        return self.indexes.index((predicate, positions))


def _is_bound(arg: V | int, places: dict[V, int]) -> bool:
    return not isinstance(arg, V) or arg in places


def _source(arg: V | int, places: dict[V, int]) -> Source:
    return places[arg] if isinstance(arg, V) else -arg - 1


def _sources(atom: GraphAtom, places: dict[V, int]) -> tuple[Source, ...]:
    return tuple(_source(arg, places) for arg in atom.args)


def _bind(atom: GraphAtom, places: dict[V, int]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
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


def matches(plan: JoinPlan, fact: Fact, indexes: Sequence[Index]) -> Iterator[list[int]]:
    """The bound values of every instance of the plan's rule that `fact` takes part in."""
    for at, value in plan.constants:
        if fact[at] != value:
            return
    for one, other in plan.same:
        if fact[one] != fact[other]:
            return
    yield from _follow(plan.steps, 0, [fact[at] for at in plan.new], indexes)


def _follow(steps: tuple[Lookup, ...], number: int, values: list[int], indexes: Sequence[Index]) -> Iterator[list[int]]:
    if number == len(steps):
        yield values
        return
    step = steps[number]
    key = tuple([values[source] if source >= 0 else -source - 1 for source in step.key])
    for fact in indexes[step.index].get(key, ()):
        if not step.same or all(fact[one] == fact[other] for one, other in step.same):
            yield from _follow(steps, number + 1, values + [fact[at] for at in step.new], indexes)


def instance(predicate: int, sources: tuple[Source, ...], values: list[int]) -> Fact:
    """An atom with its values filled in."""
    return (predicate, *[values[source] if source >= 0 else -source - 1 for source in sources])


# A fact that waits: the stratum of the rules to be tried with it, and its number. New facts come before all rules.
Work: TypeAlias = tuple[int, int, Fact]
_NEW = -1
_LEAST_INSTANCES = 10_000


class Refused(Exception):
    """New facts that cannot be added; the closure must be taken back to a mark."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A state to go back to."""

    facts: int
    indexed: int
    absent: int


class Closure:
    """Facts and all that follows from them by the rules."""

    def __init__(self, rules: Sequence[GraphRule], predicates: int, functional: Iterable[int] = ()) -> None:
        self.plans = JoinPlans(rules)
        self.facts: dict[Fact, None] = {}
        self.indexes: list[Index] = [{} for _ in self.plans.indexes]
        self._groups = self._by_stratum(rules, predicates)
        self._functional = frozenset(functional)
        self._value: dict[Fact, int] = {}  # of a functional predicate: its last argument, by those before
        self._indexed: list[Fact] = []
        self._left: int | None = None  # instances that may still be tried
        self._absent: dict[Fact, None] = {}  # what a derivation relied on not being there

    def mark(self) -> Mark:
        return Mark(len(self.facts), len(self._indexed), len(self._absent))

    def add(self, facts: Iterable[Fact], *, limit: int | None = None) -> None:
        """Add facts and what follows; Refused where that contradicts the facts so far or passes `limit` facts.

        A limit on facts limits the instances of rules, too: a cross product may have very many that derive the same.
        """
        queue: list[Work] = []
        self._left = None if limit is None else max(_LEAST_INSTANCES, 2 * limit)
        for fact in facts:
            self._discover(fact, queue)
        while queue:
            stratum, number, fact = heappop(queue)
            if stratum == _NEW:
                self._indexed.append(fact)
                self.plans.enter(fact, self.indexes)
                for at, _ in self._groups.get(fact[0], ()):
                    heappush(queue, (at, number, fact))
                continue
            for at, plans in self._groups[fact[0]]:
                if at == stratum:
                    for plan in plans:
                        self._derive(plan, fact, queue)
            if limit is not None and len(self.facts) > limit:
                raise Refused("too many consequences")

    def _by_stratum(self, rules: Sequence[GraphRule], predicates: int) -> dict[int, list[tuple[int, list[JoinPlan]]]]:
        """The plans of each predicate by the stratum of what they derive.

        A fact is tried with the plans of lower strata first: what a rule negates is known before the rule is tried.
        """
        level = strata(rules, predicates)
        groups: dict[int, list[tuple[int, list[JoinPlan]]]] = {}
        for predicate, plans in self.plans.by_predicate.items():
            heads = sorted({level[plan.head_predicate] for plan in plans})
            groups[predicate] = [(at, [p for p in plans if level[p.head_predicate] == at]) for at in heads]
        return groups

    def undo(self, mark: Mark) -> None:
        """Forget everything since the mark."""
        while len(self._indexed) > mark.indexed:
            fact = self._indexed.pop()
            for number, positions in self.plans.by_index_predicate.get(fact[0], ()):
                self.indexes[number][tuple([fact[at] for at in positions])].pop()
        while len(self.facts) > mark.facts:
            fact = self.facts.popitem()[0]
            if fact[0] in self._functional:
                self._value.pop(fact[:-1], None)
        while len(self._absent) > mark.absent:
            self._absent.popitem()

    def _discover(self, fact: Fact, queue: list[Work]) -> None:
        if fact in self.facts:
            return
        if fact in self._absent:
            raise Refused("contradicts a negation")
        if fact[0] in self._functional and self._value.setdefault(fact[:-1], fact[-1]) != fact[-1]:
            raise Refused("contradicts a functional predicate")
        self.facts[fact] = None
        heappush(queue, (_NEW, len(self.facts), fact))

    def _derive(self, plan: JoinPlan, fact: Fact, queue: list[Work]) -> None:
        for values in matches(plan, fact, self.indexes):
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    raise Refused("too many instances")
            if not plan.negative or self._relies(plan, values):
                self._discover(instance(plan.head_predicate, plan.head, values), queue)

    def _relies(self, plan: JoinPlan, values: list[int]) -> bool:
        """Whether all negated atoms are absent; they must stay so from now on."""
        negated = [instance(*atom, values) for atom in plan.negative]
        if any(fact in self.facts for fact in negated):
            return False
        self._absent.update(dict.fromkeys(negated))
        return True


class LastStep(NamedTuple):
    """The last step of a smallest proof: its depth, the rule's number from 0, the premises in the body's order."""

    depth: int
    rule: int
    premises: tuple[Fact, ...]


def smallest_proofs(rules: Sequence[GraphRule], predicates: int, support: Iterable[Fact]) -> dict[Fact, LastStep]:
    """The last step of a smallest proof of every fact that follows from the support and is not in it.

    Independent of the order in which facts were made: a round derives with all facts of the rounds before.
    """
    level = strata(rules, predicates)
    depth: dict[Fact, int] = dict.fromkeys(support, 0)
    proofs: dict[Fact, LastStep] = {}
    for stratum in range(max((level[rule.head.predicate] for rule in rules), default=0) + 1):
        # Rules of other strata keep their numbers and derive nothing.
        active = [rule if level[rule.head.predicate] == stratum else GraphRule(rule.head, ()) for rule in rules]
        _close_stratum(JoinPlans(active), depth, proofs)
    return proofs


def _close_stratum(plans: JoinPlans, depth: dict[Fact, int], proofs: dict[Fact, LastStep]) -> None:
    """Derive round by round with the facts of each depth and all before; all enter before any is tried."""
    indexes: list[Index] = [{} for _ in plans.indexes]
    waiting: dict[int, list[Fact]] = defaultdict(list)
    for fact, at in depth.items():
        if fact[0] in plans.by_predicate:
            waiting[at].append(fact)
    round_ = 0
    while waiting:
        fresh = waiting.pop(round_, [])
        round_ += 1
        for fact in fresh:
            plans.enter(fact, indexes)
        for fact in fresh:
            for plan in plans.by_predicate.get(fact[0], ()):
                for values in matches(plan, fact, indexes):
                    head = instance(plan.head_predicate, plan.head, values)
                    if head in depth or any(instance(*negated, values) in depth for negated in plan.negative):
                        continue
                    depth[head] = round_
                    proofs[head] = LastStep(round_, plan.rule, tuple(instance(*atom, values) for atom in plan.body))
                    waiting[round_].append(head)
