"""Reads weighted bodies off attention: which chains of operators a query stands for, and how much of each.

The attention of one query is a plan: at each step a distribution over operators, and over what earlier steps left. A
body's weight is the sum over all ways to come to it. All weights of a query add up to 1, before small ones are dropped.

>>> plan = Plan(np.array([[0.75, 0.25]]), memory=((1.0,), (0.5, 0.5)))
>>> bodies_of(plan, least=0.1)
{(): 0.5, (0,): 0.375, (1,): 0.125}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Chain = tuple[int, ...]  # numbers of operators, in the order in which they are applied


@dataclass(frozen=True)
class Plan:
    """The attention of one query.

    Attributes:
        operators: For each step the weights of the operators. A column more than there are operators is the identity.
        memory: For each step, and for the end, the weights of the results so far, the first being the start; empty
            where each step works on the one before.
    """

    operators: NDArray[np.float64]
    memory: Sequence[Sequence[float]] = ()


def bodies_of(plan: Plan, least: float) -> dict[Chain, float]:
    """The chains of a plan with their weights; parts of less weight than `least` are dropped on the way."""
    return _by_memory(plan, least) if plan.memory else _in_a_row(plan, least)


def _by_memory(plan: Plan, least: float) -> dict[Chain, float]:
    results: list[dict[Chain, float]] = [{(): 1.0}]
    for weights, shares in zip(plan.operators, plan.memory, strict=False):
        results.append(_extended(_joined(results, shares), weights, least, identity=None))
    return _joined(results, plan.memory[-1])


def _in_a_row(plan: Plan, least: float) -> dict[Chain, float]:
    bodies: dict[Chain, float] = {(): 1.0}
    for weights in plan.operators:
        bodies = _extended(bodies, weights, least, identity=len(weights) - 1)
    return bodies


def _joined(results: Sequence[dict[Chain, float]], shares: Sequence[float]) -> dict[Chain, float]:
    joined: dict[Chain, float] = {}
    for bodies, share in zip(results, shares, strict=True):
        for chain, weight in bodies.items():
            joined[chain] = joined.get(chain, 0.0) + share * weight
    return joined


def _extended(
    bodies: dict[Chain, float], weights: NDArray[np.float64], least: float, identity: int | None
) -> dict[Chain, float]:
    extended: dict[Chain, float] = {}
    for chain, weight in bodies.items():
        for number in np.flatnonzero(weights * weight > least).tolist() if weight > least else ():
            longer = chain if number == identity else (*chain, number)
            extended[longer] = extended.get(longer, 0.0) + float(weights[number]) * weight
    return extended
