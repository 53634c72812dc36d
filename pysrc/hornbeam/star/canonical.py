"""A canonical form of any network: the same for two networks exactly if renaming nodes turns one into the other.

The two nodes of the query keep their roles, and an edge is the same as its converse the other way round. Nodes are told
apart by refinement of their neighbourhoods; where that leaves nodes alike, each is tried as the first of them.
"""

from __future__ import annotations

from hornbeam.star.calculus import Calculus
from hornbeam.star.network import Network

Form = tuple[tuple[int, int, int], ...]


def canonical_network(calculus: Calculus, network: Network) -> Form:
    """The edges (u, v, mask), u < v, under the canonical numbering of the nodes."""
    around = [sorted(near.items()) for near in network.neighbours(calculus)]
    source, sink = network.query
    colours = [1 if v == source else 2 if v == sink else 0 for v in range(network.nodes)]
    return _smallest(around, _refined(around, colours))


def _refined(around: list[list[tuple[int, int]]], colours: list[int]) -> list[int]:
    """Colours that tell apart all that neighbours' colours tell apart, numbered 0, 1, ... in a fixed order."""
    count = len(set(colours))
    while True:
        signs = [
            (colours[v], tuple(sorted((mask, colours[u]) for u, mask in near))) for v, near in enumerate(around)
        ]
        order = {sign: number for number, sign in enumerate(sorted(set(signs)))}
        colours = [order[sign] for sign in signs]
        if len(order) == count:
            return colours
        count = len(order)


def _smallest(around: list[list[tuple[int, int]]], colours: list[int]) -> Form:
    groups: dict[int, list[int]] = {}
    for v, colour in enumerate(colours):
        groups.setdefault(colour, []).append(v)
    alike = [groups[colour] for colour in sorted(groups) if len(groups[colour]) > 1]
    if not alike:
        return tuple(
            sorted(
                (colours[v], colours[u], mask)
                for v, near in enumerate(around)
                for u, mask in near
                if colours[v] < colours[u]
            )
        )
    forms = []
    for first in alike[0]:
        raised = [2 * colour + 1 for colour in colours]
        raised[first] -= 1
        forms.append(_smallest(around, _refined(around, raised)))
    return min(forms)
