"""The least model of a growing set of facts, kept up to date fact by fact, with a way back.

>>> from hornbeam.rudas.rules import Atom, Rule, V
>>> edge, path, x, y, z = 0, 1, V(0), V(1), V(2)
>>> rules = [Rule(Atom(path, (x, y)), (Atom(edge, (x, y)),)),
...          Rule(Atom(path, (x, z)), (Atom(path, (x, y)), Atom(edge, (y, z))))]
>>> closure = Closure(rules, 2)
>>> closure.add([(edge, 1, 2), (edge, 2, 3)])
>>> sorted(closure.facts)
[(0, 1, 2), (0, 2, 3), (1, 1, 2), (1, 1, 3), (1, 2, 3)]
>>> mark = closure.mark()
>>> closure.add([(edge, 3, 4)])
>>> closure.undo(mark)
>>> len(closure.facts)
5

Negation does not go together with growth: a new fact may take away what followed before. Such a fact is refused
(:class:`Refused`), as is one that breaks a functional predicate; who makes facts draws others instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TypeAlias

from hornbeam.rudas.joins import Fact, Index, Plan, Plans, instance, matches
from hornbeam.rudas.rules import Rule, strata

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

    def __init__(self, rules: Sequence[Rule], predicates: int, functional: Iterable[int] = ()) -> None:
        self.plans = Plans(rules)
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
                self._enter(fact)
                for at, _ in self._groups.get(fact[0], ()):
                    heappush(queue, (at, number, fact))
                continue
            for at, plans in self._groups[fact[0]]:
                if at == stratum:
                    for plan in plans:
                        self._derive(plan, fact, queue)
            if limit is not None and len(self.facts) > limit:
                raise Refused("too many consequences")

    def _by_stratum(self, rules: Sequence[Rule], predicates: int) -> dict[int, list[tuple[int, list[Plan]]]]:
        """The plans of each predicate by the stratum of what they derive.

        A fact is tried with the plans of lower strata first: what a rule negates is known before the rule is tried.
        """
        level = strata(rules, predicates)
        groups: dict[int, list[tuple[int, list[Plan]]]] = {}
        for predicate, plans in self.plans.by_predicate.items():
            found = sorted({level[plan.head_predicate] for plan in plans})
            groups[predicate] = [(at, [p for p in plans if level[p.head_predicate] == at]) for at in found]
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

    def _enter(self, fact: Fact) -> None:
        self._indexed.append(fact)
        for number, positions in self.plans.by_index_predicate.get(fact[0], ()):
            self.indexes[number].setdefault(tuple([fact[at] for at in positions]), []).append(fact)

    def _derive(self, plan: Plan, fact: Fact, queue: list[Work]) -> None:
        for values in matches(plan, fact, self.indexes):
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    raise Refused("too many instances")
            if not plan.negative or self._relies(plan, values):
                self._discover(instance(plan.head_predicate, plan.head, values), queue)

    def _relies(self, plan: Plan, values: list[int]) -> bool:
        """Whether all negated atoms are absent; they must stay so from now on."""
        negated = [instance(predicate, sources, values) for predicate, sources in plan.negative]
        if any(fact in self.facts for fact in negated):
            return False
        self._absent.update(dict.fromkeys(negated))
        return True
