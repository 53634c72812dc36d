"""Whether two theories derive the same from every database, decided without data where that can be decided.

A database may hold facts of every predicate that both sides can see, derived ones included, as in RuDaS. Theories with
the same clauses are recognised first, whatever they are made of. For positive datalog with (in)equalities containment
is decidable, with recursion, too (Sagiv's uniform containment): a theory contains another if it entails each of its
rules, and it entails a rule if it derives the frozen head from the frozen body. Helper predicates of one side are
unfolded first; where they are recursive, and with negation or arithmetic, the answer may stay open (None).

With `inputs_only` a database holds no facts of predicates that rules define. Then all calls are unfolded; of
recursive theories it is decided only in so far as the test above proves them equal or a small database tells them
apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hornbeam.errors import HornbeamError
from hornbeam.logic.terms import Clause, Term
from hornbeam.theory import datalog
from hornbeam.theory.budget import QUICK, Budget
from hornbeam.theory.counterexample import (
    INEQUALITIES,
    Counterexample,
    World,
    distinct,
    entailed,
    freeze,
    identifications,
    search,
)
from hornbeam.theory.forms import clause_form, has_cut, same_clauses
from hornbeam.theory.subsumption import subsumed
from hornbeam.theory.theory import Indicator, Theory, indicator, is_negative, is_test
from hornbeam.theory.unfolding import unfolded

BY_CLAUSE = "clause by clause"
_MOST_CLAUSES = 3000
_MOST_WORLDS = 4000
_MOST_SUBSUMPTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two theories are equivalent. None means undecided.

    Attributes:
        verdict: Whether they are equivalent.
        how: The method, or why it is undecided.
        true_entails: Whether every learned clause follows from the true theory.
        learned_entails: Whether every true clause follows from the learned theory.
        true_clauses: For each true clause, whether it follows from the learned theory.
        learned_clauses: For each learned clause, whether it follows from the true theory.
        counterexample: A database on which they differ.
    """

    verdict: bool | None
    how: str
    true_entails: bool | None
    learned_entails: bool | None
    true_clauses: tuple[bool | None, ...]
    learned_clauses: tuple[bool | None, ...]
    counterexample: Counterexample | None = None


def decide(
    true: Theory,
    learned: Theory,
    *,
    given: Iterable[Indicator] = (),
    inputs_only: bool = False,
    budget: Budget = QUICK,
) -> Equivalence:
    """Decide whether two theories derive the same from every database over their visible predicates.

    Args:
        true: The true theory; its predicates are visible.
        learned: The learned theory.
        given: Further visible predicates.
        inputs_only: Consider only databases without facts of derived predicates.
        budget: Limits on time and memory.

    Returns:
        The answer, with a counterexample if they differ.

    >>> from hornbeam.theory import Theory
    >>> left = Theory.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z).")
    >>> right = Theory.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).")
    >>> [str(fact) for fact in decide(left, right).counterexample.facts]
    ['edge(c2,c1)', 'path(c1,c2)']
    >>> decide(left, right, inputs_only=True).verdict is None
    True
    """
    if same_clauses(true, learned):
        return Equivalence(True, BY_CLAUSE, True, True, (True,) * len(true), (True,) * len(learned))
    if len(true) + len(learned) > _MOST_CLAUSES:
        return _by_subsumption(true, learned, f"open: more than {_MOST_CLAUSES} clauses")
    try:
        return _decide(true, learned, set(given), inputs_only, budget)
    except HornbeamError as error:
        return _by_subsumption(true, learned, f"open: {error}")


def on_inputs(true: Theory, learned: Theory, decided: Equivalence, *, given: Iterable[Indicator] = ()) -> Equivalence:
    """What `decide` says with `inputs_only`, when it has said `found` without."""
    if decided.verdict:
        return decided
    derived = true.defines | learned.defines
    example = decided.counterexample
    if example is None or any(indicator(fact) in derived for fact in example.facts):
        return decide(true, learned, given=given, inputs_only=True)
    # The database holds inputs only, so it refutes this, too. What it does not refute was refuted with other facts.
    by_learned = example.by == "learned"
    return replace(
        decided,
        true_entails=False if by_learned else decided.true_entails or None,
        learned_entails=decided.learned_entails or None if by_learned else False,
        true_clauses=tuple(answer or None for answer in decided.true_clauses),
        learned_clauses=tuple(answer or None for answer in decided.learned_clauses),
    )


def helpers(true: Theory, learned: Theory, given: set[Indicator]) -> set[Indicator]:
    """The helper predicates: defined by the learned theory, and neither in the true one nor among the facts.

    Beside a true theory without clauses there is nothing to help: all that is learned counts.
    """
    return set(learned.defines) - set(true.predicates) - given if true.clauses else set()


