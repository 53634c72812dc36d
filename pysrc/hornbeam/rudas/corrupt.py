"""The open world and noise: which facts of a world a learner sees, and which false ones it sees as well (section 4)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.rudas.config import Spec
from hornbeam.rudas.joins import Fact
from hornbeam.rudas.rules import RuleSet

_DRAWS = 50  # of one noise fact before it is given up


@dataclass(slots=True)
class Corruption:
    """Labels for the facts of a training world. `own` are the constants of a block, `everyone` those of all blocks."""

    spec: Spec
    rules: RuleSet
    own: range
    everyone: range
    rng: random.Random

    def labels(self, support: Sequence[Fact], consequences: Sequence[Fact]) -> dict[Fact, str]:
        """The label of every fact, noise included."""
        spec = self.spec
        labels = dict.fromkeys(support, "support") | dict.fromkeys(consequences, "consequence")
        for group in self._split(consequences):
            for fact in self.rng.sample(group, int(spec.open_world * len(group))):
                labels[fact] = "removed"
        # The code of the original leaves missing facts out together with noise.
        if spec.sound or spec.noise:
            for fact in self._missing(support):
                labels[fact] = "missing"
        self._add_noise(labels)
        return labels

    def _split(self, facts: Sequence[Fact]) -> list[list[Fact]]:
        """Target facts and others apart, where shares are to hold for each."""
        targets = self.rules.targets
        if not self.spec.settings.split_targets:
            return [list(facts)]
        return [
            [fact for fact in facts if fact[0] not in targets],
            [fact for fact in facts if fact[0] in targets],
        ]

    def _missing(self, support: Sequence[Fact]) -> list[Fact]:
        others = [fact for fact in support if fact[0] not in self.rules.targets]
        count = int(self.spec.missing * len(others))
        if self.spec.sound:
            return self.rng.sample(others, count)
        return self._missing_by_predicate(others, count)

    def _missing_by_predicate(self, facts: list[Fact], count: int) -> list[Fact]:
        """As the original draws: a predicate first, so that small ones lose more."""
        groups: dict[int, list[Fact]] = defaultdict(list)
        for fact in facts:
            groups[fact[0]].append(fact)
        chosen = []
        for _ in range(count):
            predicate = self.rng.choice(sorted(groups))
            group = groups[predicate]
            chosen.append(group.pop(self.rng.randrange(len(group))))
            if not group:
                del groups[predicate]
        return chosen

    def _add_noise(self, labels: dict[Fact, str]) -> None:
        share = self.spec.noise
        seen = Counter(fact[0] in self.rules.targets for fact, label in labels.items() if label in _SEEN)
        predicates = range(len(self.rules.arities))
        targets = [predicate for predicate in predicates if predicate in self.rules.targets]
        others = [predicate for predicate in predicates if predicate not in self.rules.targets]
        if not self.spec.settings.split_targets:
            self._draw(int(seen.total() * share / (1 - share)), list(predicates), labels)
            return
        self._draw(int(seen[False] * share / (1 - share)), others, labels)
        self._draw(int(seen[True] * share / (1 - share)), targets, labels)

    def _draw(self, count: int, predicates: Sequence[int], labels: dict[Fact, str]) -> None:
        """False facts: what is labelled already is true, given or withheld, and is not drawn."""
        for _ in range(count if predicates else 0):
            for _ in range(_DRAWS):
                fact = self._random_fact(self.rng.choice(predicates))
                if fact not in labels:
                    labels[fact] = "noise"
                    break

    def _random_fact(self, predicate: int) -> Fact:
        # The first argument is the block's own, so that no two blocks draw the same fact.
        others = [self.rng.choice(self.everyone) for _ in range(self.rules.arities[predicate] - 1)]
        return (predicate, self.rng.choice(self.own), *others)


_SEEN = frozenset({"support", "consequence"})
