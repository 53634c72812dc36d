"""Draws the rule set of a task: candidates are grown until Prolog proves that one is what the settings ask for.

Rule graphs are grown from the root (`Grower`): a child rule's head is the body atom of its parent that it derives. The
draws are those of the paper (section 4, "Rule generation"): which body atoms get rules of their own, how many
alternatives, and for each position of a body atom a head variable, a variable of the body, a constant or a fresh one.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace

from hornbeam.errors import UsageError
from hornbeam.logic import Compound
from hornbeam.logic.terms import Term
from hornbeam.rudas import knowledge
from hornbeam.rudas.config import RudasSettings, Spec
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, RuleSet, V

_DRAWS = 5_000  # of a rule set before the settings are refused
_SPARE_PREDICATES = 5
_KINDS = ("chain", "rdg", "drdg")
_SURVIVES = 1 / 3  # a body atom without a head variable
_ONE_CHILD = 1 / 5  # a rule with several expandable atoms gets one child only
_OR_NODE = 1 / 2
_BODIES = 50  # draws of one body


class Stuck(Exception):
    """A draw that cannot be completed; the caller draws again."""


@dataclass(frozen=True, slots=True)
class DrawnRules:
    """A proven rule set, and why the draws before it were refused."""

    rules: RuleSet
    rejected: Counter[str]


def draw(spec: Spec, rng: random.Random, constants: int) -> DrawnRules:
    """The rule set of a dataset; UsageError if the settings seem to allow none."""
    rejected: Counter[str] = Counter()
    claims = _claims(spec)
    for _ in range(_DRAWS):
        try:
            candidate = _candidate(spec, rng, constants)
        except Stuck as reason:
            rejected[str(reason)] += 1
            continue
        broken = knowledge.violations(candidate.components, claims)
        if not broken:
            return DrawnRules(candidate, rejected)
        rejected[_kind(broken[0])] += 1
    reasons = ", ".join(f"{reason} ({count})" for reason, count in rejected.most_common(3))
    raise UsageError(f"{spec.name}: none of {_DRAWS} rule sets was as asked; most often: {reasons}")


def _kind(violation: str) -> str:
    """A violation without its arguments: component(1,depth(2)) is a wrong depth."""
    inner = violation.partition(",")[2] if violation.startswith("component(") else violation
    return inner.partition("(")[0].rstrip(")").replace("_", " ")


def _claims(spec: Spec) -> list[Term]:
    settings = spec.settings
    claims: list[Term] = [Compound("max_atoms", (settings.max_atoms,))]
    if spec.sound:
        claims += ["sound", Compound("recursion", (settings.recursion,))]
        claims += [] if settings.cross_products else ["connected"]
        claims += ["mixed"] if spec.category == "mixed" else []
    if not settings.overlap and not settings.shared_target:
        claims.append("disjoint")
    return claims


def _candidate(spec: Spec, rng: random.Random, constants: int) -> RuleSet:
    settings = spec.settings
    least = max(settings.min_components, 2 if spec.sound and spec.category == "mixed" else 1)
    count = rng.randint(least, max(least, settings.max_components))
    predicates = settings.predicates or count * _largest_graph(spec) + _SPARE_PREDICATES
    arities = _arities(spec, predicates, count, rng)
    components = tuple(
        _component(spec, number, pool, arities, constants, rng)
        for number, pool in enumerate(_pools(spec, predicates, count, rng))
    )
    rules = sum(len(component.rules) for component in components)
    if not (settings.min_rules or 0) <= rules <= (settings.max_rules or rules):
        raise Stuck("not the number of rules asked for")
    drawn = RuleSet(tuple(_negated(spec, component, arities, rng) for component in components), arities)
    properties = _properties(spec, drawn, rng)
    closing = tuple(rule for name, predicate in properties for rule in knowledge.property_rule(name, predicate))
    names = [f"p{number}" for number in range(predicates)]
    rng.shuffle(names)  # a name tells nothing of the predicate's part
    return replace(drawn, properties=properties, property_rules=closing, predicates=tuple(names))


def _largest_graph(spec: Spec) -> int:
    """The number of body atoms that the original reckons with for one rule graph."""
    settings = spec.settings
    alternatives = settings.max_alternatives if spec.category in ("drdg", "mixed") else 1
    width = max(settings.max_atoms, alternatives)
    atoms: int = sum(width**level for level in range(spec.depth // 2 + 1))
    return min(settings.max_atoms * atoms, 200)


def _arities(spec: Spec, predicates: int, targets: int, rng: random.Random) -> tuple[int, ...]:
    """A predicate may be unary where the settings allow it: a target one in ten, another one in four."""
    least, most = spec.settings.min_arity, spec.settings.max_arity
    arities = []
    for predicate in range(predicates):
        unary = least == 1 and rng.random() < (0.1 if predicate < targets else 0.25)
        arities.append(1 if unary or most == 1 else rng.randint(max(least, 2), most))
    return tuple(arities)


def _pools(spec: Spec, predicates: int, count: int, rng: random.Random) -> list[list[int]]:
    """The predicates of each component, its target first."""
    targets = [0] * count if spec.settings.shared_target else list(range(count))
    others = list(range(max(targets) + 1, predicates))
    if spec.settings.overlap:
        return [[target, *rng.sample(others, len(others))] for target in targets]
    rng.shuffle(others)
    return [[target, *others[number::count]] for number, target in enumerate(targets)]


def _component(
    spec: Spec, number: int, pool: list[int], arities: tuple[int, ...], constants: int, rng: random.Random
) -> Component:
    settings = spec.settings
    category = rng.choice(_KINDS) if spec.category == "mixed" else spec.category
    least = 1 if category == "chain" else 2
    depth = spec.depth if number == 0 else rng.randint(min(least, spec.depth), spec.depth)
    recursion = settings.recursion
    if not spec.sound and category == "chain":
        recursion = "none"  # as the original's chains, whatever is asked
    return Grower(settings, category, depth, pool, arities, constants, recursion, spec.sound, rng).component()


def _negated(spec: Spec, component: Component, arities: tuple[int, ...], rng: random.Random) -> Component:
    """The component with a negative literal in some rules; Prolog refuses those that are not stratified."""
    if not spec.settings.negation:
        return component
    mentioned = sorted({atom.predicate for rule in component.rules for atom in rule.atoms} - {component.target})

    def rule_with_negation(rule: GraphRule) -> GraphRule:
        variables = sorted(frozenset().union(*(atom.variables for atom in rule.body)))
        if not variables or not mentioned or rng.random() >= spec.settings.negation:
            return rule
        predicate = rng.choice(mentioned)
        atom = GraphAtom(predicate, tuple(rng.choice(variables) for _ in range(arities[predicate])))
        return rule if atom in (*rule.body, rule.head) else replace(rule, negative=(atom,))

    return replace(component, rules=tuple(map(rule_with_negation, component.rules)))


def _properties(spec: Spec, drawn: RuleSet, rng: random.Random) -> tuple[tuple[str, int], ...]:
    """Which predicates are transitive, symmetric, functional: those of bodies that no rule derives."""
    settings = spec.settings
    wanted = settings.transitive + settings.symmetric + settings.functional
    if not wanted:
        return ()
    derived = {rule.head.predicate for rule in drawn.rules}
    negated = {atom.predicate for rule in drawn.rules for atom in rule.negative}
    needed = {atom.predicate for rule in drawn.rules for atom in rule.body}
    free = [predicate for predicate in sorted(needed - derived - negated) if drawn.arities[predicate] == 2]
    if len(free) < wanted:
        raise Stuck("too few binary predicates for the properties asked for")
    names = [name for name in ("transitive", "symmetric", "functional") for _ in range(getattr(settings, name))]
    return tuple(zip(names, rng.sample(free, wanted), strict=True))


# Rule graphs --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Grower:
    """Grows one component. `pool` are its predicates, the target first."""

    settings: RudasSettings
    category: str
    depth: int
    pool: list[int]
    arities: tuple[int, ...]
    constants: int
    recursion: str
    sound: bool
    rng: random.Random
    rules: list[GraphRule] = field(default_factory=list)
    _heads: set[int] = field(default_factory=set)
    _used: set[int] = field(default_factory=set)
    _variables: int = 0

    def component(self) -> Component:
        """The grown component; Stuck where the draws lead nowhere."""
        target = self.pool[0]
        head = GraphAtom(target, tuple(self._fresh() for _ in range(self.arities[target])))
        must_recurse = self.rng.randrange(self.depth) if self.recursion == "required" else -1
        front = [self._define(head, recursive=must_recurse == 0)]
        for level in range(1, self.depth):
            front = self._extend(front, level, recursive=level == must_recurse)
            if not front:
                raise Stuck("no body atom can get a rule")
        return Component(self.category, self.depth, tuple(self.rules))

    # Levels -------------------------------------------------------------------------------------------------------

    def _extend(self, front: list[GraphRule], level: int, *, recursive: bool) -> list[GraphRule]:
        new: list[GraphRule] = []
        for parent in front:
            for atom in self._expanded(parent, level):
                if atom.predicate in self._heads:
                    continue
                for _ in range(self._alternatives()):
                    new.append(self._define(atom, recursive=recursive and not new))
        return new

    def _expanded(self, parent: GraphRule, level: int) -> list[GraphAtom]:
        """The body atoms of a rule that get rules of their own."""
        eligible = [*{atom.predicate: atom for atom in parent.body if self._expandable(parent, atom)}.values()]
        self.rng.shuffle(eligible)
        if self.category == "chain" or len(eligible) < 2:
            return eligible[:1]
        if level > 1 and self.rng.random() < _ONE_CHILD:
            return eligible[:1]
        return eligible[: self.rng.randint(2, len(eligible))]

    def _expandable(self, parent: GraphRule, atom: GraphAtom) -> bool:
        if atom.predicate in self._heads or len(atom.variables) == 0 or not all(isinstance(a, V) for a in atom.args):
            return False
        heads = parent.head.variables
        return any(other.variables & heads and other.variables & atom.variables for other in parent.body)

    def _alternatives(self) -> int:
        if self.category != "drdg" or self.rng.random() >= _OR_NODE:
            return 1
        return self.rng.randint(2, self.settings.max_alternatives)

    # One rule -----------------------------------------------------------------------------------------------------

    def _define(self, head: GraphAtom, *, recursive: bool) -> GraphRule:
        self._heads.add(head.predicate)
        self._used.add(head.predicate)
        rule = GraphRule(head, self._good_body(head, recursive))
        self._used.update(atom.predicate for atom in rule.body)
        self.rules.append(rule)
        return rule

    def _good_body(self, head: GraphAtom, recursive: bool) -> tuple[GraphAtom, ...]:
        """A body that the proof at the end will not refuse at once: deep graphs would hardly ever pass else."""
        before = self._variables
        for _ in range(_BODIES):
            self._variables = before
            body = self._body(head, recursive)
            if not self.sound or (head not in body and (self.settings.cross_products or _hangs_together(body))):
                return body
        raise Stuck("no body hangs together")

    def _body(self, head: GraphAtom, recursive: bool) -> tuple[GraphAtom, ...]:
        chosen = self._predicates(head, recursive)
        slots: list[list[V | int | None]] = [[None] * self.arities[predicate] for predicate in chosen]
        free = [(slot, position) for slot, args in enumerate(slots) for position in range(len(args))]
        variables = sorted(head.variables)
        if len(free) < len(variables):
            raise Stuck("the body has too few positions for the head's variables")
        for variable, (slot, position) in zip(variables, self.rng.sample(free, len(variables)), strict=True):
            slots[slot][position] = variable
        body: dict[GraphAtom, None] = {}
        bound = list(variables)
        for predicate, args in zip(chosen, slots, strict=True):
            needed = any(arg is not None for arg in args) or (recursive and predicate == head.predicate)
            if needed or self.rng.random() < _SURVIVES:
                body[GraphAtom(predicate, tuple(self._filled(arg, variables, bound) for arg in args))] = None
        return tuple(body)

    def _predicates(self, head: GraphAtom, recursive: bool) -> list[int]:
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


def _hangs_together(body: tuple[GraphAtom, ...]) -> bool:
    """Whether each atom is reached from the first by shared variables."""
    reached, rest = set(body[0].variables), list(body[1:])
    while rest:
        linked = [atom for atom in rest if atom.variables & reached]
        if not linked:
            return False
        reached.update(*(atom.variables for atom in linked))
        rest = [atom for atom in rest if atom not in linked]
    return True
