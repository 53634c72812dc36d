"""Rules that the training facts cannot tell apart.

For each true rule its neighbours are tried: a body predicate exchanged, a body atom left out, two arguments swapped. A
neighbour that derives exactly the same facts from the training set is as good as the rule for any learner; one that
derives all given facts that the rule derives, and no more that are not given, is even the better choice there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from hornbeam.rudas.closure import Fact, Index, JoinPlan, JoinPlans, instance, matches
from hornbeam.rudas.rules import GraphAtom, GraphRule, RuleSet, rule_text

_MOST = 3  # instances of a rule, times the training facts: what has more is a cross product and is not judged


class StoredEvidence(TypedDict):
    """The evidence on one rule in learnability.json."""

    rule: str
    covered: int | None
    predicted: int
    same: list[str]
    better: list[str]


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """What the training facts say of one rule."""

    rule: GraphRule
    covered: int | None  # given facts that it derives from given facts; None if it has too many instances
    predicted: int  # other facts that it derives
    same: tuple[GraphRule, ...]
    better: tuple[GraphRule, ...]

    def to_json(self, names: RuleSet) -> StoredEvidence:
        return {
            "rule": rule_text(self.rule, names),
            "covered": self.covered,
            "predicted": self.predicted,
            "same": [rule_text(rule, names) for rule in self.same],
            "better": [rule_text(rule, names) for rule in self.better],
        }


def judge(rules: RuleSet, training: Collection[Fact]) -> list[RuleEvidence]:
    """The evidence on each rule of the theory."""
    given = set(training)
    by_predicate: dict[int, list[Fact]] = {}
    for fact in training:
        by_predicate.setdefault(fact[0], []).append(fact)
    known = {_shape(rule) for rule in rules.rules}
    return [_evidence(rule, rules, known, given, by_predicate) for rule in rules.rules]


def totals(evidence: Iterable[StoredEvidence]) -> Counter[str]:
    """The evidence on rules, as `to_json` gives it, in numbers."""
    counts = Counter(rules=0, without_example=0, with_same=0, with_better=0)
    for rule in evidence:
        counts["rules"] += 1
        counts["without_example"] += rule["covered"] == 0
        counts["with_same"] += bool(rule["same"])
        counts["with_better"] += bool(rule["better"])
    return counts


def _evidence(
    rule: GraphRule, rules: RuleSet, known: set[object], given: set[Fact], by_predicate: dict[int, list[Fact]]
) -> RuleEvidence:
    most = max(10_000, _MOST * len(given))
    (own,) = _coverage([rule], by_predicate, most)
    if own is None:
        return RuleEvidence(rule, None, 0, (), ())
    right = own & given
    if not right:
        return RuleEvidence(rule, 0, len(own), (), ())
    rivals = [rival for rival in _neighbours(rule, rules.arities, by_predicate) if _shape(rival) not in known]
    same, better = [], []
    for rival, derived in zip(rivals, _coverage(rivals, by_predicate, most), strict=True):
        if derived is None:
            continue
        if derived == own:
            same.append(rival)
        elif right <= derived and len(derived - given) <= len(own) - len(right):
            better.append(rival)
    return RuleEvidence(rule, len(right), len(own) - len(right), tuple(same), tuple(better))


def _coverage(rules: list[GraphRule], by_predicate: dict[int, list[Fact]], most: int) -> list[frozenset[Fact] | None]:
    """What each rule derives in one step; None if that is too much."""

    def size(atom: GraphAtom) -> int:
        return len(by_predicate.get(atom.predicate, ()))

    plans = JoinPlans(rules, [min(range(len(rule.body)), key=lambda at: size(rule.body[at])) for rule in rules])
    indexes: list[Index] = [{} for _ in plans.indexes]
    for predicate in plans.by_index_predicate:
        for fact in by_predicate.get(predicate, ()):
            plans.enter(fact, indexes)
    chosen = {plan.rule: (predicate, plan) for predicate, group in plans.by_predicate.items() for plan in group}
    return [_derived(*chosen[number], by_predicate, indexes, most) for number in range(len(rules))]


def _derived(
    predicate: int, plan: JoinPlan, by_predicate: dict[int, list[Fact]], indexes: list[Index], most: int
) -> frozenset[Fact] | None:
    heads: set[Fact] = set()
    absent = {number: set(by_predicate.get(number, ())) for number, _ in plan.negative}
    tried = 0
    for fact in by_predicate.get(predicate, ()):
        for values in matches(plan, fact, indexes):
            tried += 1
            head = instance(plan.head_predicate, plan.head, values)
            # A fact in the body of its own instance is no evidence for a recursive rule.
            if plan.recursive and any(instance(number, sources, values) == head for number, sources in plan.body):
                continue
            if not any(instance(number, sources, values) in absent[number] for number, sources in plan.negative):
                heads.add(head)
            if tried > most:
                return None
    return frozenset(heads)


def _neighbours(rule: GraphRule, arities: Sequence[int], present: Collection[int]) -> Iterator[GraphRule]:
    """Rules one edit away that are safe and no tautologies, each once."""
    seen = {_shape(rule)}
    for candidate in _edits(rule, arities, present):
        bound = frozenset().union(*(atom.variables for atom in candidate.body))
        needed = rule.head.variables.union(*(atom.variables for atom in rule.negative))
        shape = _shape(candidate)
        if candidate.body and needed <= bound and rule.head not in candidate.body and shape not in seen:
            seen.add(shape)
            yield candidate


def _edits(rule: GraphRule, arities: Sequence[int], present: Collection[int]) -> Iterator[GraphRule]:
    for at, atom in enumerate(rule.body):
        before, after = rule.body[:at], rule.body[at + 1 :]
        yield replace(rule, body=before + after)
        for predicate in sorted(present):
            if arities[predicate] == len(atom.args) and predicate != atom.predicate:
                yield replace(rule, body=(*before, GraphAtom(predicate, atom.args), *after))
        if len(atom.args) == 2:
            yield replace(rule, body=(*before, GraphAtom(atom.predicate, atom.args[::-1]), *after))
    if rule.negative:
        yield replace(rule, negative=())


def _shape(rule: GraphRule) -> object:
    """The rule without the order of its body and the names of its variables, but for ties between equal atoms."""
    counts = Counter(arg for atom in rule.atoms for arg in atom.args)
    head = {arg: number for number, arg in reversed(list(enumerate(rule.head.args)))}

    def key(atom: GraphAtom) -> tuple[object, ...]:
        return (atom.predicate, *[(head.get(arg, -1), counts[arg], isinstance(arg, int)) for arg in atom.args])

    names: dict[object, int] = {}

    def numbered(arg: object) -> int:
        return -1 - arg if isinstance(arg, int) else names.setdefault(arg, len(names))

    body = sorted(rule.body, key=lambda atom: (repr(key(atom)), repr(atom)))
    ordered = [rule.head, *body, *rule.negative]
    return tuple((atom.predicate, *map(numbered, atom.args)) for atom in ordered)
