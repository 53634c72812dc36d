"""Facts as the learners of chains take them: what is learned from, what is set aside, and the theory at the end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hornbeam.ilp.amie.rules import MinedRule
from hornbeam.ilp.chains.rules import ReadingSettings, checked, cut_by_valid
from hornbeam.ilp.learner import Space
from hornbeam.ilp.relations import FactBase
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Term, to_text
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import FactTask
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, indicator

_FEWEST_VALID = 5  # facts set aside, for a choice of a threshold to mean anything


def chain_space(bias: Bias, length: int, *, tests: bool) -> Space:
    """The part of a bias that chains of so many atoms can express."""
    pairs = [mode for mode in bias.body if len(mode.places) == 2 or (tests and len(mode.places) == 1)]
    return Space(
        replace(bias.undirected(), body=tuple(pairs), max_body=length, max_clauses=None, depth=length),
        constants=False,
        negation=False,
        invention=False,
        repeated_variables=tests,
        repeated_head_variables=False,
        unused_head_variables=False,
        unconnected=False,
        note="bodies are paths from the second to the first argument of the head",
    )


@dataclass(frozen=True)
class FactsRun:
    """The facts to learn from, those set aside, and what may be called."""

    world: FactBase
    held: FactBase | None
    heads: tuple[int, ...]
    called: tuple[int, ...]
    recursion: bool
    settings: ReadingSettings
    watch: Watch

    @classmethod
    def of(cls, task: FactTask, settings: ReadingSettings, watch: Watch, learner: str) -> FactsRun:
        bias = task.bias
        wanted, body = set(bias.targets), {mode.indicator for mode in bias.body}
        aside = _set_aside(task, settings, learner, wanted) if settings.threshold is None else []
        kept = [fact for fact in task.facts if fact not in set(aside)]
        world = FactBase.of(kept, named=aside)
        held = FactBase.of(aside, named=kept) if len(aside) >= _FEWEST_VALID else None
        left_out = sorted({f"{name}/{arity}" for name, arity in world.predicates if arity > 2})
        if left_out:
            watch.note("left_out", predicates=[*left_out], why="only relations of two things make chains")
        heads = [
            at
            for at, predicate in enumerate(world.predicates)
            if predicate[1] == 2 and len(world.tables[at]) and (not wanted or predicate in wanted)
        ]
        called = [at for at, predicate in enumerate(world.predicates) if not body or predicate in body]
        return cls(world, held, tuple(heads), tuple(called), bias.recursion or not bias.head, settings, watch)

    def theory(self, weights: dict[MinedRule, float]) -> Theory:
        """The theory of candidate rules: checked, and cut at the threshold."""
        rules = checked(self.world, weights, self.settings)
        theory, threshold = cut_by_valid(self.world, rules, self.held, self.settings.threshold)
        self.watch.note("read", candidates=len(weights), checked=len(rules), threshold=round(threshold, 4))
        return theory


def _set_aside(task: FactTask, settings: ReadingSettings, learner: str, wanted: set[Indicator]) -> list[Term]:
    """The facts of heads that are not learned from."""
    facts = sorted({fact for fact in task.facts if not wanted or indicator(fact) in wanted}, key=to_text)
    pairs = [fact for fact in facts if indicator(fact)[1] == 2]
    fast_rng(settings.seed, "facts set aside", learner).shuffle(pairs)
    return pairs[: int(settings.valid * len(pairs))]
