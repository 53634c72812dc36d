"""A canonical form of any network: the same for two networks exactly if renaming nodes turns one into the other.

The two nodes of the query keep their roles, and an edge is the same as its converse the other way round. Nodes are told
apart by refinement of their neighbourhoods; where that leaves nodes alike, each is tried as the first of them.
"""

from __future__ import annotations

from hornbeam.star.calculus import Calculus
from hornbeam.star.network import Network

Form = tuple[tuple[int, int, int], ...]
# For each node its neighbours, each with the mask of what is known from here to there.
Around = list[list[tuple[int, int]]]


def canonical_network(calculus: Calculus, network: Network) -> Form:
    """The edges (u, v, mask), u < v, under the canonical numbering of the nodes."""
    around = [sorted(near.items()) for near in network.neighbours(calculus)]
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
