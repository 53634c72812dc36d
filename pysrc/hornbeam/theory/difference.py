"""The difference between two theories: their clauses, what they derive, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.errors import HornbeamError, UsageError
from hornbeam.logic.terms import Term, to_text
from hornbeam.theory import datalog
from hornbeam.theory.alignment import Alignment, align
from hornbeam.theory.behaviour import Behaviour, Disagreement, Example, behave
from hornbeam.theory.blame import Explanation, explain
from hornbeam.theory.budget import AMPLE, Budget
from hornbeam.theory.counterexample import Counterexample
from hornbeam.theory.equivalence import BY_CLAUSE, Equivalence, Redundant, decide, on_inputs, redundant
from hornbeam.theory.models import Comparison, compare
from hornbeam.theory.reading import as_facts, declared, read
from hornbeam.theory.renaming import (
    check_new_names,
    depends_on,
    parse_renaming,
    predicates,
    refuse_undefined,
    rename_hints,
    renamed,
    restricted,
    targets,
)
from hornbeam.theory.scoring import FactScores, RuleScores, fact_scores, rule_scores
from hornbeam.theory.theory import Indicator, Theory, indicator
from hornbeam.theory.verdict import OwnSamples, Verdict, Witness

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable


@dataclass(frozen=True)
class Diff:
    """The difference between two theories; `str` gives text like a unified diff.

    Attributes:
        true: The true theory.
        learned: The learned theory.
        alignment: The clauses of both, paired.
        redundant: Clauses of the learned theory that are redundant.
        equivalence: Whether the theories are equivalent on all databases.
        on_inputs: Whether they are equivalent on databases without facts of derived predicates.
        rules: Scores that compare the rules.
        comparison: What both derive from the given facts.
        facts: Scores that compare the derived facts.
        missing_facts: Facts that only the true theory derives, with the reason.
        extra_facts: Facts that only the learned theory derives, with the reason.
        behaviour: The answers to the given examples.
        notes: Warnings and hints.
        verdict: The verdict; None if there is neither a proof nor a counterexample.
        judged: Whether the verdict comes from a dataset's court.
        own: Both theories on the samples of the dataset.

    >>> difference = diff("p(X) :- q(X), r(X).", "p(X) :- q(X).")
    >>> difference.verdict.kind, difference.alignment.pairs[0].relation, difference.empty
    ('refuted', 'general', False)
    """

    true: Theory
    learned: Theory
    alignment: Alignment
    redundant: tuple[Redundant, ...]
    equivalence: Equivalence
    on_inputs: Equivalence
    rules: RuleScores
    comparison: Comparison | None = None
    facts: FactScores | None = None
    missing_facts: tuple[Explanation, ...] = ()
    extra_facts: tuple[Explanation, ...] = ()
    behaviour: Behaviour | None = None
    notes: tuple[str, ...] = ()
    verdict: Verdict | None = None
    judged: bool = False
    own: OwnSamples | None = None

    @property
    def empty(self) -> bool:
        """Whether every clause has a variant in the other theory, and nothing else differs."""
        same = all(pair.relation == "variant" for pair in self.alignment.pairs)
        alone = self.alignment.missing or self.alignment.extra
        facts = self.comparison is None or not (self.comparison.fp or self.comparison.fn)
        examples = self.behaviour is None or not (self.behaviour.only_true or self.behaviour.only_learned)
        samples = self.own is None or not self.own.differences
        return same and not alone and facts and examples and samples

    def scores(self) -> dict[str, float | None]:
        """All scores by name, e.g. ``r_score``."""
        figures: dict[str, float | None] = dict(asdict(self.rules))
        if self.facts is not None:
            figures.update(asdict(self.facts))
        if self.behaviour is not None:
            figures.update(self.behaviour.scores)
        return figures

    def to_json(self) -> dict[str, Any]:
        """A JSON object, as `hornbeam diff --json` prints it."""
        from hornbeam.theory.show.words import diff_json

        return diff_json(self)

    def __str__(self) -> str:
        return self.text()

    def text(self, *, every: bool = False) -> str:
        """The verdict and text like a unified diff; equal rules are only counted, unless `every` is true."""
        from hornbeam.theory.show.printed import diff_text

        return diff_text(self, every=every)

    def __rich__(self) -> ConsoleRenderable:
        return self.rich()

    def rich(self, *, every: bool = False) -> ConsoleRenderable:
        """Tables and trees for a console; `every` as in :meth:`text`."""
        from hornbeam.theory.show.printed import diff_rich

        return diff_rich(self, every=every)


def diff(
    true: Theory | str | Path,
    learned: Theory | str | Path,
    *,
    facts: Iterable[Term] | str | Path | None = None,
    examples: Sequence[Example | Term] | None = None,
    background: str | Path | None = None,
    judged: Verdict | None = None,
    rename: Mapping[str, str] | Iterable[str] = (),
    target: str | None = None,
    known: Iterable[Indicator] = (),
    samples: int = 20,
    budget: Budget = AMPLE,
) -> Diff:
    """Compare a learned theory with the true one.

    :func:`hornbeam.diff` compares with the true theory of a dataset.

    Args:
        true: A Theory, Prolog text, or the Path of a file.
        learned: The same.
        facts: Facts as atoms, Prolog text or a Path; the consequences of both theories are compared.
        examples: Goals to ask both theories.
        background: Background knowledge for the examples, as Prolog text or a Path.
        judged: The verdict of a dataset's court; then nothing is decided here.
        rename: The true names of learned predicates: ``{"anc": "ancestor"}``, or ``["anc/2=ancestor"]``.
        target: A name or name/arity; only this predicate and those that it depends on are compared.
        known: Further predicates that the learned theory may call.
        samples: How many facts or examples of each kind to show.
        budget: The budget for computing the Herbrand models.

    Returns:
        The verdict, the rules side by side, scores, and the facts or examples on which they differ.

    Raises:
        UsageError: if, with facts or examples, the learned theory calls an undefined predicate.
        PrologSyntaxError: if a theory is not valid Prolog.

    >>> print(diff("p(X) :- q(X,Y), r(Y).", "p(A) :- q(A,_).", facts="q(a,b). q(c,d). r(b)."))    # doctest: +ELLIPSIS
    refuted: p(c1) from q(c1,c1): the true theory says not derived, the learned one derived; to blame: p(A) :- q(A,_).
    --- true
    +++ learned
    @@ true 1, learned 1: the learned clause is more general @@
    ...
    """
    renaming = parse_renaming(rename)
    one, other = as_theory(true), renamed(as_theory(learned), renaming)
    if judged is None and not len(one) and len(other):
        raise UsageError("the true theory has no clause: there is nothing to compare with", file=one.name)
    notes = [f"rejected, {line}" for line in other.rejected]
    given = as_facts(facts) if facts is not None else None
    seen = {indicator(fact) for fact in given or ()}
    known = {*known, *predicates(one), *seen, *declared(facts)}
    if background is None:
        check_new_names(renaming, known)
    if target is not None:
        one, other, note = _on_target(one, other, target)
        notes += note
    notes += rename_hints(one, other, seen)
    if given is not None and background is None:
        # Without background knowledge, all definitions are known already.
        refuse_undefined(other, predicates(other) - other.program.defines - known, known)
    result = _clauses(one, other, seen, notes, judged)
    if given is not None:
        result = _on_facts(result, given, samples, budget)
    if examples is not None:
        result = _on_examples(result, examples, background, samples, known)
    if judged is not None:
        return replace(result, verdict=judged, judged=True)
    return replace(result, verdict=verdict_of(result, None if given is None else seen))


def _on_target(one: Theory, other: Theory, target: str) -> tuple[Theory, Theory, list[str]]:
    """Both theories without the clauses that the target does not depend on, and a note that says how many these are."""
    wanted = depends_on((one, other), targets(one, target))
    kept = restricted(one, wanted), restricted(other, wanted)
    left_out = len(one) - len(kept[0]), len(other) - len(kept[1])
    if not any(left_out):
        return *kept, []
    return *kept, [
        f"only {target} and what it depends on: {left_out[0]} true and {left_out[1]} learned clauses are left out"
    ]


def _clauses(one: Theory, other: Theory, seen: set[Indicator], notes: list[str], judged: Verdict | None) -> Diff:
    """The comparison of the clauses, without data. With `judged`, equivalence is taken from the court's verdict."""
    alignment = align(one, other)
    if not alignment.complete:
        notes = [*notes, "the theories are too large to align all clauses: only variants are paired"]
    if judged is not None:
        equivalence = inputs = Equivalence(judged.equivalent, judged.method, None, None, (), ())
    else:
        equivalence = decide(one, other, given=seen)
        inputs = on_inputs(one, other, equivalence, given=seen)
    rules = rule_scores(one, other)
    return Diff(one, other, alignment, redundant(other), equivalence, inputs, rules, notes=tuple(notes))


