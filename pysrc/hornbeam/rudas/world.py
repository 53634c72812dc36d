"""Support facts and their consequences: rule graphs instantiated round after round (paper, section 4).

In a round each rule graph gets a fresh assignment of constants to its variables and is instantiated from the leaves up:
the body atoms that do not follow yet become support. Every `full_every`-th round instantiates the whole graph; others
skip rules and take one branch below each OR node.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from hornbeam.errors import UsageError
from hornbeam.rudas.closure import Closure, Mark, Refused
from hornbeam.rudas.config import Spec
from hornbeam.rudas.joins import Fact
from hornbeam.rudas.rules import Atom, Component, Rule, RuleSet, V

_BLOCKED = 1 / 3  # how often a negated atom is made true, so that its rule does not fire
_PROPERTY = 1 / 3  # how often a round instantiates the rule of a property
_IDLE_ROUNDS = 200  # rounds without a new fact after which no more are expected
_MOST_FACTS = 20  # times the facts asked for: where even the profile compat gives up

Assignment = dict[V, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """A rule graph ready to be instantiated: its rules by height, leaves first."""

    component: Component
    levels: tuple[tuple[int, ...], ...]
    variables: tuple[V, ...]

    @classmethod
    def of(cls, component: Component) -> Shape:
        heights: dict[int, int] = {}

        def height(index: int) -> int:
            if index not in heights:
                below = [child for group in component.children(index) for child in group]
                heights[index] = 1 + max((height(child) for child in below), default=0)
            return heights[index]

        for index in range(len(component.rules)):
            height(index)
        levels = [
            tuple(index for index in range(len(component.rules)) if heights[index] == level)
            for level in range(1, max(heights.values()) + 1)
        ]
        variables = sorted({variable for rule in component.rules for variable in rule.variables})
        return cls(component, tuple(levels), tuple(variables))

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
class World:
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
    _shapes: list[Shape] = field(init=False)
    _assigned: set[tuple[int, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.closure = Closure(self.rules.rules, len(self.rules.arities), self.rules.functional)
        self.targets = self.rules.targets
        self._shapes = [Shape.of(component) for component in self.rules.components]

    @property
    def consequences(self) -> list[Fact]:
        return [fact for fact in self.closure.facts if fact not in self.support]

    # Rounds -------------------------------------------------------------------------------------------------------

    def instantiate_each(self, times: int, *, limit: int) -> None:
        """Instances of every rule by itself."""
        for rule in self.rules.rules:
            for _ in range(times):
                self._attempt(limit, lambda rule=rule: self._whole(rule))  # type: ignore[misc]

    def grow(self, enough: Callable[[], bool], limit: Callable[[], int]) -> bool:
        """Rounds until there are enough facts; False where no round adds any more."""
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
            self._attempt(limit(), lambda shape=shape: self._graph(shape, full))  # type: ignore[misc]
        for rule in self.rules.property_rules:
            if not enough() and self.rng.random() < _PROPERTY:
                self._attempt(limit(), lambda rule=rule: self._whole(rule))  # type: ignore[misc]

    def _attempt(self, limit: int, levels: Callable[[], Iterator[list[Fact]]]) -> None:
        """Add the support facts of one instance level by level, or nothing of it where the closure refuses."""
        mark, known = self.closure.mark(), len(self.support)
        try:
            for level in levels():
                new = [fact for fact in dict.fromkeys(level) if fact not in self.closure.facts]
                self.support.update(dict.fromkeys(new))
                self.target_support += sum(fact[0] in self.targets for fact in new)
                self.closure.add(new, limit=limit)
        except Refused as reason:
            self._take_back(mark, known)
            self.refused[str(reason)] += 1

    def _take_back(self, mark: Mark, known: int) -> None:
        self.closure.undo(mark)
        while len(self.support) > known:
            self.target_support -= self.support.popitem()[0][0] in self.targets

    # Instances ----------------------------------------------------------------------------------------------------

    def _whole(self, rule: Rule) -> Iterator[list[Fact]]:
        yield list(self._body(rule, self._assignment(rule.variables)))

    def _graph(self, shape: Shape, full: bool) -> Iterator[list[Fact]]:
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

    def _fresh(self, shape: Shape) -> Assignment | None:
        """An assignment that was not used before; None where none was found."""
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

    def _body(self, rule: Rule, assignment: Assignment) -> Iterator[Fact]:
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

    def _below(self, rule: Rule, fact: Fact) -> Assignment | None:
        """An assignment under which the rule derives this fact."""
        assignment = self._assignment(rule.variables)
        bound: Assignment = {}
        for arg, value in zip(rule.head.args, fact[1:], strict=True):
            if (bound.setdefault(arg, value) if isinstance(arg, V) else arg) != value:
                return None
        return assignment | bound


def ground(atom: Atom, assignment: Assignment) -> Fact:
    """An atom under an assignment."""
    return (atom.predicate, *[assignment[arg] if isinstance(arg, V) else arg for arg in atom.args])


# The two worlds ---------------------------------------------------------------------------------------------------


def training_world(
    spec: Spec, rules: RuleSet, constants: range, rng: random.Random, *, facts: int, node_support: int
) -> World:
    """A world from which a training set of about `facts` facts can be made."""
    world = World(spec, rules, constants, rng)
    expected = _Expected(world)
    true_facts = int(facts * (1 - spec.noise))
    slack = max(5, true_facts // 20)
    if spec.sound:
        world.instantiate_each(min(node_support, true_facts // (6 * len(rules.rules))), limit=true_facts)
        done = world.grow(
            lambda: expected.training_facts() >= facts,
            lambda: len(world.closure.facts) + expected.still(facts) + slack,
        )
    else:
        world.instantiate_each(node_support, limit=facts * _MOST_FACTS)
        wanted = int(facts / (1 - spec.open_world / 2))
        done = world.grow(lambda: len(world.closure.facts) >= wanted, lambda: wanted * _MOST_FACTS)
    if not done and expected.training_facts() < 0.8 * facts:
        raise UsageError(
            f"{spec.name}: only about {int(expected.training_facts())} of {facts} training facts can be made with "
            f"{len(constants)} constants; expected more constants, or fewer facts"
        )
    return world


def fresh_world(spec: Spec, rules: RuleSet, constants: range, rng: random.Random) -> World:
    """The world on which rules are scored: support facts as many as asked for, nothing withheld, no noise."""
    world = World(spec, rules, constants, rng)
    wanted = spec.settings.eval_support
    world.grow(lambda: len(world.support) >= wanted, lambda: wanted * _MOST_FACTS)
    return world


@dataclass(slots=True)
class _Expected:
    """How large the training set of a world will be once facts are withheld and noise is added."""

    world: World

    def training_facts(self) -> float:
        spec, support = self.world.spec, len(self.world.support)
        derived = len(self.world.closure.facts) - support
        kept = derived * (1 - spec.open_world) + support - (support - self.world.target_support) * spec.missing
        return kept / (1 - spec.noise)

    def still(self, facts: int) -> int:
        """About how many facts the world may still get."""
        return int((facts - self.training_facts()) * (1 - self.world.spec.noise)) + 1
