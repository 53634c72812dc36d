"""Small worlds whose true composition is known: addition of numbers modulo the number of relations."""

from __future__ import annotations

import numpy as np

from hornbeam import seeds
from hornbeam.networks.network import Edge, Network
from hornbeam.neural.graph.data import GraphData, fold
from hornbeam.neural.graph.store import encode

RELATIONS = ("r0", "r1", "r2", "r3")


def path(name: str, steps: list[int]) -> Network:
    """A path of these relations, and the relation of its ends."""
    edges = tuple(Edge(at, (RELATIONS[step],), at + 1) for at, step in enumerate(steps))
    return Network(name, edges, (0, len(steps)), (RELATIONS[sum(steps) % len(RELATIONS)],), {"k": len(steps)})


def paths(count: int, lengths: tuple[int, ...] = (2, 3), seed: int = 0) -> list[Network]:
    draw = seeds.fast_rng(seed, "planted")
    chosen = [[draw.randrange(len(RELATIONS)) for _ in range(draw.choice(lengths))] for _ in range(count)]
    return [path(f"n{place}", steps) for place, steps in enumerate(chosen)]


def data(worlds: int = 1, count: int = 24) -> GraphData:
    """So many worlds of the same algebra, each with training, validation and test rows."""
    names = tuple(f"w{place}" for place in range(worlds))
    networks = [network for place in range(worlds) for network in paths(2 * count, seed=place)]
    rows = np.arange(len(networks)).reshape(worlds, 2, count)
    return GraphData(
        encode(networks, RELATIONS, paths=2),
        names,
        {name: rows[place, 0] for place, name in enumerate(names)},
        {split: {name: {"": rows[place, 1]} for place, name in enumerate(names)} for split in ("valid", "test")},
        np.repeat(np.arange(worlds), 2 * count),
        tuple(world(place) for place in range(worlds)),
    )


def world_edges(seed: int = 0, nodes: int = 12, edges: int = 40) -> list[tuple[int, int, int]]:
    draw = seeds.fast_rng(seed, "world")
    return [(draw.randrange(nodes), draw.randrange(len(RELATIONS)), draw.randrange(nodes)) for _ in range(edges)]


def world(seed: int = 0):  # type: ignore[no-untyped-def]
    return fold(world_edges(seed), len(RELATIONS))
