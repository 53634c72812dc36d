"""Composition rules with weights, as learners of networks hand them over: one theory, cut by networks set aside.

A pair of relations derives one relation. Converses and the identity are read off the cells, as `algebra` does.

>>> rules = [Composed((0, 0), 1, 0.75, "support=3")]
>>> print(composition_theory(("p", "g"), rules), end="")
reading(function).
answers(one).
relation(p).
relation(g).
% weight 0.75 support=3
compose(p,p,g).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.errors import UsageError
from hornbeam.ilp.algebra.charts import Chain
from hornbeam.ilp.algebra.functions import chains, converse_of, identity_of
from hornbeam.ilp.algebra.paths import gather
from hornbeam.networks import reasoning
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.seeds import fast_rng
from hornbeam.tasks.problem import NetworkTask
from hornbeam.theory import Theory
from hornbeam.theory.weights import best_threshold, cut

Pair = tuple[int, int]
Known = dict[Chain, Counter[int]]

_FEWEST_VALID, _MOST_VALID = 50, 400  # networks that thresholds are tried on


@dataclass(frozen=True, slots=True)
class Composed:
    """A rule: two relations in a row derive a third, by their numbers; its weight, and figures in words."""

    pair: Pair
    whole: int
    weight: float
    note: str = ""


@dataclass(frozen=True)
class Stories:
    """A task's networks, in two parts: to learn from, and to choose a threshold by.

    Attributes:
        relations: The relations, the most frequent answer first: it is the answer where nothing follows.
        train: What is learned from.
        valid: What was set aside.
    """

    relations: tuple[str, ...]
    train: tuple[Network, ...]
    valid: tuple[Network, ...]

    @classmethod
    def of(cls, task: NetworkTask, share: float, seed: int, learner: str) -> Stories:
        """Set a share of the networks aside; UsageError if a network has several relations where one is needed."""
        seen = Counter(name for network in task.networks for name in network.answer)
        order = sorted(task.relations, key=lambda name: (-seen[name], task.relations.index(name)))
        plain = [network for network in task.networks if _plain(network)]
        if task.networks and not plain:
            raise UsageError(
                f"{learner} takes networks with one relation on each edge and one answer; this task's have several"
            )
        mixed = sorted(plain, key=lambda network: network.name)
        fast_rng(seed, "networks set aside", learner).shuffle(mixed)
        aside = min(_MOST_VALID, int(share * len(mixed)))
        return cls(tuple(order), tuple(mixed[aside:]), tuple(mixed[:aside]))

    def known(self, most_paths: int = 64) -> Known:
        """The paths of the networks to learn from, as chains of relations with the number of their answers."""
        return chains(gather(self.relations, self.train, most_paths)) or {}


def _plain(network: Network) -> bool:
    return len(network.answer) == 1 and all(len(edge.relations) == 1 for edge in network.edges)


def composition_theory(relations: Sequence[str], rules: Sequence[Composed]) -> Theory:
    """The theory of a table, each composition with its weight."""
    cells = {rule.pair: rule.whole for rule in rules}
    weights = {rule.pair: rule for rule in rules}
    count = len(relations)
    rows = [[1 << cells[r, s] if (r, s) in cells else 0 for s in range(count)] for r in range(count)]
    table = Table(
        tuple(relations), tuple(map(tuple, rows)), converse_of(cells, count), identity_of(cells, count), "function"
    )
    plain = table.theory()
    # A table lists its cells row by row, behind all else.
    ordered = [weights[pair] for pair in sorted(weights)]
    others = len(plain) - len(ordered)
    return Theory.of(
        plain.clauses,
        weights=[*[None] * others, *(rule.weight for rule in ordered)],
        notes=[*[""] * others, *(rule.note for rule in ordered)],
    )


def accuracy(theory: Theory, networks: Sequence[Network]) -> float:
    """The share of networks that a theory answers rightly."""
    told = reasoning.answers(theory, networks)
    return sum(one == network.answer for one, network in zip(told, networks, strict=True)) / max(1, len(networks))


def cut_by_networks(
    theory: Theory, stories: Stories, threshold: float | None, *, keep: bool = False
) -> tuple[Theory, float]:
    """The cut at a threshold: the given one, or that with the most right answers to the networks set aside.

    Few networks cannot tell cuts apart, so then nothing is cut. Of equal thresholds it is the highest; with `keep`, for
    rules that were checked already, the lowest.
    """
    if threshold is None and len(stories.valid) >= _FEWEST_VALID:
        threshold = best_threshold(theory, lambda one: accuracy(one, stories.valid), keep=keep)
    return cut(theory, threshold or 0.0), threshold or 0.0
