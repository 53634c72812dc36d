"""The reference reasoner: clingo on kb/star/network.lp, grounded, nothing pruned, independent of closure.

>>> from hornbeam.star.calculus import load_calculus
>>> from hornbeam.star.network import read_network
>>> allen = load_calculus("allen")
>>> net = read_network(allen, [(0, 1), (1, 2), (0, 2), (2, 3)], ["<", "m", "di", "f"], (0, 3))
>>> possible(allen, [net])
[0]
>>> minimal_conflict(allen, net)
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.logic.asp import engine
from hornbeam.star.calculus import Calculus
from hornbeam.star.closure import triangulate
from hornbeam.star.network import Edge, Network

BATCH = 16


def possible(
    calculus: Calculus, networks: Sequence[Network], *, complete: bool | None = None, batch: int = BATCH
) -> list[int]:
    """For each network the mask of exactly the relations that can hold between the query's nodes; 0 if inconsistent.

    `complete` takes the triangles of the complete graph instead of a triangulated one; by default that is done for
    calculi whose file does not state property(patchwork).
    """
    whole = not calculus.patchwork if complete is None else complete
    masks: list[int] = []
    for start in range(0, len(networks), batch):
        masks += _possible_together(calculus, networks[start : start + batch], whole)
    return masks


def minimal_conflict(calculus: Calculus, network: Network) -> list[int]:
    """The numbers of edges that cannot hold together, none of them to spare; empty if the network is consistent.

    Dropping any one of these edges leaves the rest of them consistent.
    """
    control = _control(calculus, [network], not calculus.patchwork, fixed=False)
    on = _literal(control, "on", 0)
    kept = {n: _literal(control, "kept", 0, n) for n in range(len(network.edges))}

    def core(edges: Iterable[int]) -> set[int] | None:
        with control.solve(assumptions=[on, *(kept[n] for n in edges)], yield_=True) as handle:
            handle.resume()
            if handle.get().satisfiable:
                return None
            named = set(handle.core())
        return {n for n in edges if kept[n] in named}

    conflict = core(range(len(network.edges)))
    if conflict is None:
        return []
    for edge in sorted(conflict):
        if edge in conflict:
            smaller = core(sorted(conflict - {edge}))
            conflict = conflict if smaller is None else smaller
    return sorted(conflict)


def _possible_together(calculus: Calculus, networks: Sequence[Network], complete: bool) -> list[int]:
    control = _control(calculus, networks, complete, fixed=True)
    on = [_literal(control, "on", i) for i in range(len(networks))]
    all_models(control, "brave")
    alive = list(range(len(networks)))
    while alive:
        with control.solve(assumptions=[on[i] for i in alive], yield_=True) as handle:
            last: Sequence[engine.Symbol] = []
            for model in handle:
                last = model.symbols(shown=True)
            core = None if handle.get().satisfiable else set(handle.core())
        if core is None:
            masks = [0] * len(networks)
            for symbol in last:
                i, relation = symbol.arguments
                if i.number in alive:
                    masks[i.number] |= 1 << relation.number
            return masks
        # A core may be larger than it must be: of the networks it names at least one is inconsistent.
        named = [i for i in alive if on[i] in core]
        if len(named) > 1:
            all_models(control, "auto")
            named = [i for i in named if not control.solve(assumptions=[on[i]]).satisfiable]
            all_models(control, "brave")
        alive = [i for i in alive if i not in named]
    return [0] * len(networks)


def _literal(control: engine.Control, name: str, *numbers: int) -> int:
    atom = control.symbolic_atoms[engine.Function(name, [engine.Number(n) for n in numbers])]
    assert atom is not None
    return atom.literal


def all_models(control: engine.Control, mode: str) -> None:
    """Set clingo to the union of all models (``brave``), or back to one model (``auto``)."""
    solve = control.configuration.solve
    assert isinstance(solve, engine.Configuration)
    solve.enum_mode = mode
    solve.models = 1 if mode == "auto" else 0


def _control(calculus: Calculus, networks: Sequence[Network], complete: bool, *, fixed: bool) -> engine.Control:
    facts = calculus_facts(calculus)
    for i, network in enumerate(networks):
        facts += _network_facts(i, network, complete)
        facts += [f"fixed({i})."] if fixed else []
    return engine.grounded("\n".join(facts), files=[resources.kb("star", "network.lp")])


def calculus_facts(calculus: Calculus) -> list[str]:
    """The calculus as ASP facts; relations are their numbers."""
    facts = [f"relation(0..{calculus.size - 1})."]
    facts += [f"converse({r},{s})." for r, s in enumerate(calculus.converses)]
    for cell, mask in enumerate(calculus.cells):
        a, b = divmod(cell, calculus.size)
        facts += [f"composition({a},{b},{c})." for c in bits(mask)]
    return facts


def _network_facts(i: int, network: Network, complete: bool) -> list[str]:
    pairs, triangles = _complete(network) if complete else _triangulated(network)
    facts = [f"instance({i}). query({i},{network.query[0]},{network.query[1]})."]
    facts += [f"pair({i},{u},{v})." for u, v in pairs]
    facts += [f"triangle({i},{u},{v},{w})." for u, v, w in triangles]
    for n, ((u, v), label) in enumerate(zip(network.edges, network.labels, strict=True)):
        facts.append(f"edge({i},{n},{u},{v}).")
        facts += [f"label({i},{n},{r})." for r in bits(label)]
    return facts


def _complete(network: Network) -> tuple[list[Edge], list[tuple[int, int, int]]]:
    nodes = range(network.nodes)
    return list(combinations(nodes, 2)), list(combinations(nodes, 3))


def _triangulated(network: Network) -> tuple[list[Edge], list[tuple[int, int, int]]]:
    plan = triangulate(network.nodes, network.edges, network.query)
    pairs = {(min(edge), max(edge)) for edge in (*network.edges, *plan.added)}
    return sorted(pairs), list(plan.triangles)
