"""One network, one answer: closure where it is complete, clingo where it is not.

>>> from hornbeam.star.calculus import load_calculus
>>> from hornbeam.star.network import read_network
>>> allen = load_calculus("allen")
>>> found = reason(allen, read_network(allen, [(0, 1), (1, 2)], ["m|o", "<"], (0, 2)))
>>> allen.text(found.mask), found.by
('<', 'clingo')
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbeam.star.calculus import Calculus
from hornbeam.star.certify import certify
from hornbeam.star.closure import Elimination, eliminate
from hornbeam.star.network import Network

# More clauses than this are not given to clingo: the answer is then what closure leaves.
CLAUSES = 4_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What can hold between the query's nodes; 0 if the network is inconsistent.

    Where `exact` is false the network is too large for clingo, and `mask` holds at least what is possible.
    """

    mask: int
    by: str
    exact: bool = True


def reason(calculus: Calculus, network: Network) -> Answer:
    """Decide a network of any size; disjunctive ones of large treewidth only up to closure, and then it says so."""
    done = eliminate(calculus, network)
    if not done.consistent:
        return Answer(0, "directional path consistency")
    source, sink = network.query
    if network.atomic() and calculus.distributive():
        return Answer(done.known[source][sink], "directional path consistency")
    if _clauses(done) > CLAUSES:
        return Answer(done.known[source][sink], "directional path consistency", exact=False)
    return Answer(certify(calculus, [network])[0], "clingo")


def _clauses(done: Elimination) -> int:
    return sum(done.known[a][v].bit_count() * done.known[v][c].bit_count() for a, v, c in done.plan.triangles)
