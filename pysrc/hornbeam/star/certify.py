"""Certificates by clingo for a stream of networks: consistent, and exactly this answer.

Many networks share one control. Each has a guard that is assumed, so that an unsatisfiable core names the networks
that are inconsistent instead of failing the batch. Clauses are written for the triangulated graph, past the
grounder, as aspif (clingo's ground format: several times faster than calls of its backend): each edge has exactly
one relation, and in each triangle two relations need a third that supports them. Domains between the ends are
pruned by directional path consistency; the answer's own domain never is, so that clingo itself refutes every other
answer. :mod:`hornbeam.star.reference` repeats all this without pruning, from kb/star/network.lp.

>>> from hornbeam.star.calculus import load_calculus
>>> from hornbeam.star.network import read_network
>>> rcc8 = load_calculus("rcc8")
>>> net = read_network(rcc8, [(0, 1), (1, 3), (0, 2), (2, 3)], ["EC", "TPPI", "TPPI", "EC"], (0, 3))
>>> [rcc8.text(mask) for mask in certify(rcc8, [net])]
['EC']
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.bitsets import bits
from hornbeam.logic.asp import engine
from hornbeam.star.calculus import Calculus
from hornbeam.star.closure import eliminate
from hornbeam.star.network import Network
from hornbeam.star.reference import all_models

BATCH = 32

# For masks of a triangle's three edges: the clauses (relation, relation, supporting relations) that it needs.
_Clauses = dict[tuple[int, int, int], list[tuple[int, int, list[int]]]]
# The aspif literals of an edge's relations, by relation.
_Literals = dict[int, int]


def certify(calculus: Calculus, networks: Sequence[Network], *, batch: int = BATCH) -> list[int]:
    """For each network the mask of all relations that can hold between its query's nodes; 0 if it is inconsistent."""
    answers: list[int] = []
    clauses: _Clauses = {}
    for start in range(0, len(networks), batch):
        answers += _Batch(calculus, networks[start : start + batch], clauses).answers()
    return answers


