"""The worlds of a suite, each rich enough: sound validation and testing need descriptors beyond the rules' own bodies.

Which split a descriptor has is decided for the whole suite, so a world of few rules may by chance have none to test.
Then one of the rules that the world has and no earlier world has is swapped with a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from hornbeam.errors import UsageError
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.descriptors import split_of
from hornbeam.graphlog.logic import Theory
from hornbeam.graphlog.vocabulary import Vocabulary
from hornbeam.graphlog.world import Rule, World, rule_sets, windows
from hornbeam.seeds import fast_rng

# Draws of all rules, and swaps for each world.
_DRAWS = 40
_SWAPS = 60


def draws_of_worlds(config: Config, seed: int) -> Iterator[list[World]]:
    """The worlds of one draw of rules after the other, whatever they give."""
    for vocabulary, rules in islice(rule_sets(config, seed), _DRAWS):
        yield windows(config, vocabulary, rules)


def draw_worlds(config: Config, seed: int) -> list[World]:
    """The worlds of the first draw of rules that makes all of them rich."""
    for vocabulary, rules in islice(rule_sets(config, seed), _DRAWS):
        order = _enriched(config, seed, vocabulary, rules)
        if order is not None:
            return windows(config, vocabulary, order)
    raise UsageError(
        f"no draw of the rules gives each world of {config.rules_per_world} rules descriptors for training, validation "
        "and testing; ask for more rules per world or fewer relations"
    )


def _enriched(config: Config, seed: int, vocabulary: Vocabulary, rules: Sequence[Rule]) -> list[Rule] | None:
    """The rules in an order in which every world is rich; None where no swap helps."""
    order = list(rules)
    inverses = tuple(vocabulary.inverses())
    rng = fast_rng(seed, "graphlog", "swaps")
    for index in range(config.world_count):
        start = index * config.stride
        end = start + config.rules_per_world
        new = range(start if index == 0 else max(start, end - config.stride), end)
        for _ in range(_SWAPS):
            if _is_rich(config, seed, World("drawn", tuple(order[start:end]), inverses, config.backwards)):
                break
            if end == len(order):
                return None
            one, other = rng.choice(new), rng.randrange(end, len(order))
            order[one], order[other] = order[other], order[one]
        else:
            return None
    return order


def _is_rich(config: Config, seed: int, world: World) -> bool:
    """Whether a world's derivations of two rules reach validation and testing, as far as these have rows."""
    splits = {split_of(chain, config.descriptors, seed) for chain in Theory(world).triples()}
    return all(split in splits for split in ("valid", "test") if getattr(config.rows, split))
