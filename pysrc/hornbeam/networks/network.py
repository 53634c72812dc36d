"""Labelled graphs with a pair of nodes to relate: what CLUTRR, GraphLog and STaR have in common.

A :class:`Network` names its relations. A :class:`ConstraintNetwork` is the same in numbers, for reasoning: a set of
relations is a bit mask of a :class:`~hornbeam.networks.table.Table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbeam.networks.table import Table

if TYPE_CHECKING:
    from hornbeam.data.sample import Json

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edge:
    """`target` stands to `source` in one of `relations`: more than one where the relation is not known exactly."""

    source: int
    relations: tuple[str, ...]
    target: int


@dataclass(frozen=True, slots=True)
class Network:
    """A labelled graph with a query.

    Attributes:
        name: The id of the sample.
        edges: The edges.
        query: The two nodes to relate.
        answer: The relation, or all relations that remain possible.
        group: The groups in tables of results, e.g. {"k": 3, "b": 2}.
    """

    name: str
    edges: tuple[Edge, ...]
    query: Pair
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

    def named(self) -> set[str]:
        """The relations that its edges name."""
        return {name for edge in self.edges for name in edge.relations}

    def linked(self) -> set[int]:
        """The nodes that are left when dead ends and separate components are cut off; directions do not matter."""
        return self.connected() & self.without_dead_ends()

    def connected(self) -> set[int]:
        """The nodes of the component of the query's first node."""
        return _reached(self.query[0], self._neighbours())

    def without_dead_ends(self) -> set[int]:
        """The nodes that are left when dead ends are cut off; directions do not matter."""
        around = self._neighbours()
        left = set(around)
        ends = [node for node in left if len(around[node]) == 1 and node not in self.query]
        while ends:
            node = ends.pop()
            left.discard(node)
            for other in around[node]:
                around[other].discard(node)
                if len(around[other]) == 1 and other not in self.query:
                    ends.append(other)
        return left

    def between(self, table: Table) -> set[int]:
        """The nodes that can matter for the query."""
        if table.reading == "sets":
            return self.connected()
        return self.linked() if table.backwards else self._on_walks()

    def constraints(self, table: Table, masks: dict[tuple[str, ...], int]) -> ConstraintNetwork:
        """The part that can matter for the query, in numbers; the query becomes (0, 1).

        A function derives nothing through dead ends. Alternatives may contradict each other there, so they stay.

        Args:
            table: Its relations give the masks.
            masks: The masks of labels that are known, to which new ones are added.
        """
        if self.query[0] == self.query[1]:
            return ConstraintNetwork(2, (), (), (0, 1))  # of a node and itself nothing follows
        between = self.between(table)
        place = {node: number for number, node in enumerate(dict.fromkeys((*self.query, *sorted(between))))}
        known: dict[Pair, int] = {}
        for edge in self.edges:
            if edge.source in between and edge.target in between and edge.source != edge.target:
                if edge.relations not in masks:
                    masks[edge.relations] = table.mask(edge.relations)
                pair = (place[edge.source], place[edge.target])
                label = masks[edge.relations]
                # Of two edges between the same nodes both hold: alternatives are cut down, derived relations add up.
                told = known.get(pair, label)
                known[pair] = told & label if table.reading == "sets" else told | label
        return ConstraintNetwork(len(place), tuple(known), tuple(known.values()), (0, 1))

    def distance(self) -> int:
        """The edges of the shortest path from the first node of the query to the second; 0 if there is none.

        >>> edges = (Edge(0, ("p",), 1), Edge(1, ("q",), 2))
        >>> Network("n", edges, (0, 2), ()).distance(), Network("n", edges, (2, 0), ()).distance()
        (2, 0)
        """
        ahead: dict[int, list[int]] = {}
        for edge in self.edges:
            ahead.setdefault(edge.source, []).append(edge.target)
        front, seen, far = {self.query[0]}, {self.query[0]}, 0
        while front:
            far += 1
            front = {target for node in front for target in ahead.get(node, ())} - seen
            if self.query[1] in front:
                return far
            seen |= front
        return 0

    def _on_walks(self) -> set[int]:
        """The nodes on walks from the first node of the query to the second."""
        ahead: dict[int, list[int]] = {}
        behind: dict[int, list[int]] = {}
        for edge in self.edges:
            ahead.setdefault(edge.source, []).append(edge.target)
            behind.setdefault(edge.target, []).append(edge.source)
        return _reached(self.query[0], ahead) & _reached(self.query[1], behind)

    def _neighbours(self) -> dict[int, set[int]]:
        around: dict[int, set[int]] = {node: set() for node in self.query}
        for edge in self.edges:
            around.setdefault(edge.source, set()).add(edge.target)
            around.setdefault(edge.target, set()).add(edge.source)
        return around


