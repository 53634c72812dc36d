"""The difference of two theories, from their clauses to what they derive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.errors import HornbeamError
from hornbeam.logic.terms import Term, to_text
from hornbeam.theory import datalog
from hornbeam.theory.alignment import Alignment, align
from hornbeam.theory.behaviour import Behaviour, Example, behave
from hornbeam.theory.blame import Explanation, explain
from hornbeam.theory.budget import AMPLE, Budget
from hornbeam.theory.equivalence import Equivalence, decide
from hornbeam.theory.facts import as_facts
from hornbeam.theory.models import Comparison, compare
from hornbeam.theory.redundancy import Redundant, redundant
from hornbeam.theory.scoring import FactScores, RuleScores, fact_scores, rule_scores
from hornbeam.theory.theory import Theory, indicator
from hornbeam.theory.verdict import OwnSamples, Verdict, Witness

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable


@dataclass(frozen=True)
class Diff:
    """All that was found; `str` gives it as text like a unified diff."""

    true: Theory
    learned: Theory
    alignment: Alignment
    redundant: tuple[Redundant, ...]  # of the learned theory
    equivalence: Equivalence
    on_inputs: Equivalence
    rules: RuleScores
    comparison: Comparison | None = None
    facts: FactScores | None = None
    missing_facts: tuple[Explanation, ...] = ()
    extra_facts: tuple[Explanation, ...] = ()
    behaviour: Behaviour | None = None
    notes: tuple[str, ...] = ()
    judged: Verdict | None = None  # by a dataset's court
    own: OwnSamples | None = None  # both theories on the dataset's own samples

    @property
    def verdict(self) -> Verdict:
        """How the learned theory stands to the true one: by a dataset's court, or else by what was decided here."""
        return self.judged if self.judged is not None else _verdict(self)

    @property
    def empty(self) -> bool:
        """Whether every clause has its variant on the other side, and nothing else differs."""
        same = all(pair.relation == "variant" for pair in self.alignment.pairs)
        alone = self.alignment.missing or self.alignment.extra
        facts = self.comparison is None or not (self.comparison.fp or self.comparison.fn)
        examples = self.behaviour is None or not (self.behaviour.only_true or self.behaviour.only_learned)
        samples = self.own is None or not self.own.differences
        return same and not alone and facts and examples and samples

    def scores(self) -> dict[str, float | None]:
        """All figures by name."""
        figures: dict[str, float | None] = dict(asdict(self.rules))
        if self.facts is not None:
            figures.update(asdict(self.facts))
        if self.behaviour is not None:
            figures.update(self.behaviour.scores)
        return figures

    def to_json(self) -> dict[str, Any]:
        from hornbeam.theory.show.as_json import diff_json

        return diff_json(self)

    def __str__(self) -> str:
        from hornbeam.theory.show.as_text import diff_text

        return diff_text(self)

    def html(self) -> str:
        """One self-contained page."""
        from hornbeam.theory.show.as_html import diff_page

        return diff_page(self)

    def __rich__(self) -> ConsoleRenderable:
        from hornbeam.theory.show.as_rich import diff_rich

        return diff_rich(self)


def diff(
    true: Theory | str | Path,
    learned: Theory | str | Path,
    *,
    facts: Iterable[Term] | str | Path | None = None,
    examples: Sequence[Example | Term] | None = None,
    background: str | Path | None = None,
    judged: Verdict | None = None,
    samples: int = 20,
    budget: Budget = AMPLE,
) -> Diff:
    """How `learned` differs from `true`.

    Args:
        true: A Theory, Prolog text, or the Path of a file.
        learned: The same.
        facts: Atoms, Prolog text or a Path: what both derive from them is compared.
        examples: Goals to ask both theories.
        background: Prolog text or a Path that the examples are asked over.
        judged: The verdict of a dataset's court, which then stands for what would be decided here. For a theory of a
            dataset use :func:`hornbeam.tasks.differing.diff_on`.
        samples: Facts or examples to show of each kind.
        budget: For the Herbrand models.

    Returns:
        The rules side by side, the verdict, scores, and the facts or examples on which they differ.

    >>> print(diff("p(X) :- q(X,Y), r(Y).", "p(A) :- q(A,_).", facts="q(a,b). q(c,d). r(b)."))    # doctest: +ELLIPSIS
    --- true
    +++ learned
    @@ true 1, learned 1: the learned clause is more general @@
    ...
    """
    one, other = as_theory(true), as_theory(learned)
    notes = [f"rejected, {found}" for found in other.rejected]
    given = as_facts(facts) if facts is not None else None
    seen = {indicator(fact) for fact in given or ()}
    alignment = align(one, other)
    if not alignment.complete:
        notes.append("the theories are too large to align all clauses: only variants are paired")
    if judged is not None:
        equivalence = on_inputs = _as_equivalence(judged)
    else:
        equivalence = decide(one, other, given=seen)
        on_inputs = equivalence if equivalence.verdict else decide(one, other, given=seen, inputs_only=True)
    rules = rule_scores(one, other)
    made = Diff(
        one, other, alignment, redundant(other), equivalence, on_inputs, rules, notes=tuple(notes), judged=judged
    )
    if given is not None:
        made = _on_facts(made, given, samples, budget)
    if examples is not None:
        made = _on_examples(made, examples, background, samples)
    return made


