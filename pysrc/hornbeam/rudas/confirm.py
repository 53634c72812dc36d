"""clingo's word on a world: the same support, the same rules, exactly the same facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from hornbeam.errors import DatasetError
from hornbeam.logic.asp import Facts, Program
from hornbeam.rudas.joins import Fact
from hornbeam.rudas.rules import RuleSet, clause

_JUDGED = frozenset({"consequence", "removed", "noise"})


def program(rules: RuleSet) -> Program:
    """The rules for clingo, in their own names."""
    return Program([clause(rule, rules) for rule in rules.rules])


def as_facts(facts: Iterable[Fact], rules: RuleSet) -> Facts:
    """Facts for clingo."""
    rows: dict[int, list[tuple[str, ...]]] = {}
    name = rules.constant
    for fact in facts:
        rows.setdefault(fact[0], []).append(tuple([name(value) for value in fact[1:]]))
    given = Facts()
    for predicate in sorted(rows):
        given = given | Facts.rows(rules.predicate(predicate), rows[predicate])
    return given


def confirm(name: str, rules: RuleSet, support: Collection[Fact], labels: Mapping[Fact, str]) -> int:
    """How many labels clingo confirms: of every fact that is said to follow, and of every one that is said not to.

    DatasetError unless the least model of the support is exactly the facts that are not noise.
    """
    model = program(rules).model(as_facts(support, rules))
    ours = as_facts((fact for fact, label in labels.items() if label != "noise"), rules).model()
    if model != ours:
        raise DatasetError(
            f"{name}: clingo derives {len(model)} facts where {len(ours)} were made: "
            f"{len(model - ours)} more, {len(ours - model)} fewer"
        )
    return sum(label in _JUDGED for label in labels.values())
