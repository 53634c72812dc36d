"""What two theories derive from the same facts, by clingo: sets of symbols, of which only samples are decoded."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hornbeam.logic.asp import Facts, Model, Program
from hornbeam.logic.terms import Clause, Term, each_once
from hornbeam.theory import datalog
from hornbeam.theory.budget import AMPLE, Budget, within
from hornbeam.theory.theory import Indicator, Theory, indicator

# Each effect costs a model, and hundreds would not be read.
_MOST_EFFECTS = 150


@dataclass(frozen=True, slots=True)
class Effect:
    """What leaving out one learned clause changes; None if the time did not suffice."""

    number: int
    lost_right: int | None  # facts that the true theory derives, too
    lost_wrong: int | None
    h_score: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The facts that two theories derive from the same facts. The given facts do not count."""

    tp: int
    fp: int
    fn: int
    given: int
    constants: int
    base: int  # atoms of the Herbrand base
    base_double: int  # as RuDaS' evaluator counts it: predicates that are given and derived count twice
    fp_original: int  # false positives of predicates that are given or truly derived, as RuDaS' evaluator counts
    by_predicate: dict[str, tuple[int, int, int]]  # tp, fp, fn
    only_true: tuple[Term, ...]
    only_learned: tuple[Term, ...]
    effects: tuple[Effect, ...]


def herbrand_model(theory: Theory, facts: Iterable[Term]) -> Model:
    """The least Herbrand model of a theory and facts. A head variable that the body does not bind takes all constants.

    >>> sorted(map(str, herbrand_model(Theory.parse("p(X,Y) :- q(X)."), Theory.parse("q(a). r(b).").heads)))
    ['p(a,a)', 'p(a,b)', 'q(a)', 'r(b)']
    """
    given = list(facts)
    datalog.check_datalog(theory.clauses)
    work = _Work(theory.clauses, (), given)
    return work.shown(work.model(theory.clauses), work.visible)


def compare(
    true: Theory,
    learned: Theory,
    facts: Iterable[Term],
    *,
    budget: Budget = AMPLE,
    samples: int = 20,
    effects: bool = True,
) -> Comparison:
    """Compare the least Herbrand models of two theories.

    Args:
        true: The true theory.
        learned: The learned theory.
        facts: The facts that both are applied to.
        budget: Limits on time and memory.
        samples: How many differing facts of each kind to return.
        effects: Whether to measure the effect of each learned clause.

    Returns:
        The counts and the facts that differ.

    Raises:
        TimeLimit: if the time of the budget is exceeded.
        StackLimit: if the memory of the budget is exceeded.
    """
    given = list(dict.fromkeys(facts))
    datalog.check_datalog((*true.clauses, *learned.clauses))
    visible = set(true.predicates) | {indicator(fact) for fact in given}
    relevant = _relevant((*true.clauses, *learned.clauses), visible)
    effects = effects and len(learned) <= _MOST_EFFECTS
    instances = estimate(relevant, given) * (len(learned) + 2 if effects else 2)
    seconds = min(10.0, budget.seconds / 3) if effects else 0.0
    return within(budget, instances, _compare, true.clauses, learned.clauses, given, samples, seconds)


def estimate(clauses: Sequence[Clause], facts: Sequence[Term]) -> float:
    """At most how many instances of the clauses a model looks at."""
    sizes = Counter(indicator(fact) for fact in facts)
    universe = len(each_once([*datalog.constants(facts), *datalog.clause_constants(clauses)]))
    ready = datalog.prepared(clauses)
    return datalog.instances(ready, dict(sizes), universe) + len(facts)


class _Work:
    """The facts, encoded once, and the names that clingo knows the predicates by."""

    def __init__(self, true: Sequence[Clause], learned: Sequence[Clause], facts: Sequence[Term]) -> None:
        clauses = (*true, *learned)
        self.visible = _predicates(true) | {indicator(fact) for fact in facts}
        self.arities = datalog.Arities(self.visible | _predicates(clauses))
        self.universe = each_once([*datalog.constants(facts), *datalog.clause_constants(clauses)])
        encoded = [self.arities.atom(fact) for fact in facts]
        self.given = Facts(encoded)
        self._domain = Facts(datalog.domain_facts(self.universe))

    def model(self, clauses: Sequence[Clause]) -> Model:
        ready = datalog.prepared([self.arities.clause(clause) for clause in _relevant(clauses, self.visible)])
        facts = self.given | self._domain if datalog.needs_domain(clauses) else self.given
        return Program(ready).model(facts)

    def shown(self, model: Model, predicates: Iterable[Indicator]) -> Model:
        """The atoms of these predicates."""
        return model.only([self.arities.name(predicate) for predicate in sorted(predicates)])

    def decoded(self, model: Model, count: int) -> tuple[Term, ...]:
        """The first facts in clingo's order of symbols, as people know them."""
        few = Model(sorted(model.symbols)[:count])
        return tuple(self.arities.back(fact) for fact in few)


def _relevant(clauses: Sequence[Clause], visible: set[Indicator]) -> list[Clause]:
    """The clauses that have a say in visible facts: helpers that nothing calls may not blow up the model."""
    wanted = set(visible)
    while True:
        kept = [clause for clause in clauses if indicator(clause.head) in wanted]
        called = _predicates(kept)
        if called <= wanted:
            return kept
        wanted |= called


def _predicates(clauses: Sequence[Clause]) -> set[Indicator]:
    return set(Theory.of(clauses).predicates)


def _compare(
    true: Sequence[Clause], learned: Sequence[Clause], facts: Sequence[Term], samples: int, seconds: float
) -> Comparison:
    work = _Work(true, learned, facts)
    given = work.given.model()
    expected = work.shown(work.model(true), work.visible) - given
    derived = work.shown(work.model(learned), work.visible) - given
    both, extra, missing = expected & derived, derived - expected, expected - derived
    fact_predicates = {indicator(fact) for fact in facts}
    heads = work.visible & {indicator(clause.head) for clause in true}
    counts = [part.counts() for part in (both, extra, missing)]
    occurring = {*given.counts(), *expected.counts()}
    universe = max(1, len(work.universe))
    truly = {head for head in heads if work.arities.name(head) in expected.counts()}
    return Comparison(
        tp=len(both),
        fp=len(extra),
        fn=len(missing),
        given=len(given),
        constants=len(work.universe),
        base=sum(universe**arity for _, arity in work.visible),
        base_double=sum(universe**arity for _, arity in [*fact_predicates, *truly]),
        fp_original=sum(count for name, count in counts[1].items() if name in occurring),
        by_predicate={
            name: (counts[0].get(name, 0), counts[1].get(name, 0), counts[2].get(name, 0))
            for name in sorted({*counts[0], *counts[1], *counts[2]})
        },
        only_true=work.decoded(missing, samples),
        only_learned=work.decoded(extra, samples),
        effects=tuple(_effects(work, learned, given, expected, derived, seconds)) if seconds else (),
    )


def _effects(
    work: _Work, learned: Sequence[Clause], given: Model, expected: Model, derived: Model, seconds: float
) -> Iterable[Effect]:
    end = time.process_time() + seconds
    for number in range(len(learned)):
        if time.process_time() > end:
            yield Effect(number, None, None, None)
            continue
        rest = [clause for at, clause in enumerate(learned) if at != number]
        less = work.shown(work.model(rest), work.visible) - given
        lost = derived - less
        right = len(lost & expected)
        tp = len(less & expected)
        total = len(less) + len(expected) - tp
        yield Effect(number, right, len(lost) - right, tp / total if total else 1.0)
