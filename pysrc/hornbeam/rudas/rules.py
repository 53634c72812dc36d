"""Rules and rule sets as values. Predicates and constants are numbers here and get their names at the edge.

>>> rule = GraphRule(GraphAtom(0, (V(0), V(1))), (GraphAtom(1, (V(0), V(2))), GraphAtom(2, (V(2), V(1)))))
>>> rule_text(rule)
'p0(X0,X1) :- p1(X0,X2),p2(X2,X1).'
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hornbeam.logic import Clause, Compound, Var
from hornbeam.logic.terms import Term


class V(NamedTuple):
    """A variable; variables are unique in a whole rule graph, so that a child rule shares those of its parent."""

    number: int


class GraphAtom(NamedTuple):
    """A predicate and its arguments: variables, or numbers of constants."""

    predicate: int
    args: tuple[V | int, ...]

    @property
    def variables(self) -> frozenset[V]:
        return frozenset(arg for arg in self.args if isinstance(arg, V))


@dataclass(frozen=True, slots=True)
class GraphRule:
    """A head, the positive atoms of the body, and the negated ones."""

    head: GraphAtom
    body: tuple[GraphAtom, ...]
    negative: tuple[GraphAtom, ...] = ()

    @property
    def recursive(self) -> bool:
        return any(atom.predicate == self.head.predicate for atom in self.body)

    @property
    def atoms(self) -> Iterator[GraphAtom]:
        yield self.head
        yield from self.body
        yield from self.negative

    @property
    def variables(self) -> list[V]:
        return sorted({variable for atom in self.atoms for variable in atom.variables})


@dataclass(frozen=True, slots=True)
class Component:
    """A rule graph: its rules with the root first, then level by level."""

    category: str
    depth: int
    rules: tuple[GraphRule, ...]

    @property
    def target(self) -> int:
        return self.rules[0].head.predicate

    def children(self, index: int) -> list[list[int]]:
        """For each body atom of a rule, the other rules that define its predicate."""
        rule = self.rules[index]
        return [
            [
                other
                for other, defined in enumerate(self.rules)
                if other != index and defined.head.predicate == atom.predicate
            ]
            if atom.predicate != rule.head.predicate
            else []
            for atom in rule.body
        ]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The true theory of a dataset."""

    components: tuple[Component, ...]
    arities: tuple[int, ...]  # of every predicate, also those that no rule mentions
    properties: tuple[tuple[str, int], ...] = ()  # (property, predicate)
    property_rules: tuple[GraphRule, ...] = ()
    predicates: tuple[str, ...] = field(default=())  # names, where they are not p0, p1, ...
    constants: tuple[str, ...] = field(default=())

    @property
    def rules(self) -> tuple[GraphRule, ...]:
        """All rules, in the order of rules.txt."""
        return (*(rule for component in self.components for rule in component.rules), *self.property_rules)

    @property
    def targets(self) -> frozenset[int]:
        return frozenset(component.target for component in self.components)

    @property
    def functional(self) -> frozenset[int]:
        return frozenset(predicate for name, predicate in self.properties if name == "functional")

    @property
    def mentioned(self) -> frozenset[int]:
        return frozenset(atom.predicate for rule in self.rules for atom in rule.atoms)

    def predicate(self, number: int) -> str:
        return self.predicates[number] if self.predicates else f"p{number}"

    def constant(self, number: int) -> str:
        return self.constants[number] if self.constants else f"c{number}"


# Text and terms -----------------------------------------------------------------------------------------------------


def atom_term(atom: GraphAtom, names: RuleSet | None = None, once: Collection[V] = ()) -> Compound:
    """An atom as a Prolog term; variables of `once` get the underscore that Prolog wants of those that occur once."""
    predicate = names.predicate(atom.predicate) if names else f"p{atom.predicate}"
    return Compound(predicate, tuple(_argument(arg, names, once) for arg in atom.args))


def _argument(arg: V | int, names: RuleSet | None, once: Collection[V]) -> Term:
    if isinstance(arg, V):
        return Var(f"_X{arg.number}" if arg in once else f"X{arg.number}")
    return names.constant(arg) if names else f"c{arg}"


def clause(rule: GraphRule, names: RuleSet | None = None, once: Collection[V] = ()) -> Clause:
    """A rule as a clause, for clingo and for printing."""
    body = [atom_term(atom, names, once) for atom in rule.body]
    body += [Compound("\\+", (atom_term(atom, names, once),)) for atom in rule.negative]
    return Clause(atom_term(rule.head, names, once), tuple(body))


def rule_term(rule: GraphRule) -> Compound:
    """A rule as rule(Head, Literals), the form that prolog/rudas/category.pl checks."""
    said = clause(rule)
    return Compound("rule", (said.head, [*said.body]))


def rule_text(rule: GraphRule, names: RuleSet | None = None) -> str:
    """A rule as rules.txt has it: no blank after a comma."""
    said = clause(rule, names)
    return f"{said.head} :- {','.join(map(str, said.body))}."


def strata(rules: Sequence[GraphRule], predicates: int) -> list[int]:
    """The stratum of each predicate: above all that its rules negate, not below what they need."""
    level = [0] * predicates
    changed = True
    while changed:
        changed = False
        for rule in rules:
            below = [level[atom.predicate] for atom in rule.body]
            below += [level[atom.predicate] + 1 for atom in rule.negative]
            least = max(below, default=0)
            if level[rule.head.predicate] < least <= predicates:
                level[rule.head.predicate] = least
                changed = True
    return level
