"""Rules over numbered predicates: one form for all that differ only in names and order, and their figures.

The figures are support, head coverage, standard and PCA confidence (Galarraga et al., WWW 2013). A rule predicts the
heads of all instances whose body is given. An instance that has its own head in the body predicts nothing. Under the
partial completeness assumption a prediction counts as wrong only where another fact of the head is known that agrees
with it in the most functional place.

>>> one = MinedRule(TableAtom(0, (0, 1)), (TableAtom(2, (1, 5)), TableAtom(1, (0, 5))))
>>> canonical(one).body
(TableAtom(predicate=1, args=(0, 2)), TableAtom(predicate=2, args=(1, 2)))
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from hornbeam.ilp.relations import FactBase, Flags, Table, TableAtom, components, distinct, without_head


class MinedRule(NamedTuple):
    """A head and the atoms of a body."""

    head: TableAtom
    body: tuple[TableAtom, ...]

    @property
    def variables(self) -> set[int]:
        return {arg for atom in (self.head, *self.body) for arg in atom.args}

    @property
    def safe(self) -> bool:
        """Every variable of the head stands in the body."""
        return set(self.head.args) <= {arg for atom in self.body for arg in atom.args}

    @property
    def closed(self) -> bool:
        """Every variable stands in two places at least."""
        counts = Counter(arg for atom in (self.head, *self.body) for arg in atom.args)
        return min(counts.values()) > 1

    @property
    def recursive(self) -> bool:
        return any(atom.predicate == self.head.predicate for atom in self.body)

    @property
    def connected(self) -> bool:
        """The body hangs together without the head: no cross product."""
        return len(components(self.body)) <= 1

    @property
    def trivial(self) -> bool:
        """The head stands in the body, or an atom twice."""
        return self.head in self.body or len(set(self.body)) < len(self.body)

    def without(self, at: int) -> MinedRule:
        return MinedRule(self.head, self.body[:at] + self.body[at + 1 :])


def canonical(rule: MinedRule) -> MinedRule:
    """The least of all renamings and orders; bodies are short, so all orders are tried."""
    return min((_renamed(rule.head, order) for order in _orders(rule.body)), key=lambda form: form.body)


def _orders(body: tuple[TableAtom, ...]) -> list[tuple[TableAtom, ...]]:
    """Orders of the body that are sorted by predicate: only atoms of one predicate change places."""
    first = sorted(body, key=lambda atom: atom.predicate)
    names = [atom.predicate for atom in first]
    return [order for order in permutations(first) if [atom.predicate for atom in order] == names]


def _renamed(head: TableAtom, body: tuple[TableAtom, ...]) -> MinedRule:
    names: dict[int, int] = {}

    def renamed(atom: TableAtom) -> TableAtom:
        return TableAtom(atom.predicate, tuple(names.setdefault(arg, len(names)) for arg in atom.args))

    return MinedRule(renamed(head), tuple(map(renamed, body)))


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A rule, what it predicts, and its figures."""

    rule: MinedRule
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


def predictions(world: FactBase, rule: MinedRule) -> Table:
    """The distinct heads that a rule derives in one step, as rows of the head's relation."""
    head = rule.head
    own = [atom for atom in rule.body if atom.predicate == head.predicate]
    names = list(dict.fromkeys([*head.args, *(arg for atom in own for arg in atom.args)]))
    bindings = world.solve(rule.body, names)
    for atom in own:
        bindings = without_head(head, atom, names, bindings)
    return distinct(bindings[:, [names.index(arg) for arg in head.args]])


def body_size(world: FactBase, rule: MinedRule) -> int:
    """How many heads a rule derives, its own heads in its body included: without a table of all for cross products."""
    size = 1
    for part in components(rule.body):
        wanted = [arg for arg in dict.fromkeys(rule.head.args) if any(arg in atom.args for atom in part)]
        size *= len(world.solve(part, wanted))
    return size


def measure(world: FactBase, rule: MinedRule) -> Measured:
    """A rule's figures; TooMany where its predictions explode."""
    predicate = rule.head.predicate
    predicted = predictions(world, rule)
    table = world.tables[predicate]
    place = functional_place(world, predicate)
    # A unary relation has no other value that could be known.
    counted = np.isin(predicted[:, place], table[:, place]) if table.shape[1] > 1 else np.ones(len(predicted))
    pca_size = int(counted.sum())
    return Measured(rule, predicted, world.contains(predicate, predicted), len(table), pca_size)


def functional_place(world: FactBase, predicate: int) -> int:
    """The place whose values come nearest to having one fact each; the first of equals."""
    table = world.tables[predicate]
    return int(np.argmax([len(np.unique(table[:, at])) for at in range(table.shape[1])]))
