"""The learner `amie`: rules mined from facts, and a theory chosen among them.

>>> from hornbeam.tasks.bias import Bias
>>> from hornbeam.tasks.problem import FactTask
>>> from hornbeam.ilp.watch import Watch
>>> from hornbeam.theory import Theory
>>> kin = "mother(a,b). father(b,c). grandfather(d,c). mother(e,f). father(g,f). father(f,h)."
>>> facts = Theory.parse(kin + " parent(a,b). parent(b,c). parent(e,f). parent(g,f). parent(f,h).").heads
>>> print(Amie().fit(FactTask("kin", facts, Bias((), ())), AmieSettings(readings="one"), Watch()), end="")
parent(A,B) :- father(A,B).
parent(A,B) :- mother(A,B).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import Field

from hornbeam.ilp.amie.rules import Measured, MinedRule, body_size, measure
from hornbeam.ilp.amie.search import Miner, RuleSpace
from hornbeam.ilp.amie.selection import Prices, cheapest, estimated, greedy, improving, relations
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.relations import FactBase, TooMany
from hornbeam.ilp.watch import Watch
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import FACTS, FactTask
from hornbeam.theory import Theory


class AmieSettings(Settings):
    """What is mined, and how a theory is chosen."""

    min_head_coverage: float = Field(default=0.01, ge=0, le=1, description="least share of the head's facts predicted")
    min_support: int = Field(default=2, ge=1, description="facts that a rule predicts, at the least")
    min_pca_confidence: float = Field(default=0.1, ge=0, le=1, description="under the partial completeness assumption")
    min_confidence: float = Field(default=0.1, ge=0, le=1, description="share of a rule's predictions that are facts")
    max_body: int | None = Field(default=None, ge=1, le=4, description="body atoms; default: the task's, at most 2")
    existential: bool = Field(default=True, description="allow body variables that occur once, i.e. open rules")
    cross_products: bool = Field(default=True, description="allow bodies whose atoms are joined by the head only")
    select: Literal["none", "greedy", "exact"] = Field(
        default="greedy", description="how a theory is chosen; none: all rules"
    )
    readings: Literal["all", "one"] = Field(
        default="all", description="keep all directions that a correlation can be read in, or one without circles"
    )
    trust: float = Field(default=0.6, gt=0, lt=1, description="share of visible facts a rule must get right to pay")
    rule_price: float = Field(default=0.5, ge=0, description="weight of a rule's own bits")
    conflicts: int = Field(default=5_000, ge=1, description="bound of the exact choice, for each relation")


@dataclass
class _Mining:
    """One fit: the rules found so far."""

    world: FactBase
    settings: AmieSettings
    space: RuleSpace
    watch: Watch
    mined: list[Measured] = field(default_factory=list)
    too_large: int = 0

    def mine(self, heads: set[int]) -> bool:
        """Mine all heads; False if the time was up first."""
        miner = Miner(self.world, self.space)
        for start in miner.heads():
            if start.rule.head.predicate not in heads:
                continue
            for rule, support in miner.rules(start):
                self.watch.count()
                self._keep(rule, support)
                if self.watch.time_is_up():
                    return False
            if self.watch.time_is_up():
                return False
            predicate = start.rule.head.predicate
            name, arity = self.world.predicates[predicate]
            rules = sum(one.rule.head.predicate == predicate for one in self.mined)
            self.watch.note("head", predicate=f"{name}/{arity}", rules=rules)
        self.too_large += miner.too_large
        return True

    def _keep(self, rule: MinedRule, support: int) -> None:
        try:
            # A cross product has more predictions than are worth a table, unless it is nearly always right.
            if not rule.connected and support < self.settings.min_confidence * body_size(self.world, rule):
                return
            one = measure(self.world, rule)
        except TooMany:
            self.too_large += 1
            return
        if one.confidence >= self.settings.min_confidence and one.pca_confidence >= self.settings.min_pca_confidence:
            self.mined.append(one)

    # The theory ---------------------------------------------------------------------------------------------------

    def theory(self) -> Theory:
        """The theory that the rules found so far give."""
        kept = improving(self.mined)
        chosen = self._chosen(kept)
        theory = self._ordered(chosen)
        for one, clause in zip(chosen, theory.texts, strict=True):
            self.watch.note("rule", clause=clause, **one.figures())
        self.watch.best(theory, mined=len(self.mined), kept=len(kept), clauses=len(chosen))
        return theory

    def _chosen(self, kept: Sequence[Measured]) -> list[Measured]:
        settings = self.settings
        if settings.select == "none" or not kept:
            return list(kept)
        one_reading = settings.readings == "one"
        groups = relations(self.world, kept)
        prices = estimated(groups, Prices(settings.trust, settings.rule_price), one_reading=one_reading)
        self.watch.note("open_world", hidden=round(prices.hidden, 4))
        chosen = greedy(groups, prices, one_reading=one_reading)
        if settings.select == "exact" and not self.watch.time_is_up():
            # The greedy choice is told first: it is the result if the process is ended in clingo.
            self.watch.best(self._ordered([candidate.measured for candidate in chosen]))
            stop = self.watch.time_is_up
            chosen, proven = cheapest(groups, prices, one_reading=one_reading, conflicts=settings.conflicts, stop=stop)
            self.watch.note("exact", proven=proven)
        return [candidate.measured for candidate in chosen]

    def _ordered(self, chosen: list[Measured]) -> Theory:
        """A theory of these rules, which are put in order: by head, the most reliable first."""
        chosen.sort(key=lambda one: (one.rule.head.predicate, -one.confidence, -one.support, one.rule))
        return Theory.of([self.world.clause(one.rule.head, one.rule.body) for one in chosen])


class Amie(Learner):
    """Mines connected rules with support and confidence, then chooses those that explain the facts at least cost."""

    name = "amie"
    title = "AMIE-like rule miner"
    views = (FACTS,)
    settings_type = AmieSettings

    def fit(self, task: FactTask, settings: Any, watch: Watch) -> Theory:
        world = FactBase.of(task.facts)
        run = _Mining(world, settings, _space(task, settings, world), watch)
        whole = run.mine(_heads(task, world))
        theory = run.theory()
        if run.too_large:
            watch.note("too_large", rules=run.too_large)
        if whole:
            watch.finished()
        return theory

    def space(self, bias: Bias, settings: AmieSettings) -> Space:
        length = _max_body(bias, settings)
        notes = [] if settings.existential else ["every variable occurs at least twice"]
        notes += [] if settings.cross_products else ["body literals are connected without the head"]
        return Space(
            # Neither the direction of a place nor the distance from the head is asked for, nor are clauses counted.
            replace(bias.undirected(), max_body=length, max_clauses=None, depth=length),
            constants=False,
            negation=False,
            invention=False,
            unused_head_variables=False,
            unconnected=False,
            note="; ".join(notes),
        )


def _max_body(bias: Bias, settings: AmieSettings) -> int:
    return settings.max_body or min(2, bias.max_body)


def _space(task: FactTask, settings: AmieSettings, world: FactBase) -> RuleSpace:
    bias = task.bias
    body = {mode.indicator for mode in bias.body}
    return RuleSpace(
        max_body=_max_body(bias, settings),
        max_vars=bias.max_vars,
        min_support=settings.min_support,
        min_coverage=settings.min_head_coverage,
        existential=settings.existential,
        cross_products=settings.cross_products,
        recursion=bias.recursion or not bias.head,
        callable=frozenset(at for at, predicate in enumerate(world.predicates) if not body or predicate in body),
        types={
            world.predicates.index(mode.indicator): tuple(place.type for place in mode.places)
            for mode in (*bias.head, *bias.body)
            if mode.indicator in world.predicates
        },
    )


def _heads(task: FactTask, world: FactBase) -> set[int]:
    """The predicates that rules are wanted for: those of the bias, or all where it names none."""
    wanted = set(task.bias.targets)
    return {at for at, predicate in enumerate(world.predicates) if not wanted or predicate in wanted}


LEARNER = Amie