def _as_equivalence(judged: Verdict) -> Equivalence:
    """A court knows the background knowledge: what holds on all databases would only contradict it."""
    same = True if judged.ok else None
    return Equivalence(judged.equivalent, judged.method, same, same, (), ())


def _verdict(made: Diff) -> Verdict:
    """Two theories without a dataset: what holds on all databases, or else on the facts or examples that were given."""
    found = made.equivalence
    if found.verdict:
        return Verdict.equal(found.how)
    witness = _witness(made)
    if witness is not None:
        return Verdict.refuted(witness, method=found.how)
    return Verdict.incomparable(found.how)


def _witness(made: Diff) -> Witness | None:
    example = made.equivalence.counterexample
    if example is not None:
        text = " ".join(f"{to_text(fact)}." for fact in example.facts) or "no facts at all"
        return _derived_by(example.by, to_text(example.fact), text)
    for by, explained in (("true", made.missing_facts), ("learned", made.extra_facts)):
        if explained:
            return _derived_by(by, to_text(explained[0].fact), "the facts that were given")
    if made.behaviour is not None:
        for disagreed in (*made.behaviour.only_true[:1], *made.behaviour.only_learned[:1]):
            goal = disagreed.example.name or to_text(disagreed.example.goal)
            return _derived_by(disagreed.by, goal, "the examples that were given")
    return None


def _derived_by(by: str, derived: str, text: str) -> Witness:
    true, learned = (derived, "nothing of it") if by == "true" else ("nothing of it", derived)
    return Witness("facts", text, true, learned, prolog=text if text.endswith(".") else "")


def as_theory(source: Theory | str | Path) -> Theory:
    from hornbeam.theory.reading import read

    return source if isinstance(source, Theory) else read(source)


def _on_facts(made: Diff, facts: list[Term], samples: int, budget: Budget) -> Diff:
    unsafe = [
        text
        for theory in (made.true, made.learned)
        for text, clause in zip(theory.texts, theory, strict=True)
        if datalog.free_variables(clause)
    ]
    notes = [
        *made.notes,
        *(f"a variable that the body does not bind ranges over all constants: {text}" for text in unsafe),
    ]
    known = made.true.defines | made.learned.defines | {indicator(fact) for fact in facts}
    unknown = sorted(made.learned.predicates - known)
    notes += [
        f"the learned theory calls {name}/{arity}, of which there is no fact and no rule" for name, arity in unknown
    ]
    try:
        comparison = compare(made.true, made.learned, facts, budget=budget, samples=samples)
    except HornbeamError as error:
        return replace(made, notes=(*notes, f"not evaluated on the facts: {error}"))
    missing, extra = explain(
        made.true.clauses, made.learned.clauses, facts, missing=comparison.only_true, extra=comparison.only_learned
    )
    return replace(
        made,
        comparison=comparison,
        facts=fact_scores(comparison),
        missing_facts=tuple(missing),
        extra_facts=tuple(extra),
        notes=tuple(notes),
    )


def _on_examples(made: Diff, examples: Sequence[Example | Term], background: str | Path | None, samples: int) -> Diff:
    asked = [example if isinstance(example, Example) else Example(example) for example in examples]
    found = behave(made.true, made.learned, asked, background=background, samples=samples)
    notes = [
        f"the learned theory calls {name}/{arity}, which nobody defines: such calls fail"
        for name, arity in found.unknown
    ]
    return replace(made, behaviour=found, notes=(*made.notes, *notes))
