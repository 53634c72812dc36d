"""From attention to a theory: candidate rules with their weights, checked against the facts, cut at a threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field

from hornbeam.ilp.amie.rules import Measured, MinedRule, canonical, measure, predictions
from hornbeam.ilp.amie.selection import Prices, estimated, greedy, relations
from hornbeam.ilp.chains.bodies import Plan, bodies_of
from hornbeam.ilp.chains.operators import Body, Operator, chain_rule
from hornbeam.ilp.learner import Settings
from hornbeam.ilp.relations import FactBase, TooMany
from hornbeam.theory import Theory
from hornbeam.theory.weights import best_threshold, cut


class ReadingSettings(Settings):
    """How weighted rules become a theory."""

    min_weight: float = Field(default=0.003, gt=0, le=1, description="least attention of a rule that is looked at")
    check: Literal["none", "confidence", "mdl"] = Field(
        default="confidence",
        description="what the facts must say for a rule: nothing, support and confidence, or that it saves bits",
    )
    min_support: int = Field(default=2, ge=0, description="facts that a rule predicts, at the least")
    min_confidence: float = Field(default=0.3, ge=0, le=1, description="share of its predictions that are facts")
    threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="least weight of a rule; the best of a head has 1; default: by `valid`",
    )
    valid: float = Field(
        default=0.15, ge=0, lt=0.9, description="share of the facts set aside for the choice of the threshold"
    )


@dataclass(frozen=True)
class Weighted:
    """A candidate: a rule, its weight, the best of its head being 1, and its figures if they could be counted."""

    rule: MinedRule
    weight: float
    measured: Measured | None = None


def read_bodies(
    plans: Sequence[Sequence[Plan]], operators: Sequence[Operator], least: float
) -> list[dict[Body, float]]:
    """For each symbol its bodies with their weights."""
    read: list[dict[Body, float]] = []
    for parts in plans:
        bodies: dict[Body, float] = {}
        for plan in parts:
            for chain, weight in bodies_of(plan, least).items():
                body = tuple(operators[number] for number in chain)
                bodies[body] = bodies.get(body, 0.0) + weight / len(parts)
        read.append(bodies)
    return read


def rules_of(head: int, bodies: dict[Body, float], turned: dict[Body, float]) -> dict[MinedRule, float]:
    """The rules of a head from the bodies of its two symbols: of the query, and of the query from its other end."""
    weights: dict[MinedRule, float] = {}
    mirrored = {tuple(one.turned for one in reversed(body)): weight for body, weight in turned.items()}
    share = 0.5 if turned else 1.0
    for source in (bodies, mirrored):
        for body, weight in source.items():
            if body:
                rule = canonical(chain_rule(head, body))
                weights[rule] = weights.get(rule, 0.0) + share * weight
    return {rule: weight for rule, weight in weights.items() if not rule.trivial}


# The check -------------------------------------------------------------------------------------------------------


def checked(world: FactBase, weights: dict[MinedRule, float], settings: ReadingSettings) -> list[Weighted]:
    """The rules that the facts speak for, the weights of each head brought to 1 at most; in order."""
    candidates = [Weighted(rule, weight) for rule, weight in weights.items() if weight >= settings.min_weight]
    if settings.check != "none":
        candidates = list(_confirmed(world, candidates, settings))
    if settings.check == "mdl":
        candidates = _described(world, candidates)
    best: dict[int, float] = {}
    for one in candidates:
        best[one.rule.head.predicate] = max(one.weight, best.get(one.rule.head.predicate, 0.0))
    scaled = [replace(one, weight=one.weight / best[one.rule.head.predicate]) for one in candidates]
    return sorted(scaled, key=lambda one: (one.rule.head.predicate, -round(one.weight, 6), one.rule))


def _confirmed(world: FactBase, candidates: Iterable[Weighted], settings: ReadingSettings) -> Iterable[Weighted]:
    for one in candidates:
        try:
            measured = measure(world, one.rule)
        except TooMany:
            continue
        if measured.support >= settings.min_support and measured.confidence >= settings.min_confidence:
            yield replace(one, measured=measured)


def _described(world: FactBase, candidates: Sequence[Weighted]) -> list[Weighted]:
    """Those that describe the facts at least cost, as `amie` chooses."""
    groups = relations(world, [one.measured for one in candidates if one.measured is not None])
    chosen = {candidate.rule for candidate in greedy(groups, estimated(groups, Prices()))}
    return [one for one in candidates if one.rule in chosen]


# The theory ------------------------------------------------------------------------------------------------------


def weighted_theory(world: FactBase, rules: Sequence[Weighted]) -> Theory:
    """The rules as a theory with weights, with their figures beside them."""
    return Theory.of(
        [world.clause(one.rule.head, one.rule.body) for one in rules],
        weights=[one.weight for one in rules],
        notes=[_figures(one.measured) for one in rules],
    )


def _figures(measured: Measured | None) -> str:
    return "" if measured is None else f"support={measured.support} confidence={measured.confidence:.3f}"


def cut_by_valid(
    world: FactBase, rules: Sequence[Weighted], held: FactBase | None, threshold: float | None
) -> tuple[Theory, float]:
    """The cut of the rules' theory, and its threshold: the given one, or the best on facts that were set aside.

    Best is the highest F1 of what the rules derive from the other facts in one step, against those set aside.
    """
    theory = weighted_theory(world, rules)
    if threshold is None and held is not None:
        threshold = best_threshold(theory, _f1_on(world, rules, held))
    return cut(theory, threshold or 0.0), threshold or 0.0


def _f1_on(world: FactBase, rules: Sequence[Weighted], held: FactBase) -> Callable[[Theory], float]:
    """The score of a cut, which keeps the first rules of each head: by the weights that it still has."""
    found: list[tuple[float, set[tuple[int, ...]], set[tuple[int, ...]]]] = []
    for one in rules:
        predicate = one.rule.head.predicate
        rows = one.measured.predicted if one.measured is not None else predictions(world, one.rule)
        new = rows[~world.contains(predicate, rows)]
        right = held.contains(predicate, new)
        keyed = [(predicate, *row) for row in new.tolist()]
        wrong_rows = {row for row, hit in zip(keyed, right.tolist(), strict=True) if not hit}
        found.append((round(one.weight, 6), {row for row in keyed if row not in wrong_rows}, wrong_rows))
    expected = sum(len(table) for table in held.tables)

    def score(theory: Theory) -> float:
        least = min((one.weight for one in theory.statements if one.weight is not None), default=2.0)
        kept = [(right, wrong) for weight, right, wrong in found if weight >= least - 1e-6]
        right = len(set().union(*(part for part, _ in kept)))
        wrong = len(set().union(*(part for _, part in kept)))
        return 2 * right / max(1, right + wrong + expected)

    return score
