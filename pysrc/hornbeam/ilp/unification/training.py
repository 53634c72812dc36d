"""Training of soft rules: facts are goals to prove, facts with other things in them are goals not to prove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from hornbeam.ilp.relations import FactBase, Table
from hornbeam.ilp.unification.prover import GoalPatterns, SoftRules
from hornbeam.ilp.unification.templates import Connections, Template
from hornbeam.seeds import rng

_CLAMP = 1e-10
_DRAWS = 100  # of a false goal, while it is a fact


@dataclass(frozen=True)
class Course:
    """How soft rules are trained."""

    epochs: int
    batch: int
    rate: float
    negatives: int
    l2: float
    seed: int


class Goals:
    """True goals, and false ones drawn anew in each epoch."""

    def __init__(self, world: FactBase, heads: Sequence[int], templates: Sequence[Template]) -> None:
        self._templates = tuple(templates)
        self._links = Connections(world)
        rows = [np.column_stack([np.full(len(world.tables[at]), at), world.tables[at]]) for at in heads]
        self.facts: Table = np.vstack(rows) if rows else np.zeros((0, 3), np.int64)
        self._known = set(map(tuple, self._links.rows.tolist()))
        self._constants = len(world.constants)

    def batch(
        self, facts: Table, negatives: int, draw: np.random.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, list[GoalPatterns]]:
        """Heads, labels and patterns of these facts and of false goals beside them."""
        false = self._corrupted(np.repeat(facts, negatives, axis=0), draw)
        heads = torch.from_numpy(np.concatenate([facts[:, 0], false[:, 0]]))
        labels = torch.cat([torch.ones(len(facts)), torch.zeros(len(false))])
        return heads, labels, [self._found(template, facts, false) for template in self._templates]

    def _found(self, template: Template, facts: Table, false: Table) -> GoalPatterns:
        right = self._links.patterns(template, facts, own=True)
        wrong = self._links.patterns(template, false, own=False)
        wrong[:, 0] += len(facts)
        both = torch.from_numpy(np.vstack([right, wrong]))
        return GoalPatterns(both[:, 0], both[:, 1:])

    def _corrupted(self, facts: Table, draw: np.random.Generator) -> Table:
        """Facts with another first thing, another second, or both, in turn; none of them is a fact."""
        false = facts.copy()
        turn = np.arange(len(facts)) % 4
        todo = np.arange(len(facts))
        for _ in range(_DRAWS):
            drawn = draw.integers(self._constants, size=(len(todo), 2))
            false[todo, 1] = np.where(turn[todo] != 1, drawn[:, 0], facts[todo, 1])
            false[todo, 2] = np.where(turn[todo] != 0, drawn[:, 1], facts[todo, 2])
            todo = np.array([at for at in todo.tolist() if tuple(false[at].tolist()) in self._known], np.int64)
            if not len(todo):
                break
        return np.delete(false, todo, axis=0)


def train(rules: SoftRules, goals: Goals, course: Course) -> Iterator[tuple[int, float]]:
    """Train; the number of the epoch that a step ended, else 0, and the loss of each step."""
    optimiser = torch.optim.Adam(rules.parameters(), course.rate)
    draw = rng(course.seed, "ntp", "goals")
    for epoch in range(1, course.epochs + 1):
        order = draw.permutation(len(goals.facts))
        for start in range(0, len(order), course.batch):
            facts = goals.facts[np.sort(order[start : start + course.batch])]
            heads, labels, found = goals.batch(facts, course.negatives, draw)
            scores = rules.scores(heads, found).clamp(_CLAMP, 1 - _CLAMP)
            loss = torch.nn.functional.binary_cross_entropy(scores, labels, reduction="sum")
            loss = loss + course.l2 / 2 * sum(parameter.square().sum() for parameter in rules.parameters())
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_value_(rules.parameters(), 1.0)
            optimiser.step()
            yield (epoch if start + course.batch >= len(order) else 0), float(loss.detach())
