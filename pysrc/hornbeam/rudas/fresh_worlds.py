"""Worlds that a dataset does not hold: new support facts for the same rules, and facts to ask about.

Half of what is asked follows by one of two theories, half are near misses: one constant away from such a fact.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.logic.terms import Compound, Term, to_text
from hornbeam.rudas import generate
from hornbeam.rudas.record import theories
from hornbeam.rudas.rules import RuleSet, clause
from hornbeam.rudas.world import fresh_world
from hornbeam.seeds import fast_rng
from hornbeam.tasks.court import NotComparable
from hornbeam.theory import Theory, herbrand_model
from hornbeam.theory.budget import QUICK, within
from hornbeam.theory.models import estimate
from hornbeam.theory.theory import Indicator, arguments, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.rudas.config import Spec

# Support facts, and constants that they are drawn from: small and dense worlds as well as large and sparse ones.
_SHAPES = ((30, 6), (100, 40), (200, 200), (300, 60))
_MOST_WORLDS = 60


@dataclass(frozen=True, slots=True)
class Database:
    """Support facts, and the facts to ask about: whether the true theory is expected to derive them."""

    task: str
    facts: tuple[Term, ...]
    asked: Mapping[Term, bool]

    def samples(self) -> list[Sample]:
        """Support first, then what is asked, as a training world of the task."""
        labels = {fact: "consequence" if derived else "noise" for fact, derived in self.asked.items()}
        given = [self._sample(f"given_{at}", fact, "support") for at, fact in enumerate(self.facts)]
        return given + [self._sample(f"asked_{at}", *asked) for at, asked in enumerate(labels.items())]

    def _sample(self, name: str, fact: Term, label: str) -> Sample:
        return Sample(
            id=name,
            task=self.task,
            split="train",
            label=label,
            supervised=True,
            input={"predicate": indicator(fact)[0], "arguments": [str(value) for value in arguments(fact)]},
            symbolic={"prolog": to_text(fact)},
        )

    def about(self, fact: Term, true: Theory, learned: Theory) -> Database:
        """As few of the facts as still tell the theories apart by `fact`."""
        facts = list(self.facts)
        size = max(1, len(facts) // 2)
        while size:  # large pieces first, then single facts
            at = 0
            while at < len(facts):
                fewer = facts[:at] + facts[at + size :]
                if _differ(true, learned, fewer, fact):
                    facts = fewer
                else:
                    at += size
            size //= 2
        return Database(self.task, tuple(facts), {fact: self.asked[fact]})


def _differ(true: Theory, learned: Theory, facts: Sequence[Term], fact: Term) -> bool:
    one, other = (_consequences(theory, facts) for theory in (true, learned))
    return one is not None and other is not None and (fact in one) != (fact in other)


def _consequences(theory: Theory, facts: Sequence[Term]) -> set[Term] | None:
    """What a theory derives in addition to the facts; None if that is too much."""
    try:
        model = within(QUICK, estimate(theory.clauses, facts), _model, theory, tuple(facts))
    except HornbeamError:
        return None
    return model - set(facts)


def _model(theory: Theory, facts: Sequence[Term]) -> set[Term]:
    return set(herbrand_model(theory, facts))


@dataclass(frozen=True, slots=True)
class FreshWorld:
    """New support for the rules of a task."""

    task: str
    facts: tuple[Term, ...]
    rng: random.Random

    def asking(self, true: Theory, learned: Theory, shown: Callable[[Term], bool], most: int) -> Database:
        """The world with up to `most` facts to ask: consequences of either theory, and near misses of them."""
        derived = _consequences(true, self.facts) or set()
        claimed = _consequences(learned, self.facts) or set()
        follow = [fact for fact in sorted(derived | claimed, key=to_text) if shown(fact)]
        chosen = self.rng.sample(follow, min(len(follow), max(1, most // 2)))
        known = {*derived, *claimed, *self.facts}
        missed = self._near_misses(chosen, known)
        asked = dict.fromkeys([*chosen, *missed][:most])
        return Database(self.task, self.facts, {fact: fact in derived for fact in asked})

    @property
    def constants(self) -> list[Term]:
        """The constants of the facts."""
        return sorted({arg for fact in self.facts for arg in arguments(fact)}, key=str)

    def renamed(self, rng: random.Random) -> FreshWorld:
        """The same world with other constants."""
        known = self.constants
        numbers = rng.sample(range(10**4, 10**5), len(known))
        other: dict[Term, Term] = {one: f"k{number}" for one, number in zip(known, numbers, strict=True)}
        facts = (Compound(indicator(fact)[0], tuple(other[arg] for arg in arguments(fact))) for fact in self.facts)
        return FreshWorld(self.task, tuple(facts), self.rng)

    def all_asked(self, true: Theory, predicates: Sequence[Indicator], most: int) -> tuple[list[Sample], list[Sample]]:
        """The facts, and atoms over their constants: of up to `most`, half follow by the true theory if so many do."""
        derived = _consequences(true, self.facts) or set()
        atoms = {Compound(name, args) for name, arity in predicates for args in product(self.constants, repeat=arity)}
        wanted = set(predicates)
        follow = sorted((fact for fact in derived if indicator(fact) in wanted), key=to_text)
        others = sorted(atoms - derived - set(self.facts), key=to_text)
        right = self.rng.sample(follow, min(len(follow), most // 2))
        wrong = self.rng.sample(others, min(len(others), most - len(right)))
        asked: list[Term] = [*right, *wrong]
        self.rng.shuffle(asked)
        samples = Database(self.task, self.facts, dict.fromkeys(asked, False)).samples()
        return samples[: len(self.facts)], samples[len(self.facts) :]

    def _near_misses(self, facts: Sequence[Term], known: set[Term]) -> list[Term]:
        """Atoms that no theory derives, each one constant away from a fact."""
        constants = self.constants
        missed: dict[Term, None] = {}
        for fact in facts:
            name, arity = indicator(fact)
            if arity and constants:
                args = list(arguments(fact))
                args[self.rng.randrange(arity)] = self.rng.choice(constants)
                atom = Compound(name, tuple(args))
                if atom not in known:
                    missed[atom] = None
        return list(missed)


def fresh_worlds(dataset: Dataset, task: str, seed: int) -> Iterator[FreshWorld]:
    """Worlds of several sizes, in turn: the generator of a dataset with another seed, for the rules that a task has.

    Raises:
        NotComparable: if the dataset was imported, or its rules are not those that its seed gives.
    """
    spec, rules = _drawn(dataset, task)
    for number in range(_MOST_WORLDS):
        support, constants = _SHAPES[number % len(_SHAPES)]
        rng = fast_rng(seed, "rudas", task, "fresh world", number)
        world = fresh_world(spec, rules, range(constants), rng, support)
        facts = [Compound(rules.predicate(fact[0]), tuple(map(rules.constant, fact[1:]))) for fact in world.support]
        if facts:
            yield FreshWorld(task, tuple(facts), rng)


def _drawn(dataset: Dataset, task: str) -> tuple[Spec, RuleSet]:
    """The rules of a task as the generator has them."""
    seed = dataset.manifest.seed
    specs = dataset.config.specs_by_name()
    if seed is None or task not in specs:
        raise NotComparable("the dataset was imported, so there is no generator of fresh worlds")
    spec = specs[task]
    blocks = (generate.Block.of(dataset.config, seed, shard) for shard in generate.plan(dataset.config, seed))
    rules = generate.rules_of(next(block for block in blocks if block.spec.name == task))
    # rules.pl has an underscore before variables that occur once.
    drawn, read = (
        {str(one).replace("_X", "X") for one in clauses}
        for clauses in ([clause(rule, rules) for rule in rules.rules], theories(dataset)[task].clauses)
    )
    if drawn != read:
        raise NotComparable("the rules of the dataset are not those that its seed gives")
    return spec, rules
