"""Two theories on examples: programs over lists and trees, or any Prolog that has no Herbrand model to compare."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hornbeam.logic import Limits
from hornbeam.logic.terms import Term, to_text
from hornbeam.theory.coverage import EXAMPLE, Bench, Judgement
from hornbeam.theory.renaming import refuse_undefined
from hornbeam.theory.theory import Indicator, Theory


@dataclass(frozen=True, slots=True)
class Example:
    """A goal to ask; `label` is its label in a dataset, if it has one."""

    goal: Term
    label: bool | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An example that only one theory covers: by which of its clauses, and where the other's clauses break."""

    example: Example
    by: str  # true or learned
    clause: int | None  # the clause of that theory that covers it
    broken: tuple[tuple[int, str], ...]  # clauses of the other theory, the nearest first, and the literal that fails


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The answers of two theories to the same examples."""

    examples: int
    scores: dict[str, float]  # of the learned theory against the true one
    labels: dict[str, float] | None  # of the learned theory against the dataset's labels
    truth_on_labels: dict[str, float] | None  # of the true theory against the labels: 1 unless the data are noisy
    only_true: tuple[Disagreement, ...]
    only_learned: tuple[Disagreement, ...]
    undecided: tuple[tuple[str, str], ...]  # examples that exceeded a limit or raised an error, with the message
    effects: tuple[dict[str, float], ...]  # the scores without each learned clause
    unknown: tuple[Indicator, ...] = ()  # undefined predicates that the true theory calls
    background: bool = False  # whether there was background knowledge


def behave(
    true: Theory,
    learned: Theory,
    examples: Iterable[Example],
    *,
    background: str | Path | None = None,
    limits: Limits = EXAMPLE,
    samples: int = 20,
    known: Collection[Indicator] = (),
) -> Behaviour:
    """Ask both theories all examples, contained, each example within its own limits.

    A call of an undefined predicate that is not in `known` raises UsageError.
    """
    asked = list(examples)
    goals = [example.goal for example in asked]
    with Bench(background) as bench:
        refuse_undefined(learned, set(bench.undefined(learned)) - set(known), known)
        right = bench.judge(true, goals, limits=limits)
        answered = bench.judge(learned, goals, limits=limits)
        expected = right.covered
        pairs = list(zip(asked, expected, answered.covered, strict=True))
        missing = [example for example, a, b in pairs if a and not b][:samples]
        extra = [example for example, a, b in pairs if b and not a][:samples]
        labels = [example.label for example in asked]
        stated = [label for label in labels if label is not None]
        labelled = len(stated) == len(asked) and bool(stated)
        return Behaviour(
            examples=len(asked),
            scores=answered.against(expected),
            labels=answered.against(stated) if labelled else None,
            truth_on_labels=right.against(stated) if labelled else None,
            only_true=tuple(_disagreements(bench, missing, "true", true, learned, limits)),
            only_learned=tuple(_disagreements(bench, extra, "learned", learned, true, limits)),
            undecided=tuple(_undecided(asked, right, "true")) + tuple(_undecided(asked, answered, "learned")),
            effects=tuple(_effects(bench, learned, goals, expected, limits)),
            unknown=right.unknown,
            background=background is not None,
        )


def _disagreements(
    bench: Bench, examples: Sequence[Example], by: str, theory: Theory, other: Theory, limits: Limits
) -> list[Disagreement]:
    goals = [example.goal for example in examples]
    mine, theirs = bench.furthest(theory, goals, limits=limits), bench.furthest(other, goals, limits=limits)
    disagreements = []
    for example, proving, failing in zip(examples, mine, theirs, strict=True):
        whole = [number for number, size in proving.items() if size == len(theory.clauses[number].body)]
        order = sorted(failing, key=lambda number: (len(other.clauses[number].body) - failing[number], number))
        broken = tuple(
            (number, to_text(other.clauses[number].body[failing[number]]))
            for number in order
            if failing[number] < len(other.clauses[number].body)
        )
        disagreements.append(Disagreement(example, by, min(whole, default=None), broken))
    return disagreements


def _undecided(examples: Sequence[Example], judged: Judgement, by: str) -> list[tuple[str, str]]:
    return [
        (examples[number].name or to_text(examples[number].goal), f"{by}: {judged.outcomes[number]}")
        for number in judged.undecided
    ]


def _effects(
    bench: Bench, learned: Theory, goals: Sequence[Term], expected: Sequence[bool], limits: Limits
) -> list[dict[str, float]]:
    """The learned theory without each of its clauses; none above 50 clauses, because each costs a run."""
    if not 1 < len(learned) <= 50:
        return []
    return [bench.judge(learned.without(n), goals, limits=limits).against(expected) for n in range(len(learned))]
