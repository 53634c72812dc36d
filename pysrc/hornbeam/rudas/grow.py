"""Rule graphs, grown from the root: a child rule's head is the body atom of its parent that it derives.

The draws are those of the paper (section 4, "Rule generation"): which body atoms get rules of their own, how many
alternatives, and for each position of a body atom a head variable, a variable of the body, a constant or a fresh one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from hornbeam.rudas.config import Settings
from hornbeam.rudas.rules import Atom, Component, Rule, V

_SURVIVES = 1 / 3  # a body atom without a head variable
_ONE_CHILD = 1 / 5  # a rule with several expandable atoms gets one child only
_OR_NODE = 1 / 2
_BODIES = 50  # draws of one body


class Stuck(Exception):
    """A draw that cannot be completed; the caller draws again."""


@dataclass(slots=True)
class Grower:
    """Grows one component. `pool` are its predicates, the target first."""

    settings: Settings
    category: str
    depth: int
    pool: list[int]
    arities: tuple[int, ...]
    constants: int
    recursion: str
    sound: bool
    rng: random.Random
    rules: list[Rule] = field(default_factory=list)
    _heads: set[int] = field(default_factory=set)
    _used: set[int] = field(default_factory=set)
    _variables: int = 0

    def component(self) -> Component:
        """The grown component; Stuck where the draws lead nowhere."""
        target = self.pool[0]
        head = Atom(target, tuple(self._fresh() for _ in range(self.arities[target])))
        must_recurse = self.rng.randrange(self.depth) if self.recursion == "required" else -1
        front = [self._define(head, recursive=must_recurse == 0)]
        for level in range(1, self.depth):
            front = self._extend(front, level, recursive=level == must_recurse)
            if not front:
                raise Stuck("no body atom can get a rule")
        return Component(self.category, self.depth, tuple(self.rules))

    # Levels -------------------------------------------------------------------------------------------------------

    def _extend(self, front: list[Rule], level: int, *, recursive: bool) -> list[Rule]:
        new: list[Rule] = []
        for parent in front:
            for atom in self._expanded(parent, level):
                if atom.predicate in self._heads:
                    continue
                for _ in range(self._alternatives()):
                    new.append(self._define(atom, recursive=recursive and not new))
        return new

    def _expanded(self, parent: Rule, level: int) -> list[Atom]:
        """The body atoms of a rule that get rules of their own."""
        found = {atom.predicate: atom for atom in parent.body if self._expandable(parent, atom)}
        eligible = list(found.values())
        self.rng.shuffle(eligible)
        if self.category == "chain" or len(eligible) < 2:
            return eligible[:1]
        if level > 1 and self.rng.random() < _ONE_CHILD:
            return eligible[:1]
        return eligible[: self.rng.randint(2, len(eligible))]

    def _expandable(self, parent: Rule, atom: Atom) -> bool:
        if atom.predicate in self._heads or len(atom.variables) == 0 or not all(isinstance(a, V) for a in atom.args):
            return False
        heads = parent.head.variables
        return any(other.variables & heads and other.variables & atom.variables for other in parent.body)

    def _alternatives(self) -> int:
        if self.category != "drdg" or self.rng.random() >= _OR_NODE:
            return 1
        return self.rng.randint(2, self.settings.max_alternatives)

    # One rule -----------------------------------------------------------------------------------------------------

    def _define(self, head: Atom, *, recursive: bool) -> Rule:
        self._heads.add(head.predicate)
        self._used.add(head.predicate)
        rule = Rule(head, self._good_body(head, recursive))
        self._used.update(atom.predicate for atom in rule.body)
        self.rules.append(rule)
        return rule

    def _good_body(self, head: Atom, recursive: bool) -> tuple[Atom, ...]:
        """A body that the proof at the end will not refuse at once: deep graphs would hardly ever pass else."""
        before = self._variables
        for _ in range(_BODIES):
            self._variables = before
            body = self._body(head, recursive)
            if not self.sound or (head not in body and (self.settings.cross_products or _hangs_together(body))):
                return body
        raise Stuck("no body hangs together")

    def _body(self, head: Atom, recursive: bool) -> tuple[Atom, ...]:
        chosen = self._predicates(head, recursive)
        slots: list[list[V | int | None]] = [[None] * self.arities[predicate] for predicate in chosen]
        free = [(slot, position) for slot, args in enumerate(slots) for position in range(len(args))]
        variables = sorted(head.variables)
        if len(free) < len(variables):
            raise Stuck("the body has too few positions for the head's variables")
        for variable, (slot, position) in zip(variables, self.rng.sample(free, len(variables)), strict=True):
            slots[slot][position] = variable
        body: dict[Atom, None] = {}
        bound = list(variables)
        for predicate, args in zip(chosen, slots, strict=True):
            needed = any(arg is not None for arg in args) or (recursive and predicate == head.predicate)
            if needed or self.rng.random() < _SURVIVES:
                body[Atom(predicate, tuple(self._filled(arg, variables, bound) for arg in args))] = None
        return tuple(body)

    def _predicates(self, head: Atom, recursive: bool) -> list[int]:
        own = [head.predicate] if self.recursion != "none" else []
        taken = self._used if self.category == "chain" else self._heads
        others = [predicate for predicate in self.pool[1:] if predicate not in taken]
        candidates = others + own
        if not others:
            raise Stuck("no predicate is left")
        chosen = [self.rng.choice(candidates) for _ in range(self.settings.max_atoms)]
        if recursive:
            chosen[self.rng.randrange(len(chosen))] = head.predicate
        return chosen

    def _filled(self, arg: V | int | None, head: list[V], bound: list[V]) -> V | int:
        """What stands at a position: as drawn before, or drawn now."""
        settings, rng = self.settings, self.rng
        if arg is not None:
            return arg
        if head and rng.random() < settings.head_variable:
            return rng.choice(head)
        if bound and rng.random() < settings.body_variable:
            return rng.choice(bound)
        if rng.random() < settings.rule_constant:
            return rng.randrange(self.constants)
        fresh = self._fresh()
        bound.append(fresh)
        return fresh

    def _fresh(self) -> V:
        self._variables += 1
        return V(self._variables - 1)


def _hangs_together(body: tuple[Atom, ...]) -> bool:
    """Whether each atom is reached from the first by shared variables."""
    reached, rest = set(body[0].variables), list(body[1:])
    while rest:
        linked = [atom for atom in rest if atom.variables & reached]
        if not linked:
            return False
        reached.update(*(atom.variables for atom in linked))
        rest = [atom for atom in rest if atom not in linked]
    return True
