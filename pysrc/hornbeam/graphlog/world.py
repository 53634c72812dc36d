"""A world: a window of rules over a vocabulary (Algorithms 1 and 2), and how alike two worlds are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.graphlog import logic
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.vocabulary import Vocabulary, name
from hornbeam.seeds import fast_rng

# Redraws of all heads until exactly the rules that were asked for survive; 76 of 10 relations take 15 on average.
_DRAWS = 2000
_DRAWS_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Rule:
    """head(X,Z) if first(X,Y) and second(Y,Z)."""

    first: str
    second: str
    head: str

    @property
    def body(self) -> tuple[str, str]:
        return (self.first, self.second)


@dataclass(frozen=True, slots=True)
class World:
    """A theory: rules, inverses of labels, and whether it derives with the inverses."""

    name: str
    rules: tuple[Rule, ...]
    inverses: tuple[tuple[str, str], ...]
    backwards: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in the vocabulary's order; those of the rules for a world without inverses."""
        known = [label for label, _ in self.inverses]
        return tuple(dict.fromkeys(known or [label for rule in self.rules for label in (*rule.body, rule.head)]))

    @property
    def heads(self) -> frozenset[str]:
        return frozenset(rule.head for rule in self.rules)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rules": [[rule.first, rule.second, rule.head] for rule in self.rules],
            "inverses": [list(pair) for pair in self.inverses],
            "backwards": self.backwards,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> World:
        rules = tuple(Rule(*rule) for rule in value["rules"])
        inverses = tuple((label, inverse) for label, inverse in value["inverses"])
        return cls(value["name"], rules, inverses, value["backwards"])


def draw_rules(config: Config, seed: int) -> tuple[Vocabulary, tuple[Rule, ...]]:
    """The first vocabulary and rules of a seed: exactly as many rules as the configuration asks for."""
    return next(rule_sets(config, seed))


def rule_sets(config: Config, seed: int) -> Iterator[tuple[Vocabulary, tuple[Rule, ...]]]:
    """A vocabulary with one set of permuted rules after the other, each of the number that is asked for."""
    vocabulary = Vocabulary.draw(config.relations, config.invertible, fast_rng(seed, "graphlog", "vocabulary"))
    larger: dict[int, list[list[int]]] = {}
    most, exact = 0, False
    draws = iter(range(_DRAWS))
    while numbers := list(islice(draws, _DRAWS_AT_ONCE)):
        drawn = [_draw(config, seed, number) for number in numbers]
        for number, kept in zip(numbers, logic.surviving_rules(vocabulary.partners, drawn), strict=True):
            most = max(most, len(kept))
            if len(kept) == config.rules:
                exact = True
                yield vocabulary, _permuted(kept, seed, number)
            elif len(kept) > config.rules and len(larger) < _DRAWS_AT_ONCE:
                larger[number] = kept
    if most < config.rules:
        raise UsageError(
            f"rules: {_DRAWS} draws over {config.relations} relations gave {most} rules at most, "
            f"{config.rules} were asked for; ask for fewer or add relations"
        )
    for number, kept in larger.items() if not exact else ():
        yield vocabulary, _permuted(kept, seed, number)[: config.rules]


def _draw(config: Config, seed: int, number: int) -> list[list[int]]:
    """A head for each ordered pair of base relations."""
    rng = fast_rng(seed, "graphlog", "rules", number)
    bases = range(config.relations)
    return [[first, second, rng.randrange(config.relations)] for first in bases for second in bases]


def _permuted(kept: list[list[int]], seed: int, number: int) -> tuple[Rule, ...]:
    rules = [Rule(name(first, sign), name(second, sign), name(head, sign)) for sign, first, second, head in kept]
    fast_rng(seed, "graphlog", "order", number).shuffle(rules)
    return tuple(rules)


def windows(config: Config, vocabulary: Vocabulary, rules: Sequence[Rule]) -> list[World]:
    """The worlds of a suite: windows over its rules."""
    starts = range(0, config.world_count * config.stride, config.stride)
    inverses = tuple(vocabulary.inverses())
    return [
        World(f"rule_{index}", tuple(rules[start : start + config.rules_per_world]), inverses, config.backwards)
        for index, start in enumerate(starts)
    ]


def similarity(one: World, other: World) -> float:
    """The share of the one's rules that the other has, too: the measure of the paper."""
    return len(set(one.rules) & set(other.rules)) / len(one.rules) if one.rules else 0.0


def jaccard(one: World, other: World) -> float:
    """Shared rules as a share of the rules of both: the same from either side."""
    both = set(one.rules) | set(other.rules)
    return len(set(one.rules) & set(other.rules)) / len(both) if both else 0.0


def coverage(target: World, sources: Sequence[World]) -> float:
    """The share of the target's rules that at least one of the sources has."""
    known = {rule for source in sources for rule in source.rules}
    return len(set(target.rules) & known) / len(target.rules) if target.rules else 0.0