def as_theory(source: Theory | str | Path) -> Theory:
    return source if isinstance(source, Theory) else read(source)


def _on_facts(diff: Diff, facts: list[Term], samples: int, budget: Budget) -> Diff:
    unsafe = [
        text
        for theory in (diff.true, diff.learned)
        for text, clause in zip(theory.texts, theory, strict=True)
        if datalog.free_variables(clause)
    ]
    notes = [
        *diff.notes,
        *(f"a variable that the body does not bind ranges over all constants: {text}" for text in unsafe),
    ]
    try:
        comparison = compare(diff.true, diff.learned, facts, budget=budget, samples=samples)
    except HornbeamError as error:
        return replace(diff, notes=(*notes, f"not evaluated on the facts: {error}"))
    missing, extra = explain(
        diff.true.clauses, diff.learned.clauses, facts, missing=comparison.only_true, extra=comparison.only_learned
    )
    return replace(
        diff,
        comparison=comparison,
        facts=fact_scores(comparison),
        missing_facts=tuple(missing),
        extra_facts=tuple(extra),
        notes=tuple(notes),
    )


def _on_examples(
    diff: Diff,
    examples: Sequence[Example | Term],
    background: str | Path | None,
    samples: int,
    known: set[Indicator],
) -> Diff:
    asked = [example if isinstance(example, Example) else Example(example) for example in examples]
    behaviour = behave(diff.true, diff.learned, asked, background=background, samples=samples, known=known)
    notes = [
        f"the true theory calls {name}/{arity}, which is undefined: such calls fail; is background knowledge missing?"
        for name, arity in behaviour.unknown
    ]
    return replace(diff, behaviour=behaviour, notes=(*diff.notes, *notes))


