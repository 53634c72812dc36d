"""Conditions that the positives of a rule share and that cannot be chance, though no negative asks for them.

The shortest clause that tells the examples apart may be too general. Of "there is a circle, and the last object is a
red triangle", the word `triangle` is left out if no negative has a circle and ends in red. The positives know better:
had the concept left the last shape open, not all of them would end in a triangle. This is the size principle of concept
learning (Tenenbaum and Griffiths 2001): of two concepts that fit, the smaller one makes the positives more probable.

A literal is added to a clause if all positives that the clause covers have it, and that is improbable in two ways:

- By the negatives: if k of m negatives have it, the probability that n positives all do, with a uniform prior for its
  frequency. A literal that says nothing about the label is as frequent among the negatives.
- By unlabelled examples that the clause covers, e.g. the pictures of other tasks. A literal that follows from the
  clause, or is another way to say the same, is true of all of them, and is not added.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from hornbeam.logic.terms import Clause, Term, Var, literal, variables
from hornbeam.tasks.bias import Bias
from hornbeam.theory import Bench, Theory
from hornbeam.theory.theory import arguments, atom_of, indicator

_CHANCE = 0.05
"""The probability up to which it is no chance that all positives have a literal, by the negatives."""
_CHANCE_OF_ANY = 0.01
"""The same by the unlabelled examples, for one of all literals that the positives share."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Examples as ground atoms, over one background program."""

    positive: Sequence[Term]
    negative: Sequence[Term]
    unlabelled: Sequence[Term]
    background: str


def tightened(theory: Theory, bias: Bias, evidence: Evidence) -> Theory:
    """The theory with literals added to its clauses as the module says. Its answers on the examples stay the same."""
    if bias.recursion or not evidence.unlabelled:
        return theory
    with Bench(evidence.background) as bench:
        trials = _Trials(bench, evidence)
        clauses = [_tightened(clause, bias, trials) for clause in theory.clauses]
    return theory if clauses == list(theory.clauses) else Theory.of(clauses)


def chance(seen: int, having: int, further: int) -> float:
    """The probability that `further` examples all have what `having` of `seen` have, if any frequency is as likely.

    >>> chance(0, 0, 1), round(chance(24, 18, 26), 4), chance(5, 5, 0)
    (0.5, 0.0042, 1.0)
    """
    terms = (math.log((having + 1 + number) / (seen + 2 + number)) for number in range(further))
    return math.exp(sum(terms))


class _Trials:
    """Tries many clauses at once."""

    def __init__(self, bench: Bench, evidence: Evidence) -> None:
        self._bench = bench
        self.evidence = evidence

    def covered(self, clauses: Sequence[Clause], examples: Sequence[Term]) -> list[list[bool]]:
        """For each clause, which of the examples it covers. One program has all, each with a head of its own."""
        named = [(f"clause_{number}", clause) for number, clause in enumerate(clauses)]
        program = [Clause(literal(name, *arguments(clause.head)), clause.body) for name, clause in named]
        goals = [literal(name, *arguments(example)) for name, _ in named for example in examples]
        outcomes = iter(self._bench.judge(Theory.of(program), goals).covered) if goals else iter(())
        return [[next(outcomes) is True for _ in examples] for _ in clauses]


def _tightened(clause: Clause, bias: Bias, trials: _Trials) -> Clause:
    while len(clause.body) < bias.max_body:
        found = _least_probable(clause, bias, trials)
        if found is None:
            break
        clause = _with(clause, found)
    return clause


def _least_probable(clause: Clause, bias: Bias, trials: _Trials) -> Term | None:
    evidence = trials.evidence
    positive = _where(evidence.positive, trials.covered([clause], evidence.positive)[0])
    candidates = [test for test in _tests(clause, bias) if test not in clause.body]
    tried = trials.covered([_with(clause, one) for one in candidates], positive)
    shared = [test for test, having in zip(candidates, tried, strict=True) if all(having)]
    if not shared or not positive:
        return None
    by_label = _counts([Clause(clause.head, (*_binding(clause), test)) for test in shared], evidence.negative, trials)
    pool = _where(evidence.unlabelled, trials.covered([clause], evidence.unlabelled)[0])
    by_pool = _counts([_with(clause, test) for test in shared], pool, trials)
    chances = {
        test: chance(len(pool), pooled, len(positive))
        for test, having, pooled in zip(shared, by_label, by_pool, strict=True)
        if pooled < len(pool) and chance(len(evidence.negative), having, len(positive)) <= _CHANCE
    }
    best = min(chances, key=lambda test: chances[test], default=None)
    return best if best is not None and chances[best] * len(shared) <= _CHANCE_OF_ANY else None


def _with(clause: Clause, test: Term) -> Clause:
    return replace(clause, body=(*clause.body, test))


def _where(examples: Sequence[Term], chosen: Sequence[bool]) -> list[Term]:
    return [example for example, taken in zip(examples, chosen, strict=True) if taken]


def _counts(clauses: Sequence[Clause], examples: Sequence[Term], trials: _Trials) -> list[int]:
    return [sum(covered) for covered in trials.covered(clauses, examples)]


def _binding(clause: Clause) -> Iterator[Term]:
    """The literals that bring in a variable, so that a test on it can be asked without the other conditions."""
    known = set(variables(clause.head))
    for one in clause.body:
        if not set(variables(one)) <= known:
            known.update(variables(one))
            yield one


def _tests(clause: Clause, bias: Bias) -> Iterator[Term]:
    """The literals that bind nothing, over different variables of a clause."""
    typed = _typed(clause, bias)
    for mode in bias.body:
        if any(place.fill == "-" for place in mode.places) or mode.indicator == indicator(clause.head):
            continue
        fillings = [
            bias.constants.get(place.type, ()) if place.fill == "#" else typed.get(place.type, ())
            for place in mode.places
        ]
        for values in product(*fillings):
            if len(set(map(str, values))) == len(values):
                yield literal(mode.name, *values)


def _typed(clause: Clause, bias: Bias) -> dict[str, list[Var]]:
    """The variables of a clause by type."""
    modes = {mode.indicator: mode for mode in (*bias.head, *bias.body)}
    typed: dict[str, list[Var]] = {}
    for atom in map(atom_of, (clause.head, *clause.body)):
        mode = modes.get(indicator(atom))
        for place, value in zip(mode.places, arguments(atom), strict=True) if mode else ():
            if isinstance(value, Var) and value not in typed.setdefault(place.type, []):
                typed[place.type].append(value)
    return typed
