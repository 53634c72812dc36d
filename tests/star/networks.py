"""Random networks for the tests of the family star."""

from __future__ import annotations

import random

from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.knowledge import Calculus


def random_network(calculus: Calculus, rng: random.Random, nodes: int, edges: int, width: int = 1) -> ConstraintNetwork:
    """Any edges with any labels: about half of them are inconsistent."""
    pairs = [(u, v) for u in range(nodes) for v in range(nodes) if u < v]
    chosen = rng.sample(pairs, min(edges, len(pairs)))
    turned = tuple(pair if rng.random() < 0.5 else pair[::-1] for pair in chosen)
    labels = tuple(sum(1 << r for r in rng.sample(range(calculus.size), rng.randint(1, width))) for _ in turned)
    return ConstraintNetwork(nodes, turned, labels, (0, nodes - 1))


def chain(calculus: Calculus, rng: random.Random, nodes: int) -> ConstraintNetwork:
    """A path without identity edges."""
    labels = [1 << r for r in range(calculus.size) if 1 << r != calculus.identity]
    edges = tuple((v, v + 1) for v in range(nodes - 1))
    return ConstraintNetwork(nodes, edges, tuple(rng.choice(labels) for _ in edges), (0, nodes - 1))