def _reached(start: int, steps: Mapping[int, Iterable[int]]) -> set[int]:
    reached, waiting = {start}, [start]
    while waiting:
        for node in steps.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached


@dataclass(frozen=True, slots=True)
class ConstraintNetwork:
    """Nodes are 0 .. nodes-1; `labels[i]` is the mask of `edges[i]`; `query` is the pair that is asked about."""

    nodes: int
    edges: tuple[Pair, ...]
    labels: tuple[int, ...]
    query: Pair

    def atomic(self) -> bool:
        """Whether every edge has one relation."""
        return all(label & (label - 1) == 0 for label in self.labels)

    def without(self, dropped: set[int]) -> ConstraintNetwork:
        """The same nodes and query without the edges of these numbers."""
        kept = [i for i in range(len(self.edges)) if i not in dropped]
        edges, labels = tuple(self.edges[i] for i in kept), tuple(self.labels[i] for i in kept)
        return ConstraintNetwork(self.nodes, edges, labels, self.query)

    def neighbours(self, table: Table) -> list[dict[int, int]]:
        """For each node its neighbours with the mask of what is known, from both sides; parallel edges intersected."""
        universal = table.universal
        known: list[dict[int, int]] = [{} for _ in range(self.nodes)]
        for (u, v), label in zip(self.edges, self.labels, strict=True):
            known[u][v] = label & known[u].get(v, universal)
            known[v][u] = table.converse(label) & known[v].get(u, universal)
        return known


# The canonical form ---------------------------------------------------------------------------------------------------

Form = tuple[tuple[int, int, int], ...]
# For each node its neighbours, each with the mask of what is known from here to there.
Around = list[list[tuple[int, int]]]


def canonical_form(table: Table, network: ConstraintNetwork) -> Form:
    """The edges (u, v, mask), u < v, under a numbering of the nodes that does not depend on theirs.

    Two networks have the same form exactly if renaming nodes turns one into the other. The two nodes of the query keep
    their roles, and an edge is the same as its converse the other way round. Nodes are told apart by refinement of
    their neighbourhoods; where that leaves nodes alike, each is tried as the first of them.
    """
    around = [sorted(near.items()) for near in network.neighbours(table)]
    source, sink = network.query
    colours = [1 if v == source else 2 if v == sink else 0 for v in range(network.nodes)]
    return _smallest(around, _refined(around, colours))


def _refined(around: Around, colours: list[int]) -> list[int]:
    """Colours that tell apart all that neighbours' colours tell apart, numbered 0, 1, ... in a fixed order."""
    count = len(set(colours))
    while True:
        signs = [(colours[v], tuple(sorted((mask, colours[u]) for u, mask in near))) for v, near in enumerate(around)]
        order = {sign: number for number, sign in enumerate(sorted(set(signs)))}
        colours = [order[sign] for sign in signs]
        if len(order) == count:
            return colours
        count = len(order)


def _smallest(around: Around, colours: list[int]) -> Form:
    """The smallest form of all numberings that the colours allow.

    Two choices whose first numberings give the same form are exchanged by a symmetry, so one of them is enough: many
    equal branches cost little.
    """
    alike = _first_alike(colours)
    if not alike:
        return _form(around, colours)
    forms: dict[Form, Form] = {}
    for node in alike:
        raised = _raised(around, colours, node)
        sign = _first_form(around, raised)
        if sign not in forms:
            forms[sign] = _smallest(around, raised)
    return min(forms.values())


def _first_form(around: Around, colours: list[int]) -> Form:
    """The form of the numbering that takes the first of nodes that are alike, again and again."""
    while alike := _first_alike(colours):
        colours = _raised(around, colours, alike[0])
    return _form(around, colours)


def _first_alike(colours: list[int]) -> list[int]:
    """The nodes of the lowest colour that several have."""
    groups: dict[int, list[int]] = {}
    for node, colour in enumerate(colours):
        groups.setdefault(colour, []).append(node)
    return next((groups[colour] for colour in sorted(groups) if len(groups[colour]) > 1), [])


def _raised(around: Around, colours: list[int], node: int) -> list[int]:
    """The colours with this node set before those that it is alike, refined."""
    raised = [2 * colour + 1 for colour in colours]
    raised[node] -= 1
    return _refined(around, raised)


def _form(around: Around, colours: list[int]) -> Form:
    edges = (
        (colours[v], colours[u], mask) for v, near in enumerate(around) for u, mask in near if colours[v] < colours[u]
    )
    return tuple(sorted(edges))
