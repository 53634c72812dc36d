"""The learner `foil`: each target is covered clause by clause, each clause grown by information gain.

>>> from hornbeam.tasks.bias import Bias, Mode
>>> from hornbeam.tasks.problem import ExampleTask
>>> from hornbeam.ilp.watch import Watch
>>> edges = "edge(a,b). edge(b,c). edge(c,d). edge(e,f)."
>>> bias = Bias((Mode.parse("path(+n,+n)"),), (Mode.parse("edge(+n,-n)"), Mode.parse("path(+n,-n)")), recursion=True)
>>> true = Theory.parse("path(a,b). path(b,c). path(c,d). path(e,f). path(a,c). path(b,d). path(a,d).").heads
>>> false = Theory.parse("path(b,a). path(b,b). path(c,b). path(d,a). path(a,f). path(e,d). path(e,c).").heads
>>> print(Foil().fit(ExampleTask("path", true, false, edges, bias, facts=True), FoilSettings(), Watch()), end="")
path(A,B) :- edge(A,B).
path(A,B) :- edge(A,C), path(C,B).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import Field

from hornbeam.ilp.foil.language import TableLanguage, Target, language
from hornbeam.ilp.foil.search import ClauseSearch, ScoredClause
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.relations import TableAtom
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Clause
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import EXAMPLES, FACTS, ExampleTask, FactTask
from hornbeam.theory import Theory


class FoilSettings(Settings):
    """How the search goes, and when a clause is good enough."""

    beam: int = Field(default=5, ge=1, le=1000, description="clauses under way that are kept at each length")
    max_body: int | None = Field(default=None, ge=1, le=10, description="body literals; default: the task's")
    determinate: int = Field(default=3, ge=0, le=20, description="most determinate literals added at once")
    lookahead: int = Field(default=20, ge=0, description="first literals of pairs that are tried if no literal gains")
    min_accuracy: float = Field(default=0.5, gt=0, le=1, description="share of a clause's predictions that are true")
    min_positive: int = Field(default=2, ge=1, description="uncovered positive examples that a clause must cover")
    noise: float = Field(default=2.0, ge=0, description="m of the m-estimate that judges clauses and prunes them")
    max_clauses: int | None = Field(default=None, ge=1, description="for each target; default: the task's")


class Foil(Learner):
    """Top-down search by information gain; the closed world where no false examples are given."""

    name = "foil"
    title = "FOIL-like learner"
    views = (FACTS, EXAMPLES)
    settings_type = FoilSettings

    def fit(self, task: ExampleTask | FactTask, settings: Any, watch: Watch) -> Theory:
        known = language(task)
        clauses: list[Clause] = []
        for target in known.targets:
            clauses += _covering(known, target, settings, watch, clauses)
            if watch.time_is_up():
                return Theory.of(clauses)
        watch.finished()
        return Theory.of(clauses)

    def space(self, bias: Bias, settings: FoilSettings) -> Space:
        clauses = settings.max_clauses or bias.max_clauses
        said = replace(
            bias,
            head=tuple(mode.filled({"#": "?"}) for mode in bias.head),
            max_body=settings.max_body or bias.max_body,
            # The bound is for each target.
            max_clauses=None if clauses is None else clauses * max(1, len(bias.targets)),
        )
        return Space(
            said,
            negation=False,
            invention=False,
            repeated_head_variables=False,
            unused_head_variables=False,
            unconnected=False,
            note="it learns from tables of facts only",
        )


def _covering(
    known: TableLanguage, target: Target, settings: FoilSettings, watch: Watch, before: list[Clause]
) -> list[Clause]:
    """Clauses for one target until nothing is left that a good clause covers."""
    search = ClauseSearch(known, target, settings, watch)
    left = np.ones(len(target.positive), dtype=np.bool_)
    most = settings.max_clauses or known.bias.max_clauses or len(left)
    clauses: list[Clause] = []
    while left.any() and len(clauses) < most and not watch.time_is_up():
        scored = search.clause(left)
        if scored is None or scored.right < min(settings.min_positive, len(left)):
            break
        left[scored.evidence.covered()] = False
        search.descent.accept(scored.evidence)
        clauses.append(known.clause(scored.evidence.head, _tidy(scored)))
        watch.note("clause", clause=str(clauses[-1]), positive=scored.right, negative=scored.wrong)
        watch.best(Theory.of([*before, *clauses]), left=int(left.sum()))
    return clauses


def _tidy(scored: ScoredClause) -> list[TableAtom]:
    """The body in an order in which each literal is about what stands before, its variables numbered in that order."""
    names = {arg: at for at, arg in enumerate(scored.evidence.head.args)}
    rest, body = list(scored.evidence.body), []
    while rest:
        atom = min(rest, key=lambda one: min((names[arg] for arg in one.args if arg in names), default=len(names)))
        rest.remove(atom)
        body.append(TableAtom(atom.predicate, tuple(names.setdefault(arg, len(names)) for arg in atom.args)))
    return body


LEARNER = Foil
