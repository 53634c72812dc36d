"""Rules over numbered predicates, and one form for all that differ only in names and order.

>>> one = Rule(Atom(0, (0, 1)), (Atom(2, (1, 5)), Atom(1, (0, 5))))
>>> canonical(one)
Rule(head=Atom(predicate=0, args=(0, 1)), body=(Atom(predicate=1, args=(0, 2)), Atom(predicate=2, args=(1, 2))))
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import NamedTuple

from hornbeam.ilp.relations import Atom, components


class Rule(NamedTuple):
    """A head and the atoms of a body."""

    head: Atom
    body: tuple[Atom, ...]

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

    def without(self, at: int) -> Rule:
        return Rule(self.head, self.body[:at] + self.body[at + 1 :])


def canonical(rule: Rule) -> Rule:
    """The least of all renamings and orders; bodies are short, so all orders are tried."""
    return min((_renamed(rule.head, order) for order in _orders(rule.body)), key=lambda found: found.body)


def _orders(body: tuple[Atom, ...]) -> list[tuple[Atom, ...]]:
    """Orders of the body that are sorted by predicate: only atoms of one predicate change places."""
    first = sorted(body, key=lambda atom: atom.predicate)
    names = [atom.predicate for atom in first]
    return [order for order in permutations(first) if [atom.predicate for atom in order] == names]


def _renamed(head: Atom, body: tuple[Atom, ...]) -> Rule:
    names: dict[int, int] = {}

    def renamed(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(names.setdefault(arg, len(names)) for arg in atom.args))

    return Rule(renamed(head), tuple(map(renamed, body)))
