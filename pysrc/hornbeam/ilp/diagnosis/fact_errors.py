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
from hornbeam.ilp.diagnosis.errors import SplitErrors, WrongAnswer, missing_atom, target_of, wrong_atom
from hornbeam.logic.terms import Clause, Compound, Term, literal, to_text
from hornbeam.tasks.problem import FactTask, Held, Problem
from hornbeam.theory import Theory, compare
from hornbeam.theory.blame import Explanation, explain
from hornbeam.theory.theory import arguments, indicator

_TRACED = 50  # facts of each kind in a split whose cause is looked for
_SECONDS = 10.0  # for the causes of one kind in a split
_MOST_LISTED = 20_000  # facts of each kind that are decoded
_GIVEN, _CONCLUDED = "hornbeam_given_", "hornbeam_concluded_"


def fact_errors(problem: Problem, theory: Theory) -> list[SplitErrors]:
    """The errors of a theory in training and in every held-out split of a problem of the view `facts`.

    The examples of a held-out split are the facts that the truth or the theory derives.
    """
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
    names = {*true.predicates, *theory.predicates, *map(indicator, held.support)}
    # A comparison names a predicate without its arity where there is one of that name.
    full = {short: f"{name}/{arity}" for name, arity in names for short in (name, f"{name}/{arity}")}
    counts = {
        full[name]: {"missing": missing, "wrong": wrong}
        for name, (_, wrong, missing) in compared.by_predicate.items()
        if missing or wrong
    }
    return SplitErrors(split, compared.tp + compared.fn + compared.fp, tuple(errors), counts=counts)


def _traced(
    split: str, true: Theory, theory: Theory, facts: Sequence[Term], missing: Sequence[Term], extra: Sequence[Term]
) -> Iterator[WrongAnswer]:
    """The errors of both kinds, the first of each explained by prolog/theory/proofs.pl."""
    lost, added = explain(
        true.clauses, theory.clauses, facts, missing=missing[:_TRACED], extra=extra[:_TRACED], seconds=_SECONDS
    )
    yield from (_missing(split, one) for one in lost)
    yield from (WrongAnswer(split, to_text(atom), True, False, target_of(atom)) for atom in missing[_TRACED:])
    yield from (_extra(split, one) for one in added)
    yield from (WrongAnswer(split, to_text(atom), False, True, target_of(atom)) for atom in extra[_TRACED:])


def _missing(split: str, one: Explanation) -> WrongAnswer:
    if one.proof is None or one.step is None:
        return replace(missing_atom(split, one.fact, None, None), blame="the time did not suffice to trace it")
    nearest = one.broken[0] if one.broken else None
    error = missing_atom(split, one.fact, *((nearest.clause, nearest.literal) if nearest else (None, None)))
    return error if one.step == one.fact else replace(error, blame=f"{to_text(one.step)} is missing: {error.blame}")


def _extra(split: str, one: Explanation) -> WrongAnswer:
    if one.proof is None or one.step is None:
        return wrong_atom(split, one.fact, None, "derived; the time did not suffice to trace it")
    error = wrong_atom(split, one.fact, one.clause, "derived")
    return error if one.step == one.fact else replace(error, blame=f"{error.blame}, which gives {to_text(one.step)}")


# Training facts -------------------------------------------------------------------------------------------------------


def _train_errors(task: FactTask, truth: Theory | None, theory: Theory) -> SplitErrors:
    marks = _Marks(theory, task.facts)
    if truth is not None:
        right = _Marks(truth, task.facts).concluded()
    else:
        right = {fact for fact in task.facts if indicator(fact) in theory.defines}
    own = marks.concluded()
    missed = [fact for fact in dict.fromkeys(task.facts) if fact in right and fact not in own]
    note = "" if truth is not None else "the truth is not known: every training fact counts as true"
    return SplitErrors("train", len(right), tuple(marks.errors(missed)), note)


class _Marks:
    """Marks the facts that a rule of a theory concludes from the other facts and from what follows from these."""

    def __init__(self, theory: Theory, facts: Sequence[Term]) -> None:
        self._theory = theory
        targets = [fact for fact in facts if indicator(fact) in theory.defines]
        self._given = [_renamed(_GIVEN, fact) for fact in targets]
        self._facts = [*facts, *self._given]
        marking = [(number, mark) for number, clause in enumerate(theory.clauses) for mark in _marking(clause)]
        self._origins = [*range(len(theory)), *(number for number, _ in marking)]
        self._marked = Theory.of([*theory.clauses, *(mark for _, mark in marking)])

    def concluded(self) -> set[Term]:
        """The facts that are marked."""
        # Both theories derive the same but for the marks, so that only these are decoded.
        marks = compare(self._marked, self._theory, self._facts, samples=len(self._given), effects=False).only_true
        return {literal(indicator(mark)[0].removeprefix(_CONCLUDED), *arguments(mark)) for mark in marks}

    def errors(self, missed: Sequence[Term]) -> Iterator[WrongAnswer]:
        """Errors for facts that are not marked, the first with the clause that comes nearest."""
        asked = [_renamed(_CONCLUDED, fact) for fact in missed[:_TRACED]]
        own = self._marked.clauses
        explanations, _ = explain(list(map(Clause, asked)), own, self._facts, missing=asked, extra=(), seconds=_SECONDS)
        for fact, one in zip(missed, explanations, strict=False):
            nearest = one.broken[0] if one.broken else None
            cause = (self._origins[nearest.clause], nearest.literal) if nearest else (None, None)
            yield missing_atom("train", fact, *cause)
        yield from (WrongAnswer("train", to_text(atom), True, False, target_of(atom)) for atom in missed[_TRACED:])


def _renamed(mark: str, atom: Term) -> Term:
    return literal(mark + indicator(atom)[0], *arguments(atom))


def _marking(clause: Clause) -> Iterator[Clause]:
    """Clauses that mark the given facts that a clause concludes, but for those that it concludes from themselves."""
    args = arguments(clause.head)
    own = [arguments(part) for part in clause.body if indicator(part) == indicator(clause.head)]
    apart = [
        [Compound("\\==", pair) for pair in zip(args, others, strict=True) if pair[0] != pair[1]] for others in own
    ]
    for tests in product(*apart):
        yield Clause(_renamed(_CONCLUDED, clause.head), (_renamed(_GIVEN, clause.head), *clause.body, *tests))
