"""STaR: closure and certified graphs a CPU second, against the plain way of doing the same.

Closure: elimination, by which the generator, the judge and the learner of tables answer a network, against closing all
pairs with a queue of edges, the textbook algorithm. Graphs: making and certifying them through `Family.make` (the whole
work of a worker), against certifying the same graphs by clingo with one grounded control for each graph. Memory is the
highest of the process.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence

from hornbeam.networks.closing import algebraic_closure, possible_mask
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.config import Cells, Split, StarConfig
from hornbeam.star.family import Star
from hornbeam.star.knowledge import Calculus, load_calculus
from hornbeam.star.proving import possible
from hornbeam.star.record import network_of

CELLS = (("rcc8", 4, 3), ("rcc8", 9, 1), ("allen", 4, 3), ("allen", 9, 1))
BASELINE_ROWS = 80
ROUNDS = 3


def rate(work: Callable[[], int]) -> float:
    """Things a CPU second, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - start))
    return best


def made(profile: str, calculus: str, k: int, b: int) -> tuple[float, list[ConstraintNetwork]]:
    """Certified graphs a CPU second, and the graphs."""
    settings = {"needed": "most"} if profile == "sound, needed: most" else {}
    config = StarConfig.model_validate(
        {
            "calculus": calculus,
            "profile": profile.split(",")[0],
            "test": Split(cells=(Cells(k=(k,), b=(b,), rows=400),)),
            **settings,
        }
    )
    family = Star()
    shards = family.plan(config, 1)
    family.make(config, 1, shards[0])  # tables and plans are made once in a process
    batches = []

    def work() -> int:
        batches.clear()
        batches.extend(family.make(config, 1, shard) for shard in shards)
        return sum(len(batch.samples) for batch in batches)

    speed = rate(work)
    table = load_calculus(calculus)
    return speed, [network_of(table, sample) for batch in batches for sample in batch.samples]


def closures(calculus: Calculus, networks: Sequence[ConstraintNetwork]) -> tuple[float, float]:
    """Networks decided a CPU second: by elimination, and by closing all pairs."""

    def eliminated() -> int:
        return len([possible_mask(calculus, network) for network in networks])

    def closed() -> int:
        return len([algebraic_closure(calculus, network) for network in networks[:BASELINE_ROWS]])

    return rate(eliminated), rate(closed)


def line(what: str, ours: float, base: float) -> None:
    print(f"{what:<44}{ours:>12,.0f}/s{base:>12,.0f}/s{ours / base:>9.1f}x")


def run() -> None:
    print(f"{'certified graphs':<44}{'ours':>14}{'one control':>14}{'ratio':>10}")
    networks: dict[str, tuple[Calculus, list[ConstraintNetwork]]] = {}
    for profile in ("sound", "sound, needed: most", "compat"):
        for name, k, b in CELLS:
            calculus = load_calculus(name)
            speed, graphs = made(profile, name, k, b)
            some = graphs[:: max(1, len(graphs) // BASELINE_ROWS)][:BASELINE_ROWS]
            base = rate(lambda some=some, c=calculus: len(possible(c, some, batch=1)))
            line(f"{name} k={k} b={b}, {profile}", speed, base)
            if k == 9:
                nodes = max(net.nodes for net in graphs)
                networks[f"{name} k={k} b={b}, {profile}, {nodes} nodes"] = (calculus, graphs)
    print(f"\n{'networks answered by closure':<44}{'elimination':>14}{'all pairs':>14}{'ratio':>10}")
    for name, (calculus, graphs) in networks.items():
        line(name, *closures(calculus, graphs))
    print(f"\nhighest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