def _decide(true: Theory, learned: Theory, given: set[Indicator], inputs_only: bool, budget: Budget) -> Equivalence:
    if not datalog.is_datalog((*true.clauses, *learned.clauses)):
        return _by_subsumption(true, learned, "open: not datalog, and no subsumption of all clauses")
    hidden = helpers(true, learned, given)
    if not all(map(_is_positive, (*true.clauses, *learned.clauses))):
        return _with_negation(true, learned, hidden, given, inputs_only, budget)
    derived = set(true.defines | learned.defines) if inputs_only else set()
    sides = [_side(true, learned, set(), derived, budget), _side(learned, true, hidden, derived | hidden, budget)]
    # A side whose cases were not all tested can be refuted, but not proven.
    contained = [False if not all(side.answers) else True if side.complete else None for side in sides]
    verdict = False if False in contained else True if contained == [True, True] else None
    example = None
    if verdict is False:
        worlds = [
            Counterexample(side.failing[0].facts, side.failing[0].goal, by, False)
            for side, by in zip(sides, ("true", "learned"), strict=True)
            if side.failing
        ]
        frozen = min(worlds, key=lambda world: len(world.facts))
        example = search(true, learned, hidden, given, at_most=frozen, budget=budget, inputs_only=inputs_only) or frozen
    elif verdict is None and inputs_only:
        example = search(true, learned, hidden, given, at_most=None, budget=budget, inputs_only=True)
        verdict = None if example is None else False
    how = {
        True: "each theory derives the head of each clause of the other from its frozen body",
        False: "a database on which they differ was found",
        None: "open: recursive, or too many cases, and no small database tells them apart",
    }[verdict]
    return Equivalence(
        verdict, how, contained[1], contained[0], _per_clause(true, sides[0]), _per_clause(learned, sides[1]), example
    )


# One direction --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Side:
    """The rules of one theory tested against the other."""

    rules: list[Clause]
    answers: list[bool]
    failing: list[World]
    complete: bool


def _side(theory: Theory, other: Theory, hidden: set[Indicator], replaced: set[Indicator], budget: Budget) -> _Side:
    rules = unfolded(theory.clauses, hidden, replaced)
    complete = rules is not None
    if rules is None:
        rules = [
            clause for clause in theory.clauses if not _calls(clause, replaced) and indicator(clause.head) not in hidden
        ]
    constants = datalog.clause_constants((*theory.clauses, *other.clauses))
    cases: list[tuple[int, World]] = []
    # A rule that the other theory has as well follows from it: of large theories few rules are left to test.
    shared, forms = set(other.forms), dict(zip(theory.clauses, theory.forms, strict=True))
    unequal = any(map(_has_inequality, (*theory.clauses, *other.clauses)))
    for number, rule in enumerate(rules):
        if (forms.get(rule) or clause_form(rule)) in shared:
            continue
        worlds = list(islice(_cases(rule, constants, unequal), _MOST_WORLDS + 1))
        complete = complete and len(worlds) <= _MOST_WORLDS
        cases += [(number, world) for world in worlds[:_MOST_WORLDS]]
    results = entailed(other.clauses, [world for _, world in cases], budget=budget) if cases else []
    answers = [True] * len(rules)
    failing = []
    for (number, world), holds in zip(cases, results, strict=True):
        if not holds:
            answers[number] = False
            failing.append(world)
    failing.sort(key=lambda world: len(world.facts))
    return _Side(rules, answers, failing, complete)


def _cases(rule: Clause, constants: list[Term], unequal: bool) -> Iterator[World]:
    choices = identifications(rule, constants) if unequal else iter([distinct(rule, constants)])
    for substitution in choices:
        world = freeze(rule, substitution)
        if world is not None and world.goal not in world.facts:
            yield world


def _calls(clause: Clause, predicates: set[Indicator]) -> bool:
    return any(indicator(literal) in predicates for literal in clause.body)


def _has_inequality(clause: Clause) -> bool:
    return any(indicator(literal)[0] in INEQUALITIES for literal in clause.body)


def _is_positive(clause: Clause) -> bool:
    """Whether freezing decides it: no negation, and no test but (in)equality."""
    known = {"=", "==", *INEQUALITIES}
    return not any(
        is_negative(literal)
        or (is_test(indicator(literal)) and indicator(literal)[1] == 2 and indicator(literal)[0] not in known)
        for literal in clause.body
    )


