"""Rules that the training facts cannot tell apart.

For each true rule its neighbours are tried: a body predicate exchanged, a body atom left out, two arguments swapped. A
neighbour that derives exactly the same facts from the training set is as good as the rule for any learner; one that
derives all given facts that the rule derives, and no more that are not given, is even the better choice there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from hornbeam.data.sample import Json
from hornbeam.rudas.joins import Fact, Index, Plan, Plans, instance, matches
from hornbeam.rudas.rules import Atom, Rule, RuleSet, rule_text

_MOST = 3  # instances of a rule, times the training facts: what has more is a cross product and is not judged


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the training facts say of one rule."""

    rule: Rule
    covered: int | None  # given facts that it derives from given facts; None where it has too many instances
    predicted: int  # other facts that it derives
    same: tuple[Rule, ...]
    better: tuple[Rule, ...]

    def to_json(self, names: RuleSet) -> dict[str, Json]:
        return {
            "rule": rule_text(self.rule, names),
            "covered": self.covered,
            "predicted": self.predicted,
            "same": [rule_text(rule, names) for rule in self.same],
            "better": [rule_text(rule, names) for rule in self.better],
        }


def judge(rules: RuleSet, training: Collection[Fact]) -> list[Verdict]:
    """A verdict on each rule of the theory."""
    given = set(training)
    by_predicate: dict[int, list[Fact]] = {}
    for fact in training:
        by_predicate.setdefault(fact[0], []).append(fact)
    known = {_shape(rule) for rule in rules.rules}
    return [_verdict(rule, rules, known, given, by_predicate) for rule in rules.rules]


def totals(verdicts: Sequence[Verdict]) -> dict[str, Json]:
    """The verdicts in numbers."""
    return {
        "rules": len(verdicts),
        "without_example": sum(verdict.covered == 0 for verdict in verdicts),
        "with_same": sum(bool(verdict.same) for verdict in verdicts),
        "with_better": sum(bool(verdict.better) for verdict in verdicts),
    }


def _verdict(
    rule: Rule, rules: RuleSet, known: set[object], given: set[Fact], by_predicate: dict[int, list[Fact]]
) -> Verdict:
    most = max(10_000, _MOST * len(given))
    (own,) = _coverage([rule], by_predicate, most)
    if own is None:
        return Verdict(rule, None, 0, (), ())
    right = own & given
    if not right:
        return Verdict(rule, 0, len(own), (), ())
    rivals = [rival for rival in _neighbours(rule, rules.arities, by_predicate) if _shape(rival) not in known]
    same, better = [], []
    for rival, derived in zip(rivals, _coverage(rivals, by_predicate, most), strict=True):
        if derived is None:
            continue
        if derived == own:
            same.append(rival)
        elif right <= derived and len(derived - given) <= len(own) - len(right):
            better.append(rival)
    return Verdict(rule, len(right), len(own) - len(right), tuple(same), tuple(better))


def _coverage(rules: list[Rule], by_predicate: dict[int, list[Fact]], most: int) -> list[frozenset[Fact] | None]:
    """What each rule derives in one step; None where that is too much."""

    def size(atom: Atom) -> int:
        return len(by_predicate.get(atom.predicate, ()))

    plans = Plans(rules, [min(range(len(rule.body)), key=lambda at: size(rule.body[at])) for rule in rules])
    indexes: list[Index] = [{} for _ in plans.indexes]
    for number, (predicate, positions) in enumerate(plans.indexes):
        for fact in by_predicate.get(predicate, ()):
            indexes[number].setdefault(tuple([fact[at] for at in positions]), []).append(fact)
    chosen = {plan.rule: (predicate, plan) for predicate, group in plans.by_predicate.items() for plan in group}
    return [_derived(*chosen[number], by_predicate, indexes, most) for number in range(len(rules))]


def _derived(
    predicate: int, plan: Plan, by_predicate: dict[int, list[Fact]], indexes: list[Index], most: int
) -> frozenset[Fact] | None:
    found: set[Fact] = set()
    absent = {number: set(by_predicate.get(number, ())) for number, _ in plan.negative}
    tried = 0
    for fact in by_predicate.get(predicate, ()):
        for values in matches(plan, fact, indexes):
            tried += 1
            head = instance(plan.head_predicate, plan.head, values)
            # A fact that stands in the body of its own instance is no evidence for a recursive rule.
            if plan.recursive and any(instance(number, sources, values) == head for number, sources in plan.body):
                continue
            if not any(instance(number, sources, values) in absent[number] for number, sources in plan.negative):
                found.add(head)
            if tried > most:
                return None
    return frozenset(found)


def _neighbours(rule: Rule, arities: Sequence[int], present: Collection[int]) -> Iterator[Rule]:
    """Rules one edit away that are safe and no tautologies, each once."""
    seen = {_shape(rule)}
    for candidate in _edits(rule, arities, present):
        bound = frozenset().union(*(atom.variables for atom in candidate.body))
        needed = rule.head.variables.union(*(atom.variables for atom in rule.negative))
        shape = _shape(candidate)
        if candidate.body and needed <= bound and rule.head not in candidate.body and shape not in seen:
            seen.add(shape)
            yield candidate


def _edits(rule: Rule, arities: Sequence[int], present: Collection[int]) -> Iterator[Rule]:
    for at, atom in enumerate(rule.body):
        before, after = rule.body[:at], rule.body[at + 1 :]
        yield replace(rule, body=before + after)
        for predicate in sorted(present):
            if arities[predicate] == len(atom.args) and predicate != atom.predicate:
                yield replace(rule, body=(*before, Atom(predicate, atom.args), *after))
        if len(atom.args) == 2:
            yield replace(rule, body=(*before, Atom(atom.predicate, atom.args[::-1]), *after))
    if rule.negative:
        yield replace(rule, negative=())


def _shape(rule: Rule) -> object:
    """The rule without the order of its body and the names of its variables, but for ties between equal atoms."""
    counts = Counter(arg for atom in rule.atoms for arg in atom.args)
    head = {arg: number for number, arg in reversed(list(enumerate(rule.head.args)))}

    def key(atom: Atom) -> tuple[object, ...]:
        return (atom.predicate, *[(head.get(arg, -1), counts[arg], isinstance(arg, int)) for arg in atom.args])

    names: dict[object, int] = {}

    def numbered(arg: object) -> int:
        return -1 - arg if isinstance(arg, int) else names.setdefault(arg, len(names))

    body = sorted(rule.body, key=lambda atom: (repr(key(atom)), repr(atom)))
    ordered = [rule.head, *body, *rule.negative]
    return tuple((atom.predicate, *map(numbered, atom.args)) for atom in ordered)
