"""From all that a diff found out to one verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hornbeam.errors import HornbeamError
from hornbeam.logic.terms import Term, to_text
from hornbeam.theory.behaviour import Behaviour, Disagreement
from hornbeam.theory.blame import Explanation, explain
from hornbeam.theory.counterexample import Counterexample
from hornbeam.theory.equivalence import BY_CLAUSE
from hornbeam.theory.theory import Indicator
from hornbeam.theory.verdict import Verdict, Witness

if TYPE_CHECKING:
    from hornbeam.theory.difference import Diff

_INPUTS = "by containment, on databases without facts of derived predicates"


def verdict_of(made: Diff, given: Iterable[Indicator] | None) -> Verdict | None:
    """Proven equal or refuted; None where neither is known. `given` are the predicates of the facts, if there are any.

    Over background knowledge a database on which two theories differ may never occur: only an example refutes there.
    """
    found = made.equivalence
    if found.verdict:
        return Verdict.equal(BY_CLAUSE if found.how == BY_CLAUSE else "by containment")
    explained = next(iter((*made.extra_facts, *made.missing_facts)), None)
    inputs = given is not None and not (made.true.defines | made.learned.defines) & set(given)
    if inputs and made.on_inputs.verdict and explained is None:
        return Verdict.equal(_INPUTS)
    example = made.on_inputs.counterexample if inputs else None
    example = example or found.counterexample
    if example is not None and (made.behaviour is None or not made.behaviour.background):
        return Verdict.refuted(_database(example), method=found.how, blame=_blame_on(made, example))
    if explained is not None:
        return Verdict.refuted(
            _fact(made, explained), method="on the facts", blame=_blame(made, explained, explained in made.extra_facts)
        )
    disagreed = _disagreement(made.behaviour) if made.behaviour else None
    if disagreed is not None:
        return Verdict.refuted(_asked(disagreed), method="on the examples", blame=_broken(made, disagreed))
    return None


def why_open(made: Diff) -> str:
    """Why there is no verdict."""
    seen = f"; they agree on {made.behaviour.examples} examples" if _agree(made.behaviour) and made.behaviour else ""
    if made.equivalence.verdict is False:
        return "they differ on some database, which the background knowledge may rule out" + seen
    return made.equivalence.how.removeprefix("open: ") + seen


def _agree(behaviour: Behaviour | None) -> bool:
    return behaviour is not None and not (behaviour.only_true or behaviour.only_learned or behaviour.undecided)


# Witnesses -----------------------------------------------------------------------------------------------------------


def _said(by: str) -> tuple[str, str]:
    return ("derived", "not derived") if by == "true" else ("not derived", "derived")


def _witness(goal: Term, facts: Iterable[Term], by: str) -> Witness:
    texts = list(map(to_text, facts))
    text = f"{to_text(goal)} from {', '.join(texts) or 'no facts at all'}"
    return Witness("facts", text, *_said(by), prolog="".join(f"{fact}.\n" for fact in texts))


def _database(found: Counterexample) -> Witness:
    return _witness(found.fact, found.facts, found.by)


def _fact(made: Diff, found: Explanation) -> Witness:
    by = "learned" if found in made.extra_facts else "true"
    return Witness("facts", f"{to_text(found.fact)} from the given facts", *_said(by))


def _asked(found: Disagreement) -> Witness:
    true, learned = ("covered", "not covered") if found.by == "true" else ("not covered", "covered")
    return Witness("facts", found.example.name or to_text(found.example.goal), true, learned)


def _disagreement(behaviour: Behaviour) -> Disagreement | None:
    """The first that is none of a limit: an example that ran out of time tells nothing."""
    open_ = {name for name, _ in behaviour.undecided}
    both = (*behaviour.only_true, *behaviour.only_learned)
    return next((one for one in both if (one.example.name or to_text(one.example.goal)) not in open_), None)


# Blame ---------------------------------------------------------------------------------------------------------------


def _blame_on(made: Diff, example: Counterexample) -> str | None:
    """What is to blame on a database that tells the theories apart."""
    extra = [example.fact] if example.by == "learned" else []
    missing = [] if extra else [example.fact]
    try:
        lost, wrong = explain(made.true.clauses, made.learned.clauses, example.facts, missing=missing, extra=extra)
    except HornbeamError:
        return None
    found = next(iter((*wrong, *lost)), None)
    return None if found is None else _blame(made, found, bool(extra))


def _blame(made: Diff, found: Explanation, extra: bool) -> str | None:
    """The learned clause that concludes wrongly, or the literal of one that breaks where a true clause holds."""
    if found.clause is None:
        return None
    if extra:
        return made.learned.texts[found.clause]
    if not found.broken:
        return None
    return f"{to_text(found.broken[0].literal)} in {made.learned.texts[found.broken[0].clause]}"


def _broken(made: Diff, found: Disagreement) -> str | None:
    if found.by == "learned":
        return None if found.clause is None else made.learned.texts[found.clause]
    if not found.broken:
        return None
    number, literal = found.broken[0]
    return f"{literal} in {made.learned.texts[number]}"
