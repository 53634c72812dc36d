"""Labelled graphs with a pair of nodes to relate: what CLUTRR, GraphLog and STaR have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hornbeam.data.sample import Json


@dataclass(frozen=True, slots=True)
class Edge:
    """`target` stands to `source` in one of `relations`: more than one where the relation is not known exactly."""

    source: int
    relations: tuple[str, ...]
    target: int


@dataclass(frozen=True, slots=True)
class Network:
    """A labelled graph and the pair to relate. `answer` is the relation, or what is left of it where several are.

    `group` places it in the tables of results, e.g. {"k": 3, "b": 2}.
    """

    name: str
    edges: tuple[Edge, ...]
    query: tuple[int, int]
    answer: tuple[str, ...]
    group: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def of_input(cls, name: str, given: Any, answer: tuple[str, ...], group: Mapping[str, Json]) -> Network:
        """The network that a sample's `input` states: ``edges`` as [source, relation, target], ``query`` as two nodes.

        >>> given = {"edges": [[0, "DC|EC", 1], [1, "EQ", 2]], "query": [0, 2]}
        >>> Network.of_input("a", given, ("DC", "EC"), {}).edges[0]
        Edge(source=0, relations=('DC', 'EC'), target=1)
        """
        source, target = given["query"]
        edges = tuple([Edge(u, tuple(relation.split("|")), v) for u, relation, v in given["edges"]])
        return cls(name, edges, (source, target), answer, group)
