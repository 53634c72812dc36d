"""The memory of rules (a,b) -> c, some over invented relations, and how it revises itself (Lu et al., ICLR 2022).

Relations are numbered; those that the data have come first, then invented ones. A pair that is not known gets an
invented head, which is nobody else's. When the end of a path tells what an invented relation stands for, the memory is
rewritten. Rules that lead to right answers gain, others lose and are forgotten in the end.

>>> memory = RuleMemory(observed=3, invented=2)
>>> memory.head((0, 1), invent=True), memory.rules
(3, {(0, 1): 3})
>>> memory.identify(3, 2)
>>> memory.rules
{(0, 1): 2}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rewards:
    """What a use of a rule adds to its score, and when a rule is forgotten; the paper's figures."""

    all_observed: float = 0.6  # a known rule whose three relations the data have
    head_observed: float = 0.3  # a known rule whose head the data have
    known: float = -0.1  # any other known rule
    new_observed: float = -0.05  # a new pair of relations that the data have
    new: float = -0.3  # any other new pair
    right: float = 0.1  # more, if the answer is right
    alone: float = 10.0  # and more, if it was the only step
    wrong: float = -1.0  # instead, if the answer is a wrong relation
    contradicted: float = -0.4  # for the last rule, if it says something else than the answer
    decay: float = 0.006  # of all scores that an episode touches
    forget: float = -1.2  # a rule with a lower score is forgotten


@dataclass
class RuleMemory:
    """Rules by pair, their scores, and how often they led to the right and to a wrong answer."""

    observed: int
    invented: int
    rewards: Rewards = field(default_factory=Rewards)
    rules: dict[Pair, int] = field(default_factory=dict)
    scores: dict[Pair, float] = field(default_factory=dict)
    uses: dict[Pair, list[int]] = field(default_factory=dict)  # right, wrong

    def is_observed(self, *relations: int) -> bool:
        return all(relation < self.observed for relation in relations)

    def head(self, pair: Pair, *, invent: bool = False) -> int | None:
        """What a pair derives; None if that is not known, or an invented relation that it gets from now on."""
        known = self.rules.get(pair)
        if known is None and invent:
            known = self._free(pair)
            self.rules[pair], self.scores[pair], self.uses[pair] = known, 0.0, [0, 0]
        return known

    def _free(self, pair: Pair) -> int:
        """An invented relation that is free; if there is none, the weakest that `pair` does not need is freed."""
        heads = set(self.rules.values())
        mentioned = heads.union(pair, *self.rules)
        free = [one for one in range(self.observed, self.observed + self.invented) if one not in mentioned]
        if free:
            return free[0]
        others = [one for one, head in self.rules.items() if not self.is_observed(head) and head not in pair]
        weakest = min(others or [one for one, head in self.rules.items() if head in pair], key=self._strength)
        freed = self.rules[weakest]
        self.drop(weakest)
        return freed

    def _strength(self, pair: Pair) -> tuple[float, Pair]:
        return self.scores[pair], pair

    def drop(self, pair: Pair) -> None:
        """Forget a rule; with an invented head, which no other rule has, also all rules that call it."""
        head = self.rules.pop(pair)
        del self.scores[pair], self.uses[pair]
        if not self.is_observed(head) and head not in self.rules.values():
            for caller in [caller for caller in self.rules if head in caller]:
                if caller in self.rules:
                    self.drop(caller)

    # Revision ---------------------------------------------------------------------------------------------------------

    def identify(self, invented: int, relation: int) -> None:
        """Take an invented relation for another: in heads, and in bodies unless a rule of an observed head is there."""
        for pair in [pair for pair, head in self.rules.items() if head == invented]:
            self.rules[pair], self.scores[pair] = relation, 0.0
        for old in [pair for pair in self.rules if invented in pair]:
            new = (relation if old[0] == invented else old[0], relation if old[1] == invented else old[1])
            head, score, uses = self.rules.pop(old), self.scores.pop(old), self.uses.pop(old)
            there = self.rules.get(new)
            if there is None or not self.is_observed(there):
                self.rules[new], self.scores[new], self.uses[new] = head, score, uses
        self.sweep()

    def sweep(self) -> None:
        """Forget rules that call an invented relation which no rule derives any more."""
        while True:
            heads = set(self.rules.values())
            dead = [pair for pair in self.rules if any(not self.is_observed(one) and one not in heads for one in pair)]
            if not dead:
                return
            for pair in dead:
                del self.rules[pair], self.scores[pair], self.uses[pair]

    def price(self, pair: Pair) -> float:
        """What a step is worth before its end is known."""
        head, rewards = self.rules.get(pair), self.rewards
        if head is None:
            return rewards.new_observed if self.is_observed(*pair) else rewards.new
        if self.is_observed(head, *pair):
            return rewards.all_observed
        return rewards.head_observed if self.is_observed(head) else rewards.known

    def learn(self, moves: Sequence[Pair], prices: Sequence[float], answer: int) -> None:
        """Revise what an episode used: its pairs in order, what each was worth, and the right answer at its end."""
        last = moves[-1]
        derived = self.rules[last]
        right, invented = derived == answer, not self.is_observed(derived)
        for pair, price in zip(moves, prices, strict=True):
            gain = self.rewards.wrong if not right and not invented else price
            if right:
                gain += self.rewards.right + (self.rewards.alone if len(moves) == 1 else 0.0)
            score = self.scores[pair] + gain
            self.scores[pair] = score * (1 - self.rewards.decay if score > 0 else 1 + self.rewards.decay)
            if not invented:
                self.uses[pair][0 if right else 1] += 1
        if invented:
            self.identify(derived, answer)
            if last in self.uses:
                self.uses[last][0] += 1
        elif not right:
            self.scores[last] += self.rewards.contradicted
            if self.scores[last] < 0:
                self.rules[last], self.scores[last], self.uses[last] = answer, 0.0, [1, 0]
                self.sweep()
        for pair in dict.fromkeys(moves):
            if self.scores.get(pair, 0.0) < self.rewards.forget:
                self.drop(pair)
