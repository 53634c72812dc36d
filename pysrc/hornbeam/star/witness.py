"""Concrete regions and intervals that realise a network, made in Prolog from the meaning of the relations alone.

>>> from hornbeam.star.calculus import load_calculus
>>> from hornbeam.star.network import read_network
>>> allen = load_calculus("allen")
>>> witnesses(allen, [read_network(allen, [(0, 1), (1, 2)], ["<", "oi"], (0, 2))])
[[[0, 1], [2, 4], [0, 3]]]
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.logic import Prolog, Term
from hornbeam.star.calculus import Calculus
from hornbeam.star.certify import certify
from hornbeam.star.network import Network

MODELS = {"rcc8": "regions", "allen": "intervals"}


def witnesses(calculus: Calculus, networks: Sequence[Network]) -> list[Json]:
    """For each network a model, or None if it has none: the interval [start, end] of each node, or its region.

    A region is a list of cells. Cells 2f and 2f+1 touch, all others are apart. Of a disjunctive label one relation is
    realised (:func:`narrowed`).
    """
    if calculus.name not in MODELS:
        raise UsageError(f"{calculus.name} has no model of regions or intervals")
    model = MODELS[calculus.name]
    prolog = Prolog()
    prolog.load(resources.prolog("star", f"{model}.pl"), module=f"star_{model}_asked")
    rows: list[Term] = [_as_term(calculus, narrowed(calculus, network)) for network in networks]
    goal = f"hornbeam_star_{model}:realise_all(Networks, Answers)"
    answer = prolog.once(goal, given={"Networks": rows})
    assert answer is not None
    found: list[Json] = [None if one == "none" else one for one in answer["Answers"]]  # type: ignore[union-attr,misc]
    return found


def narrowed(calculus: Calculus, network: Network) -> Network:
    """A network with one relation on every edge, each one that the others allow; clingo says which do."""
    labels = list(network.labels)
    for number, label in enumerate(labels):
        for relation in bits(label) if label & (label - 1) else []:
            labels[number] = 1 << relation
            if certify(calculus, [Network(network.nodes, network.edges, tuple(labels), network.query)])[0]:
                break
    return Network(network.nodes, network.edges, tuple(labels), network.query)


def _as_term(calculus: Calculus, network: Network) -> list[Term]:
    edges: list[Term] = [
        [u, v, calculus.relations[bits(label)[0]]] for (u, v), label in zip(network.edges, network.labels, strict=True)
    ]
    return [network.nodes, edges]