# The verdict ----------------------------------------------------------------------------------------------------------

_INPUTS = "by containment, on databases without facts of derived predicates"


def verdict_of(diff: Diff, given: Iterable[Indicator] | None) -> Verdict | None:
    """Proven equal or refuted; None if neither is known. `given` are the predicates of the facts, if there are any.

    With background knowledge, a database on which two theories differ may be impossible: only an example refutes then.
    """
    equivalence = diff.equivalence
    if equivalence.verdict:
        return Verdict.equal(BY_CLAUSE if equivalence.how == BY_CLAUSE else "by containment")
    explained = next(iter((*diff.extra_facts, *diff.missing_facts)), None)
    inputs = given is not None and not (diff.true.defines | diff.learned.defines) & set(given)
    if inputs and diff.on_inputs.verdict and explained is None:
        return Verdict.equal(_INPUTS)
    example = diff.on_inputs.counterexample if inputs else None
    example = example or equivalence.counterexample
    if example is not None and (diff.behaviour is None or not diff.behaviour.background):
        return Verdict.refuted(_database(example), method=equivalence.how, blame=_blame_on(diff, example))
    if explained is not None:
        return Verdict.refuted(
            _fact(diff, explained), method="on the facts", blame=_blame(diff, explained, explained in diff.extra_facts)
        )
    disagreed = _disagreement(diff.behaviour) if diff.behaviour else None
    if disagreed is not None:
        return Verdict.refuted(_asked(disagreed), method="on the examples", blame=_broken(diff, disagreed))
    return None


def why_open(diff: Diff) -> str:
    """Why there is no verdict."""
    seen = f"; they agree on {diff.behaviour.examples} examples" if _agree(diff.behaviour) and diff.behaviour else ""
    if diff.equivalence.verdict is False:
        return "they differ on some database, which the background knowledge may rule out" + seen
    return diff.equivalence.how.removeprefix("open: ") + seen


def _agree(behaviour: Behaviour | None) -> bool:
    return behaviour is not None and not (behaviour.only_true or behaviour.only_learned or behaviour.undecided)


def _said(by: str) -> tuple[str, str]:
    return ("derived", "not derived") if by == "true" else ("not derived", "derived")


def _witness(goal: Term, facts: Iterable[Term], by: str) -> Witness:
    texts = list(map(to_text, facts))
    text = f"{to_text(goal)} from {', '.join(texts) or 'no facts at all'}"
    return Witness("facts", text, *_said(by), prolog="".join(f"{fact}.\n" for fact in texts))


def _database(example: Counterexample) -> Witness:
    return _witness(example.fact, example.facts, example.by)


def _fact(diff: Diff, explained: Explanation) -> Witness:
    by = "learned" if explained in diff.extra_facts else "true"
    return Witness("facts", f"{to_text(explained.fact)} from the given facts", *_said(by))


def _asked(disagreed: Disagreement) -> Witness:
    true, learned = ("covered", "not covered") if disagreed.by == "true" else ("not covered", "covered")
    return Witness("facts", disagreed.example.name or to_text(disagreed.example.goal), true, learned)


def _disagreement(behaviour: Behaviour) -> Disagreement | None:
    """The first disagreement that is not due to a limit."""
    open_ = {name for name, _ in behaviour.undecided}
    both = (*behaviour.only_true, *behaviour.only_learned)
    return next((one for one in both if (one.example.name or to_text(one.example.goal)) not in open_), None)


def _blame_on(diff: Diff, example: Counterexample) -> str | None:
    """The rule or literal to blame, on a database on which the theories differ."""
    extra = [example.fact] if example.by == "learned" else []
    missing = [] if extra else [example.fact]
    try:
        lost, wrong = explain(diff.true.clauses, diff.learned.clauses, example.facts, missing=missing, extra=extra)
    except HornbeamError:
        return None
    explained = next(iter((*wrong, *lost)), None)
    return None if explained is None else _blame(diff, explained, bool(extra))


def _blame(diff: Diff, explained: Explanation, extra: bool) -> str | None:
    """The learned clause that derives a wrong fact, or the literal that fails where a true clause succeeds."""
    if explained.clause is None:
        return None
    if extra:
        return diff.learned.texts[explained.clause]
    if not explained.broken:
        return None
    return f"{to_text(explained.broken[0].literal)} in {diff.learned.texts[explained.broken[0].clause]}"


def _broken(diff: Diff, disagreed: Disagreement) -> str | None:
    if disagreed.by == "learned":
        return None if disagreed.clause is None else diff.learned.texts[disagreed.clause]
    if not disagreed.broken:
        return None
    number, literal = disagreed.broken[0]
    return f"{literal} in {diff.learned.texts[number]}"
