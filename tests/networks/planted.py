"""Algebras that are planted in data: orders of points and intervals, random functions, and networks over them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from hornbeam.networks.network import Edge, Network
from hornbeam.networks.table import Table
from hornbeam.tasks.problem import NetworkTask

# The tables are not written down: they are had by looking at all small cases.


def points() -> Table:
    """Before, after and the same, from all triples of three numbers."""
    return observed(("before", "same", "after"), list(range(3)), lambda x, y: (x > y) - (x < y) + 1)


def intervals(ends: int = 5) -> Table:
    """The thirteen relations of two intervals, from all triples over a few end points."""
    things = [(low, high) for low in range(ends) for high in range(low + 1, ends)]
    codes: dict[tuple[int, ...], int] = {}

    def relation(x: tuple[int, int], y: tuple[int, int]) -> int:
        code = tuple((a > b) - (a < b) for a, b in product(x, y))
        return codes.setdefault(code, len(codes))

    for x, y in product(things, repeat=2):
        relation(x, y)
    return observed(tuple(f"r{number}" for number in range(len(codes))), things, relation)


def observed(names: tuple[str, ...], things: Sequence, relation) -> Table:  # type: ignore[no-untyped-def, type-arg]
    """The table of what is found among all triples of things."""
    cells = [[0] * len(names) for _ in names]
    converse = [0] * len(names)
    identity = 0
    for x, y in product(things, repeat=2):
        converse[relation(x, y)] |= 1 << relation(y, x)
        identity |= 1 << relation(x, y) if x == y else 0
        for z in things:
            cells[relation(x, y)][relation(y, z)] |= 1 << relation(x, z)
    return Table(names, tuple(map(tuple, cells)), tuple(converse), identity, "sets")


def random_function(rng: Random, count: int, filled: float) -> Table:
    """A partial function; chains of three and more may derive several relations, and `bundle` leaves those out."""
    names = tuple(f"r{number}" for number in range(count))
    cells = [[1 << rng.randrange(count) if rng.random() < filled else 0 for _ in names] for _ in names]
    return Table(names, tuple(map(tuple, cells)), reading="function")


def bundle(table: Table, rng: Random, lengths: Sequence[int]) -> Network | None:
    """Chains of these lengths between two nodes, with the answer where the table leaves one; None where it does not."""
    edges: list[Edge] = []
    left = table.universal
    node = 2
    for length in lengths:
        chain = [rng.randrange(len(table.relations)) for _ in range(length)]
        nodes = [0, *range(node, node + length - 1), 1]
        node += length - 1
        edges += [
            Edge(u, (table.relations[relation],), v) for u, v, relation in zip(nodes, nodes[1:], chain, strict=False)
        ]
        left &= composed(table, chain)
    if left.bit_count() != 1:
        return None
    return Network("n", tuple(edges), (0, 1), table.names(left), {"k": max(lengths), "b": len(lengths)})


def composed(table: Table, chain: Sequence[int]) -> int:
    """What a chain composes to: from the left for alternatives, by all bracketings for functions."""
    if table.reading == "sets":
        mask = 1 << chain[0]
        for relation in chain[1:]:
            made = 0
            for place in range(len(table.relations)):
                made |= table.cells[place][relation] if mask >> place & 1 else 0
            mask = made
        return mask
    return _all_bracketings(table, tuple(chain))


def _all_bracketings(table: Table, chain: tuple[int, ...]) -> int:
    if len(chain) == 1:
        return 1 << chain[0]
    made = 0
    for cut in range(1, len(chain)):
        left, right = _all_bracketings(table, chain[:cut]), _all_bracketings(table, chain[cut:])
        for r, s in product(range(len(table.relations)), repeat=2):
            if left >> r & 1 and right >> s & 1:
                made |= table.cells[r][s]
    return made


def sample(table: Table, rng: Random, shapes: Sequence[Sequence[int]], each: int, tries: int = 2000) -> list[Network]:
    """Up to `each` networks of every shape."""
    found: list[Network] = []
    for shape in shapes:
        made = [network for _ in range(tries) if (network := bundle(table, rng, shape)) is not None]
        found += made[:each]
    return found


def task(table: Table, networks: Sequence[Network]) -> NetworkTask:
    return NetworkTask("planted", table.relations, tuple(networks))
