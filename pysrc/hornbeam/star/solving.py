"""Solves one network, by closure if that is complete and otherwise by clingo; and finds regions or intervals for it.

>>> from hornbeam.star.knowledge import load_calculus
>>> from hornbeam.star.record import read_network
>>> allen = load_calculus("allen")
>>> solution = decide(allen, read_network(allen, [(0, 1), (1, 2)], ["m|o", "<"], (0, 2)))
>>> allen.text(solution.mask), solution.by
('<', 'clingo')
>>> witnesses(allen, [read_network(allen, [(0, 1), (1, 2)], ["<", "oi"], (0, 2))])
[[[0, 1], [2, 4], [0, 3]]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.logic import Prolog, Term
from hornbeam.networks.closing import Elimination, eliminate
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.knowledge import Calculus
from hornbeam.star.proving import certify

# More clauses than this are not given to clingo: the answer is then what closure leaves.
CLAUSES = 4_000_000


@dataclass(frozen=True, slots=True)
class Solution:
    """What can hold between the query's nodes; 0 if the network is inconsistent.

    Where `exact` is false the network is too large for clingo, and `mask` holds at least what is possible.
    """

    mask: int
    by: str
    exact: bool = True


def decide(calculus: Calculus, network: ConstraintNetwork) -> Solution:
    """Decide a network of any size; disjunctive ones of large treewidth only up to closure, and then it says so."""
    done = eliminate(calculus, network)
    if done.contradicted:
        return Solution(0, "directional path consistency")
    source, sink = network.query
    if network.atomic() and calculus.distributive:
        return Solution(done.known[source][sink], "directional path consistency")
    if _clauses(done) > CLAUSES:
        return Solution(done.known[source][sink], "directional path consistency", exact=False)
    return Solution(certify(calculus, [network])[0], "clingo")


def _clauses(done: Elimination) -> int:
    return sum(done.known[a][v].bit_count() * done.known[v][c].bit_count() for a, v, c in done.plan.triangles)


MODELS = {"rcc8": "regions", "allen": "intervals"}


def witnesses(calculus: Calculus, networks: Sequence[ConstraintNetwork]) -> list[Json]:
    """For each network a model, or None if it has none: the interval [start, end] of each node, or its region.

    Prolog makes them from the meaning of the relations alone, without the composition table. A region is a list of
    cells. Cells 2f and 2f+1 touch, all others are apart. Of a disjunctive label one relation is
    realised (:func:`_narrowed`).
    """
    if calculus.name not in MODELS:
        raise UsageError(f"{calculus.name} has no model of regions or intervals")
    model = MODELS[calculus.name]
    prolog = Prolog()
    prolog.load(resources.prolog("star", f"{model}.pl"), module=f"star_{model}_asked")
    rows: list[Term] = [_as_term(calculus, _narrowed(calculus, network)) for network in networks]
    goal = f"hornbeam_star_{model}:realise_all(Networks, Answers)"
    answer = prolog.once(goal, given={"Networks": rows})
    assert answer is not None
    models: list[Json] = [None if one == "none" else one for one in answer["Answers"]]  # type: ignore[union-attr,misc]
    return models


def _narrowed(calculus: Calculus, network: ConstraintNetwork) -> ConstraintNetwork:
    """A network with one relation on every edge, each one that the others allow; clingo says which do."""
    labels = list(network.labels)
    for number, label in enumerate(labels):
        for relation in bits(label) if label & (label - 1) else []:
            labels[number] = 1 << relation
            if certify(calculus, [replace(network, labels=tuple(labels))])[0]:
                break
    return replace(network, labels=tuple(labels))


def _as_term(calculus: Calculus, network: ConstraintNetwork) -> list[Term]:
    edges: list[Term] = [
        [u, v, calculus.relations[bits(label)[0]]] for (u, v), label in zip(network.edges, network.labels, strict=True)
    ]
    return [network.nodes, edges]
