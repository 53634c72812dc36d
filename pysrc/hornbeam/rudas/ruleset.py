"""A whole rule set: components, negation and properties, drawn until Prolog proves that it is what was asked for."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from hornbeam.errors import UsageError
from hornbeam.logic import Compound
from hornbeam.logic.terms import Term
from hornbeam.rudas import knowledge
from hornbeam.rudas.config import Spec
from hornbeam.rudas.grow import Grower, Stuck
from hornbeam.rudas.rules import Atom, Component, Rule, RuleSet

_DRAWS = 5_000
_SPARE_PREDICATES = 5
_KINDS = ("chain", "rdg", "drdg")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A proven rule set, and why the draws before it were refused."""

    rules: RuleSet
    rejected: Counter[str]


def draw(spec: Spec, rng: random.Random, constants: int) -> Drawn:
    """The rule set of a dataset; UsageError where the settings seem to allow none."""
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
            return Drawn(candidate, rejected)
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

    def rule_with_negation(rule: Rule) -> Rule:
        variables = sorted(frozenset().union(*(atom.variables for atom in rule.body)))
        if not variables or not mentioned or rng.random() >= spec.settings.negation:
            return rule
        predicate = rng.choice(mentioned)
        atom = Atom(predicate, tuple(rng.choice(variables) for _ in range(arities[predicate])))
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
    names = (
        ["transitive"] * settings.transitive + ["symmetric"] * settings.symmetric + ["functional"] * settings.functional
    )
    return tuple(zip(names, rng.sample(free, wanted), strict=True))
