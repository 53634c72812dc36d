"""Networks whose edges are uncertain: each has alternatives with probabilities, and where it was read.

>>> edges = (WeightedEdge(0, 1, {"p": 0.9, "g": 0.1}, origin=4), WeightedEdge(1, 2, {"p": 0.8}, origin=7))
>>> WeightedNetwork("n", edges, (0, 2)).read({0: "g"}).edges
(Edge(source=0, relations=('g',), target=1),)

:mod:`hornbeam.networks.weighing` says what follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError
from hornbeam.networks.network import Edge, Network, Pair

if TYPE_CHECKING:
    from hornbeam.data.sample import Json

_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class WeightedEdge:
    """`target` may stand to `source` in one of several relations, or nothing was said: what is left of the probability.

    Attributes:
        source: A node.
        target: A node.
        alternatives: The probability of each relation; "DC|EC" where an alternative is itself not exact.
        origin: Where it was read, e.g. the number of a sentence.
    """

    source: int
    target: int
    alternatives: Mapping[str, float]
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class WeightedNetwork:
    """A graph of uncertain edges with a query; see :class:`~hornbeam.networks.network.Network`."""

    name: str
    edges: tuple[WeightedEdge, ...]
    query: Pair
    answer: tuple[str, ...] = ()
    group: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for edge in self.edges:
            chances = edge.alternatives.values()
            if not (all(chance >= 0 for chance in chances) and sum(chances) <= 1 + _TOLERANCE):
                raise UsageError(
                    f"{self.name}: expected probabilities with a sum of at most 1 for the edge "
                    f"{edge.source} to {edge.target}, not {dict(edge.alternatives)}"
                )

    @classmethod
    def of(cls, network: Network, origins: Sequence[int | None] = ()) -> WeightedNetwork:
        """A network that is certain."""
        places = origins or [None] * len(network.edges)
        edges = [
            WeightedEdge(edge.source, edge.target, {"|".join(edge.relations): 1.0}, origin)
            for edge, origin in zip(network.edges, places, strict=True)
        ]
        return cls(network.name, tuple(edges), network.query, network.answer, network.group)

    def read(self, choice: Mapping[int, str]) -> Network:
        """The reading with these alternatives, by the number of the edge; other edges are left out."""
        edges = [
            Edge(edge.source, tuple(choice[number].split("|")), edge.target)
            for number, edge in enumerate(self.edges)
            if number in choice
        ]
        return Network(self.name, tuple(edges), self.query, self.answer, self.group)
