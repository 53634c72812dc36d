"""The smallest proof of every consequence: facts of depth n follow from facts of which the deepest has depth n - 1.

>>> from hornbeam.rudas.rules import Atom, Rule, V
>>> edge, path, x, y, z = 0, 1, V(0), V(1), V(2)
>>> rules = [Rule(Atom(path, (x, y)), (Atom(edge, (x, y)),)),
...          Rule(Atom(path, (x, z)), (Atom(path, (x, y)), Atom(edge, (y, z))))]
>>> proofs = smallest_proofs(rules, 2, [(edge, 1, 2), (edge, 2, 3)])
>>> proofs[path, 1, 3]
Proof(depth=2, rule=1, premises=((1, 1, 2), (0, 2, 3)))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hornbeam.rudas.joins import Fact, Index, Plans, instance, matches
from hornbeam.rudas.rules import Rule, strata


class Proof(NamedTuple):
    """The last step of a smallest proof: its depth, the rule's number from 0, the premises in the body's order."""

    depth: int
    rule: int
    premises: tuple[Fact, ...]


def smallest_proofs(rules: Sequence[Rule], predicates: int, support: Iterable[Fact]) -> dict[Fact, Proof]:
    """The last step of a smallest proof of every fact that follows from the support and is not in it.

    Independent of the order in which facts were made: a round derives with all facts of the rounds before.
    """
    level = strata(rules, predicates)
    depth: dict[Fact, int] = dict.fromkeys(support, 0)
    proofs: dict[Fact, Proof] = {}
    for stratum in range(max((level[rule.head.predicate] for rule in rules), default=0) + 1):
        _close_stratum(rules, [level[rule.head.predicate] == stratum for rule in rules], depth, proofs)
    return proofs


def _close_stratum(
    rules: Sequence[Rule], active: list[bool], depth: dict[Fact, int], proofs: dict[Fact, Proof]
) -> None:
    plans = Plans([rule if on else Rule(rule.head, ()) for rule, on in zip(rules, active, strict=True)])
    indexes: list[Index] = [{} for _ in plans.indexes]
    waiting: list[list[Fact]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for fact, found in depth.items():
        if fact[0] in plans.by_predicate:
            waiting[found].append(fact)
    round_ = 0
    while round_ < len(waiting):
        new = _round(plans, waiting[round_], round_ + 1, indexes, depth, proofs)
        if new and round_ + 1 == len(waiting):
            waiting.append([])
        if new:
            waiting[round_ + 1].extend(new)
        round_ += 1


def _round(
    plans: Plans,
    fresh: list[Fact],
    round_: int,
    indexes: list[Index],
    depth: dict[Fact, int],
    proofs: dict[Fact, Proof],
) -> list[Fact]:
    """Derive with the facts that are new in this round and all before; all facts enter before any is tried."""
    for fact in fresh:
        for number, positions in plans.by_index_predicate.get(fact[0], ()):
            indexes[number].setdefault(tuple([fact[at] for at in positions]), []).append(fact)
    found: list[Fact] = []
    for fact in fresh:
        for plan in plans.by_predicate.get(fact[0], ()):
            for values in matches(plan, fact, indexes):
                head = instance(plan.head_predicate, plan.head, values)
                if head in depth or any(instance(p, sources, values) in depth for p, sources in plan.negative):
                    continue
                depth[head] = round_
                premises = tuple(instance(predicate, sources, values) for predicate, sources in plan.body)
                proofs[head] = Proof(round_, plan.rule, premises)
                found.append(head)
    return found