class _Batch:
    """Several networks in one control."""

    def __init__(self, calculus: Calculus, networks: Sequence[Network], clauses: _Clauses) -> None:
        self.calculus = calculus
        self.clauses = clauses
        self.guards: list[int] = []
        self.shared: frozenset[tuple[int, int]] = frozenset()
        self.atoms = 0
        self.lines = ["asp 1 0 0"]
        for number, network in enumerate(networks):
            self._add(number, network)
        # Every atom is free; the constraints decide.
        self.lines.append(f"1 1 {self.atoms} {' '.join(map(str, range(1, self.atoms + 1)))} 0 0")
        self.lines.append("0\n")
        self.control = engine.grounded("\n".join(self.lines), options=["--sat-prepro=no", "--eq=0"])

    def _add(self, number: int, network: Network) -> None:
        calculus = self.calculus
        done = eliminate(calculus, network)
        if not done.consistent:
            done = eliminate(calculus, network, prune=False)
        source, sink = network.query
        known = done.known
        known[source][sink] = _stated(calculus, network)
        self.atoms += 1
        guard = self.atoms
        self.guards.append(guard)
        target = self._one_of(guard, known[source][sink], target=True)
        for relation, atom in target.items():
            name = f"a({number},{relation})"
            self.lines.append(f"4 {len(name)} {name} 1 {atom}")
        literals: dict[tuple[int, int], _Literals] = {(source, sink): target}
        self.shared = done.plan.shared
        for a, v, c in done.plan.triangles:
            self._triangle(guard, literals, known, a, v, c)

    def _triangle(
        self,
        guard: int,
        literals: dict[tuple[int, int], _Literals],
        known: list[dict[int, int]],
        a: int,
        v: int,
        c: int,
    ) -> None:
        """Whatever holds from a to v and from v to c needs support from a to c."""
        masks = (known[a][v], known[v][c], known[a][c])
        clauses = self.clauses.get(masks)
        if clauses is None:
            clauses = self.clauses[masks] = _support(self.calculus, masks)
        if not clauses:
            return
        first = self._edge(guard, literals, known, a, v)
        second = self._edge(guard, literals, known, v, c)
        third = self._edge(guard, literals, known, a, c)
        for r, s, support in clauses:
            needs = " -".join([str(third[t]) for t in support])
            self.lines.append(f"1 0 0 0 {2 + len(support)} {first[r]} {second[s]}{' -' + needs if needs else ''}")

    def _edge(
        self, guard: int, literals: dict[tuple[int, int], _Literals], known: list[dict[int, int]], u: int, v: int
    ) -> _Literals:
        """The literals of an edge in this direction, made on first use; the other direction has the same atoms."""
        found = literals.get((u, v))
        if found is None:
            back = literals.get((v, u))
            if back is None:
                found = self._one_of(guard, known[u][v], single=(u, v) in self.shared)
            else:
                converses = self.calculus.converses
                found = {converses[r]: atom for r, atom in back.items()}
            literals[u, v] = found
        return found

    def _one_of(self, guard: int, mask: int, *, target: bool = False, single: bool = True) -> _Literals:
        """A relation of the mask holds while the guard does; where there is only one, the guard stands for it.

        With `single` no two do. An edge that is the result of one triangle alone needs no such clause: of several
        relations that hold, any one that its triangle supports can be kept and the others dropped.
        """
        relations = bits(mask)
        if len(relations) == 1 and not target:
            return {relations[0]: guard}
        start = self.atoms + 1
        self.atoms += len(relations)
        atoms = range(start, self.atoms + 1)
        negative = "".join([f" -{atom}" for atom in atoms])
        self.lines.append(f"1 0 0 0 {len(relations) + 1} {guard}{negative}")
        if single and len(relations) > 1:
            weighted = "".join([f" {atom} 1" for atom in atoms])
            self.lines.append(f"1 0 0 1 2 {len(relations)}{weighted}")
        return dict(zip(relations, atoms, strict=True))

    def answers(self) -> list[int]:
        """Union over all models, for the networks that have one."""
        alive = set(range(len(self.guards)))
        all_models(self.control, "brave")
        while alive:
            last: list[engine.Symbol] = []
            with self.control.solve(assumptions=[self.guards[i] for i in sorted(alive)], yield_=True) as handle:
                for model in handle:
                    last = model.symbols(shown=True)
                core = None if handle.get().satisfiable else set(handle.core())
            if core is None:
                return self._masks(last, alive)
            # A core may be larger than it must be: of the networks it names at least one is inconsistent.
            named = [i for i in sorted(alive) if self.guards[i] in core]
            alive -= set(named if len(named) == 1 else [i for i in named if not self._possible(i)])
        return [0] * len(self.guards)

    def _masks(self, symbols: list[engine.Symbol], alive: set[int]) -> list[int]:
        masks = [0] * len(self.guards)
        for symbol in symbols:
            number, relation = (argument.number for argument in symbol.arguments)
            if number in alive:
                masks[number] |= 1 << relation
        return masks

    def _possible(self, number: int) -> bool:
        all_models(self.control, "auto")
        possible = bool(self.control.solve(assumptions=[self.guards[number]]).satisfiable)
        all_models(self.control, "brave")
        return possible


def _stated(calculus: Calculus, network: Network) -> int:
    """What the network itself says of the query's two nodes."""
    stated = calculus.universal
    if network.query not in network.edges and network.query[::-1] not in network.edges:
        return stated
    for edge, label in zip(network.edges, network.labels, strict=True):
        if edge == network.query:
            stated &= label
        elif (edge[1], edge[0]) == network.query:
            stated &= calculus.converse(label)
    return stated


def _support(calculus: Calculus, masks: tuple[int, int, int]) -> list[tuple[int, int, list[int]]]:
    first, second, domain = masks
    return [
        (r, s, bits(calculus.cells[r * calculus.size + s] & domain))
        for r in bits(first)
        for s in bits(second)
        if calculus.cells[r * calculus.size + s] & domain != domain
    ]
