"""The facts of a task: support and consequences of its rules, and which of them a learner sees (paper, section 4).

Facts are made in rounds. In a round each rule graph gets a fresh assignment of constants to its variables and is
instantiated from the leaves up: the body atoms that do not follow yet become support. Every `full_every`-th round
instantiates the whole graph; others skip rules and take one branch below each OR node. Then `Corruption` withholds
facts (the open world) and adds false ones (noise).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from hornbeam.errors import UsageError
from hornbeam.rudas.closure import Closure, Fact, Refused
from hornbeam.rudas.config import Spec
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, RuleSet, V

_BLOCKED = 1 / 3  # how often a negated atom is made true, so that its rule does not fire
_PROPERTY = 1 / 3  # how often a round instantiates the rule of a property
_IDLE_ROUNDS = 200  # rounds without a new fact after which no more are expected
_MOST_FACTS = 20  # times the facts asked for: where even the profile compat gives up
_DRAWS = 50  # of one noise fact before it is given up
_SEEN = frozenset({"support", "consequence"})

Assignment = dict[V, int]


@dataclass(frozen=True, slots=True)
class GraphLevels:
    """A rule graph ready to be instantiated: its rules by height, leaves first."""

    component: Component
    levels: tuple[tuple[int, ...], ...]
    variables: tuple[V, ...]

    @classmethod
    def of(cls, component: Component) -> GraphLevels:
        @cache
        def height(index: int) -> int:
            return 1 + max((height(child) for group in component.children(index) for child in group), default=0)

        levels: dict[int, list[int]] = defaultdict(list)
        for index in range(len(component.rules)):
            levels[height(index)].append(index)
        variables = sorted({variable for rule in component.rules for variable in rule.variables})
        return cls(component, tuple(tuple(levels[at]) for at in sorted(levels)), tuple(variables))

    def branch(self, rng: random.Random) -> set[int]:
        """The rules that are reached from the root when one alternative is taken below each OR node."""
        taken: set[int] = set()
        chosen: dict[int, int] = {}
        front = [0]
        while front:
            index = front.pop()
            if index in taken:
                continue
            taken.add(index)
            rule = self.component.rules[index]
            for atom, group in zip(rule.body, self.component.children(index), strict=True):
                if group:
                    front.append(chosen.setdefault(atom.predicate, rng.choice(group)))
        return taken


@dataclass(slots=True)
class FactWorld:
    """Facts in the making; `constants` are those that assignments draw from."""

    spec: Spec
    rules: RuleSet
    constants: range
    rng: random.Random
    support: dict[Fact, None] = field(default_factory=dict)
    target_support: int = 0  # how many of them are about a target
    refused: Counter[str] = field(default_factory=Counter)
    closure: Closure = field(init=False)
    targets: frozenset[int] = field(init=False)
    _shapes: list[GraphLevels] = field(init=False)
    _assigned: set[tuple[int, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.closure = Closure(self.rules.rules, len(self.rules.arities), self.rules.functional)
        self.targets = self.rules.targets
        self._shapes = [GraphLevels.of(component) for component in self.rules.components]

    @property
    def consequences(self) -> list[Fact]:
        return [fact for fact in self.closure.facts if fact not in self.support]

    def training_size(self) -> float:
        """How large the training set will be once facts are withheld and noise is added."""
        spec, support = self.spec, len(self.support)
        derived = len(self.closure.facts) - support
        kept = derived * (1 - spec.open_world) + support - (support - self.target_support) * spec.missing
        return kept / (1 - spec.noise)

    # Rounds -------------------------------------------------------------------------------------------------------

    def instantiate_each(self, times: int, *, limit: int) -> None:
        """Instances of every rule by itself."""
        for rule in self.rules.rules:
            for _ in range(times):
                self._attempt(limit, self._whole(rule))

    def grow(self, enough: Callable[[], bool], limit: Callable[[], int]) -> bool:
        """Rounds until there are enough facts; False if no round adds any more."""
        number = idle = 0
        while not enough():
            before = len(self.closure.facts)
            self._round(number, enough, limit)
            idle = idle + 1 if len(self.closure.facts) == before else 0
            if idle == _IDLE_ROUNDS:
                return False
            number += 1
        return True

    def _round(self, number: int, enough: Callable[[], bool], limit: Callable[[], int]) -> None:
        every = self.spec.settings.full_every
        full = every > 0 and number % every == 0
        for shape in self._shapes:
            if enough():
                return
            self._attempt(limit(), self._graph(shape, full))
        for rule in self.rules.property_rules:
            if not enough() and self.rng.random() < _PROPERTY:
                self._attempt(limit(), self._whole(rule))

    def _attempt(self, limit: int, levels: Iterator[list[Fact]]) -> None:
        """Add the support facts of one instance level by level, or nothing of it where the closure refuses."""
        mark, known = self.closure.mark(), len(self.support)
        try:
            for level in levels:
                new = [fact for fact in dict.fromkeys(level) if fact not in self.closure.facts]
                self.support.update(dict.fromkeys(new))
                self.target_support += sum(fact[0] in self.targets for fact in new)
                self.closure.add(new, limit=limit)
        except Refused as reason:
            self.closure.undo(mark)
            while len(self.support) > known:
                self.target_support -= self.support.popitem()[0][0] in self.targets
            self.refused[str(reason)] += 1

    # Instances ----------------------------------------------------------------------------------------------------

    def _whole(self, rule: GraphRule) -> Iterator[list[Fact]]:
        yield list(self._body(rule, self._assignment(rule.variables)))

    def _graph(self, shape: GraphLevels, full: bool) -> Iterator[list[Fact]]:
        assignment = self._fresh(shape)
        if assignment is None:
            return
        whole = full and self.spec.sound
        taken = range(len(shape.component.rules)) if whole else shape.branch(self.rng)
        for level in shape.levels:
            facts: list[Fact] = []
            for index in level:
                if index in taken and (full or not self._skipped()):
                    facts.extend(self._body(shape.component.rules[index], assignment))
            yield facts

    def _skipped(self) -> bool:
        skip = self.spec.settings.skip
        # The paper says 1/n, its code does 1/(n+1).
        return skip > 0 and self.rng.random() < 1 / (skip if self.spec.sound else skip + 1)

    def _fresh(self, shape: GraphLevels) -> Assignment | None:
        """An assignment that was not used before; None if none was found."""
        for _ in range(20):
            assignment = self._assignment(shape.variables)
            key = (shape.component.target, *assignment.values())
            if key not in self._assigned:
                self._assigned.add(key)
                return assignment
        return None

    def _assignment(self, variables: Iterable[V]) -> Assignment:
        draw, start, count = self.rng.random, self.constants.start, len(self.constants)
        return {variable: start + int(draw() * count) for variable in variables}

    def _body(self, rule: GraphRule, assignment: Assignment) -> Iterator[Fact]:
        """The body atoms of an instance; a recursive rule is unfolded some steps."""
        steps = self.rng.randint(1, self.spec.settings.unfold) if rule.recursive and self.spec.sound else 1
        for step in range(steps, 0, -1):
            inner = None
            for atom in rule.body:
                fact = ground(atom, assignment)
                if step > 1 and inner is None and atom.predicate == rule.head.predicate:
                    inner = self._below(rule, fact)
                    if inner is not None:
                        continue
                yield fact
            for atom in rule.negative:
                if self.rng.random() < _BLOCKED:
                    yield ground(atom, assignment)
            if inner is None:
                return
            assignment = inner

    def _below(self, rule: GraphRule, fact: Fact) -> Assignment | None:
        """An assignment under which the rule derives this fact."""
        assignment = self._assignment(rule.variables)
        bound: Assignment = {}
        for arg, value in zip(rule.head.args, fact[1:], strict=True):
            if (bound.setdefault(arg, value) if isinstance(arg, V) else arg) != value:
                return None
        return assignment | bound


def ground(atom: GraphAtom, assignment: Assignment) -> Fact:
    """An atom under an assignment."""
    return (atom.predicate, *[assignment[arg] if isinstance(arg, V) else arg for arg in atom.args])


# The two worlds ---------------------------------------------------------------------------------------------------


def training_world(
    spec: Spec, rules: RuleSet, constants: range, rng: random.Random, *, facts: int, node_support: int
) -> FactWorld:
    """A world from which a training set of about `facts` facts can be made."""
    world = FactWorld(spec, rules, constants, rng)
    true_facts = int(facts * (1 - spec.noise))
    slack = max(5, true_facts // 20)
    if spec.sound:
        world.instantiate_each(min(node_support, true_facts // (6 * len(rules.rules))), limit=true_facts)
        done = world.grow(
            lambda: world.training_size() >= facts,
            # What may still come: about as many true facts as training facts are missing.
            lambda: len(world.closure.facts) + int((facts - world.training_size()) * (1 - spec.noise)) + 1 + slack,
        )
    else:
        world.instantiate_each(node_support, limit=facts * _MOST_FACTS)
        wanted = int(facts / (1 - spec.open_world / 2))
        done = world.grow(lambda: len(world.closure.facts) >= wanted, lambda: wanted * _MOST_FACTS)
    if not done and world.training_size() < 0.8 * facts:
        raise UsageError(
            f"{spec.name}: only about {int(world.training_size())} of {facts} training facts can be made with "
            f"{len(constants)} constants; expected more constants, or fewer facts"
        )
    return world


def fresh_world(spec: Spec, rules: RuleSet, constants: range, rng: random.Random, support: int) -> FactWorld:
    """The world on which rules are scored: `support` support facts, nothing withheld, no noise."""
    world = FactWorld(spec, rules, constants, rng)
    world.grow(lambda: len(world.support) >= support, lambda: support * _MOST_FACTS)
    return world


# The open world and noise: what a learner sees ----------------------------------------------------------------------


@dataclass(slots=True)
class Corruption:
    """Labels for the facts of a training world. `own` are the constants of a block, `everyone` those of all blocks."""

    spec: Spec
    rules: RuleSet
    own: range
    everyone: range
    rng: random.Random

    def labels(self, support: Sequence[Fact], consequences: Sequence[Fact]) -> dict[Fact, str]:
        """The label of every fact, noise included."""
        spec = self.spec
        labels = dict.fromkeys(support, "support") | dict.fromkeys(consequences, "consequence")
        for group in self._split(consequences):
            for fact in self.rng.sample(group, int(spec.open_world * len(group))):
                labels[fact] = "removed"
        # The code of the original leaves missing facts out together with noise.
        if spec.sound or spec.noise:
            for fact in self._missing(support):
                labels[fact] = "missing"
        self._add_noise(labels)
        return labels

    def _split(self, facts: Sequence[Fact]) -> list[list[Fact]]:
        """Target facts and others apart, where shares are to hold for each."""
        targets = self.rules.targets
        if not self.spec.settings.split_targets:
            return [list(facts)]
        return [[fact for fact in facts if (fact[0] in targets) == wanted] for wanted in (False, True)]

    def _missing(self, support: Sequence[Fact]) -> list[Fact]:
        others = [fact for fact in support if fact[0] not in self.rules.targets]
        count = int(self.spec.missing * len(others))
        if self.spec.sound:
            return self.rng.sample(others, count)
        return self._missing_by_predicate(others, count)

    def _missing_by_predicate(self, facts: list[Fact], count: int) -> list[Fact]:
        """As the original draws: a predicate first, so that small ones lose more."""
        groups: dict[int, list[Fact]] = defaultdict(list)
        for fact in facts:
            groups[fact[0]].append(fact)
        chosen = []
        for _ in range(count):
            predicate = self.rng.choice(sorted(groups))
            group = groups[predicate]
            chosen.append(group.pop(self.rng.randrange(len(group))))
            if not group:
                del groups[predicate]
        return chosen

    def _add_noise(self, labels: dict[Fact, str]) -> None:
        share = self.spec.noise
        targets = self.rules.targets
        seen = Counter(fact[0] in targets for fact, label in labels.items() if label in _SEEN)
        predicates = range(len(self.rules.arities))
        if not self.spec.settings.split_targets:
            self._draw(int(seen.total() * share / (1 - share)), predicates, labels)
            return
        for target in (False, True):
            group = [predicate for predicate in predicates if (predicate in targets) == target]
            self._draw(int(seen[target] * share / (1 - share)), group, labels)

    def _draw(self, count: int, predicates: Sequence[int], labels: dict[Fact, str]) -> None:
        """False facts: what is labelled already is true, given or withheld, and is not drawn."""
        for _ in range(count if predicates else 0):
            for _ in range(_DRAWS):
                fact = self._random_fact(self.rng.choice(predicates))
                if fact not in labels:
                    labels[fact] = "noise"
                    break

    def _random_fact(self, predicate: int) -> Fact:
        # The first argument is the block's own, so that no two blocks draw the same fact.
        others = [self.rng.choice(self.everyone) for _ in range(self.rules.arities[predicate] - 1)]
        return (predicate, self.rng.choice(self.own), *others)