def _per_clause(theory: Theory, side: _Side) -> tuple[bool | None, ...]:
    """The answers for the clauses as written; None for those that were unfolded."""
    known = {str(rule): answer for rule, answer in zip(side.rules, side.answers, strict=True)}
    return tuple(known.get(str(clause)) for clause in theory.clauses)


# Where freezing does not decide ------------------------------------------------------------------------------------


def _with_negation(
    true: Theory, learned: Theory, hidden: set[Indicator], given: set[Indicator], inputs_only: bool, budget: Budget
) -> Equivalence:
    proven = _by_subsumption(true, learned, "open: with negation or arithmetic no small database tells them apart")
    if proven.verdict:
        return proven
    for theory in (true, learned):
        # Raises where negation runs through a cycle: such a theory has no one model to compare.
        entailed(theory.clauses, [], budget=budget)
    example = search(true, learned, hidden, given, at_most=None, budget=budget, inputs_only=inputs_only)
    if example is None:
        return proven
    entails = {"true": proven.learned_entails, "learned": proven.true_entails}
    entails[example.by] = False
    how = "a database on which they differ was found"
    return Equivalence(
        False, how, entails["learned"], entails["true"], proven.true_clauses, proven.learned_clauses, example
    )


def _by_subsumption(true: Theory, learned: Theory, otherwise: str) -> Equivalence:
    """Sound for any program without cuts: a clause that another subsumes adds nothing. It proves, and never refutes."""
    if any(map(has_cut, (*true.clauses, *learned.clauses))):
        covered = [[False] * len(true), [False] * len(learned)]
        otherwise = "open: with a cut the order of clauses counts"
    elif len(true) * len(learned) > _MOST_SUBSUMPTIONS:
        covered = [_same_form(true, learned), _same_form(learned, true)]
    else:
        covered = [subsumed(true.clauses, learned.clauses), subsumed(learned.clauses, true.clauses)]
    answers = [tuple(True if answer else None for answer in side) for side in covered]
    sides = [True if all(side) else None for side in covered]
    verdict = True if sides == [True, True] else None
    how = "each clause is subsumed by one of the other theory" if verdict else otherwise
    return Equivalence(verdict, how, sides[1], sides[0], answers[0], answers[1])


def _same_form(one: Theory, other: Theory) -> list[bool]:
    known = set(other.forms)
    return [form in known for form in one.forms]


# A theory with more clauses for one predicate is only searched for copies.
_MOST_TESTED = 120


@dataclass(frozen=True, slots=True)
class Redundant:
    """A clause by its number from 0, and why nothing is lost without it."""

    number: int
    reason: str


def redundant(theory: Theory, *, budget: Budget = QUICK) -> tuple[Redundant, ...]:
    """Clauses that can be left out one after the other, the last first.

    >>> [clause.reason for clause in redundant(Theory.parse("p(X) :- q(X). p(X) :- q(X), r(X). p(X) :- p(X)."))]
    ['another clause subsumes it', 'its head is in its body']
    """
    reasons: dict[int, str] = {}
    for number, clause in enumerate(theory.clauses):
        if clause.head in clause.body:
            reasons[number] = "its head is in its body"
    if len(theory) > _MOST_TESTED:
        seen: set[str] = set()
        for number, clause in enumerate(theory.clauses):
            if str(clause) in seen:
                reasons[number] = "it is there twice"
            seen.add(str(clause))
        return _sorted(reasons)
    positive = datalog.is_datalog(theory.clauses) and all(map(_has_no_test, theory.clauses))
    for number in reversed(range(len(theory))):
        if number not in reasons:
            rest = [clause for at, clause in enumerate(theory.clauses) if at != number and at not in reasons]
            reason = _reason(theory.clauses[number], rest, positive, budget)
            if reason:
                reasons[number] = reason
    return _sorted(reasons)


def _sorted(reasons: dict[int, str]) -> tuple[Redundant, ...]:
    return tuple(Redundant(number, reasons[number]) for number in sorted(reasons))


def _has_no_test(clause: Clause) -> bool:
    return not any(is_negative(literal) or is_test(indicator(literal)) for literal in clause.body)


def _reason(clause: Clause, rest: list[Clause], positive: bool, budget: Budget) -> str | None:
    same = [other for other in rest if indicator(other.head) == indicator(clause.head)]
    if not same:
        return None
    if subsumed([clause], same)[0]:
        return "another clause subsumes it"
    if not any(other.body for other in same):
        return None  # from facts a clause follows only where one subsumes it: a table of them needs no model
    world = freeze(clause, distinct(clause, datalog.clause_constants([clause, *rest]))) if positive else None
    try:
        if world is not None and entailed(rest, [world], budget=budget)[0]:
            return "it follows from the other clauses"
    except HornbeamError:
        return None
    return None
