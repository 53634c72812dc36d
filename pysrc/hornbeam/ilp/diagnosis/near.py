"""Near misses: the effect of adding or removing one literal of a theory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from hornbeam.ilp.diagnosis.placing import place
from hornbeam.logic.terms import Clause, Compound, Term, Var, literal, to_text, variables
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode, Place
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Bench, Theory

_VARIANT = "hornbeam_variant"
_MOST_QUESTIONS = 60_000
_MOST_VARIANTS = 600


@dataclass(frozen=True, slots=True)
class Variant:
    """A clause of the theory, changed; `number` is None if it is a clause more."""

    number: int | None
    change: str
    clause: Clause


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What the theory with this change would cover of the training examples."""

    number: int | None
    change: str
    clause: Clause
    tp: int
    fp: int
    fn: int
    tn: int
    outside: str  # the limit of the bias that the clause is beyond, or ""

    @property
    def errors(self) -> int:
        return self.fp + self.fn


def near_misses(task: ExampleTask, theory: Theory, *, count: int = 5) -> list[NearMiss]:
    """The changes of one literal that leave the fewest errors, the best first, of those that change anything."""
    goals, size, bias = [*task.positive, *task.negative], len(task.positive), task.bias
    most = min(_MOST_VARIANTS, _MOST_QUESTIONS // max(1, len(goals)))
    variants = list(_variants(theory, bias, most))
    if not variants or not goals:
        return []
    covered = _covered(task, theory, [variant.clause for variant in variants], goals)
    own = _covered(task, theory, theory.clauses, goals)
    before = [any(column) for column in zip([False] * len(goals), *own, strict=True)]
    misses = []
    for variant, mine in zip(variants, covered, strict=True):
        others = [row for number, row in enumerate(own) if number != variant.number]
        whole = [any(column) for column in zip(mine, *others, strict=True)]
        if whole != before:
            misses.append(_counted(variant, whole, size, bias))
    return sorted(misses, key=lambda miss: (miss.errors, len(miss.clause.body), to_text(miss.clause)))[:count]


def _counted(variant: Variant, covered: Sequence[bool], positives: int, bias: Bias) -> NearMiss:
    tp, fp = sum(covered[:positives]), sum(covered[positives:])
    body, names = len(variant.clause.body), len(variables(variant.clause))
    outside = [f"max_body {bias.max_body}"] if body > bias.max_body else []
    outside += [f"max_vars {bias.max_vars}"] if names > bias.max_vars else []
    fn, tn = positives - tp, len(covered) - positives - fp
    return NearMiss(variant.number, variant.change, variant.clause, tp, fp, fn, tn, ", ".join(outside))


def _covered(
    task: ExampleTask, theory: Theory, clauses: Sequence[Clause], goals: Sequence[Term]
) -> list[tuple[bool, ...]]:
    """Which goals each clause covers, all in one call; what a clause calls is the theory as it is."""
    named = [Clause(Compound(_VARIANT, (number, clause.head)), clause.body) for number, clause in enumerate(clauses)]
    asked = [Compound(_VARIANT, (number, goal)) for number in range(len(named)) for goal in goals]
    with Bench(task.background) as bench:
        covered = bench.judge(Theory.of([*theory.clauses, *named]), asked).covered
    return [covered[start : start + len(goals)] for start in range(0, len(covered), len(goals))]


# Variants -------------------------------------------------------------------------------------------------------------


def _variants(theory: Theory, bias: Bias, most: int) -> Iterator[Variant]:
    """Each clause with a literal fewer, then clauses with a literal more, evenly over the clauses; no copies."""
    seen, count = set(map(str, theory.clauses)), 0
    ways = [_longer(number, clause, bias) for number, clause in enumerate(theory.clauses)]
    ways += [_longer(None, _bare(mode), bias) for mode in bias.head]
    longer = (variant for turn in zip_longest(*ways) for variant in turn if variant is not None)
    for variant in (*_shorter(theory), *longer):
        if count == most:
            return
        if str(variant.clause) not in seen:
            seen.add(str(variant.clause))
            count += 1
            yield variant


def _bare(mode: Mode) -> Clause:
    return Clause(literal(mode.name, *(Var(f"V{number}") for number in range(len(mode.places)))))


def _shorter(theory: Theory) -> Iterator[Variant]:
    for number, clause in enumerate(theory.clauses):
        for at, dropped in enumerate(clause.body):
            rest = clause.body[:at] + clause.body[at + 1 :]
            if rest:
                yield Variant(number, f"without {to_text(dropped)}", Clause(clause.head, rest))


def _longer(number: int | None, clause: Clause, bias: Bias) -> Iterator[Variant]:
    types = place(clause, bias).placing.types
    for mode in bias.body:
        fillings = [list(_fillings(part, at, types, bias)) for at, part in enumerate(mode.places)]
        for args in product(*fillings):
            added = literal(mode.name, *args)
            for more in (added, Compound("\\+", (added,))) if mode.negated else (added,):
                if more not in clause.body:
                    change = f"with {to_text(more)}" if number is not None else "a clause more"
                    yield Variant(number, change, Clause(clause.head, (*clause.body, more)))


def _fillings(part: Place, at: int, types: Mapping[str, str], bias: Bias) -> Iterator[Term]:
    if part.fill == "#":
        yield from bias.constants.get(part.type, ())
        return
    yield from (Var(name) for name, kind in types.items() if ANY_TYPE in (kind, part.type) or kind == part.type)
    if part.fill != "+":
        yield Var(f"New{at}")
