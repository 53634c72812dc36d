"""The figures of a rule: support, head coverage, standard and PCA confidence (Galarraga et al., WWW 2013).

A rule predicts the heads of all instances whose body is given. An instance that has its own head in the body predicts
nothing. Under the partial completeness assumption a prediction counts as wrong only where another fact of the head is
known that agrees with it in the most functional place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbeam.ilp.amie.rules import Rule
from hornbeam.ilp.relations import Flags, Table, World, components, distinct, solve


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A rule, what it predicts, and its figures."""

    rule: Rule
    predicted: Table  # distinct rows of the head's relation, sorted
    known: Flags  # which of them are facts
    facts: int  # of the head's relation
    pca_size: int  # predictions that count under partial completeness

    @property
    def support(self) -> int:
        return int(self.known.sum())

    @property
    def head_coverage(self) -> float:
        return self.support / self.facts

    @property
    def confidence(self) -> float:
        return self.support / len(self.predicted) if len(self.predicted) else 0.0

    @property
    def pca_confidence(self) -> float:
        return self.support / self.pca_size if self.pca_size else 0.0

    def figures(self) -> dict[str, float]:
        return {
            "support": self.support,
            "head_coverage": round(self.head_coverage, 4),
            "confidence": round(self.confidence, 4),
            "pca_confidence": round(self.pca_confidence, 4),
        }


def predictions(world: World, rule: Rule) -> Table:
    """The distinct heads that a rule derives in one step, as rows of the head's relation."""
    head = rule.head
    own = [atom for atom in rule.body if atom.predicate == head.predicate]
    names = list(dict.fromkeys([*head.args, *(arg for atom in own for arg in atom.args)]))
    found = solve(world, rule.body, names)
    columns = {name: found[:, at] for at, name in enumerate(names)}
    keep = np.ones(len(found), dtype=np.bool_)
    for atom in own:
        keep &= ~np.all(
            [columns[one] == columns[other] for one, other in zip(head.args, atom.args, strict=True)], axis=0
        )
    return distinct(found[keep][:, [names.index(arg) for arg in head.args]])


def body_size(world: World, rule: Rule) -> int:
    """How many heads a rule derives, its own heads in its body included: without a table of all for cross products."""
    size = 1
    for part in components(rule.body):
        wanted = [arg for arg in dict.fromkeys(rule.head.args) if any(arg in atom.args for atom in part)]
        size *= len(solve(world, part, wanted))
    return size


def measure(world: World, rule: Rule) -> Measured:
    """A rule's figures; TooMany where its predictions explode."""
    predicate = rule.head.predicate
    predicted = predictions(world, rule)
    table = world.tables[predicate]
    place = functional_place(world, predicate)
    # A unary relation has no other value that could be known.
    counted = np.isin(predicted[:, place], table[:, place]) if table.shape[1] > 1 else np.ones(len(predicted))
    pca_size = int(counted.sum())
    return Measured(rule, predicted, world.contains(predicate, predicted), len(table), pca_size)


def functional_place(world: World, predicate: int) -> int:
    """The place whose values come nearest to having one fact each; the first of equals."""
    table = world.tables[predicate]
    return int(np.argmax([len(np.unique(table[:, at])) for at in range(table.shape[1])]))
