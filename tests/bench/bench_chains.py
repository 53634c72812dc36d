"""A training epoch of Neural-LP against a plain loop over triples.

An epoch answers each fact in both directions, with its own fact hidden, and learns from it. The baseline goes through
all triples for each query and step, in Python, with the same attention: it computes the same scores, which are checked,
and no gradients at all, so that the real ratio is higher still. Its time is reckoned from a part of the queries. CPU
seconds.
"""

from __future__ import annotations

import time

import numpy as np
import torch

from hornbeam.ilp.chains.attention import NeuralLpModel
from hornbeam.ilp.chains.operators import Operator, operators_of
from hornbeam.ilp.chains.training import Descent, FactQueries, train
from hornbeam.ilp.relations import FactBase
from tests.ilp.amie.worlds import planted

SIZES = (400, 1600, 3200)
ASKED = 20  # queries that the baseline is timed on
_STEPS = 2
_BATCH = 64


def _loop(
    world: FactBase, operators: list[Operator], attention: list[list[float]], memory: list[list[float]], fact: list[int]
) -> float:
    """The score of a query by a loop over all triples at each step."""
    predicate, first, second = fact
    results: list[dict[int, float]] = [{second: 1.0}]
    for step in range(_STEPS):
        state: dict[int, float] = {}
        for share, result in zip(memory[step], results, strict=True):
            for place, value in result.items():
                state[place] = state.get(place, 0.0) + share * value
        moved: dict[int, float] = {}
        for number, operator in enumerate(operators):
            weight = attention[step][number]
            for one, other in world.tables[operator.predicate].tolist():
                if (operator.predicate, one, other) == (predicate, first, second):
                    continue
                source, target = (other, one) if operator.kind == "walk" else (one, other)
                if source in state:
                    moved[target] = moved.get(target, 0.0) + weight * state[source]
        total = max(sum(moved.values()), 1e-20)
        results.append({place: value / total for place, value in moved.items()})
    return sum(share * result.get(first, 0.0) for share, result in zip(memory[_STEPS], results, strict=True))


def run() -> None:
    """Print the table."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    print(f"{'facts':>6} {'queries':>8} {'epoch s':>8} {'plain loop s':>13} {'ratio':>7}")
    for size in SIZES:
        rules = "g(X,Z) :- p(X,Y), q(Y,Z)."
        world = FactBase.of(planted(rules, {"p": size // 3, "q": size // 3}, constants=size // 3, seed=1))
        heads = list(range(len(world.predicates)))
        operators = list(operators_of(world, heads, tests=False))
        queries = FactQueries(world, heads, operators, recursion=True)
        torch.manual_seed(1)
        model = NeuralLpModel(2 * len(heads), len(operators), _STEPS, 128)
        steps = -(-queries.count // _BATCH)
        list(train(model, queries, Descent(2, _BATCH, 1e-3, 5.0, 1)))  # what is set up only once
        started = time.process_time()
        list(train(model, queries, Descent(steps, _BATCH, 1e-3, 5.0, 1)))
        epoch = time.process_time() - started
        asked = [[head, *row] for head in heads for row in world.tables[head].tolist()][:ASKED]
        plans = model.plans(queries.allowed)
        started = time.process_time()
        found = []
        for fact in asked:
            plan = plans[fact[0]][0]
            found.append(_loop(world, operators, plan.operators.tolist(), list(map(list, plan.memory)), fact))
        plain = (time.process_time() - started) / len(asked) * 2 * queries.count
        scores = model.scores(queries.batch(np.arange(len(asked))), queries.allowed)[: len(asked)].tolist()
        assert np.allclose(found, scores, atol=1e-4)
        print(f"{queries.count:>6} {2 * queries.count:>8} {epoch:>8.2f} {plain:>13.2f} {plain / epoch:>7.1f}")


if __name__ == "__main__":
    run()
