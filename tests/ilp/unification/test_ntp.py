"""NTP: proofs against a literal prover, rules of tiny worlds, seeds."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.ilp.amie.rules import predictions
from hornbeam.ilp.relations import FactBase
from hornbeam.ilp.runner import settings_of
from hornbeam.ilp.unification.learner import Ntp
from hornbeam.ilp.unification.templates import Connections, Template, templates_of
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Term
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import FactTask
from hornbeam.theory import Theory, as_facts, herbrand_model
from hornbeam.theory.weights import weights
from tests.ilp.amie.worlds import planted

torch = pytest.importorskip("torch")

Rows = list[tuple[int, int, int]]
facts = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12)


def _world(rows: Rows) -> FactBase:
    return FactBase.of(as_facts("".join(f"r{r}(c{i},c{j}).\n" for r, i, j in rows)))


def _ways(rows: Rows, template: Template, start: int, end: int, hidden: tuple[int, int, int] | None) -> set[Any]:
    """The sequences of predicates from start to end, by plain search."""
    found = {((), start)}
    for forward in template.forwards:
        found = {
            ((*used, r), j if forward else i)
            for used, place in found
            for r, i, j in rows
            if (i if forward else j) == place and (r, i, j) != hidden
        }
    return {used for used, place in found if place == end}


def _numbered(world: FactBase) -> Rows:
    return [(at, *row) for at, table in enumerate(world.tables) for row in table.tolist()]


@settings(deadline=None, max_examples=40)
@given(facts, st.sampled_from(templates_of(3)))
def test_patterns_are_all_ways_and_no_fact_proves_itself(rows: Rows, template: Template) -> None:
    world = _world(rows)
    known = _numbered(world)
    links = Connections(world)
    for own in (True, False):
        found = links.patterns(template, np.array(known), own=own).tolist()
        expected = {
            (number, *way)
            for number, (r, i, j) in enumerate(known)
            for way in _ways(known, template, i, j, (r, i, j) if own else None)
        }
        assert {tuple(row) for row in found} == expected
        assert len(found) == len(expected)


@settings(deadline=None, max_examples=15)
@given(facts, st.integers(0, 50))
def test_scores_are_those_of_a_literal_prover(rows: Rows, seed: int) -> None:
    """OR over all copies of all templates and all ways through the facts, AND as the minimum over unifications."""
    from hornbeam.ilp.unification.prover import GoalPatterns, SoftRules

    world = _world(rows)
    known = _numbered(world)
    torch.manual_seed(seed)
    templates = templates_of(2)
    rules = SoftRules(len(world.predicates), templates, 2, 3)
    links = Connections(world)
    found = [torch.from_numpy(links.patterns(template, np.array(known), own=True)) for template in templates]
    scores = rules.scores(
        torch.tensor([r for r, _, _ in known]), [GoalPatterns(one[:, 0], one[:, 1:]) for one in found]
    )

    def near(one: Any, other: Any) -> float:
        return exp(-sqrt(min(1000.0, max(1e-6, float((one - other).square().sum().detach())))))

    for number, (r, i, j) in enumerate(known):
        best = 0.0
        for template, slots in zip(templates, rules.slots, strict=True):
            for copy in slots:
                for way in _ways(known, template, i, j, (r, i, j)):
                    pairs = [(copy[0], r), *zip(copy[1:], way, strict=True)]
                    best = max(best, min(near(slot, rules.predicates[predicate]) for slot, predicate in pairs))
        assert float(scores[number].detach()) == pytest.approx(best, abs=1e-5)


def test_the_kernel_has_a_finite_gradient_where_vectors_are_equal() -> None:
    from hornbeam.ilp.unification.prover import kernel

    one = torch.zeros(1, 3, requires_grad=True)
    kernel(one, torch.zeros(1, 3)).sum().backward()
    assert one.grad is not None and bool(torch.isfinite(one.grad).all())


def test_a_template_is_the_rule_that_its_patterns_say() -> None:
    world = _world([(0, 0, 1), (1, 2, 1), (2, 0, 2)])
    rule = Template((True, False)).rule(2, (0, 1))
    assert str(world.clause(rule.head, rule.body)) == "r2(A,B) :- r0(A,C), r1(B,C)."
    assert predictions(world, rule).tolist() == [[0, 2]]


# Tiny worlds ------------------------------------------------------------------------------------------------------


def _learned(world: list[Term], target: str, **more: Any) -> Theory:
    modes = tuple(Mode.parse(f"{one}(?t,?t)") for one in sorted({str(fact).partition("(")[0] for fact in world}))
    heads = tuple(mode for mode in modes if mode.name == target)
    task = FactTask("tiny", tuple(world), Bias(heads, modes, max_body=2, recursion=True))
    return Ntp().fit(task, settings_of(Ntp(), {"epochs": 30, **more}), Watch())


WORLDS = {
    "two": ("g(X,Z) :- p(X,Y), p(Y,Z).", {"p": 60, "n": 60}, {}),
    "three": ("g(X,V) :- a(X,Y), b(Y,Z), c(Z,V).", {"a": 40, "b": 40, "c": 40}, {"max_body": 3}),
    "inverse": ("g(Y,X) :- p(X,Y).", {"p": 60, "n": 60}, {}),
    "recursion": ("g(X,Y) :- p(X,Y). g(X,Z) :- p(X,Y), g(Y,Z).", {"p": 35, "n": 40}, {}),
}


@pytest.mark.parametrize("world", ["two", *(pytest.param(one, marks=pytest.mark.slow) for one in list(WORLDS)[1:])])
def test_the_rule_of_a_tiny_world_is_found(world: str) -> None:
    rules, given, more = WORLDS[world]
    found = _learned(planted(rules, given, constants=40, seed=1), "g", **more)
    fresh = planted("", given, constants=30, seed=99)
    assert set(herbrand_model(found, fresh)) == set(herbrand_model(Theory.parse(rules), fresh)), str(found)
    assert all(weight is not None and 0 < weight <= 1 for weight in weights(found))


def test_same_seed_same_theory_whatever_the_order_of_the_facts() -> None:
    world = planted(*WORLDS["two"][:2], constants=40, seed=1)
    assert str(_learned(world, "g", epochs=3, min_support=0)) == str(
        _learned(world[::-1], "g", epochs=3, min_support=0)
    )


def test_without_facts_or_with_one_there_is_no_rule() -> None:
    assert len(_learned(as_facts("g(a,b)."), "g", epochs=2)) == 0
