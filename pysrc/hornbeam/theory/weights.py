r"""What a theory with weights means.

The weight of a clause says how sure its learner is of it. In text it stands in a comment on the line before the clause,
and a comment is all that it is to Prolog:

    % weight 0.93
    p(X,Z) :- q(X,Y), r(Y,Z).

A theory with weights stands for a chain of plain theories: its cuts. The cut at t keeps the clauses with a weight of t
or more, and all clauses without a weight. A judge of plain theories takes every clause of what it is given as certain,
so a learner hands over one cut: by default the one that does best on data that it did not learn from
(:func:`best_threshold`). A weighted judge takes the theory as it stands: what holds to the degree t is what the cut
at t derives (:func:`degrees`), and nothing is lost by the choice of a threshold (:func:`average_precision`).

>>> from hornbeam.theory import Theory
>>> theory = Theory.parse("% weight 0.9\np(X) :- q(X).\n% weight 0.2\np(X) :- r(X).\n")
>>> weights(theory), cut(theory, 0.5).texts
((0.9, 0.2), ('p(X) :- q(X).',))
>>> from hornbeam.theory import as_facts
>>> [(str(fact), degree) for fact, degree in degrees(theory, as_facts("q(a). r(a). r(b).")).items()]
[('p(a)', 0.9), ('p(b)', 0.2)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from hornbeam.logic.terms import Term, to_text
from hornbeam.theory.models import herbrand_model

if TYPE_CHECKING:
    from hornbeam.theory.theory import Theory

# A theory with more different weights is looked at by so many cuts, spread evenly.
MOST_LEVELS = 20


def weights(theory: Theory) -> tuple[float | None, ...]:
    """The weight of each clause; None where it has none."""
    return tuple(statement.weight for statement in theory.statements)


def is_weighted(theory: Theory) -> bool:
    return any(weight is not None for weight in weights(theory))


def cut(theory: Theory, threshold: float) -> Theory:
    """The clauses with at least this weight, and those without any; they keep their weights."""
    kept = [one for one in theory.statements if one.weight is None or one.weight >= threshold]
    if len(kept) == len(theory):
        return theory
    if kept:
        kept[0] = replace(kept[0], before=kept[0].before.lstrip("\n"))
    return replace(theory, statements=tuple(kept))


def levels(theory: Theory) -> list[float]:
    """The thresholds that make a difference, the highest first; at most MOST_LEVELS of them, always with the lowest."""
    every = sorted({weight for weight in weights(theory) if weight is not None}, reverse=True)
    step = len(every) / MOST_LEVELS
    return every if step <= 1 else [every[int((n + 1) * step) - 1] for n in range(MOST_LEVELS)]


def best_threshold(theory: Theory, score: Callable[[Theory], float], *, keep: bool = False) -> float:
    """The threshold whose cut has the highest score; of equal ones the highest, which keeps the fewest clauses.

    With `keep` it is the lowest of equal ones: for tables, in which a missing entry gives no answer at all. A theory
    without weights has only one cut, at 0.

    >>> from hornbeam.theory import Theory
    >>> best_threshold(Theory.parse("% weight 0.9\\np(a).\\n% weight 0.2\\np(b).\\n"), len)
    0.2
    """
    scored = [(score(cut(theory, level)), level) for level in levels(theory)]
    return max(scored, default=(0.0, 0.0), key=lambda one: (one[0], -one[1] if keep else one[1]))[1]


def degrees(theory: Theory, facts: Sequence[Term]) -> dict[Term, float]:
    """What follows from facts, each with the highest threshold at which it does; the given facts are not among it.

    A proof is as good as its weakest clause, and a fact as good as its best proof.
    """
    found: dict[Term, float] = {}
    given = set(facts)
    for level in levels(theory) or [1.0]:
        for fact in herbrand_model(cut(theory, level), facts):
            if fact not in given:
                found.setdefault(fact, level)
    return dict(sorted(found.items(), key=lambda item: (-item[1], to_text(item[0]))))


def average_precision(degree: Mapping[Term, float], expected: Collection[Term]) -> float:
    """The mean precision at the expected facts, from the highest degree down; facts of one degree come together.

    >>> average_precision({"p": 0.9, "q": 0.5, "r": 0.5}, ["p", "r"])
    0.8333333333333333
    """
    wanted = set(expected)
    if not wanted:
        return 1.0
    seen = right = 0
    total = 0.0
    for _, group in groupby(sorted(degree, key=lambda fact: -degree[fact]), key=degree.__getitem__):
        hits = [fact in wanted for fact in group]
        seen, right = seen + len(hits), right + sum(hits)
        total += sum(hits) * right / seen
    return total / len(wanted)


# In text ------------------------------------------------------------------------------------------------------------

_WEIGHT = re.compile(r"[ \t]*% weight ((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:[ \t]+\S.*)?$")


def weight_line(weight: float, note: str = "") -> str:
    """The comment that carries a weight.

    >>> weight_line(0.25, "support=3"), weight_of("% weight 0.25 support=3\\n")
    ('% weight 0.25 support=3\\n', 0.25)
    """
    return f"% weight {weight:.6g}{' ' + note if note else ''}\n"


def weight_of(before: str) -> float | None:
    """The weight in the comment right before a clause; None if the last line before it is something else."""
    if "% weight " not in before:
        return None
    stated = _WEIGHT.match(before.rstrip().rpartition("\n")[2])
    return float(stated[1]) if stated else None
