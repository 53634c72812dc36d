"""Tables from kb/rudas, and the check that a rule set belongs to its category; both ask Prolog in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.logic import Compound, Prolog, to_text
from hornbeam.logic.terms import Term
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, V, rule_term
from hornbeam.theory.theory import arguments

_MODULE = "rudas"


@dataclass(frozen=True, slots=True)
class SizeRange:
    """A size of the paper: training facts, and instances of each rule at the start."""

    least: int
    most: int
    node_support: int


@cache
def _prolog() -> Prolog:
    prolog = Prolog()
    for name in ("sizes.pl", "labels.pl", "properties.pl"):
        prolog.load(resources.kb("rudas", name), _MODULE)
    for name in ("category.pl", "conflicts.pl"):
        prolog.load(resources.prolog("rudas", name), _MODULE)
    return prolog


@cache
def sizes() -> dict[str, SizeRange]:
    """The sizes by their names."""
    rows: Any = _prolog().all("size(Name, Least, Most, Support)", module=_MODULE)
    return {row["Name"]: SizeRange(row["Least"], row["Most"], row["Support"]) for row in rows}


@cache
def splits() -> dict[tuple[str, str], str]:
    """The split of each (world, label)."""
    rows: Any = _prolog().all("label(Label, World, Split, _)", module=_MODULE)
    return {(row["World"], row["Label"]): row["Split"] for row in rows}


@cache
def meanings() -> dict[tuple[str, str], str]:
    """What each (split, label) means, in words."""
    rows: Any = _prolog().all("label(Label, _, Split, Meaning)", module=_MODULE)
    return {(row["Split"], row["Label"]): row["Meaning"] for row in rows}


@cache
def original_files() -> dict[str, frozenset[tuple[str, str]]]:
    """The (split, label) pairs of the facts that each file of the original holds."""
    rows: Any = _prolog().all("original_file(Name, World, Labels)", module=_MODULE)
    return {row["Name"]: frozenset((splits()[row["World"], label], label) for label in row["Labels"]) for row in rows}


@cache
def property_rule(name: str, predicate: int) -> tuple[GraphRule, ...]:
    """The rules that make a predicate have a property; none for one that is a conflict of facts."""
    rules = []
    for rule in closing_rules(name, f"p{predicate}"):
        head, body = rule.args
        numbers: dict[Term, V] = {}
        atoms = [
            GraphAtom(predicate, tuple(numbers.setdefault(variable, V(len(numbers))) for variable in arguments(atom)))
            for atom in (head, *body)  # type: ignore[misc]
        ]
        rules.append(GraphRule(atoms[0], tuple(atoms[1:])))
    return tuple(rules)


def conflicts(kind: str, facts: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The facts of a predicate that a property does not allow beside another one."""
    given: dict[str, Term] = {"Facts": [list(fact) for fact in facts], "Property": kind}
    answer: Any = _prolog().once("conflicts(Property, Facts, Pairs)", given=given, module=_MODULE)
    return sorted({tuple(fact) for pair in answer["Pairs"] for fact in pair.args})


# Proving a rule set -------------------------------------------------------------------------------------------------


def violations(components: Iterable[Component], claims: Sequence[Term]) -> list[str]:
    """What contradicts the claims on a rule set; nothing where Prolog proves all of them."""
    stated = [Compound("component", (one.category, one.depth, [*map(rule_term, one.rules)])) for one in components]
    answers: Any = _prolog().once_many(
        "check_rule_set(Components, Claims, Violations)",
        over=("Components", "Claims"),
        get="Violations",
        rows=[(stated, list(claims))],
        module=_MODULE,
    )
    return [to_text(violation) for violation in answers[0]]


def category_of(rules: Sequence[Term], target: str | None = None) -> tuple[str, int] | None:
    """The category and depth of the component of a target, of all rules without one; None if they have none."""
    given: dict[str, Term] = {"All": list(rules), "Target": target or "none"}
    goal = (
        "(Target == none -> _Rules = All ; rules_below(All, Target, _Rules)), "
        "rule_set_category(_Rules, Category), rule_graph(_Rules, _G), graph_depth(_G, Depth)"
    )
    answer: Any = _prolog().once(goal, given=given, module=_MODULE)
    return (answer["Category"], answer["Depth"]) if answer else None


def closing_rules(kind: str, predicate: str) -> list[Compound]:
    """The rules of a property as rule(Head, Body), with Prolog's variables."""
    goal = "property_rule(Property, P, Head, Body)"
    answers: Any = _prolog().all(goal, given={"Property": kind, "P": predicate}, module=_MODULE)
    return [Compound("rule", (answer["Head"], answer["Body"])) for answer in answers]
