"""Rule sets: of the category that was asked for, as the paper's Table 1 counts them, the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hornbeam.errors import UsageError
from hornbeam.rudas import knowledge, ruleset
from hornbeam.rudas.config import RudasConfig, Spec
from hornbeam.rudas.rules import Component, GraphRule, RuleSet, V, rule_term, rule_text


def spec_of(**settings: Any) -> Spec:
    return RudasConfig.model_validate(settings).specs()[0]


def draw(seed: int, **settings: Any) -> RuleSet:
    return ruleset.draw(spec_of(**settings), random.Random(seed), 100).rules


def category(component: Component) -> tuple[str, int] | None:
    return knowledge.category_of([rule_term(rule) for rule in component.rules])


# Table 1 gives the smallest and largest number of rules of each category and depth.
@pytest.mark.parametrize(
    ("kind", "depth", "least", "most"),
    [("chain", 2, 2, 2), ("chain", 3, 3, 3), ("rdg", 2, 3, 3), ("rdg", 3, 4, 7), ("drdg", 2, 3, 5), ("drdg", 3, 4, 17)],
)
def test_categories_and_numbers_of_rules(kind: str, depth: int, least: int, most: int) -> None:
    drawn = [draw(seed, category=kind, depth=depth) for seed in range(40)]
    assert all(category(rules.components[0]) == (kind, depth) for rules in drawn)
    counts = [len(rules.rules) for rules in drawn]
    assert least <= min(counts) <= max(counts) <= most


@pytest.mark.parametrize("kind", ["chain", "rdg", "drdg"])
def test_recursion(kind: str) -> None:
    for seed in range(15):
        required = draw(seed, category=kind, depth=2, recursion="required")
        assert any(rule.recursive for rule in required.rules)
        none = draw(seed, category=kind, depth=2, recursion="none")
        assert not any(rule.recursive for rule in none.rules)
    allowed = [draw(seed, category=kind, depth=2) for seed in range(40)]
    recursive = [any(rule.recursive for rule in rules.rules) for rules in allowed]
    assert any(recursive)
    assert not all(recursive)


def test_compat_has_the_original_s_faults() -> None:
    chains = [draw(seed, category="chain", depth=3, profile="compat") for seed in range(60)]
    assert not any(rule.recursive for rules in chains for rule in rules.rules), "its chains never recurse"
    claims = ["connected"]
    assert any(knowledge.violations(rules.components, claims) for rules in chains), "it draws cross products"
    graphs = [draw(seed, category="rdg", depth=3, profile="compat") for seed in range(60)]
    assert any(rule.head in rule.body for rules in graphs for rule in rules.rules), "it draws tautologies"


def test_sound_has_none_of_them() -> None:
    for seed in range(40):
        rules = draw(seed, category="drdg", depth=3)
        assert knowledge.violations(rules.components, ["sound", "connected"]) == []


def test_cross_products_on_request() -> None:
    drawn = [draw(seed, category="chain", depth=2, cross_products=True) for seed in range(40)]
    assert any(knowledge.violations(rules.components, ["connected"]) for rules in drawn)


def test_a_child_rule_derives_an_atom_of_its_parent() -> None:
    for seed in range(20):
        component = draw(seed, category="drdg", depth=3).components[0]
        bodies = {atom for rule in component.rules for atom in rule.body}
        assert all(rule.head in bodies for rule in component.rules[1:])


def test_components() -> None:
    for seed in range(10):
        mixed = draw(seed, category="mixed", depth=2, min_components=2, max_components=4)
        assert 2 <= len(mixed.components) <= 4
        assert len({component.category for component in mixed.components}) > 1
        assert all(category(component) == (component.category, component.depth) for component in mixed.components)
        assert len(mixed.targets) == len(mixed.components)
        shared = draw(seed, category="chain", depth=2, min_components=3, max_components=3, shared_target=True)
        assert len(shared.targets) == 1
        assert len(shared.components) == 3


def test_arities_lengths_and_constants() -> None:
    arities: set[int] = set()
    lengths: set[int] = set()
    constants = 0
    for seed in range(30):
        rules = draw(seed, category="rdg", depth=2, min_arity=1, max_arity=4, max_atoms=4, rule_constant=0.4)
        arities |= {rules.arities[number] for number in rules.mentioned}
        lengths |= {len(rule.body) for rule in rules.rules}
        constants += sum(not isinstance(arg, V) for rule in rules.rules for atom in rule.body for arg in atom.args)
        assert all(len(atom.args) == rules.arities[atom.predicate] for rule in rules.rules for atom in rule.atoms)
        assert all(isinstance(arg, V) for rule in rules.rules for arg in rule.head.args)
    assert arities == {1, 2, 3, 4}
    assert lengths == {1, 2, 3, 4}
    assert constants > 0


def test_number_of_rules() -> None:
    for seed in range(10):
        assert 6 <= len(draw(seed, category="drdg", depth=3, min_rules=6, max_rules=7).rules) <= 7


def test_negation_and_properties() -> None:
    negated = 0
    for seed in range(15):
        rules = draw(seed, category="rdg", depth=3, negation=0.5, transitive=1, symmetric=1, functional=1)
        negated += sum(bool(rule.negative) for rule in rules.rules)
        assert [name for name, _ in rules.properties] == ["transitive", "symmetric", "functional"]
        derived = {rule.head.predicate for component in rules.components for rule in component.rules}
        assert all(predicate not in derived for _, predicate in rules.properties)
        assert len(rules.property_rules) == 2
    assert negated > 5


def test_the_same_seed_gives_the_same_rules_and_names_tell_nothing() -> None:
    first, again, other = (draw(seed, category="drdg", depth=3) for seed in (4, 4, 5))
    texts = [[rule_text(rule, rules) for rule in rules.rules] for rules in (first, again, other)]
    assert texts[0] == texts[1] != texts[2]
    targets = {draw(seed, category="chain").predicate(0) for seed in range(20)}
    assert len(targets) > 5


def test_what_cannot_be_drawn_is_an_error_that_says_why() -> None:
    with pytest.raises(UsageError, match=r"CHAIN-S-5-0: none of \d+ rule sets was as asked; most often: no predicate"):
        draw(1, category="chain", depth=5, predicates=4)


def test_a_false_claim_is_refused() -> None:
    rules = draw(1, category="chain", depth=3)
    told = Component("rdg", 3, rules.components[0].rules)
    assert knowledge.violations([told], []) == ["component(1,not_of_category(rdg))"]
    flat: tuple[GraphRule, ...] = rules.components[0].rules[:2]
    assert knowledge.violations([Component("chain", 3, flat)], []) == ["component(1,depth(2))"]
