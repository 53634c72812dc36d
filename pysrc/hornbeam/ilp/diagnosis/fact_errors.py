"""What a theory gets wrong on facts: true facts that it does not derive, and facts that it derives wrongly.

A held-out split applies the theory to its support: right is what the true rules derive from it, or, where the truth is
not known, what the split expects. In training every fact is given. There a theory is wrong on a fact that a true rule
concludes from the others, and none of its own rules does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from hornbeam.errors import HornbeamError
from hornbeam.ilp.diagnosis.errors import TRACED, SplitErrors, WrongAnswer, missing_atom, target_of, wrong_atom
from hornbeam.logic.terms import Clause, Compound, Term, literal, to_text
from hornbeam.tasks.problem import FactTask, Held, Problem
from hornbeam.theory import Theory, compare
from hornbeam.theory.blame import Explanation, explain
from hornbeam.theory.theory import arguments, indicator

_MOST_LISTED = 20_000  # facts of each kind that are decoded
_GIVEN, _CONCLUDED = "hornbeam_given_", "hornbeam_concluded_"


def fact_errors(problem: Problem, theory: Theory) -> list[SplitErrors]:
    """The errors of a theory in training and in every held-out split of a problem of the view `facts`."""
    task = problem.task
    assert isinstance(task, FactTask)
    parts = [_guarded("train", lambda: _train_errors(task, problem.truth, theory))]
    for split, held in problem.held.items():
        parts.append(_guarded(split, partial(_held_errors, split, held, problem.truth, theory)))
    return parts


def _guarded(split: str, look: Callable[[], SplitErrors]) -> SplitErrors:
    """A model that is too large costs only its own split."""
    try:
        return look()
    except HornbeamError as error:
        return SplitErrors(split, 0, (), f"not looked at: {error}")


# Held-out facts -------------------------------------------------------------------------------------------------------


def _held_errors(split: str, held: Held, truth: Theory | None, theory: Theory) -> SplitErrors:
    # The expected facts, as clauses without a body, are the truth where there are no true rules.
    true = truth if truth is not None else Theory.of(map(Clause, held.expected))
    compared = compare(true, theory, held.support, samples=_MOST_LISTED, effects=False)
    errors = _traced(split, true, theory, held.support, compared.only_true, compared.only_learned)
    listed = len(compared.only_true) + len(compared.only_learned)
    note = f"the first {listed} of {compared.fn + compared.fp} errors are listed"
    return SplitErrors(
        split, compared.tp + compared.fn, tuple(errors), note if listed < compared.fn + compared.fp else ""
    )


def _traced(
    split: str, true: Theory, theory: Theory, facts: Sequence[Term], missing: Sequence[Term], extra: Sequence[Term]
) -> Iterator[WrongAnswer]:
    """The errors of both kinds, the first of each explained by prolog/theory/proofs.pl."""
    lost, added = explain(true.clauses, theory.clauses, facts, missing=missing[:TRACED], extra=extra[:TRACED])
    yield from (_missing(split, one) for one in lost)
    yield from (WrongAnswer(split, to_text(atom), True, False, target_of(atom)) for atom in missing[TRACED:])
    yield from (_extra(split, one) for one in added)
    yield from (WrongAnswer(split, to_text(atom), False, True, target_of(atom)) for atom in extra[TRACED:])


def _missing(split: str, one: Explanation) -> WrongAnswer:
    if one.proof is None or one.step is None:
        return replace(missing_atom(split, one.fact, None, None), blame="its proof is too long to be traced")
    nearest = one.broken[0] if one.broken else None
    error = missing_atom(split, one.fact, *((nearest.clause, nearest.literal) if nearest else (None, None)))
    return error if one.step == one.fact else replace(error, blame=f"{to_text(one.step)} is missing: {error.blame}")


def _extra(split: str, one: Explanation) -> WrongAnswer:
    if one.proof is None or one.step is None:
        return wrong_atom(split, one.fact, None, "derived; its proof is too long to be traced")
    error = wrong_atom(split, one.fact, one.clause, "derived")
    return error if one.step == one.fact else replace(error, blame=f"{error.blame}, which gives {to_text(one.step)}")


# Training facts -------------------------------------------------------------------------------------------------------


def _train_errors(task: FactTask, truth: Theory | None, theory: Theory) -> SplitErrors:
    own = _concluded(theory, task.facts)
    if truth is not None:
        right = _concluded(truth, task.facts)
    else:
        right = {fact for fact in task.facts if indicator(fact) in theory.defines}
    missed = [fact for fact in dict.fromkeys(task.facts) if fact in right and fact not in own]
    true = truth if truth is not None else Theory.of(map(Clause, missed))
    # What is asked for must not be given.
    others = [fact for fact in task.facts if fact not in set(missed)]
    note = "" if truth is not None else "the truth is not known: every training fact counts as true"
    return SplitErrors("train", len(right), tuple(_traced("train", true, theory, others, missed, ())), note)


def _concluded(theory: Theory, facts: Sequence[Term]) -> set[Term]:
    """The facts that a rule concludes from the others and from what follows from these."""
    given = [
        literal(_GIVEN + indicator(fact)[0], *arguments(fact)) for fact in facts if indicator(fact) in theory.defines
    ]
    marking = [marked for clause in theory.clauses for marked in _marking(clause)]
    # Both theories derive the same but for the marks, so that only these are decoded.
    marked = Theory.of([*theory.clauses, *marking])
    marks = compare(marked, theory, [*facts, *given], samples=len(given), effects=False).only_true
    return {literal(indicator(mark)[0].removeprefix(_CONCLUDED), *arguments(mark)) for mark in marks}


def _marking(clause: Clause) -> Iterator[Clause]:
    """Clauses that mark the given facts that a clause concludes, but for those that it concludes from themselves."""
    name, args = indicator(clause.head)[0], arguments(clause.head)
    own = [arguments(part) for part in clause.body if indicator(part) == indicator(clause.head)]
    apart = [
        [Compound("\\==", pair) for pair in zip(args, others, strict=True) if pair[0] != pair[1]] for others in own
    ]
    for tests in product(*apart):
        body = (literal(_GIVEN + name, *args), *clause.body, *tests)
        yield Clause(literal(_CONCLUDED + name, *args), body)
