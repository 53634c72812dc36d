"""Networks as the learners of chains take them: what is learned from, what is set aside, and the table at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.ilp.chains.operators import Body
from hornbeam.ilp.chains.rules import ReadingSettings
from hornbeam.ilp.composition import Composed, Known, Stories, composition_theory, cut_by_networks
from hornbeam.ilp.watch import Watch
from hornbeam.networks.network import Network
from hornbeam.tasks.problem import NetworkTask
from hornbeam.theory import Theory


@dataclass(frozen=True)
class NetworksRun:
    """The networks to learn from, as they are and as paths."""

    stories: Stories
    used: tuple[Network, ...]
    known: Known
    settings: ReadingSettings
    watch: Watch

    @classmethod
    def of(cls, task: NetworkTask, settings: ReadingSettings, watch: Watch, learner: str, steps: int) -> NetworksRun:
        share = settings.valid if settings.threshold is None else 0.0
        stories = Stories.of(task, share, settings.seed, learner)
        # A query whose nodes are further apart than a chain reaches teaches nothing.
        used = tuple(network for network in stories.train if 2 <= network.distance() <= steps)
        watch.note("networks", used=len(used), too_far=len(stories.train) - len(used), valid=len(stories.valid))
        return cls(stories, used, stories.known(), settings, watch)

    def theory(self, bodies: Sequence[dict[Body, float]]) -> Theory:
        """For each pair of relations the head that its paths and the attention speak for."""
        best: dict[tuple[int, int], Composed] = {}
        for head, found in enumerate(bodies):
            pairs = {body: weight for body, weight in found.items() if len(body) == 2}
            most = max(pairs.values(), default=1.0)
            for (last, first), weight in pairs.items():
                pair = (first.predicate, last.predicate)
                rule = self._composed(pair, head, weight / most)
                if rule is not None and (pair not in best or self._order(rule) > self._order(best[pair])):
                    best[pair] = rule
        theory = composition_theory(self.stories.relations, [best[pair] for pair in sorted(best)])
        checks = self.settings.check != "none"
        return cut_by_networks(theory, self.stories, self.settings.threshold, keep=checks)[0]

    def _composed(self, pair: tuple[int, int], whole: int, weight: float) -> Composed | None:
        votes = self.known.get(pair, Counter())
        support, total = votes.get(whole, 0), sum(votes.values())
        confidence = support / total if total else 0.0
        fits = support >= self.settings.min_support and confidence >= self.settings.min_confidence
        if self.settings.check != "none" and not fits:
            return None
        return Composed(pair, whole, weight, f"support={support} confidence={confidence:.3f}")

    def _order(self, rule: Composed) -> tuple[int, float]:
        checks = self.settings.check != "none"
        return (self.known[rule.pair][rule.whole] if checks else 0, rule.weight)
